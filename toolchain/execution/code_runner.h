// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CodeRunner: runs compiled programs. It checks, instruments, compiles or links, and executes what a route left,
// whichever MLIR made it. It reuses one JIT per way of making code and one executor.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CODE_RUNNER_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CODE_RUNNER_H_

#include <map>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"
#include "model/observation.h"
#include "model/program.h"
#include "toolchain/execution/compiled_program.h"
#include "toolchain/execution/cpu_client.h"
#include "toolchain/execution/executor.h"
#include "toolchain/execution/jit.h"
#include "toolchain/toolchain.h"

namespace tosaic {

IrModule Owned(std::unique_ptr<llvm::Module> module);

class CodeRunner {
 public:
  // `cpu`: where programs run.
  explicit CodeRunner(CpuSettings cpu = {});
  // Modules for this way of making code live in this JIT's context. Its CPU is this runner's. Errors: LLVM cannot make
  // such code, or the CPU's server does not start.
  absl::StatusOr<Jit*> JitFor(const CodeGeneration& generation) { return JitOn(cpu_.cpu, generation); }

  // Says in the description of a toolchain what the CPU is, and has the routes that it lacks taken out. Errors: those
  // of JitFor.
  absl::Status Describe(ToolchainDescription* description);

  // Goes through the stages translate (whether IR verifies), compile and execute, and returns the observation.
  // REQUIRES: a module lives in the context of JitFor(program.generation).
  void Run(CompiledProgram program, const Case& test_case, Observation* observation);

 private:
  absl::StatusOr<Jit*> JitOn(const Cpu* cpu, CodeGeneration generation);
  std::unique_ptr<llvm::Module> IrToSearch(const CompiledProgram& program, Observation* observation);

  std::map<CodeGeneration, std::unique_ptr<Jit>> jits_;
  Executor executor_;
  const CpuSettings cpu_;
  CpuClient elsewhere_;                // used if there is a CPU
  std::optional<CpuGreeting> server_;  // its greeting
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CODE_RUNNER_H_
