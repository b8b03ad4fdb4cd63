// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ShowPoison on text, for reproducers.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_POISON_TEXT_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_POISON_TEXT_H_

#include <string>

#include "absl/status/statusor.h"

namespace tosaic {

// The text of LLVM IR with its poison shown (toolchain/execution/poison.h). Error: this LLVM does not read it.
absl::StatusOr<std::string> WithPoisonShown(const std::string& llvm_ir);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_POISON_TEXT_H_
