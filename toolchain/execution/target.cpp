// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/target.h"

#include <string>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

namespace tosaic {
namespace {

void SetWays(const CodeGeneration& generation, llvm::orc::JITTargetMachineBuilder& machine) {
  machine.setCodeGenOptLevel(generation.optimized ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None);
  machine.setRelocationModel(llvm::Reloc::PIC_);
}

llvm::orc::JITTargetMachineBuilder MachineOf(const Cpu& cpu, const CodeGeneration& generation) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::orc::JITTargetMachineBuilder machine{llvm::Triple(std::string(cpu.triple))};
  machine.setCPU(std::string(cpu.model));
  const absl::string_view more = generation.host_cpu ? cpu.more_features : "";
  for (const absl::string_view features : {cpu.features, more}) {
    machine.addFeatures(absl::StrSplit(features, ',', absl::SkipEmpty()));
  }
  machine.getOptions().MCOptions.ABIName = std::string(cpu.abi);
  SetWays(generation, machine);
  return machine;
}

}  // namespace

llvm::Expected<llvm::orc::JITTargetMachineBuilder> MachineOf(const CodeGeneration& generation) {
  if (generation.cpu != nullptr) return MachineOf(*generation.cpu, generation);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> machine =
      generation.host_cpu ? llvm::orc::JITTargetMachineBuilder::detectHost()
                          : llvm::Expected<llvm::orc::JITTargetMachineBuilder>(triple);
  if (!machine) return machine;
  if (!generation.host_cpu) machine->setCPU(triple.getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic");
  SetWays(generation, *machine);
  return machine;
}

void OptimizeFor(llvm::TargetMachine& machine, llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

}  // namespace tosaic
