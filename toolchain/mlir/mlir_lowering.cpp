// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_lowering.h"

#include <signal.h>

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "model/pass_sequence.h"
#include "toolchain/mlir/lowered_ir_extraction.h"
#include "toolchain/mlir/mlir_verifier.h"
#include "toolchain/mlir/own_passes.h"
#include "toolchain/symbolizer.h"

namespace tosaic {
namespace {

// Once: LLVM takes no more than eight handlers. SIGTRAP stays with whoever has armed breakpoints.
bool TellWhereItDies() {
  SymbolizeDeaths(false);
  struct sigaction trap = {};
  sigaction(SIGTRAP, nullptr, &trap);
  llvm::sys::PrintStackTraceOnErrorSignal("");
  sigaction(SIGTRAP, &trap, nullptr);
  return true;
}

}  // namespace

MlirLowering::MlirLowering(mlir::MLIRContext* context, PassRunner* passes, const ToolchainOptions& options)
    : context_(context),
      passes_(passes),
      in_process_(RoutesOn(options.cpu, RoutesInProcess())),
      routes_(in_process_, options.pipeline, FindRoute(in_process_, options.custom_like)),
      library_function_(options.library_function),
      code_(options.cpu) {}

absl::Status MlirLowering::Prepare(ToolchainDescription* description) {
  TOSAIC_RETURN_IF_ERROR(code_.Describe(description));
  if (const Route* custom = routes_.Find(kCustomRoute)) {
    TOSAIC_RETURN_IF_ERROR(passes_->Parse(*custom));
  }
  return code_.JitFor(GenerationOf(routes_.custom())).status();
}

Observation MlirLowering::Observe(const Case& test_case) {
  if (const Route* route = routes_.Find(test_case.route)) {
    // Nobody knows whether a user's passes keep what they made of an earlier case: they are new for each. So are those
    // of sequences.
    const bool is_new = route->name == kCustomRoute || route->name == kSequenceRoute;
    return is_new ? ObserveThrough(test_case, route->pipeline) : ObserveOn(*route, test_case);
  }
  Observation observation;
  const bool is_of_another = FindRoute(test_case.route) != nullptr;
  observation.outcome = is_of_another ? Outcome::kRefused : Outcome::kToolFailure;
  observation.stage = Stage::kBuild;
  observation.diagnostics = {is_of_another ? absl::StrCat(NameInProcess(), " has no route '", test_case.route, "'")
                                           : absl::StrCat("no route is named '", test_case.route, "'")};
  return observation;
}

Observation MlirLowering::ObserveThrough(const Case& test_case, absl::string_view pipeline) {
  return passes_->WithPipeline(pipeline, routes_.FindOrCustom(test_case.route),
                               [&](const Route& route) { return ObserveOn(route, test_case); });
}

Observation MlirLowering::ObserveOn(const Route& route, const Case& test_case) {
  StageWalk walk(context_);
  std::optional<CompiledProgram> program = Lower(route, test_case, walk);
  if (program) code_.Run(*std::move(program), test_case, &walk.observation);
  return std::move(walk.observation);
}

std::optional<CompiledProgram> MlirLowering::Lower(const Route& route, const Case& test_case, StageWalk& walk) {
  if (route.calls_library && !library_function_) {
    walk.End(Outcome::kToolFailure, absl::StrCat("nobody supplies the library of the route '", route.name, "'"));
    return std::nullopt;
  }
  BuiltModule built;
  if (!BuildAndVerify(context_, test_case.program, &built, walk)) return std::nullopt;
  Infer(built.ops, walk);
  if (test_case.runs.empty()) return std::nullopt;  // only the decision is asked for
  walk.Enter(Stage::kLower);
  walk.observation.extracts = route.extracts;
  walk.observation.calls_library = route.calls_library;
  if (!passes_->Run(*built.module, route, walk)) return std::nullopt;
  if (route.extracts) {
    walk.observation.lowered = ExtractLoweredIr(*built.module);
    return std::nullopt;
  }
  absl::StatusOr<Jit*> jit = code_.JitFor(GenerationOf(route));
  if (!jit.ok()) {
    walk.End(Outcome::kToolFailure, std::string(jit.status().message()));
    return std::nullopt;
  }
  walk.Enter(Stage::kTranslate);
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(*built.module, (*jit)->context(), "case", /*disableVerification=*/true);
  if (module == nullptr) {
    walk.End(Outcome::kRefused);
    return std::nullopt;
  }
  CompiledProgram program = ProgramOn(route);
  program.code = Owned(std::move(module));
  program.options.library = ReadLibrarySignatures(*built.module);
  if (AreOfUnknownOps(program.options.library)) {
    walk.End(Outcome::kToolFailure, std::string(kOfUnknownOps));
    return std::nullopt;
  }
  program.options.library_function = library_function_;
  return program;
}

absl::StatusOr<std::string> MlirLowering::LowerText(absl::string_view mlir, absl::string_view pipeline,
                                                    bool to_llvm_ir) {
  [[maybe_unused]] static const bool tells = TellWhereItDies();
  return LowerTextHere(mlir, pipeline, to_llvm_ir);
}

absl::StatusOr<std::string> MlirLowering::LowerTextHere(absl::string_view mlir, absl::string_view pipeline,
                                                        bool to_llvm_ir) {
  StageWalk walk(context_);
  const auto refusal = [&](absl::string_view who) {
    std::vector<std::string>& ended = walk.observation.diagnostics;
    const std::vector<std::string>& errors = ended.empty() ? walk.errors() : ended;
    return absl::InvalidArgumentError(absl::StrCat(who, ": ", errors.empty() ? "refused" : errors.front()));
  };
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(mlir.data(), mlir.size()), context_);
  if (!module) return refusal("the module");
  // The IR itself is not observed here.
  const Route like{.name = "", .pipeline = "", .exercises = "", .extracts = true};
  const bool ran =
      passes_->WithPipeline(pipeline, like, [&](const Route& route) { return passes_->Run(*module, route, walk); });
  if (!ran) return refusal(walk.observation.pass.empty() ? "the pass pipeline" : walk.observation.pass);
  if (!to_llvm_ir) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, mlir::OpPrintingFlags().assumeVerified());  // the pass manager has
    return text;
  }
  absl::StatusOr<Jit*> jit = code_.JitFor(GenerationOf(routes_.custom()));
  if (!jit.ok()) return jit.status();
  const std::unique_ptr<llvm::Module> llvm_module = mlir::translateModuleToLLVMIR(*module, (*jit)->context());
  if (llvm_module == nullptr) return refusal("the translation to LLVM IR");
  return llvm::to_string(*llvm_module);
}

}  // namespace tosaic
