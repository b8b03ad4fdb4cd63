// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/judge.h"

#include <csignal>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/routes.h"
#include "model/support_table.h"
#include "oracle/category.h"
#include "oracle/contract.h"
#include "oracle/flushing.h"
#include "oracle/judging.h"
#include "oracle/refinement.h"
#include "oracle/run_sets.h"
#include "oracle/run_values.h"
#include "oracle/set_comparison.h"
#include "oracle/spirv_graph.h"

namespace tosaic {
namespace {

// Checks that the observation fits the case, so that a toolchain's bug is not taken for one of MLIR's. Empty: it does;
// otherwise the contradiction, in words.
std::string Contradiction(const Case& test_case, const Observation& observation) {
  const size_t runs = observation.runs.size();
  const bool completed = observation.outcome == Outcome::kCompleted;
  // The route ends with the IR, so nothing runs.
  if (observation.lowered || observation.graph)
    return completed && runs == 0 ? "" : "lowered IR, and an end or runs beside it";
  if (runs > test_case.runs.size() || (completed && runs != test_case.runs.size())) {
    return absl::StrCat(runs, " runs observed of ", test_case.runs.size());
  }
  if (!completed && observation.stage == Stage::kExecute && observation.run >= test_case.runs.size()) {
    return absl::StrCat("it ended in run ", observation.run, " of ", test_case.runs.size());
  }
  for (const RunObservation& run : observation.runs) {
    if (!run.stopped.empty() && run.results.empty()) continue;
    if (run.results.size() != test_case.program.results.size()) {
      return absl::StrCat(run.results.size(), " results observed of ", test_case.program.results.size());
    }
    for (size_t i = 0; i < run.results.size(); ++i) {
      const ElementType expected = ElementTypeOf(test_case.program, test_case.program.results[i]);
      const ElementType actual = run.results[i].tensor.element_type();
      if (actual != expected) return absl::StrCat("a result of ", Name(actual), " instead of ", Name(expected));
      for (const std::vector<uint64_t>& elements : {run.results[i].unwritten, run.results[i].poisoned}) {
        for (const uint64_t element : elements) {
          if (element >= run.results[i].tensor.element_count()) return absl::StrCat("an element ", element);
        }
      }
      for (const StoreCount& count : run.results[i].not_stored_once) {
        if (count.element >= run.results[i].tensor.element_count()) return absl::StrCat("an element ", count.element);
      }
    }
  }
  return "";
}

bool WritesToOperand(const std::optional<MemoryFault>& fault) {
  return fault && fault->is_write && absl::StartsWith(fault->region, "operand ") && fault->offset >= 0 &&
         fault->offset < fault->region_bytes;
}

}  // namespace

// Judges deaths and harness failures before generated code runs. Nothing excuses them: MLIR must answer, whatever the
// input is.
bool Judging::JudgeEnding() {
  if (observation_.outcome == Outcome::kToolFailure) {
    return Decide(Verdict::kHarnessFault, RuleId::kHarnessToolchain, "an observation", Summarize(observation_));
  }
  std::string why = options_.validation ? "" : Contradiction(case_, observation_);
  if (!why.empty()) {
    return Decide(Verdict::kHarnessFault, RuleId::kHarnessObservation, "an observation of this case", std::move(why));
  }
  return observation_.stage != Stage::kExecute && BlameEnd();
}

// Judges an end that nothing excuses; false if the case came to its regular end or was refused.
bool Judging::BlameEnd() {
  const std::string in_run = observation_.stage == Stage::kExecute ? absl::StrCat("run ", observation_.run, ": ") : "";
  std::string actual = in_run + Summarize(observation_);
  switch (observation_.outcome) {
    case Outcome::kDeadline:
      return Decide(Verdict::kTimeout, RuleId::kRunDeadline, "an end", std::move(actual));
    case Outcome::kOutOfMemory:
      return Decide(Verdict::kCrash, RuleId::kRunMemoryLimit, "an end within the memory limit", std::move(actual));
    case Outcome::kSignal:
      return Decide(Verdict::kCrash, RuleId::kRunSignal, in_run.empty() ? "an answer" : "a result", std::move(actual));
    case Outcome::kMemoryFault:
      return Decide(Verdict::kMemoryFault, RuleId::kRunMemory,
                    WritesToOperand(observation_.fault) ? "no write to an operand, which is the caller's"
                                                        : "no access outside a buffer",
                    std::move(actual));
    case Outcome::kCompleted:
    case Outcome::kRefused:
    case Outcome::kIllegalIr:
    case Outcome::kToolFailure:
      break;
  }
  return false;
}

// Judges programs that the toolchain cannot express or has no route for, so its verifier was never asked.
bool Judging::JudgeBuild() {
  if (observation_.outcome != Outcome::kRefused || observation_.stage != Stage::kBuild) return false;
  const SupportEntry* entry = FindUnwritable(case_.program, options_.policies.dialect);
  return Decide(Verdict::kUnsupported, entry != nullptr ? entry->rule : RuleId::kSupportNotBuilt,
                entry != nullptr ? std::string(entry->reason) : "a route that the toolchain has",
                Summarize(observation_));
}

bool Judging::JudgeDecision() {
  const bool refused = observation_.outcome == Outcome::kRefused && observation_.stage <= Stage::kVerify;
  if (refused && legality_.answer != Answer::kAccept) NoteWrongReason();
  if (legality_.answer == Answer::kEither) {
    return refused && DecideByLegality(Verdict::kUndefined, Summarize(observation_));
  }
  const bool must_refuse = legality_.answer == Answer::kRefuse;
  if (refused && must_refuse) return DecideByLegality(Verdict::kAgree, Summarize(observation_));
  if (refused) return DecideByLegality(Verdict::kFalseReject, Summarize(observation_));
  if (!must_refuse) return false;
  judgement_.stage = Stage::kVerify;  // however far the case went
  return DecideByLegality(Verdict::kFalseAccept, "accepted by the verifier");
}

void Judging::NoteWrongReason() {
  if (!observation_.category) return;
  const std::vector<Category> broken = options_.validation
                                           ? BrokenCategories(case_.program, *options_.validation, options_.policies)
                                           : BrokenCategories(case_.program, options_.policies);
  std::string note = WrongReason(*observation_.category, broken, legality_.rule);
  if (!note.empty()) judgement_.notes.push_back(std::move(note));
}

// Judges the rest of an observation of tosa-validate after the decision: an acceptance that is right, or that nothing
// asks for, or IR that the pass made illegal.
bool Judging::JudgeValidator() {
  if (observation_.outcome == Outcome::kIllegalIr) {
    return Decide(Verdict::kLoweringFailed, RuleId::kLowerLegalIr, "IR that verifies after every pass",
                  Summarize(observation_));
  }
  return legality_.answer == Answer::kEither && DecideByLegality(Verdict::kUndefined, "accepted by the verifier");
}

// The contract and calls of an external library are about linalg.generics only.
static bool IsForElementwiseOpsAlone(absl::string_view name) {
  const Route* route = FindRoute(name);
  return route != nullptr && (route->extracts || route->calls_library);
}

// A program of legal ops whose shapes, known op by op, contradict each other has no run with a defined shape.
bool Judging::JudgeContradiction() {
  const bool ended = observation_.outcome == Outcome::kIllegalIr || observation_.outcome == Outcome::kRefused;
  if (!ended || WasNotRun() || RefineShapes(case_.program)) return false;
  return Decide(Verdict::kUndefined, RuleId::kRunUndefined, "anything: the shapes contradict each other",
                Summarize(observation_));
}

// Judges the graph of a route that ends with it, and what needs none: whoever refuses a program says so by a pass or by
// the verifier of SPIR-V's ops, for illegal IR of what the set cannot say is no mistake.
bool Judging::JudgeGraph() {
  if (!observation_.makes_graph) return false;
  if (JudgeContradiction()) return true;
  const bool completed = observation_.outcome == Outcome::kCompleted;
  std::string why = completed ? WhyInexpressible(case_.program) : WhyRefusable(case_.program);
  if (!why.empty()) {
    return Decide(Verdict::kUnsupported, RuleId::kSupportSpirv, std::move(why), Summarize(observation_));
  }
  if (!observation_.graph) return false;
  SpirvCheck check = CheckSpirvGraph(case_, *observation_.graph, options_.policies);
  for (const RuleId note : check.notes) Note(note);
  return check.breach && Decide(Verdict::kContractViolation, check.breach->rule, std::move(check.breach->expected),
                                std::move(check.breach->actual));
}

bool Judging::JudgeLowering() {
  if (JudgeContradiction()) return true;
  if (observation_.outcome == Outcome::kIllegalIr) {
    return Decide(Verdict::kLoweringFailed, RuleId::kLowerLegalIr, "IR that verifies after every pass",
                  Summarize(observation_));
  }
  const bool is_for_elementwise_ops =
      observation_.extracts || observation_.calls_library || IsForElementwiseOpsAlone(case_.route);
  if (!case_.runs.empty() && !IsElementwise(case_.program) && is_for_elementwise_ops) {
    return Decide(Verdict::kUnsupported, RuleId::kSupportNotBuilt, "elementwise ops alone on this route",
                  Summarize(observation_));
  }
  if (observation_.outcome != Outcome::kRefused || WasNotRun()) return false;
  if (const SupportEntry* entry =
          FindSupportEntry(case_.program, options_.policies.dialect, options_.policies.spec_version)) {
    return Decide(Verdict::kUnsupported, entry->rule, std::string(entry->reason), Summarize(observation_));
  }
  // A program that may be refused may also be refused after the verifier.
  if (legality_.answer == Answer::kEither) {
    return DecideByLegality(Verdict::kUndefined, Summarize(observation_));
  }
  return Decide(Verdict::kLoweringFailed, RuleId::kLowerComplete, "a lowering of a legal, ranked program",
                Summarize(observation_));
}

// Judges the IR of a route that ends with it: the first breach decides, other broken rules become notes.
bool Judging::JudgeContract() {
  if (!observation_.lowered) return false;
  ContractCheck check = CheckContract(case_, *observation_.lowered);
  for (const RuleId note : check.notes) Note(note);
  if (check.breaches.empty()) return false;
  const Breach& first = check.breaches.front();
  for (const Breach& breach : check.breaches) {
    if (breach.rule != first.rule) Note(breach.rule);
  }
  return Decide(Verdict::kContractViolation, first.rule, first.expected, first.actual);
}

// Whether some element of a run with defined shapes is or may be unpredictable, as far as the arguments show: nothing
// else is known about a run that did not end.
bool Judging::MayHaveUndefinedElement(size_t run) const {
  const std::vector<const Tensor*> nothing(case_.program.ops.size(), nullptr);
  std::optional<RunSets> sets = RunSets::Of(case_, run, nothing, options_.policies);
  return !sets || sets->MayHaveUndefined();
}

// An argument of a run or a constant; null for the result of an op.
const Tensor* Judging::GivenTensor(ValueRef value, size_t run) const {
  return value.kind == ValueRef::Kind::kOp ? nullptr : ValueIn(case_, run, /*op_results=*/{}, value);
}

// Whether some table is not of the length that its input asks for (TABLE: REQUIRE(length(table) == TABLE_SIZE)).
bool Judging::HasUnfitTable(size_t run) const {
  return absl::c_any_of(case_.program.ops, [&](const OpApplication& op) {
    const Tensor* table = LooksUp(Info(op.op)) ? GivenTensor(op.operands.back(), run) : nullptr;
    const ElementType input = TypeOf(case_.program, op.operands[0]).element_type;
    return table != nullptr && table->element_count() != LookupIn(input).entries;
  });
}

// If run-time extents do not fit, everything is undefined behaviour. An unpredictable element may trap, but must not
// write outside a tensor (tosa-semantics.md, Frame), read outside one because of that, or hang.
bool Judging::EndIsUndefined() const {
  constexpr int kTraps[] = {SIGFPE, SIGILL, SIGTRAP, SIGABRT};  // of other signals die accesses to memory
  const size_t run = observation_.run;
  if (HasUndefinedShape(run)) return true;
  const bool traps = observation_.outcome == Outcome::kSignal && absl::c_linear_search(kTraps, observation_.signal);
  const bool reads =
      observation_.outcome == Outcome::kMemoryFault && observation_.fault && !observation_.fault->is_write;
  return (reads && HasUnfitTable(run)) || (traps && MayHaveUndefinedElement(run));
}

// Whether a division may have ended a run whose extents do not fit, before anything noticed that. Its elements have no
// pairs, so any divisor of 0 or -1 counts, and any that is not known.
bool Judging::MayHaveTrapped() const {
  if (observation_.signal != SIGFPE) return false;
  return absl::c_any_of(case_.program.ops, [&](const OpApplication& op) {
    if (!LeavesTheRunOpen(op)) return false;
    const Tensor* divisor = GivenTensor(op.operands[1], observation_.run);
    if (divisor == nullptr) return true;
    for (size_t i = 0; i < divisor->element_count(); ++i) {
      if (divisor->Bits(i) == 0 || divisor->Bits(i) == BitMask(divisor->element_type())) return true;
    }
    return false;
  });
}

// Judges what each op's own inference says (GradeInference).
bool Judging::JudgeInference() {
  const Program& program = case_.program;
  for (size_t i = 0; i < observation_.inferred.size() && i < program.ops.size(); ++i) {
    const Legality legality = JudgeLegality(program, program.ops[i], options_.policies);
    const std::optional<TensorType>& actual = observation_.inferred[i];
    const ElementType element_type = program.ops[i].result.element_type;
    const InferenceGrade grade = GradeInference(legality.inferred, element_type, actual);
    if (grade == InferenceGrade::kLessPrecise) Note(RuleId::kInferLessPrecise);
    if (grade == InferenceGrade::kOtherElementType) Note(RuleId::kInferElementType);
    if (grade != InferenceGrade::kWrong) continue;
    judgement_.op = static_cast<int>(i);
    return Decide(Verdict::kWrongInference, legality.inferred ? RuleId::kInferShape : RuleId::kInferUnrankedOperands,
                  legality.inferred ? ToString(TensorType{*legality.inferred, element_type}) : "no shape",
                  ToString(*actual));
  }
  return false;
}

bool Judging::JudgeNothingCompared() {
  if (WasNotRun()) {
    return Decide(Verdict::kUnsupported, RuleId::kSupportNotBuilt, "tools that run it", Summarize(observation_));
  }
  judgement_.rule = legality_.rule;
  if (judgement_.compared > 0 || stopped_ > 0 || case_.runs.empty() || observation_.lowered || observation_.graph)
    return false;
  const char* const expected = judgement_.open > 0 ? "one of most values" : "anything";
  return Decide(Verdict::kUndefined, RuleId::kRunUndefined, expected, Summarize(observation_));
}

Judgement Judge(const Case& test_case, const Observation& observation, const JudgeOptions& options) {
  return Judging(test_case, observation, options).Take();
}

// An intermediate value may hide that a subnormal was flushed. Such a flush can only be judged once the visible
// elements have shown how the target treats the other subnormals, so this runs last.
void Judging::FindHiddenFlushing() {
  if (case_.program.ops.size() < 2) return;
  for (const ElementType type : {ElementType::kF16, ElementType::kBF16, ElementType::kF32}) {
    if (!HasType(case_.program, [&](ElementType other) { return other == type; })) continue;
    for (const bool flushed : {false, true}) {
      const FlushingTargets others = FlushingTargets::That(!flushed, type);
      if (!(flushing_.open() & others).IsEmpty()) continue;
      for (size_t run = 0; run < observation_.runs.size(); ++run) {
        if (FindHiddenFlushing(run, {type, flushed}, others)) return;
      }
    }
  }
}

// Whether the run shows that the target is one of these `others`, in contradiction to what was known about it.
bool Judging::FindHiddenFlushing(size_t run, SubnormalsOf known, FlushingTargets others) {
  if (observation_.runs[run].results.empty()) return false;  // it stopped itself
  const std::vector<const Tensor*> results_of_ops = KnownOpResults(case_.program, observation_.runs[run]);
  std::optional<RunSets> sets = RunSets::Of(case_, run, results_of_ops, options_.policies, known);
  for (size_t op = 0; sets && op < results_of_ops.size(); ++op) {
    if (results_of_ops[op] == nullptr || results_of_ops[op]->sizes() != sets->sizes(op)) continue;
    std::optional<ElementMismatch> outside =
        FindOutside(case_.program, op, *results_of_ops[op], options_.policies, &*sets);
    if (!outside) continue;
    flushing_.MoveTo(run, op);
    flushing_.Add({others, *std::move(outside)});
    return true;
  }
  return false;
}

// The specification lets a target flush all subnormals of a type or none. So each element may be right by itself
// although no target makes all of them.
bool Judging::JudgeFlushing() {
  if (!flushing_.open().IsEmpty()) FindHiddenFlushing();
  if (!flushing_.open().IsEmpty()) return false;
  BlameMixture(case_.program, flushing_, &judgement_);
  return true;
}

}  // namespace tosaic
