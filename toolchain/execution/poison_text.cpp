// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/poison_text.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "toolchain/execution/poison.h"

namespace tosaic {

absl::StatusOr<std::string> WithPoisonShown(const std::string& llvm_ir) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(llvm_ir, error, context);
  if (module == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("LLVM " LLVM_VERSION_STRING " does not read the LLVM IR: ", error.getMessage().str()));
  }
  ShowPoison(*module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

}  // namespace tosaic
