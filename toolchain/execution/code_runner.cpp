// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/code_runner.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/status.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "toolchain/execution/instrumentation.h"
#include "toolchain/execution/poison.h"
#include "toolchain/execution/poison_search.h"
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

void End(Outcome outcome, std::string why, Observation* observation) {
  observation->outcome = outcome;
  observation->diagnostics.push_back(std::move(why));
}

// Checks the IR, and makes of it what the JIT takes and the program asks for. False if that ends the walk.
bool PrepareIr(llvm::Module& module, const Jit& jit, const CompiledProgram& program, Observation* observation) {
  jit.Fit(module);
  if (program.calls_library) DefineLibraryFunctions(module);
  if (!program.options.counts_stores) return true;
  std::string error = CountStores(module);
  if (error.empty()) return true;
  End(Outcome::kToolFailure, std::move(error), observation);
  return false;
}

constexpr char kNoIr[] = "code without LLVM IR";
constexpr char kUnreadIr[] = "LLVM IR that LLVM " LLVM_VERSION_STRING " does not read";

}  // namespace

IrModule Owned(std::unique_ptr<llvm::Module> module) {
  return {module.release(), [](llvm::Module* owned) { delete owned; }};
}

CodeRunner::CodeRunner(CpuSettings cpu) : cpu_(std::move(cpu)), elsewhere_(cpu_) { UseNewHandler(); }

absl::Status CodeRunner::Describe(ToolchainDescription* description) {
  if (cpu_.cpu == nullptr) return absl::OkStatus();
  TOSAIC_RETURN_IF_ERROR(JitFor(CodeGeneration()).status());
  description->cpu = std::string(cpu_.cpu->name);
  description->cpu_runtime =
      absl::StrCat(server_->runtime, " in ", cpu_.emulator_version, " -cpu ", cpu_.cpu->emulated);
  description->routes = RoutesOn(cpu_, std::move(description->routes));
  return absl::OkStatus();
}

absl::StatusOr<Jit*> CodeRunner::JitOn(const Cpu* cpu, CodeGeneration generation) {
  generation.cpu = cpu;
  if (cpu != nullptr && !server_) {
    TOSAIC_ASSIGN_OR_RETURN(server_, elsewhere_.Greet());
  }
  std::unique_ptr<Jit>& jit = jits_[generation];
  if (jit == nullptr) {
    TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Jit> created,
                            Jit::Create(generation, cpu != nullptr ? &*server_ : nullptr));
    jit = std::move(created);
  }
  return jit.get();
}

// The program's IR in the context of this machine's JIT, if it may make poison.
std::unique_ptr<llvm::Module> CodeRunner::IrToSearch(const CompiledProgram& program, Observation* observation) {
  absl::StatusOr<Jit*> jit = JitOn(nullptr, program.generation);
  if (!jit.ok()) return nullptr;
  std::unique_ptr<llvm::Module> module;
  if (const auto* ir = std::get_if<IrModule>(&program.code)) {
    if (!HasPoisonToShow(**ir)) return nullptr;
    if (cpu_.cpu == nullptr) return llvm::CloneModule(**ir);
    module = ModuleFor(**jit, **ir);
  } else if (!program.ir.empty()) {
    module = ModuleFor(**jit, program.ir);
  } else {
    observation->poison_unseen = {kNoIr};
    return nullptr;
  }
  if (module == nullptr) observation->poison_unseen = {kUnreadIr};
  return module != nullptr && HasPoisonToShow(*module) ? std::move(module) : nullptr;
}

void CodeRunner::Run(CompiledProgram program, const Case& test_case, Observation* observation) {
  EnterStage(Stage::kTranslate, observation);
  auto* ir = std::get_if<IrModule>(&program.code);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (ir != nullptr && llvm::verifyModule(**ir, &stream)) return End(Outcome::kIllegalIr, errors, observation);
  if (ir == nullptr && !program.has_calls && (program.calls_library || program.options.counts_stores)) {
    return End(Outcome::kToolFailure, "an object file cannot take what the route adds to LLVM IR", observation);
  }
  absl::StatusOr<Jit*> jit = JitFor(program.generation);
  if (!jit.ok()) return End(Outcome::kToolFailure, std::string(jit.status().message()), observation);
  if (ir != nullptr && !PrepareIr(**ir, **jit, program, observation)) return;
  std::unique_ptr<llvm::Module> searched = IrToSearch(program, observation);
  EnterStage(Stage::kCompile, observation);
  absl::StatusOr<Jit::CompiledModule> compiled =
      ir != nullptr ? (*jit)->Compile(std::unique_ptr<llvm::Module>(ir->release()), program.entry)
                    : (*jit)->Link(std::get<ObjectFile>(program.code), program.entry);
  if (!compiled.ok()) {
    const std::string why(compiled.status().message());
    const bool is_ours = absl::StrContains(why, std::strerror(ENOMEM));  // no memory for machine code
    return End(is_ours ? Outcome::kToolFailure : Outcome::kRefused, why, observation);
  }
  EnterStage(Stage::kExecute, observation);
  observation->verifies_extents = program.verifies_extents;
  observation->calls_library = program.calls_library;
  if (cpu_.cpu == nullptr) {
    executor_.Execute(compiled->entry(), test_case, program.options, observation);
  } else {
    const CodeImage& image = (*jit)->image();
    const CpuTask task{.segments = image.segments, .entry = reinterpret_cast<uint64_t>(compiled->entry())};
    elsewhere_.Execute(task, absl::StrJoin(image.contents, ""), test_case, program.options, observation);
  }
  if (searched == nullptr || observation->outcome != Outcome::kCompleted) return;
  if (ir == nullptr) program.entry = kEntry;
  const absl::StatusOr<Jit*> here = JitOn(nullptr, program.generation);
  if (here.ok()) SearchForPoison(**here, std::move(searched), std::move(program), test_case, executor_, observation);
}

}  // namespace tosaic
