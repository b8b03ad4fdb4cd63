// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/llvm_ir_text.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/SourceMgr.h"
#include "toolchain/execution/float_literals.h"

namespace tosaic {

absl::StatusOr<std::unique_ptr<llvm::Module>> ReadLlvmIr(const std::string& text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (module == nullptr) module = llvm::parseAssemblyString(WithFloatsAsBits(text), error, context);
  if (module != nullptr) return module;
  return absl::InvalidArgumentError(
      absl::StrCat("LLVM " LLVM_VERSION_STRING " does not read the LLVM IR: ", error.getMessage().str()));
}

}  // namespace tosaic
