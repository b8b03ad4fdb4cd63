// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/poison_text.h"

#include <memory>

#include "codec/status.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "toolchain/execution/llvm_ir_text.h"
#include "toolchain/execution/poison.h"

namespace tosaic {

absl::StatusOr<std::string> WithPoisonShown(const std::string& llvm_ir) {
  llvm::LLVMContext context;
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<llvm::Module> module, ReadLlvmIr(llvm_ir, context));
  ShowPoison(*module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

}  // namespace tosaic
