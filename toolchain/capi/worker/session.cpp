// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/session.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "model/pass_pipeline.h"
#include "toolchain/capi/worker/call_library.h"
#include "toolchain/capi/worker/count_stores.h"
#include "toolchain/capi/worker/ir_walk.h"
#include "toolchain/capi/worker/lowered_ir_reader.h"
#include "toolchain/capi/worker/object_file.h"
#include "toolchain/capi/worker/spirv_graph_reader.h"
#include "toolchain/capi/worker/vectorize_linalg.h"
#include "toolchain/diagnostic_category.h"
#include "toolchain/progress.h"
#include "toolchain/route_limit.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

constexpr int kErrorSeverity = 0;  // MlirDiagnosticError
constexpr absl::string_view kOwnPrefix = "tosaic-";

// Whether a pass of Tosaic's own can be had through the C API.
absl::Status CheckOwnPass(const CLibrary& c, absl::string_view pass) {
  if (pass == kCallLibrary) return absl::OkStatus();
  absl::string_view why = "the pass is one of Tosaic's own, in C++ alone";
  if (pass == kVectorizeLinalg) {
    if (CanVectorizeLinalg(c)) return absl::OkStatus();
    why = "the library has no function mlirTransformApplyNamedSequence";
  } else if (pass == "tosaic-polynomial-math") {
    why = "MLIR has its polynomial approximations of math in no pass, only as a function of C++";
  }
  return absl::UnimplementedError(absl::StrCat("not built here: ", why));
}

// The ops of a program, in order: all but its constants, tosa.const and tosa.const_shape.
std::vector<MlirOperation> TosaOps(const CLibrary& c, MlirOperation module) {
  std::vector<MlirOperation> ops;
  ForEachWithin(c, module, [&](MlirOperation op) {
    const absl::string_view name = NameOf(c, op);
    if (absl::StartsWith(name, "tosa.") && !absl::StartsWith(name, "tosa.const")) ops.push_back(op);
    return true;
  });
  return ops;
}

}  // namespace

// A module that is deleted with this; none where the text was not one.
class CapiSession::Module {
 public:
  explicit Module(const CLibrary& c) : c_(c) {}
  Module(Module&& other) noexcept : c_(other.c_), module_(std::exchange(other.module_, {})) {}
  ~Module() {
    if (there()) c_.mlirModuleDestroy(module_);
  }
  void Take(MlirModule module) { module_ = module; }
  bool there() const { return module_.ptr != nullptr; }
  MlirModule get() const { return module_; }
  MlirOperation op() const { return c_.mlirModuleGetOperation(module_); }

 private:
  const CLibrary& c_;
  MlirModule module_;
};

CapiSession::CapiSession(const CLibrary& library) : c_(library) {
  SetUpCodeGeneration(c_);
  if (c_._ZN4llvm3sys28PrintStackTraceOnErrorSignalENS_9StringRefEb != nullptr) {
    c_._ZN4llvm3sys28PrintStackTraceOnErrorSignalENS_9StringRefEb(ToRef(""), false);
  }
  const MlirDialectRegistry registry = c_.mlirDialectRegistryCreate();
  c_.mlirRegisterAllDialects(registry);
  c_.mlirRegisterAllPasses();
  context_ = c_.mlirContextCreateWithRegistry(registry, /*threading=*/false);
  if (c_._ZN4mlir11MLIRContext19printOpOnDiagnosticEb != nullptr) {
    c_._ZN4mlir11MLIRContext19printOpOnDiagnosticEb(context_.ptr, false);
  }
  c_.mlirRegisterAllLLVMTranslations(context_);
  c_.mlirContextAttachDiagnosticHandler(
      context_,
      [](MlirDiagnostic diagnostic, void* self) {
        auto* session = static_cast<CapiSession*>(self);
        if (session->c_.mlirDiagnosticGetSeverity(diagnostic) == kErrorSeverity) {
          session->errors_.push_back(Printed(session->c_.mlirDiagnosticPrint, diagnostic));
        }
        return MlirLogicalResult{1};  // nobody else need look at it
      },
      this, nullptr);
}

void CapiSession::End(Outcome outcome, CapiAnswer* answer) {
  answer->ended = true;
  Observation& observation = answer->observation;
  observation.outcome = outcome;
  observation.diagnostics = std::exchange(errors_, {});
  if (outcome == Outcome::kRefused && observation.stage <= Stage::kVerify) {
    observation.category = CategoryOf(observation.diagnostics.empty() ? "" : observation.diagnostics.front());
  }
}

void CapiSession::Fail(std::string why, CapiAnswer* answer) {
  errors_ = {std::move(why)};
  End(Outcome::kToolFailure, answer);
}

absl::StatusOr<MlirPassManager> CapiSession::Parse(const std::string& pipeline) {
  const auto found = pipelines_.parsed.find(pipeline);
  if (found != pipelines_.parsed.end()) return found->second;
  const MlirPassManager passes = c_.mlirPassManagerCreate(context_);
  c_.mlirPassManagerEnableVerifier(passes, false);  // RunPasses does that, and tells the verifier's no from the pass's
  std::string why;
  const MlirLogicalResult parsed = c_.mlirParsePassPipeline(
      c_.mlirPassManagerGetAsOpPassManager(passes), ToRef(pipeline),
      [](MlirStringRef part, void* to) { static_cast<std::string*>(to)->append(part.data, part.length); }, &why);
  if (parsed.value == 0) {
    c_.mlirPassManagerDestroy(passes);
    errors_.clear();
    return absl::InvalidArgumentError(why.substr(0, why.find('\n')));  // then the text again, with a caret
  }
  pipelines_.parsed[pipeline] = passes;
  return passes;
}

// One name in a pipeline may stand for many passes, as buffer-deallocation-pipeline does; MLIR says which.
absl::StatusOr<const std::vector<CapiSession::Step>*> CapiSession::StepsOf(const std::string& pipeline) {
  const auto found = pipelines_.steps.find(pipeline);
  if (found != pipelines_.steps.end()) return &found->second;
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> passes, SplitPipeline(pipeline));
  std::vector<Step> steps;
  for (const PipelinePass& pass : passes) {
    if (absl::StartsWith(pass.name, kOwnPrefix)) {
      TOSAIC_RETURN_IF_ERROR(CheckOwnPass(c_, pass.name));
      steps.push_back({pass.name, {}});
      continue;
    }
    TOSAIC_ASSIGN_OR_RETURN(const MlirPassManager whole, Parse(JoinPipeline({&pass, 1})));
    const std::string printed = Printed(c_.mlirPrintPassPipeline, c_.mlirPassManagerGetAsOpPassManager(whole));
    const absl::StatusOr<std::vector<PipelinePass>> inner = SplitPipeline(printed);
    std::vector<Step> inner_steps;
    for (size_t i = 0; inner.ok() && inner->size() > 1 && i < inner->size(); ++i) {
      const absl::StatusOr<MlirPassManager> pass_manager = Parse(JoinPipeline({&(*inner)[i], 1}));
      if (pass_manager.ok()) inner_steps.push_back({(*inner)[i].name, *pass_manager});
    }
    // MLIR may not read what it prints: then all of it is one step.
    if (inner_steps.empty() || inner_steps.size() < inner->size()) inner_steps = {{pass.name, whole}};
    steps.insert(steps.end(), inner_steps.begin(), inner_steps.end());
  }
  return &(pipelines_.steps[pipeline] = std::move(steps));
}

// The tensors that are left in a module.
struct CapiSession::Tensors {
  bool any = false;
  bool loose_constant = false;  // a constant of a type without static shape
};

CapiSession::Tensors CapiSession::TensorsIn(MlirOperation module) const {
  Tensors tensors;
  ForEachWithin(c_, module, [&](MlirOperation op) {
    if (c_.mlirOperationGetNumResults(op) == 0) return true;
    const MlirType type = c_.mlirValueGetType(c_.mlirOperationGetResult(op, 0));
    if (!c_.mlirTypeIsATensor(type)) return true;
    tensors.any = true;
    const absl::string_view name = NameOf(c_, op);
    const bool is_constant = absl::EndsWith(name, ".const") || absl::EndsWith(name, ".constant");
    tensors.loose_constant |= is_constant && !c_.mlirShapedTypeHasStaticShape(type);
    return true;
  });
  return tensors;
}

bool CapiSession::RunStep(const Step& step, MlirOperation module, const OpsByPlace& places, CapiAnswer* answer) {
  if (step.passes.ptr != nullptr) return c_.mlirPassManagerRunOnOp(step.passes, module).value != 0;
  if (step.pass != kCallLibrary) return VectorizeLinalg(c_, context_, module);
  answer->library = CallLibrary(c_, context_, module, places);
  return true;
}

bool CapiSession::RunPasses(const std::vector<Step>& steps, MlirOperation module, bool extracts, CapiAnswer* answer) {
  // Where the program's ops stand; at the call of the library others have taken their place.
  OpsByPlace places;
  if (absl::c_any_of(steps, [](const Step& step) { return step.pass == kCallLibrary; })) {
    places = PlacesOf(c_, TosaOps(c_, module));
  }
  bool has_tensors = !extracts;  // the contract has a rule of its own on constants
  for (const Step& step : steps) {
    answer->observation.pass = step.pass;
    EnterPass(step.pass);
    if (!RunStep(step, module, places, answer)) {
      End(Outcome::kRefused, answer);
      return false;
    }
    const bool verifies = c_.mlirOperationVerify(module);
    const Tensors tensors = has_tensors ? TensorsIn(module) : Tensors();
    has_tensors = tensors.any;
    if (verifies && !tensors.loose_constant) continue;
    if (verifies) errors_.insert(errors_.begin(), std::string(kLooseConstant));
    End(Outcome::kIllegalIr, answer);
    return false;
  }
  answer->observation.pass.clear();
  return true;
}

std::optional<TensorType> CapiSession::ResultType(MlirOperation op) const {
  const absl::StatusOr<TensorType> parsed = ParseTensorType(TypeOf(c_, c_.mlirOperationGetResult(op, 0)));
  return parsed.ok() ? std::optional(*parsed) : std::nullopt;
}

// The type that the op's own shape inference gives, if any; an element type that it leaves open is the declared one.
std::optional<TensorType> CapiSession::InferredType(MlirOperation op) const {
  if (!c_.mlirOperationImplementsInterface(op, c_.mlirInferShapedTypeOpInterfaceTypeID())) return std::nullopt;
  std::vector<MlirValue> operands = OperandsOf(c_, op);
  struct Components {
    const CLibrary& c;
    int count = 0;
    Shape shape;
    std::string element;
  } answer{c_};
  const MlirLogicalResult inferred = c_.mlirInferShapedTypeOpInterfaceInferReturnTypes(
      c_.mlirIdentifierStr(c_.mlirOperationGetName(op)), context_, c_.mlirOperationGetLocation(op),
      static_cast<intptr_t>(operands.size()), operands.data(), {}, nullptr, 0, nullptr,
      [](bool ranked, intptr_t rank, const int64_t* shape, MlirType element, MlirAttribute, void* to) {
        auto& components = *static_cast<Components*>(to);
        ++components.count;
        components.shape = ranked ? Shape() : Shape::Unranked();
        for (const int64_t size : absl::MakeSpan(shape, ranked ? static_cast<size_t>(rank) : 0)) {
          const bool is_dynamic = components.c.mlirShapedTypeIsDynamicSize(size);
          components.shape.mutable_dims().push_back(is_dynamic ? Dim::Dynamic() : Dim::Static(size));
        }
        if (element.ptr != nullptr) components.element = Printed(components.c.mlirTypePrint, element);
      },
      &answer);
  if (inferred.value == 0 || answer.count != 1) return std::nullopt;
  std::optional<TensorType> type = ResultType(op);
  if (!answer.element.empty()) {
    const absl::StatusOr<TensorType> scalar = ParseTensorType(absl::StrCat("tensor<", answer.element, ">"));
    type = scalar.ok() ? std::optional(*scalar) : std::nullopt;
  }
  if (type) type->shape = std::move(answer.shape);
  return type;
}

bool CapiSession::Lower(const CapiJob& job, MlirOperation module, CapiAnswer* answer) {
  const absl::StatusOr<const std::vector<Step>*> steps = StepsOf(job.pipeline);
  if (steps.ok()) return RunPasses(**steps, module, job.extracts, answer);
  const std::string why(steps.status().message());
  Fail(absl::IsUnimplemented(steps.status()) ? why : DoesNotParse(job.pipeline, why), answer);
  return false;
}

bool CapiSession::LowerAfresh(const CapiJob& job, MlirOperation module, CapiAnswer* answer) {
  Pipelines kept = std::exchange(pipelines_, {});
  const bool lowered = Lower(job, module, answer);
  for (const auto& [text, passes] : pipelines_.parsed) c_.mlirPassManagerDestroy(passes);
  pipelines_ = std::move(kept);
  return lowered;
}

void CapiSession::Walk(const CapiJob& job, Module* module, CapiAnswer* answer) {
  errors_.clear();
  Observation& observation = answer->observation;
  EnterStage(Stage::kVerify, &observation);
  module->Take(c_.mlirModuleCreateParse(context_, ToRef(job.module)));
  if (!module->there()) return End(Outcome::kRefused, answer);
  if (job.infers) {
    EnterStage(Stage::kInfer, &observation);
    for (const MlirOperation op : TosaOps(c_, module->op())) observation.inferred.push_back(InferredType(op));
    errors_.clear();  // an inference that finds nothing may say why; that is no refusal
  }
  if (job.lowers) {
    EnterStage(job.stage, &observation);
    observation.extracts = job.extracts;
    observation.makes_graph = job.takes_graph;
    const bool lowered = job.fresh_passes ? LowerAfresh(job, module->op(), answer) : Lower(job, module->op(), answer);
    if (!lowered) return;
  }
  if (job.extracts) observation.lowered = ReadLoweredIr(c_, module->get());
  if (job.takes_graph && !CanReadSpirvGraph(c_)) return Fail("the library cannot read a constant", answer);
  if (job.takes_graph) observation.graph = ReadSpirvGraph(c_, context_, module->op());
  if (!answer->library.empty() && !DefineLibrary(c_, module->get(), answer->library)) {
    return Fail("the body of a library's function does not parse", answer);
  }
  std::string error = job.counts_stores ? CountStores(c_, module->get()) : "";
  if (!error.empty()) return Fail(std::move(error), answer);
  if (job.takes_text) answer->text = Printed(c_.mlirOperationPrint, module->op());
  if (job.takes_llvm_ir) Translate(module->get(), answer);
  if (!job.compiles || !GivesLlvmIr(c_)) return;
  EnterStage(Stage::kTranslate);
  answer->text = LlvmIrOf(c_, module->get()).value_or("");
  errors_.clear();  // of what does not translate: Compile says it
}

void CapiSession::Translate(MlirModule module, CapiAnswer* answer) {
  EnterStage(Stage::kTranslate, &answer->observation);
  if (!GivesLlvmIr(c_)) return Fail("the library has no functions that give the text of LLVM IR", answer);
  std::optional<std::string> text = LlvmIrOf(c_, module);
  if (!text) return End(Outcome::kRefused, answer);
  answer->text = *std::move(text);
}

void CapiSession::Compile(const CapiRequest& request, const std::vector<Module>& modules, CapiReply* reply,
                          std::string* object) {
  std::vector<MlirModule> compiled;
  CapiAnswer* last = nullptr;
  int optimization = 0;
  for (size_t i = 0; i < modules.size(); ++i) {
    const CapiJob& job = request.jobs[i];
    if (!job.compiles || reply->answers[i].ended) continue;
    SetCodeGeneration(c_, context_, modules[i].get(), job.optimization, job.for_host_cpu);
    last = &reply->answers[i];
    last->entry = NameInUnion("_mlir_ciface_main", compiled.size());
    compiled.push_back(modules[i].get());
    optimization = job.optimization;
  }
  if (compiled.empty()) return;
  errors_.clear();
  if (compiled.size() > 1) Unite(c_, context_, compiled);
  ObjectMade object_file = CompileModule(c_, compiled.front(), optimization);
  *object = std::move(object_file.bytes);
  if (!object->empty()) return;
  if (compiled.size() > 1) return reply->answers.clear();
  last->observation.stage = object_file.stage;
  // MLIR says what it cannot translate; what LLVM's verifier finds in the translation is printed.
  const bool is_illegal = object_file.stage == Stage::kTranslate && errors_.empty();
  if (errors_.empty()) errors_ = {is_illegal ? "LLVM's verifier refuses the IR" : "LLVM made no object file"};
  End(is_illegal ? Outcome::kIllegalIr : Outcome::kRefused, last);
}

CapiReply CapiSession::Do(const CapiRequest& request, std::string* object) {
  CapiReply reply{.answers = std::vector<CapiAnswer>(request.jobs.size())};
  std::vector<Module> modules;
  for (size_t i = 0; i < request.jobs.size(); ++i) {
    Walk(request.jobs[i], &modules.emplace_back(c_), &reply.answers[i]);
    if (RetireAfter(reply.answers[i].observation) && request.jobs.size() > 1) return {};
  }
  Compile(request, modules, &reply, object);
  return reply;
}

}  // namespace tosaic
