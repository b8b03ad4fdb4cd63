// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/joined_toolchain.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "codec/status.h"
#include "llvm/IR/Module.h"
#include "model/mlir_text.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/execution/llvm_ir_text.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

class JoinedToolchain : public Toolchain {
 public:
  JoinedToolchain(Part first, Part second)
      : Toolchain(first.toolchain->description()), first_(std::move(first)), second_(std::move(second)) {}
  Observation Observe(const Case& test_case) override {
    Observation observation;
    const Route* route = FindRoute(test_case.route);
    CompiledProgram program = ProgramOn(route != nullptr ? *route : Route());
    absl::StatusOr<std::unique_ptr<llvm::Module>> module = ModuleOf(test_case.program, program.generation);
    if (!module.ok()) {
      EnterStage(Stage::kExecute, &observation);
      observation.outcome = Outcome::kRefused;
      observation.diagnostics = {std::string(module.status().message())};
      return observation;
    }
    program.code = Owned(*std::move(module));
    EnterStage(Stage::kTranslate, &observation);
    code_.Run(std::move(program), test_case, &observation);
    return observation;
  }

 private:
  absl::StatusOr<std::unique_ptr<llvm::Module>> ModuleOf(const Program& program, const CodeGeneration& generation) {
    EnterStage(Stage::kLower);
    const std::string mlir = ToMlir(program, first_.toolchain->description().dialect);
    TOSAIC_ASSIGN_OR_RETURN(const std::string between,
                            first_.toolchain->lowering()->LowerTextHere(mlir, first_.pipeline, false));
    TOSAIC_ASSIGN_OR_RETURN(const std::string llvm_ir,
                            second_.toolchain->lowering()->LowerTextHere(between, second_.pipeline, true));
    EnterStage(Stage::kTranslate);
    TOSAIC_ASSIGN_OR_RETURN(Jit * jit, code_.JitFor(generation));
    return ReadLlvmIr(llvm_ir, jit->context());
  }

  const Part first_, second_;
  CodeRunner code_;
};

}  // namespace

std::unique_ptr<Toolchain> CreateJoinedToolchain(Part first, Part second) {
  return std::make_unique<JoinedToolchain>(std::move(first), std::move(second));
}

}  // namespace tosaic
