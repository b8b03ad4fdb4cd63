// One context, a pass manager per route, one JIT, all reused from case to case.
#include "toolchain/mlir/mlir_toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "model/support_table.h"
#include "toolchain/diagnostic_category.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/mlir/lowered_ir_extraction.h"
#include "toolchain/mlir/mlir_builder.h"
#include "toolchain/mlir/own_passes.h"
#include "toolchain/mlir/pass_plugin.h"
#include "toolchain/mlir/pattern_hook.h"
#include "toolchain/mlir/probe_dialect.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

// Errors that MLIR emits while this object lives.
class DiagnosticCapture {
 public:
  explicit DiagnosticCapture(mlir::MLIRContext* context)
      : handler_(context, [this](mlir::Diagnostic& diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) errors_.push_back(diagnostic.str());
          return mlir::success();
        }) {}
  std::vector<std::string>& errors() { return errors_; }

 private:
  std::vector<std::string> errors_;
  mlir::ScopedDiagnosticHandler handler_;
};

// Tells which pass is at work, and after a failure whether the pass said no or left IR that does not verify.
class PassWatch : public mlir::PassInstrumentation {
 public:
  void Begin(DiagnosticCapture* capture) {
    capture_ = capture;
    pass_.clear();
    illegal_ir_ = false;
    loose_constant_.clear();
  }
  const std::string& pass() const { return pass_; }
  bool illegal_ir() const { return illegal_ir_; }
  // The first pass that left a constant of a type without static shape; empty if none did.
  const std::string& loose_constant() const { return loose_constant_; }

  void runBeforePass(mlir::Pass* pass, mlir::Operation*) override {
    const llvm::StringRef name = pass->getArgument();
    if (name.empty()) return;  // the adaptor around nested passes
    pass_ = name.str();
    EnterPass(pass_);
  }

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    if (pass->getArgument().empty() || !loose_constant_.empty()) return;
    op->walk([&](mlir::Operation* inner) {
      if (!inner->hasTrait<mlir::OpTrait::ConstantLike>()) return;
      const auto type = mlir::dyn_cast<mlir::ShapedType>(inner->getResult(0).getType());
      if (type && !type.hasStaticShape()) loose_constant_ = pass->getArgument().str();
    });
  }

  // The pass manager's verifier reports through here as well. Verifying again gives the same diagnostics: where
  // they are the tail of what was emitted, it was the verifier that failed and not the pass.
  void runAfterPassFailed(mlir::Pass* pass, mlir::Operation* op) override {
    if (pass->getArgument().empty() || illegal_ir_) return;
    std::vector<std::string>& emitted = capture_->errors();
    const size_t before = emitted.size();
    if (mlir::succeeded(mlir::verify(op))) return;
    const size_t again = emitted.size() - before;
    illegal_ir_ = again > 0 && again <= before &&
                  std::equal(emitted.begin() + static_cast<ptrdiff_t>(before), emitted.end(),
                             emitted.begin() + static_cast<ptrdiff_t>(before - again));
    emitted.resize(before);
  }

 private:
  DiagnosticCapture* capture_ = nullptr;
  std::string pass_;
  bool illegal_ir_ = false;
  std::string loose_constant_;
};

struct Pipeline {
  std::unique_ptr<mlir::PassManager> passes;
  PassWatch* watch = nullptr;  // owned by the pass manager
};

std::string ValidationPipeline(const ValidationTarget& target) {
  std::vector<absl::string_view> profiles, extensions;
  for (Capability one : target.capabilities) (IsProfile(one) ? profiles : extensions).push_back(Name(one));
  std::string options =
      absl::StrCat("specification_version=", target.version == ValidationTarget::Version::k1_0 ? "1.0" : "1.1.draft",
                   " level=", target.level == ValidationTarget::Level::k8K ? "8k" : "none");
  if (!profiles.empty()) absl::StrAppend(&options, " profiles=", absl::StrJoin(profiles, ","));
  if (!extensions.empty()) absl::StrAppend(&options, " extensions=", absl::StrJoin(extensions, ","));
  return absl::StrCat("builtin.module(tosa-attach-target{", options,
                      "},tosa-validate{strict-op-spec-alignment=", target.strict ? "true" : "false", "})");
}

class MlirToolchain : public Toolchain {
 public:
  static absl::StatusOr<std::unique_ptr<Toolchain>> Create(const MlirToolchainOptions& options);

  std::string name() const override { return NameInProcess(); }
  std::string version() const override { return "LLVM " LLVM_VERSION_STRING; }
  int mlir_version() const override { return LLVM_VERSION_MAJOR; }
  Dialect dialect() const override { return DialectInProcess(); }
  std::string PipelineOf(absl::string_view route) const override {
    if (validation_) return ValidationPipeline(*validation_);
    const Route* found = RouteNamed(route);
    return found == nullptr ? "" : std::string(found->pipeline);
  }
  std::vector<std::string> plugins() const override { return plugins_; }
  void WatchPatterns(std::function<void(absl::string_view)> on_pattern) override {
    RegisterPatternHook(&context_, std::move(on_pattern));
  }
  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) override;
  std::vector<std::string> Patterns() override { return ElementwisePatterns(&context_); }

  Observation Observe(const Case& test_case) override;
  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override;
  Observation ObserveDecision(const Program& program) override;
  Observation ObserveValidation(const Program& program, const ValidationTarget& target) override;
  Observation ObserveRefinement(const Program& program) override;
  Observation ObserveProbe(const OpSignature& probe) override;
  std::unique_ptr<Decider> CreateDecider(const Program* prototype, absl::Span<const ValueType> types) override;

 private:
  explicit MlirToolchain(const mlir::DialectRegistry& registry)
      : context_(registry, mlir::MLIRContext::Threading::DISABLED) {}

  Observation ObserveOn(const Route& route, const Case& test_case);
  // Calls `use` with a route of that pipeline, like another in all else, and forgets the pipeline: there may be
  // hundreds.
  template <typename Use>
  auto WithPipeline(absl::string_view pipeline, Route like, Use use) {
    const std::string name = absl::StrCat("through ", pipeline);
    like.name = name;
    like.pipeline = pipeline;
    auto result = use(like);
    pipelines_.erase(name);
    return result;
  }
  // Stages build and verify. False if they end the case; so do the next two.
  bool BuildAndVerify(const Program& program, BuiltModule* built, DiagnosticCapture* capture, Observation* observation);
  // Runs a route's pipeline, at the stage that was entered.
  bool RunPasses(mlir::ModuleOp module, const Route& route, DiagnosticCapture* capture, Observation* observation);
  bool RunOn(const Program& program, const std::string& passes, Stage stage, BuiltModule* built,
             DiagnosticCapture* capture, Observation* observation);
  absl::StatusOr<Pipeline*> PipelineFor(const Route& route);
  const Route* RouteNamed(absl::string_view name) const {
    return name == kCustomRoute && !custom_pipeline_.empty() ? &custom_route_ : FindRoute(routes_, name);
  }

  mlir::MLIRContext context_;
  const std::vector<const Route*> routes_ = RoutesInProcess();
  std::string custom_pipeline_;
  Route custom_route_{.name = kCustomRoute, .pipeline = "", .exercises = "what the user gave"};
  std::map<std::string, Pipeline> pipelines_;  // by name of a route, or by pipeline of a validation
  std::vector<std::string> plugins_;
  std::optional<ValidationTarget> validation_;
  LibraryFunction library_function_;
  CodeRunner code_;
};

// Ends the walk at the stage it is in.
bool End(Outcome outcome, DiagnosticCapture* capture, Observation* observation) {
  observation->outcome = outcome;
  observation->diagnostics = std::move(capture->errors());
  if (outcome == Outcome::kRefused && observation->stage <= Stage::kVerify) {
    observation->category = CategoryOf(observation->diagnostics.empty() ? "" : observation->diagnostics.front());
  }
  return false;
}

// The same with a message of our own.
bool End(Outcome outcome, std::string why, DiagnosticCapture* capture, Observation* observation) {
  capture->errors().push_back(std::move(why));
  return End(outcome, capture, observation);
}

void Enter(Stage stage, Observation* observation) {
  observation->stage = stage;
  EnterStage(stage);
}

// The element type of a result, which may be a scalar.
ElementType ElementTypeOf(mlir::Operation* op) {
  return ToElementType(mlir::getElementTypeOrSelf(op->getResult(0).getType()));
}

std::optional<TensorType> InferType(mlir::Operation* op) {
  if (mlir::isa<BroadcastableOp>(op)) {
    const std::optional<Shape> shape = InferBroadcastableShape(op);
    return shape ? std::optional(TensorType{*shape, ElementTypeOf(op)}) : std::nullopt;
  }
  auto interface = mlir::dyn_cast<mlir::InferShapedTypeOpInterface>(op);
  if (!interface) return std::nullopt;
  llvm::SmallVector<mlir::ShapedTypeComponents, 1> components;
  if (mlir::failed(interface.inferReturnTypeComponents(op->getContext(), op->getLoc(), op->getOperands(),
                                                       op->getAttrDictionary(), op->getPropertiesStorage(),
                                                       op->getRegions(), components)) ||
      components.size() != 1) {
    return std::nullopt;
  }
  const mlir::Type element_type = components[0].getElementType();
  return TensorType{components[0].hasRank() ? ToShape(components[0].getDims()) : Shape::Unranked(),
                    element_type ? ToElementType(element_type) : ElementTypeOf(op)};
}

void Infer(const std::vector<mlir::Operation*>& ops, DiagnosticCapture* capture, Observation* observation) {
  Enter(Stage::kInfer, observation);
  for (mlir::Operation* op : ops) observation->inferred.push_back(InferType(op));
  capture->errors().clear();  // an inference that finds nothing may say why; that is no refusal
}

// Enters the stage build. False, and the walk ended, if the dialect has no words for the program.
bool BeginBuild(const Program& program, DiagnosticCapture* capture, Observation* observation) {
  Enter(Stage::kBuild, observation);
  const SupportEntry* entry = FindUnwritable(program, DialectInProcess());
  return entry == nullptr || End(Outcome::kRefused, std::string(entry->reason), capture, observation);
}

bool MlirToolchain::BuildAndVerify(const Program& program, BuiltModule* built, DiagnosticCapture* capture,
                                   Observation* observation) {
  if (!BeginBuild(program, capture, observation)) return false;
  *built = BuildModule(&context_, program);
  if (!built->module) return End(Outcome::kRefused, capture, observation);
  Enter(Stage::kVerify, observation);
  return mlir::succeeded(mlir::verify(*built->module)) || End(Outcome::kRefused, capture, observation);
}

absl::StatusOr<Pipeline*> MlirToolchain::PipelineFor(const Route& route) {
  Pipeline& pipeline = pipelines_[std::string(route.name)];
  if (pipeline.passes == nullptr) {
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    auto parsed = mlir::parsePassPipeline(llvm::StringRef(route.pipeline.data(), route.pipeline.size()), stream);
    if (mlir::failed(parsed) || parsed->getOpAnchorName() != "builtin.module") {
      pipelines_.erase(std::string(route.name));
      const std::string why = errors.substr(0, errors.find('\n'));  // then the text again, with a caret
      return absl::InvalidArgumentError(absl::StrCat("the pass pipeline '", route.pipeline, "' does not parse: ",
                                                     why.empty() ? "it must be builtin.module(...)" : why));
    }
    auto passes = std::make_unique<mlir::PassManager>(&context_, "builtin.module");
    static_cast<mlir::OpPassManager&>(*passes) = std::move(*parsed);
    passes->enableVerifier(true);
    auto watch = std::make_unique<PassWatch>();
    pipeline.watch = watch.get();
    passes->addInstrumentation(std::move(watch));
    pipeline.passes = std::move(passes);
  }
  return &pipeline;
}

bool MlirToolchain::RunPasses(mlir::ModuleOp module, const Route& route, DiagnosticCapture* capture,
                              Observation* observation) {
  absl::StatusOr<Pipeline*> pipeline = PipelineFor(route);
  if (!pipeline.ok()) {
    return End(Outcome::kToolFailure, std::string(pipeline.status().message()), capture, observation);
  }
  PassWatch* watch = (*pipeline)->watch;
  watch->Begin(capture);
  const bool succeeded = mlir::succeeded((*pipeline)->passes->run(module));
  if (!route.extracts && !watch->loose_constant().empty()) {  // there the contract has a rule of its own
    observation->pass = watch->loose_constant();
    capture->errors().insert(capture->errors().begin(), std::string(kLooseConstant));
    return End(Outcome::kIllegalIr, capture, observation);
  }
  if (succeeded) return true;
  observation->pass = watch->pass();
  return End(watch->illegal_ir() ? Outcome::kIllegalIr : Outcome::kRefused, capture, observation);
}

// Ops in a block of no function: verifying a module around them costs as much again.
void DecideBlock(mlir::Block* block, const std::vector<mlir::Operation*>& ops, DiagnosticCapture* capture,
                 Observation* observation) {
  Enter(Stage::kVerify, observation);
  for (mlir::Operation& op : *block) {
    if (mlir::failed(mlir::verify(&op))) {
      End(Outcome::kRefused, capture, observation);
      return;
    }
  }
  Infer(ops, capture, observation);
}

Observation MlirToolchain::ObserveDecision(const Program& program) {
  Observation observation;
  DiagnosticCapture capture(&context_);
  if (!BeginBuild(program, &capture, &observation)) return observation;
  mlir::Block block;
  AddArguments(&block, &context_, program);
  const BuiltOps built = BuildOps(&block, &context_, program);
  if (built.ops.size() != program.ops.size()) {
    End(Outcome::kRefused, &capture, &observation);
    return observation;
  }
  DecideBlock(&block, built.ops, &capture, &observation);
  return observation;
}

mlir::Operation* BuildProbe(mlir::Block* block, mlir::MLIRContext* context, mlir::ValueRange operands,
                            mlir::Type result) {
  mlir::OpBuilder builder(context);
  builder.setInsertionPointToEnd(block);
  mlir::OperationState state(builder.getUnknownLoc(), BroadcastableOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(result);
  return builder.create(state);
}

Observation MlirToolchain::ObserveProbe(const OpSignature& probe) {
  Observation observation;
  DiagnosticCapture capture(&context_);
  Enter(Stage::kBuild, &observation);
  mlir::Block block;
  for (const ValueType& operand : probe.operands) {
    block.addArgument(ToMlirType(&context_, operand), mlir::UnknownLoc::get(&context_));
  }
  mlir::Operation* op = BuildProbe(&block, &context_, block.getArguments(), ToMlirType(&context_, probe.result));
  DecideBlock(&block, {op}, &capture, &observation);
  return observation;
}

class MlirDecider : public Decider {
 public:
  MlirDecider(mlir::MLIRContext* context, const Program* prototype, absl::Span<const ValueType> types)
      : handler_(context, [this](mlir::Diagnostic& diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !answer_.diagnostic.empty()) return;
          answer_.diagnostic = diagnostic.str();
        }) {
    for (const ValueType& type : types) {
      types_.push_back(ToMlirType(context, type));
      block_.addArgument(types_.back(), mlir::UnknownLoc::get(context));
    }
    if (prototype == nullptr) {
      op_ = BuildProbe(&block_, context, {}, types_.front());
      return;
    }
    op_ = BuildOps(&block_, context, *prototype).ops.front();
    for (const mlir::Value operand : op_->getOperands()) {
      if (!mlir::isa<mlir::BlockArgument>(operand)) constants_.push_back(operand);
    }
  }

  // REQUIRES: the program's constants are the op's last operands.
  const Answer& Decide(absl::Span<const size_t> operands, size_t result) override {
    llvm::SmallVector<mlir::Value, 8> values;
    for (const size_t operand : operands) values.push_back(block_.getArgument(static_cast<unsigned>(operand)));
    values.append(constants_);
    op_->setOperands(values);
    op_->getResult(0).setType(types_[result]);
    EnterStage(Stage::kVerify);
    answer_.diagnostic.clear();
    answer_.inferred.reset();
    answer_.accepted = mlir::succeeded(mlir::verify(op_));
    answer_.category.reset();
    if (!answer_.accepted) {
      answer_.category = CategoryOf(answer_.diagnostic);
    } else {
      answer_.inferred = InferType(op_);
      answer_.diagnostic.clear();  // an inference that finds nothing may say why; that is no refusal
    }
    return answer_;
  }

 private:
  Answer answer_;
  mlir::ScopedDiagnosticHandler handler_;
  std::vector<mlir::Type> types_;
  mlir::Block block_;  // an argument per type, the constants, the op
  mlir::Operation* op_ = nullptr;
  llvm::SmallVector<mlir::Value> constants_;
};

std::unique_ptr<Decider> MlirToolchain::CreateDecider(const Program* prototype, absl::Span<const ValueType> types) {
  return std::make_unique<MlirDecider>(&context_, prototype, types);
}

// Builds, verifies and runs a pipeline. False if that ends the walk; a refusal of the pipeline stands at `stage`.
bool MlirToolchain::RunOn(const Program& program, const std::string& passes, Stage stage, BuiltModule* built,
                          DiagnosticCapture* capture, Observation* observation) {
  if (!BuildAndVerify(program, built, capture, observation)) return false;
  Enter(stage, observation);
  return RunPasses(*built->module, {.name = passes, .pipeline = passes, .exercises = ""}, capture, observation);
}

Observation MlirToolchain::ObserveValidation(const Program& program, const ValidationTarget& target) {
  Observation observation;
  DiagnosticCapture capture(&context_);
  BuiltModule built;
  RunOn(program, ValidationPipeline(target), Stage::kVerify, &built, &capture, &observation);
  return observation;
}

Observation MlirToolchain::ObserveRefinement(const Program& program) {
  Observation observation;
  DiagnosticCapture capture(&context_);
  BuiltModule built;
  if (!RunOn(program, "builtin.module(func.func(tosa-infer-shapes))", Stage::kInfer, &built, &capture, &observation)) {
    return observation;
  }
  // The pass refines types in place, and puts casts where others need the old ones.
  for (mlir::Operation* op : built.ops) {
    const auto type = mlir::cast<mlir::TensorType>(op->getResult(0).getType());
    observation.inferred.push_back(
        TensorType{type.hasRank() ? ToShape(type.getShape()) : Shape::Unranked(), ElementTypeOf(op)});
  }
  return observation;
}

Observation MlirToolchain::Observe(const Case& test_case) {
  if (validation_) return ObserveValidation(test_case.program, *validation_);
  if (const Route* route = RouteNamed(test_case.route)) return ObserveOn(*route, test_case);
  Observation observation;
  const bool is_of_another = FindRoute(test_case.route) != nullptr;
  observation.outcome = is_of_another ? Outcome::kRefused : Outcome::kToolFailure;
  observation.stage = Stage::kBuild;
  observation.diagnostics = {is_of_another ? absl::StrCat(name(), " has no route '", test_case.route, "'")
                                           : absl::StrCat("no route is named '", test_case.route, "'")};
  return observation;
}

Observation MlirToolchain::ObserveThrough(const Case& test_case, absl::string_view pipeline) {
  const Route* like = RouteNamed(test_case.route);
  return WithPipeline(pipeline, like != nullptr ? *like : custom_route_,
                      [&](const Route& route) { return ObserveOn(route, test_case); });
}

Observation MlirToolchain::ObserveOn(const Route& route, const Case& test_case) {
  Observation observation;
  DiagnosticCapture capture(&context_);
  if (route.calls_library && !library_function_) {
    End(Outcome::kToolFailure, absl::StrCat("nobody supplies the library of the route '", route.name, "'"), &capture,
        &observation);
    return observation;
  }
  BuiltModule built;
  if (!BuildAndVerify(test_case.program, &built, &capture, &observation)) return observation;
  Infer(built.ops, &capture, &observation);
  if (test_case.runs.empty()) return observation;  // only the decision is asked for
  Enter(Stage::kLower, &observation);
  if (!RunPasses(*built.module, route, &capture, &observation)) return observation;
  if (route.extracts) {
    observation.lowered = ExtractLoweredIr(*built.module);
    return observation;
  }
  absl::StatusOr<Jit*> jit = code_.JitFor(route);
  if (!jit.ok()) {
    End(Outcome::kToolFailure, std::string(jit.status().message()), &capture, &observation);
    return observation;
  }
  Enter(Stage::kTranslate, &observation);
  std::unique_ptr<llvm::Module> llvm_module =
      mlir::translateModuleToLLVMIR(*built.module, (*jit)->context(), "case", /*disableVerification=*/true);
  if (llvm_module == nullptr) {
    End(Outcome::kRefused, &capture, &observation);
    return observation;
  }
  code_.Run(std::move(llvm_module), route, test_case, ReadLibrarySignatures(*built.module), library_function_,
            &observation);
  return observation;
}

absl::StatusOr<std::string> MlirToolchain::LowerText(absl::string_view mlir, absl::string_view pipeline,
                                                     bool to_llvm_ir) {
  Observation observation;
  DiagnosticCapture capture(&context_);
  const auto refusal = [&](absl::string_view who) {
    std::vector<std::string>& errors = observation.diagnostics.empty() ? capture.errors() : observation.diagnostics;
    return absl::InvalidArgumentError(absl::StrCat(who, ": ", errors.empty() ? "refused" : errors.front()));
  };
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(mlir.data(), mlir.size()), &context_);
  if (!module) return refusal("the module");
  // What the IR is like is not asked here.
  const bool ran = WithPipeline(pipeline, {.name = "", .pipeline = "", .exercises = "", .extracts = true},
                                [&](const Route& route) { return RunPasses(*module, route, &capture, &observation); });
  if (!ran) return refusal(observation.pass.empty() ? "the pass pipeline" : observation.pass);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!to_llvm_ir) {
    module->print(stream);
    return text;
  }
  absl::StatusOr<Jit*> jit = code_.JitFor(custom_route_);
  if (!jit.ok()) return jit.status();
  const std::unique_ptr<llvm::Module> llvm_module = mlir::translateModuleToLLVMIR(*module, (*jit)->context());
  if (llvm_module == nullptr) return refusal("the translation to LLVM IR");
  llvm_module->print(stream, nullptr);
  return text;
}

absl::StatusOr<std::unique_ptr<Toolchain>> MlirToolchain::Create(const MlirToolchainOptions& options) {
  static const bool registered = [] {
    mlir::registerAllPasses();
    RegisterOwnPasses();
    return true;
  }();
  (void)registered;
  mlir::DialectRegistry registry;
  registry.insert<ProbeDialect>();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  std::unique_ptr<MlirToolchain> toolchain(new MlirToolchain(registry));
  toolchain->context_.loadDialect<mlir::func::FuncDialect, mlir::tosa::TosaDialect, ProbeDialect>();
  toolchain->validation_ = options.validation;
  toolchain->library_function_ = options.library_function;
  toolchain->context_.printOpOnDiagnostic(false);  // notes, which nobody reads here, and half the cost of a refusal
  for (const std::string& file : options.plugins) {
    absl::StatusOr<std::string> plugin = LoadPassPlugin(file);
    if (!plugin.ok()) return plugin.status();
    toolchain->plugins_.push_back(*std::move(plugin));
  }
  toolchain->custom_pipeline_ = options.pipeline;
  if (const Route* like = toolchain->RouteNamed(options.custom_like)) toolchain->custom_route_ = *like;
  toolchain->custom_route_.name = kCustomRoute;
  toolchain->custom_route_.pipeline = toolchain->custom_pipeline_;
  if (!options.pipeline.empty()) {
    absl::StatusOr<Pipeline*> pipeline = toolchain->PipelineFor(toolchain->custom_route_);
    if (!pipeline.ok()) return pipeline.status();
  }
  if (options.validation) {
    const std::string passes = ValidationPipeline(*options.validation);
    absl::StatusOr<Pipeline*> pipeline = toolchain->PipelineFor({.name = passes, .pipeline = passes, .exercises = ""});
    if (!pipeline.ok()) return pipeline.status();
  }
  // What any route needs; the other pipelines and JITs wait for their first case.
  absl::StatusOr<Jit*> jit = toolchain->code_.JitFor(toolchain->custom_route_);
  if (!jit.ok()) return jit.status();
  return toolchain;
}

}  // namespace

const std::string& NameInProcess() {
  static const std::string* const name = new std::string(absl::StrCat("mlir-", LLVM_VERSION_MAJOR));
  return *name;
}

Dialect DialectInProcess() {
  static const Dialect dialect = NearestDialect(LLVM_VERSION_MAJOR);
  return dialect;
}

std::vector<const Route*> RoutesInProcess() {
  std::vector<const Route*> routes;
  for (const Route& route : RoutesOf(DialectInProcess())) routes.push_back(&route);
  return routes;
}

absl::StatusOr<std::unique_ptr<Toolchain>> CreateMlirToolchain(const MlirToolchainOptions& options) {
  return MlirToolchain::Create(options);
}

}  // namespace tosaic
