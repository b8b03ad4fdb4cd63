#include "toolchain/execution/code_runner.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "toolchain/execution/instrumentation.h"
#include "toolchain/execution/library_calls.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

// LLVM's own allocations end as those of C++ do: a worker says why it ends.
void UseNewHandler() {
  static const bool installed = [] {
    llvm::install_bad_alloc_error_handler([](void*, const char* reason, bool) {
      if (const std::new_handler handler = std::get_new_handler()) handler();
      std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
      std::abort();
    });
    return true;
  }();
  (void)installed;
}

void Enter(Stage stage, Observation* observation) {
  observation->stage = stage;
  EnterStage(stage);
}

void End(Outcome outcome, std::string why, Observation* observation) {
  observation->outcome = outcome;
  observation->diagnostics.push_back(std::move(why));
}

}  // namespace

CodeRunner::CodeRunner() { UseNewHandler(); }

absl::StatusOr<Jit*> CodeRunner::JitFor(const Route& route) {
  const CodeGeneration generation = {.optimized = route.optimized, .host_cpu = route.host_cpu};
  std::unique_ptr<Jit>& jit = jits_[generation];
  if (jit == nullptr) {
    absl::StatusOr<std::unique_ptr<Jit>> created = Jit::Create(generation);
    if (!created.ok()) return created.status();
    jit = *std::move(created);
  }
  return jit.get();
}

void CodeRunner::Run(std::unique_ptr<llvm::Module> module, const Route& route, const Case& test_case,
                     std::vector<LibrarySignature> library, const LibraryFunction& library_function,
                     Observation* observation) {
  Enter(Stage::kTranslate, observation);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (llvm::verifyModule(*module, &stream)) return End(Outcome::kIllegalIr, errors, observation);
  absl::StatusOr<Jit*> jit = JitFor(route);
  if (!jit.ok()) return End(Outcome::kToolFailure, std::string(jit.status().message()), observation);
  module->setDataLayout((*jit)->data_layout());
#if LLVM_VERSION_MAJOR >= 21
  module->setTargetTriple((*jit)->triple());
#else
  module->setTargetTriple((*jit)->triple().str());
#endif
  if (route.calls_library) DefineLibraryFunctions(*module);
  if (route.counts_stores) {
    if (std::string error = CountStores(*module); !error.empty()) {
      return End(Outcome::kToolFailure, std::move(error), observation);
    }
  }
  Enter(Stage::kCompile, observation);
  absl::StatusOr<Jit::CompiledModule> compiled = (*jit)->Compile(std::move(module));
  if (!compiled.ok()) return End(Outcome::kRefused, std::string(compiled.status().message()), observation);
  Enter(Stage::kExecute, observation);
  observation->verifies_extents = route.verifies;
  observation->calls_library = route.calls_library;
  const Executor::Options options = {.count_leaks = route.deallocates,
                                     .alignment = route.alignment,
                                     .counts_stores = route.counts_stores,
                                     .library = std::move(library),
                                     .library_function = library_function};
  executor_.Execute(compiled->entry(), test_case, options, observation);
}

}  // namespace tosaic
