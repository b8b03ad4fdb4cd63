// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Case files: JSON text, readable, ending in a newline. The format is documented in docs/keys.md.
#ifndef TOSAIC_MODEL_JSON_H_
#define TOSAIC_MODEL_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/codec.h"
#include "model/program.h"

namespace tosaic {

// Checks the version of the format before anything else.
absl::StatusOr<Case> CaseFromJson(const Json& json);
std::string CaseToText(const Case& test_case);
absl::StatusOr<Case> CaseFromText(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_JSON_H_
