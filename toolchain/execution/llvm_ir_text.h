// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_LLVM_IR_TEXT_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_LLVM_IR_TEXT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace tosaic {

// The module that the text of another LLVM stands for: where this LLVM does not read the text as it is, with its floats
// as bits (float_literals.h). Error: it does not read that either, in one line.
absl::StatusOr<std::unique_ptr<llvm::Module>> ReadLlvmIr(const std::string& text, llvm::LLVMContext& context);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_LLVM_IR_TEXT_H_
