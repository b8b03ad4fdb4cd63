// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR as text, of this LLVM or another: reading it, the size of its code, and its poison.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_LLVM_IR_TEXT_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_LLVM_IR_TEXT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "toolchain/execution/compiled_program.h"

namespace llvm {
class LLVMContext;
}  // namespace llvm

namespace tosaic {

// The module that the text of another LLVM stands for: where this LLVM does not read the text as it is, with its floats
// as bits (float_literals.h). Error: it does not read that either, in one line. REQUIRES: the caller sees llvm::Module.
absl::StatusOr<std::unique_ptr<llvm::Module>> ReadLlvmIr(const std::string& text, llvm::LLVMContext& context);

// The bytes of code in the object file that the LLVM of this process makes of the text. So different sizes for two
// MLIRs come from their IR, not from their LLVMs. Errors: this LLVM cannot read the text, or cannot compile it.
absl::StatusOr<uint64_t> CodeBytesOf(const std::string& llvm_ir, const CodeGeneration& generation);

// The text with its poison shown (toolchain/execution/poison.h), for reproducers. Error: this LLVM does not read it.
absl::StatusOr<std::string> WithPoisonShown(const std::string& llvm_ir);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_LLVM_IR_TEXT_H_
