// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KeptCompiler: machine code of module after module by one pipeline of passes. To build the pipeline takes a fifth to a
// quarter of what LLVM takes for a case at -O0.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_KEPT_COMPILER_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_KEPT_COMPILER_H_

#include <memory>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ExecutionEngine/Orc/IRCompileLayer.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace tosaic {

class KeptCompiler : public llvm::orc::IRCompileLayer::IRCompiler {
 public:
  // `errors`: what the handler of the modules' context has heard of, in words; it must outlive this.
  KeptCompiler(std::unique_ptr<llvm::TargetMachine> machine, const std::string* errors);
  // The bytes of an object file, the same as by a pipeline of its own. If LLVM reports an error meanwhile, they mean
  // nothing, and the pipeline is built anew. REQUIRES: `errors` is empty. Errors: the target makes no object files.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> operator()(llvm::Module& module) override;

 private:
  const std::unique_ptr<llvm::TargetMachine> machine_;
  const std::string* const errors_;
  llvm::SmallVector<char, 0> bytes_;
  llvm::raw_svector_ostream stream_{bytes_};  // to which passes_ writes
  std::unique_ptr<llvm::legacy::PassManager> passes_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_KEPT_COMPILER_H_
