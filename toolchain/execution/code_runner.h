// CodeRunner: from LLVM IR on. Checks, instruments, compiles and executes what a route left, whichever MLIR made it;
// one JIT per way of making code and one executor, reused.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CODE_RUNNER_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CODE_RUNNER_H_

#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"
#include "model/observation.h"
#include "model/program.h"
#include "toolchain/execution/executor.h"
#include "toolchain/execution/jit.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class CodeRunner {
 public:
  CodeRunner();
  // Modules for a route live in this JIT's context.
  absl::StatusOr<Jit*> JitFor(const Route& route);

  // Walks the stages translate (whether the IR verifies), compile and execute, and says how that went.
  // REQUIRES: the module lives in the context of JitFor(route).
  void Run(std::unique_ptr<llvm::Module> module, const Route& route, const Case& test_case,
           std::vector<LibrarySignature> library, const LibraryFunction& library_function, Observation* observation);

 private:
  std::map<CodeGeneration, std::unique_ptr<Jit>> jits_;
  Executor executor_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CODE_RUNNER_H_
