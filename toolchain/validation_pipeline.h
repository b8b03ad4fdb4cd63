// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How MLIR is made to check a program against a validation target.
#ifndef TOSAIC_TOOLCHAIN_VALIDATION_PIPELINE_H_
#define TOSAIC_TOOLCHAIN_VALIDATION_PIPELINE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/validation_target.h"

namespace tosaic {

// The pass pipeline: tosa-validate for that target, behind what attaches the target.
std::string ValidationPipeline(const ValidationTarget& target);

// The error where an MLIR does not take the target itself, whatever the program is.
absl::Status TargetIsRefused(absl::string_view toolchain, const ValidationTarget& target, absl::string_view why);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_VALIDATION_PIPELINE_H_
