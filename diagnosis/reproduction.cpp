// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/reproduction.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "checking/provenance.h"
#include "codec/status.h"
#include "diagnosis/one_pass.h"
#include "diagnosis/shown_result.h"
#include "generators/twins.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/unsigned_types.h"
#include "oracle/legality.h"
#include "reports/reproducer/stack_trace.h"
#include "toolchain/execution/llvm_ir_text.h"
#include "toolchain/symbolizer.h"
#include "workers/map.h"

namespace tosaic {
namespace {

constexpr char kOwnPolynomials[] = "tosaic-polynomial-math", kStockPolynomials[] = "test-math-polynomial-approximation";

// The answer of LowerText in a process of its own, or how that process died.
struct LoweredText {
  absl::StatusOr<std::string> text;
  std::string last_words;  // of MLIR, if it died
};

LoweredText LowerIsolated(Toolchain& toolchain, const std::string& mlir, const std::string& pipeline, bool to_llvm_ir,
                          const WorkerLimits& limits) {
  Lowering* lowering = toolchain.lowering();
  if (lowering == nullptr)
    return {absl::UnimplementedError(absl::StrCat(toolchain.description().name, kLacksText)), ""};
  using Lowered = std::pair<bool, std::string>;  // the text, or why there is none
  const auto lower = [&]() -> Lowered {
    SymbolizeDeaths(true);  // a stack trace is what a death leaves
    absl::StatusOr<std::string> text = lowering->LowerText(mlir, pipeline, to_llvm_ir);
    return {text.ok(), text.ok() ? *std::move(text) : std::string(text.status().message())};
  };
  const absl::StatusOr<WorkerResult<Lowered>> result = InFreshProcess<Lowered>(limits, lower);
  if (!result.ok()) return {result.status(), ""};
  if (result->death) return {absl::InternalError("MLIR died"), result->death->output};
  const auto& [lowered, text] = result->answer;
  if (lowered) return {text, ""};
  return {absl::InvalidArgumentError(text), text};
}

// A pipeline up to the pass of that name, the first one.
std::string UpTo(const std::string& pipeline, const std::string& pass) {
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  for (size_t i = 0; passes.ok() && i < passes->size(); ++i) {
    if ((*passes)[i].name == pass) return JoinPipeline(absl::MakeSpan(*passes).first(i + 1));
  }
  return pipeline;
}

// The pipeline as a dated build runs it, which leaves out the passes that it lacks.
std::string AsOnDatedBuild(const std::string& pipeline) {
  absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (!passes.ok()) return pipeline;
  std::erase_if(*passes, [](const PipelinePass& pass) { return IsForOtherShapes(pass.name); });
  return JoinPipeline(*passes);
}

// How many passes there are up to the last of Tosaic's own, 0 if there is none.
size_t LengthUpToOwnPass(const std::vector<PipelinePass>& passes, bool has_plugin) {
  size_t count = 0;
  for (size_t i = 0; i < passes.size(); ++i) {
    if (!has_plugin && absl::StartsWith(passes[i].name, "tosaic-")) count = i + 1;
  }
  return count;
}

// mlir-opt runs the passes behind those of our own, on the IR that these leave.
void Prepare(Toolchain& toolchain, const WorkerLimits& limits, Reproduction* r) {
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(r->pipeline);
  const size_t own = passes.ok() ? LengthUpToOwnPass(*passes, r->has_plugin) : 0;
  if (own == 0) return;
  absl::StatusOr<std::string> prepared =
      LowerIsolated(toolchain, ReproducerModule(*r), JoinPipeline(absl::MakeSpan(*passes).first(own)), false, limits)
          .text;
  if (!prepared.ok()) {
    r->obstacle = absl::StrCat("the route has a pass of Tosaic's own, ", (*passes)[own - 1].name);
    return;
  }
  r->prepared = *std::move(prepared);
  r->prepared_by = (*passes)[own - 1].name;
  r->pipeline = JoinPipeline(absl::MakeSpan(*passes).subspan(own));
}

// The reproduction's pipeline with the passes that the toolchain has, where mlir-opt has others.
std::string WithPassesOf(const ToolchainDescription& toolchain, const Reproduction& r) {
  const bool has_own = absl::StrContains(toolchain.PipelineOf(r.test_case.route), kOwnPolynomials);
  return has_own ? absl::StrReplaceAll(r.pipeline, {{kStockPolynomials, kOwnPolynomials}}) : r.pipeline;
}

// Says why no stock tool can show it; empty if one can. REQUIRES: its pipeline is known.
std::string ObstacleOf(const Reproduction& r, const Route* route, const ToolchainDescription& toolchain) {
  const Judgement& judgement = r.judgement;
  const Case& test_case = r.test_case;
  if (!toolchain.lowers_on.empty() && absl::StrContains(r.pipeline, "one-shot-bufferize")) {
    return absl::StrCat("two MLIRs lowered it, ", toolchain.name, " up to buffers and ", toolchain.lowers_on,
                        " from there on, and a script has one mlir-opt");
  }
  if (toolchain.mlir_version == 0) {
    return absl::StrCat(toolchain.name, " is no MLIR; 'tosaic reproduce' writes its own command line");
  }
  if (toolchain.leaves_tosa && r.observation.outcome == Outcome::kIllegalIr && r.observation.pass.empty()) {
    return "mlir-opt's verifier takes what the passes leave; that its sizes contradict each other shows as it runs";
  }
  const bool executes = r.showing >= Showing::kExecutes && r.showing <= Showing::kPoison;
  const bool may_be_unsigned = HasUnsignedTypes(Info(toolchain.dialect));
  if (executes && test_case.runs.empty()) return "the case has no run";
  if (executes && may_be_unsigned && WithUnsignedTypes(test_case.program) != test_case.program) {
    return "the function has unsigned types, and no constant of these is lowered that it could be called with";
  }
  if (judgement.rule == RuleId::kValueFlushing) {
    return "whether a target may flush an element depends on all others, and the script compares each by itself";
  }
  if (route == nullptr) return "";
  if (route->calls_library) return "on this route Tosaic plays the external library that linalg ops call";
  if (route->counts_stores && judgement.verdict == Verdict::kContractViolation) {
    return "on this route Tosaic counts the stores to each byte";
  }
  if (route->alignment > 0 && judgement.verdict == Verdict::kMemoryFault) {
    return "on this route buffers have slack, in which Tosaic has canaries";
  }
  return "";
}

// The passes that mlir-opt gets, before it is known whether it has them all. `shortest`, if not empty, shows it too.
std::string PipelineToShow(const Reproduction& r, const ToolchainDescription& toolchain, const std::string& shortest,
                           bool validates) {
  const bool on_verifier = r.showing == Showing::kRefuses || r.showing == Showing::kAccepts;
  if (on_verifier && !validates) return "";
  const std::string pipeline = on_verifier || shortest.empty() ? toolchain.PipelineOf(r.test_case.route) : shortest;
  return toolchain.lowers_on.empty() ? pipeline : AsOnDatedBuild(pipeline);
}

// A pipeline that leaves TOSA, with the passes behind it that make it code for stock tools; any other as it is.
std::string WithLoweringForStockTools(const std::string& pipeline, const ToolchainDescription& description) {
  const Route* lowers = FindRoute(description.routes, "loops");
  if (!description.leaves_tosa || lowers == nullptr || pipeline.empty()) return pipeline;
  return ChainPipelines({pipeline, lowers->pipeline});
}

// Whatever MLIR dies of, it had to refuse what is illegal.
void AskWhetherLegal(const JudgeOptions& judge, Reproduction* r) {
  if (r->showing != Showing::kAccepts || !DiesOrHangs(r->judgement)) return;
  const Answer answer = JudgeLegality(r->test_case.program, judge.policies).answer;
  if (answer == Answer::kRefuse) r->showing = Showing::kRefuses;
  r->may_be_illegal = answer == Answer::kEither || judge.validation;
}

void ShowInference(const JudgeOptions& judge, Dialect dialect, Reproduction* r) {
  Program open = r->test_case.program;
  const TensorType& result = open.ops.back().result;
  const Legality legality = JudgeLegality(open, open.ops.back(), judge.policies);
  r->judgement.expected = ToString(TensorType{legality.inferred.value_or(Shape::Unranked()), result.element_type});
  // Results of unknown shape, so that what is inferred is what the pass leaves.
  for (OpApplication& op : open.ops) op.result.shape = Shape::Unranked();
  r->program = ToMlir(open, dialect);
  r->pipeline = "builtin.module(func.func(tosa-infer-shapes))";
}

// Looks for one pass that is enough to show that the code is wrong.
void ShowOnePass(Toolchain& toolchain, const WorkerLimits& limits, const JudgeOptions& judge, const ProgramReader& read,
                 Reproduction* r) {
  if (r->showing < Showing::kExecutes || r->showing > Showing::kGuards) return;
  if (r->judgement.stage != Stage::kExecute || FamilyOf(r->judgement.rule) == RuleFamily::kMetamorphic) return;
  r->one_pass = FindOnePass(toolchain, r->test_case, SmallestModule(r->program), r->pipeline, read, limits, judge);
}

// The twin that a result differs from, and that result of the twin.
void ShowTwin(const ToolchainDescription& toolchain, Reproduction* r) {
  if (FamilyOf(r->judgement.rule) != RuleFamily::kMetamorphic || !r->judgement.mismatch) return;
  r->twin = TwinOf(r->test_case);
  if (!r->twin) return;
  r->twin_program = ToMlir(r->twin->program, toolchain.dialect);
  r->twin_pipeline = WithStockPasses(toolchain.PipelineOf(r->twin->route));
  const std::vector<ValueRef>& results = r->twin->program.results;
  const ValueRef blamed = {ValueRef::Kind::kOp, r->judgement.mismatch->op};
  while (r->twin_result + 1 < results.size() && results[r->twin_result] != blamed) ++r->twin_result;
}

// The IR that MLIR makes of it, for a driver in C or for a reader.
void ShowLowered(Toolchain& toolchain, const WorkerLimits& limits, Reproduction* r) {
  const bool takes_llvm_ir = r->showing == Showing::kGuards || r->showing == Showing::kPoison;
  if (!takes_llvm_ir && r->showing != Showing::kIr) return;
  const std::string pipeline = WithPassesOf(toolchain.description(), *r);
  const absl::StatusOr<std::string> lowered =
      LowerIsolated(toolchain, ModuleText(*r), pipeline, takes_llvm_ir, limits).text;
  if (!lowered.ok()) {
    r->obstacle = absl::StrCat("MLIR does not lower it alone: ", lowered.status().message());
    return;
  }
  r->lowered = *lowered;
  if (r->showing != Showing::kPoison) return;
  const absl::StatusOr<std::string> shown = WithPoisonShown(*lowered);
  shown.ok() ? void(r->shows_poison = *shown) : void(r->obstacle = std::string(shown.status().message()));
}

// Where MLIR died, by the stack trace that it leaves when it dies of the module again.
void ShowStackTrace(Toolchain& toolchain, const WorkerLimits& limits, Reproduction* r) {
  if (r->judgement.verdict != Verdict::kCrash || r->judgement.stage >= Stage::kTranslate) return;
  const std::string pipeline = r->pipeline.empty() ? "builtin.module()" : r->pipeline;
  r->stack_trace = StackTraceIn(LowerIsolated(toolchain, ModuleText(*r), pipeline, false, limits).last_words);
}

}  // namespace

std::string WithStockPasses(const std::string& pipeline) {
  return absl::StrReplaceAll(pipeline, {{kOwnPolynomials, kStockPolynomials}});
}

void BlamePass(Toolchain& toolchain, const PassBisection& bisection, const WorkerLimits& limits, Reproduction* r) {
  r->blamed_pass = WithStockPasses(PassToBlame(bisection));
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(bisection.pipeline);
  if (r->blamed_pass.empty() || !r->one_pass.pipeline.empty() || !passes.ok()) return;
  const size_t blamed = bisection.suspects.front();
  const std::string alone = JoinPipeline(absl::MakeSpan(*passes).subspan(blamed, 1));
  const auto lower = [&](const std::string& mlir, const std::string& pipeline) {
    return LowerIsolated(toolchain, mlir, pipeline, false, limits).text;
  };
  const absl::StatusOr<std::string> before =
      lower(SmallestModule(r->program), JoinPipeline(absl::MakeSpan(*passes).first(blamed)));
  const absl::StatusOr<std::string> after = before.ok() ? lower(*before, alone) : before;
  if (after.ok()) r->blamed_alone = {WithStockPasses(alone), *before, *after};
}

Reproduction ReproductionOf(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                            const std::string& pipeline, const WorkerLimits& limits, const JudgeOptions& judge,
                            const ProgramReader& read) {
  const ToolchainDescription& description = toolchain.description();
  Reproduction r;
  r.test_case = checked.twin ? *checked.twin : test_case;
  static_cast<JudgedCase&>(r) = checked;
  r.version = description.version;
  r.tools = description.mlir_version;
  r.program = ToMlir(r.test_case.program, description.dialect);
  r.policies = FlagsOf(judge.policies);
  r.showing = ShowingOf(r.judgement);
  r.has_plugin = !description.plugins.empty() && r.test_case.route == kCustomRoute;
  const Route* route = FindRoute(r.test_case.route);
  r.optimized = route != nullptr && route->optimized;
  r.host_cpu = route != nullptr && route->host_cpu;
  r.cpu = FindCpu(description.cpu);
  r.frees = (route != nullptr && route->deallocates) || r.judgement.verdict == Verdict::kLeak;
  AskWhetherLegal(judge, &r);
  r.pipeline = PipelineToShow(r, description, pipeline, judge.validation.has_value());
  r.obstacle = ObstacleOf(r, route, description);
  const std::vector<std::string>& diagnostics = r.observation.diagnostics;
  if (r.showing == Showing::kLowers && !diagnostics.empty() && diagnostics.front() == kLooseConstant) {
    r.showing = Showing::kRereads;
    r.pipeline = UpTo(r.pipeline, r.observation.pass);
  }
  if (r.showing == Showing::kInfers) ShowInference(judge, description.dialect, &r);
  ShowOnePass(toolchain, limits, judge, read, &r);
  if (!r.obstacle.empty()) return r;
  const bool executes = r.showing >= Showing::kExecutes;
  r.pipeline = WithStockPasses(executes ? WithLoweringForStockTools(r.pipeline, description) : r.pipeline);
  if (executes && !r.test_case.runs.empty()) r.shown = ResultToShow(r.test_case, checked, judge.policies);
  ShowTwin(description, &r);
  Prepare(toolchain, limits, &r);
  const bool is_of_passes = r.showing == Showing::kLowers || r.showing == Showing::kRereads;
  const std::string whole = WithStockPasses(description.PipelineOf(r.test_case.route));
  const bool is_dated = !description.lowers_on.empty();
  if (is_of_passes && r.prepared.empty() && r.pipeline != whole && !is_dated) r.whole_pipeline = whole;
  if (r.obstacle.empty()) ShowLowered(toolchain, limits, &r);
  if (r.obstacle.empty()) ShowStackTrace(toolchain, limits, &r);
  return r;
}

}  // namespace tosaic
