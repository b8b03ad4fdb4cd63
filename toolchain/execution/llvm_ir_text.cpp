// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/llvm_ir_text.h"

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "toolchain/execution/float_literals.h"
#include "toolchain/execution/llvm_status.h"
#include "toolchain/execution/poison.h"
#include "toolchain/execution/target.h"

namespace tosaic {
namespace {

// Made once per way of making code, and kept.
absl::StatusOr<llvm::TargetMachine*> KeptMachineOf(const CodeGeneration& generation) {
  static auto& kept = *new std::map<CodeGeneration, std::unique_ptr<llvm::TargetMachine>>;
  std::unique_ptr<llvm::TargetMachine>& machine = kept[generation];
  if (machine == nullptr) {
    llvm::Expected<llvm::orc::JITTargetMachineBuilder> builder = MachineOf(generation);
    if (!builder) return ToStatus(builder.takeError());
    auto created = builder->createTargetMachine();
    if (!created) return ToStatus(created.takeError());
    machine = std::move(*created);
  }
  return machine.get();
}

absl::StatusOr<uint64_t> CodeBytesIn(llvm::StringRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) return ToStatus(file.takeError());
  uint64_t bytes = 0;
  for (const llvm::object::SectionRef& section : (*file)->sections()) bytes += section.isText() ? section.getSize() : 0;
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<llvm::Module>> ReadLlvmIr(const std::string& text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (module == nullptr) module = llvm::parseAssemblyString(WithFloatsAsBits(text), error, context);
  if (module != nullptr) return module;
  return absl::InvalidArgumentError(
      absl::StrCat("LLVM " LLVM_VERSION_STRING " does not read the LLVM IR: ", error.getMessage().str()));
}

absl::StatusOr<uint64_t> CodeBytesOf(const std::string& llvm_ir, const CodeGeneration& generation) {
  TOSAIC_ASSIGN_OR_RETURN(llvm::TargetMachine * machine, KeptMachineOf(generation));
  llvm::LLVMContext context;
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<llvm::Module> module, ReadLlvmIr(llvm_ir, context));
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  if (generation.optimized) OptimizeFor(*machine, *module);
  llvm::SmallVector<char> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  const bool cannot = machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  if (cannot) return absl::InternalError("LLVM " LLVM_VERSION_STRING " makes no object files");
  passes.run(*module);
  return CodeBytesIn({object.data(), object.size()});
}

absl::StatusOr<std::string> WithPoisonShown(const std::string& llvm_ir) {
  llvm::LLVMContext context;
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<llvm::Module> module, ReadLlvmIr(llvm_ir, context));
  ShowPoison(*module);
  return llvm::to_string(*module);
}

}  // namespace tosaic
