// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/kept_compiler.h"

#include <utility>

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

namespace tosaic {

KeptCompiler::KeptCompiler(std::unique_ptr<llvm::TargetMachine> machine, const std::string* errors)
    : IRCompiler(llvm::orc::irManglingOptionsFromTargetOptions(machine->Options)),
      machine_(std::move(machine)),
      errors_(errors) {}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> KeptCompiler::operator()(llvm::Module& module) {
  if (passes_ == nullptr) {
    auto passes = std::make_unique<llvm::legacy::PassManager>();
    llvm::MCContext* context = nullptr;
    if (machine_->addPassesToEmitMC(*passes, context, stream_)) {
      return llvm::createStringError("the target makes no object files");
    }
    passes_ = std::move(passes);
  }
  passes_->run(module);
  if (!errors_->empty()) passes_.reset();  // they may have ended anywhere
  auto object = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes_), /*RequiresNullTerminator=*/false);
  bytes_.clear();  // what was moved from may hold anything
  return object;
}

}  // namespace tosaic
