// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/json.h"

#include "absl/strings/str_cat.h"
#include "codec/status.h"

namespace tosaic {

absl::StatusOr<Case> CaseFromJson(const Json& json) {
  absl::Status status;
  const int64_t version = JsonReader(&json, "", &status).Field("tosaic_case").Int();
  if (!status.ok()) return status;
  if (version < 1 || version > kCaseFormatVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("tosaic_case: format version ", version, "; this build reads up to ", kCaseFormatVersion));
  }
  return FromJson<Case>(json);
}

std::string CaseToText(const Case& test_case) { return Dump(ToJson(test_case), 2) + "\n"; }

absl::StatusOr<Case> CaseFromText(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  return CaseFromJson(json);
}

}  // namespace tosaic
