// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/reproduction.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "codec/status.h"
#include "generators/twins.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "oracle/compare.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/run_sets.h"
#include "oracle/run_values.h"
#include "oracle/set_comparison.h"
#include "oracle/twins.h"
#include "reports/reproducer/stack_trace.h"
#include "workers/map.h"

namespace tosaic {
namespace {

// What LowerText gave in a process of its own, or how that died.
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

// The ranges without this pattern, which is not one that is allowed: of a large set on a grid they have all that lies
// between (RangesOf).
std::vector<BitRange> Without(uint64_t bits, const std::vector<BitRange>& ranges) {
  std::vector<BitRange> others;
  for (const BitRange range : ranges) {
    const bool has = range.first <= bits && bits <= range.last;
    if (!has) others.push_back(range);
    if (has && range.first < bits) others.push_back({range.first, bits - 1});
    if (has && bits < range.last) others.push_back({bits + 1, range.last});
  }
  return others;
}

// What is right for a result behind values that are not returned. `made`: what it is, if it is known. A reshape keeps a
// NaN's payload, which sets do not.
ShownResult ShownBySets(const Program& program, size_t run, size_t result, RunSets& sets, const Tensor* made) {
  const size_t op = program.results[result].index;
  ShownResult shown{.run = run, .result = result, .sizes = sets.sizes(op)};
  const auto count = static_cast<size_t>(ElementCount(sets.sizes(op)));
  for (size_t i = 0; i < count; ++i) {
    const AllowedSet allowed = sets.Allowed(op, i);
    shown.elements.push_back(RangesOf(allowed));
    const bool is_wrong = made != nullptr && made->sizes() == shown.sizes && !allowed.Contains(made->RawBits(i));
    if (is_wrong) shown.elements.back() = Without(made->Bits(i), shown.elements.back());
    if (!MovesElements(Info(program.ops[op].op))) continue;
    if (const std::optional<ElementBits> copied = sets.OnlyOperandsOf(op, i)) {
      shown.elements.back() = {{(*copied)[0], (*copied)[0]}};
    }
  }
  return shown;
}

bool IsWrongBySets(const Program& program, const ShownResult& shown, const RunObservation& observed,
                   const Policies& policies, RunSets& sets) {
  const Tensor& actual = observed.results[shown.result].tensor;
  const size_t op = program.results[shown.result].index;
  return actual.sizes() != shown.sizes || CompareWithSets(program, op, actual, policies, &sets).first.has_value();
}

// Allows anything of what depends on an unpredictable element; says which elements do.
std::vector<bool> LeaveOut(size_t op, uint64_t mask, RunSets& sets, ShownResult& shown) {
  if (sets.sizes(op) != shown.sizes) return {};
  std::vector<bool> left_out = sets.DependingOnUndefined(op);
  for (size_t i = 0; i < left_out.size(); ++i) {
    if (left_out[i]) shown.elements[i] = {{0, mask}};
  }
  return left_out;
}

// An argument or a constant that the program returns: its own bits. Nothing of one that came back as it is.
std::optional<ShownResult> ShownPassedOn(const Case& test_case, size_t run, size_t result,
                                         const RunObservation& observed) {
  const Tensor& given = *ValueIn(test_case, run, {}, test_case.program.results[result]);
  const Tensor& actual = observed.results[result].tensor;
  ShownResult shown{.run = run, .result = result, .sizes = given.sizes()};
  bool differs = actual.sizes() != given.sizes();
  for (size_t i = 0; i < given.element_count(); ++i) {
    shown.elements.push_back({{given.Bits(i), given.Bits(i)}});
    differs = differs || actual.Bits(i) != given.Bits(i);
  }
  return differs ? std::optional(std::move(shown)) : std::nullopt;
}

// What is right of a result of known operands.
ShownResult ShownByOperands(size_t run, size_t result, const Program& program,
                            const std::vector<const Tensor*>& operands, const std::vector<int64_t>& sizes,
                            const Policies& policies) {
  ShownResult shown{.run = run, .result = result, .sizes = sizes};
  const OpApplication& op = program.ops[program.results[result].index];
  const std::vector<Expected> expected = Evaluate(program, op, operands, sizes, policies);
  const std::vector<Expected> of_flushed =
      Evaluate(program, op, operands, sizes, policies, SubnormalOperands::kFlushed);
  for (size_t element = 0; element < expected.size(); ++element) {
    shown.elements.push_back(AllowedRanges(op.result.element_type, expected[element], of_flushed[element]));
  }
  return shown;
}

// What is right of a run's first result that is wrong; without one, `first` is the first that is known, if it is not
// there yet. `made`: what the results are, null of a run that came to no end.
std::optional<ShownResult> ShownInRun(const Case& test_case, size_t run, const RunObservation* made, Verdict verdict,
                                      const Policies& policies, std::optional<ShownResult>& first) {
  const Program& program = test_case.program;
  std::vector<const Tensor*> known(program.ops.size(), nullptr);
  if (made != nullptr) known = KnownOpResults(program, *made);
  std::optional<RunSets> sets = RunSets::Of(test_case, run, known, policies);
  for (size_t i = 0; i < program.results.size(); ++i) {
    if (program.results[i].kind != ValueRef::Kind::kOp) {
      std::optional<ShownResult> shown;
      if (made != nullptr) shown = ShownPassedOn(test_case, run, i, *made);
      if (shown) return shown;
      continue;
    }
    const OpApplication& op = program.ops[program.results[i].index];
    const std::vector<const Tensor*> operands = OperandsIn(test_case, run, known, op);
    if (operands.empty()) {
      if (!sets) continue;
      const Tensor* actual = made == nullptr ? nullptr : &made->results[i].tensor;
      ShownResult shown = ShownBySets(program, run, i, *sets, actual);
      if (made != nullptr && IsWrongBySets(program, shown, *made, policies, *sets)) return shown;
      if (!first) first = std::move(shown);
      continue;
    }
    const RuntimeShape sizes = SizesFor(op, operands);
    if (!sizes.defined) continue;
    ShownResult shown = ShownByOperands(run, i, program, operands, sizes.sizes, policies);
    std::vector<bool> left_out;
    if (sets) left_out = LeaveOut(program.results[i].index, BitMask(op.result.element_type), *sets, shown);
    if (made != nullptr) {
      const ResultObservation& actual = made->results[i];
      if (actual.tensor.sizes() != sizes.sizes) return shown;
      const bool unwritten = verdict == Verdict::kUninitializedResult && !actual.unwritten.empty();
      if (unwritten || CompareValues(program, op, operands, actual.tensor, policies, left_out).first) return shown;
    }
    if (!first) first = std::move(shown);
  }
  return std::nullopt;
}

// What is right of a result that the judgement is about, or, where it names none, of the first one that is known.
ShownResult Shown(const Case& test_case, const CheckedCase& checked, const Policies& policies) {
  const Observation& observation = checked.observation;
  std::optional<ShownResult> first;
  for (size_t run = 0; run < test_case.runs.size(); ++run) {
    const bool is_made = run < observation.runs.size() && !observation.runs[run].results.empty();
    // An end without results is about the run that it came in.
    if (!is_made && observation.outcome != Outcome::kCompleted && run != observation.run) continue;
    const RunObservation* made = is_made ? &observation.runs[run] : nullptr;
    std::optional<ShownResult> shown = ShownInRun(test_case, run, made, checked.judgement.verdict, policies, first);
    if (shown) return *std::move(shown);
  }
  return first.value_or(ShownResult{.run = observation.outcome == Outcome::kCompleted ? 0 : observation.run});
}

// Whether the judgement is about an element that the documents, looked at by itself, allow.
bool NamesAnAllowedElement(const Judgement& judgement) {
  const bool by_rule = FamilyOf(judgement.rule) == RuleFamily::kMetamorphic ||
                       judgement.rule == RuleId::kValueFlushing || judgement.rule == RuleId::kValueImplausible ||
                       judgement.rule == RuleId::kRunReturnedTwice || judgement.rule == RuleId::kValueOneContent;
  return by_rule && judgement.mismatch;
}

// Shows such an element alone: as the twin has it, or as it is without flushing, or plausible, or as in another copy,
// or as the other results of the same hidden value ask for.
ShownResult ShownOfElement(const Case& test_case, const CheckedCase& checked) {
  const ElementMismatch& mismatch = *checked.judgement.mismatch;
  const Program& program = test_case.program;
  ShownResult shown{.run = static_cast<size_t>(mismatch.run)};
  const ValueRef blamed = {ValueRef::Kind::kOp, mismatch.op};
  const bool is_copy = checked.judgement.rule == RuleId::kRunReturnedTwice;
  for (size_t i = program.results.size(); i-- > 0;) {
    if (program.results[i] == blamed && (shown.result == 0 || !is_copy)) shown.result = i;
  }
  const Tensor& actual = checked.observation.runs[shown.run].results[shown.result].tensor;
  const ElementType type = actual.element_type();
  shown.sizes = actual.sizes();
  shown.elements.assign(actual.element_count(), {{0, BitMask(type)}});
  uint64_t bits = 0;
  const bool read = absl::SimpleHexAtoi(mismatch.expected_bits, &bits);
  const bool is_nan = read && IsFloat(type) && ElementToDouble(type, bits) != ElementToDouble(type, bits);
  const bool may_flush = checked.judgement.rule != RuleId::kValueFlushing;
  if (read && is_copy) {
    shown.elements[mismatch.index] = {{bits, bits}};
    return shown;
  }
  if (read && !may_flush && !is_nan) shown.elements[mismatch.index] = {{bits, bits}};
  if (read && (may_flush || is_nan))
    shown.elements[mismatch.index] = AllowedRanges(type, is_nan ? AnyNan() : ExactBits(bits));
  return shown;
}

// A pipeline up to the pass of that name, the first one.
std::string UpTo(const std::string& pipeline, const std::string& pass) {
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  for (size_t i = 0; passes.ok() && i < passes->size(); ++i) {
    if ((*passes)[i].name == pass) return JoinPipeline(absl::MakeSpan(*passes).first(i + 1));
  }
  return pipeline;
}

// The number of the last pass of Tosaic's own and those before it, 0 if there is none.
size_t PassesOfOurOwn(const std::vector<PipelinePass>& passes, bool has_plugin) {
  size_t count = 0;
  for (size_t i = 0; i < passes.size(); ++i) {
    if (!has_plugin && absl::StartsWith(passes[i].name, "tosaic-")) count = i + 1;
  }
  return count;
}

// mlir-opt runs the passes behind those of our own, on the IR that these leave.
void Prepare(Toolchain& toolchain, const WorkerLimits& limits, Reproduction* r) {
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(r->pipeline);
  const size_t own = passes.ok() ? PassesOfOurOwn(*passes, r->has_plugin) : 0;
  if (own == 0) return;
  absl::StatusOr<std::string> prepared =
      LowerIsolated(toolchain, ReproducerModule(*r), JoinPipeline(absl::MakeSpan(*passes).first(own)), false, limits)
          .text;
  if (!prepared.ok()) {
    r->obstacle = absl::StrCat("the route has a pass of Tosaic's own, ", (*passes)[own - 1].name);
    return;
  }
  r->prepared = *std::move(prepared);
  r->pipeline = JoinPipeline(absl::MakeSpan(*passes).subspan(own));
}

// What no stock tool can show.
std::string ObstacleOf(const Reproduction& r, const Route* route, const Case& test_case) {
  const Judgement& judgement = r.judgement;
  if (test_case.runs.empty() && r.showing >= Showing::kExecutes && r.showing <= Showing::kGuards) {
    return "the case has no run";
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

}  // namespace

std::string WithStockPasses(const std::string& pipeline) {
  return absl::StrReplaceAll(pipeline, {{"tosaic-polynomial-math", "test-math-polynomial-approximation"}});
}

Reproduction ReproductionOf(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                            const std::string& pipeline, const WorkerLimits& limits, const JudgeOptions& judge) {
  const Case& subject = checked.twin ? *checked.twin : test_case;
  Reproduction r;
  r.test_case = subject;
  r.judgement = checked.judgement;
  r.signature = ToString(checked.signature);
  r.outcome = checked.observation.outcome;
  r.signal = checked.observation.signal;
  if (!checked.observation.diagnostics.empty()) r.diagnostic = checked.observation.diagnostics.front();
  r.pass = checked.observation.pass;
  const ToolchainDescription& is = toolchain.description();
  r.version = is.version;
  r.tools = is.mlir_version;
  r.program = ToMlir(subject.program, is.dialect);
  r.showing = ShowingOf(r.judgement);
  r.has_plugin = !is.plugins.empty() && subject.route == kCustomRoute;
  const Route* route = FindRoute(subject.route);
  r.optimized = route != nullptr && route->optimized;
  r.host_cpu = route != nullptr && route->host_cpu;
  r.frees = (route != nullptr && route->deallocates) || r.judgement.verdict == Verdict::kLeak;
  r.obstacle = ObstacleOf(r, route, subject);
  if (is.mlir_version == 0) {
    r.obstacle = absl::StrCat(is.name, " is no MLIR; 'tosaic reproduce' writes its own command line");
  }
  const bool on_verifier = r.showing == Showing::kRefuses || r.showing == Showing::kAccepts;
  if (!on_verifier || judge.validation) r.pipeline = is.PipelineOf(subject.route);
  if (!on_verifier && !pipeline.empty()) r.pipeline = pipeline;

  const std::vector<std::string>& diagnostics = checked.observation.diagnostics;
  if (r.showing == Showing::kLowers && !diagnostics.empty() && diagnostics.front() == kLooseConstant) {
    r.showing = Showing::kRereads;
    r.pipeline = UpTo(r.pipeline, checked.observation.pass);
  }
  if (r.showing == Showing::kInfers) {
    const Legality legality = JudgeLegality(subject.program, subject.program.ops.back(), judge.policies);
    const TensorType inferred = {legality.inferred.value_or(Shape::Unranked()),
                                 subject.program.ops.back().result.element_type};
    r.judgement.expected = ToString(inferred);
    // Results of unknown shape, so that what is inferred is what the pass leaves.
    Program open = subject.program;
    for (OpApplication& op : open.ops) op.result.shape = Shape::Unranked();
    r.program = ToMlir(open, is.dialect);
    r.pipeline = "builtin.module(func.func(tosa-infer-shapes))";
  }
  if (!r.obstacle.empty()) return r;
  r.pipeline = WithStockPasses(r.pipeline);
  const bool differs_from_twin = FamilyOf(r.judgement.rule) == RuleFamily::kMetamorphic && r.judgement.mismatch;
  if (!subject.runs.empty() && r.showing >= Showing::kExecutes) {
    const bool names_one = NamesAnAllowedElement(r.judgement);
    r.shown = names_one ? ShownOfElement(subject, checked) : Shown(subject, checked, judge.policies);
  }
  if (differs_from_twin && (r.twin = TwinOf(subject))) {
    r.twin_program = ToMlir(r.twin->program, is.dialect);
    r.twin_pipeline = WithStockPasses(is.PipelineOf(r.twin->route));
    const ValueRef blamed = {ValueRef::Kind::kOp, r.judgement.mismatch->op};
    while (r.twin_result + 1 < r.twin->program.results.size() && r.twin->program.results[r.twin_result] != blamed) {
      ++r.twin_result;
    }
  }
  Prepare(toolchain, limits, &r);
  const bool is_of_passes = r.showing == Showing::kLowers || r.showing == Showing::kRereads;
  const std::string whole = WithStockPasses(is.PipelineOf(subject.route));
  if (is_of_passes && r.prepared.empty() && r.pipeline != whole) r.whole_pipeline = whole;
  if (r.obstacle.empty() && (r.showing == Showing::kGuards || r.showing == Showing::kIr)) {
    const absl::StatusOr<std::string> lowered =
        LowerIsolated(toolchain, ModuleText(r), r.pipeline, r.showing == Showing::kGuards, limits).text;
    if (lowered.ok()) r.lowered = *lowered;
    if (!lowered.ok()) r.obstacle = absl::StrCat("MLIR does not lower it alone: ", lowered.status().message());
  }
  if (r.judgement.verdict == Verdict::kCrash && r.judgement.stage < Stage::kTranslate && r.obstacle.empty()) {
    const std::string pipeline = r.pipeline.empty() ? "builtin.module()" : r.pipeline;
    r.stack_trace = StackTraceIn(LowerIsolated(toolchain, ModuleText(r), pipeline, false, limits).last_words);
  }
  return r;
}

}  // namespace tosaic
