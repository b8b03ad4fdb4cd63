// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/result_file.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tosaic {

EnumNames NamesOf(ResultKind) {
  static constexpr absl::string_view kNames[] = {kCampaignKind, kConformanceKind, kComparisonKind, kSweepKind,
                                                 kValuesKind,   kCoverageKind,    kProofsKind};
  return NamesFor<ResultKind>(kNames, "a kind of result");
}

absl::StatusOr<Json> ParseResultFile(absl::string_view text) {
  absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return json;
  if (!json->is_object() || !json->contains("tosaic_report")) {
    return absl::InvalidArgumentError("not a result file of Tosaic: the key \"tosaic_report\" is missing");
  }
  if ((*json)["tosaic_report"] != kReportVersion) {
    return absl::InvalidArgumentError(absl::StrCat("written in version ", Dump((*json)["tosaic_report"], -1),
                                                   " of the format; this Tosaic reads version ", kReportVersion));
  }
  if (!json->contains("kind") || !(*json)["kind"].is_string()) {
    return absl::InvalidArgumentError("not a result file of Tosaic: the key \"kind\" names no kind of result");
  }
  return json;
}

absl::StatusOr<Json> ParseResultFile(absl::string_view text, absl::string_view kind) {
  absl::StatusOr<Json> json = ParseResultFile(text);
  if (json.ok() && (*json)["kind"] != std::string(kind)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a result of kind ", Dump((*json)["kind"], -1), " where one of kind \"", kind, "\" is needed"));
  }
  return json;
}

}  // namespace tosaic
