// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How MLIR checks a program against a validation target.
#ifndef TOSAIC_TOOLCHAIN_VALIDATION_PIPELINE_H_
#define TOSAIC_TOOLCHAIN_VALIDATION_PIPELINE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/validation_target.h"

namespace tosaic {

// The pass pipeline: the pass that attaches the target, then tosa-validate.
std::string ValidationPipeline(const ValidationTarget& target);

// The error if an MLIR does not accept the target, whatever the program is.
absl::Status TargetIsRefused(absl::string_view toolchain, const ValidationTarget& target, absl::string_view why);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_VALIDATION_PIPELINE_H_
