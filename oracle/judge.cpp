#include "oracle/judge.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/support_table.h"
#include "oracle/category.h"
#include "oracle/contract.h"
#include "oracle/flushing.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_properties.h"
#include "oracle/run_sets.h"
#include "oracle/run_values.h"
#include "oracle/validation.h"

namespace tosaic {
namespace {

class Judgment {
 public:
  Judgment(const Case& test_case, const Observation& observation, const JudgeOptions& options)
      : case_(test_case), observation_(observation), options_(options) {}

  Judgement Take() {
    judgement_.stage = observation_.stage;
    if (options_.validation) {
      legality_ = JudgeValidity(case_.program, *options_.validation, options_.policies);
      judgement_.rule = legality_.rule;
      judgement_.strictness = Strictness(*options_.validation);
      JudgeEnding() || JudgeDecision() || JudgeValidator();
      return std::move(judgement_);
    }
    legality_ = JudgeLegality(case_.program, options_.policies);
    judgement_.beyond_spec = legality_.beyond_spec;
    JudgeEnding() || JudgeBuild() || JudgeDecision() || JudgeLowering() || JudgeContract() || JudgeRuns() ||
        JudgeInference() || JudgeNothingCompared();
    return std::move(judgement_);
  }

 private:
  // Each step returns true if it decided.
  bool JudgeEnding();
  bool BlameEnd();
  bool JudgeBuild();
  bool JudgeDecision();
  void NoteWrongReason();
  bool JudgeValidator();
  bool JudgeLowering();
  bool JudgeContract();
  bool JudgeRuns();
  bool JudgeFlushing();
  bool JudgeInference();
  bool JudgeNothingCompared();

  // The outcome of one run; false if it has nothing against it.
  bool JudgeRun(size_t run);
  bool JudgeProperties(size_t run);
  bool JudgeResult(size_t run, size_t index, const std::vector<const Tensor*>& known, RunSets* sets);
  bool JudgePassedOn(size_t run, size_t index);
  bool JudgeBySets(size_t run, size_t index, RunSets* sets);
  bool JudgeValues(size_t run, size_t index, ValueComparison values);
  bool BlameShape(size_t run, size_t index, const RuntimeShape& expected);
  bool BlameUnwritten(size_t run, size_t index, const std::vector<uint64_t>& elements);
  std::string Where(size_t run, size_t index) const;
  bool EndIsUndefined() const;
  bool JudgeMissedStop(size_t run, const std::string& actual);
  bool HasUndefinedShape(size_t run) const { return !SizesOfAllOps(case_.program, case_.runs[run]); }
  bool MayHaveUndefinedElement(size_t run) const;

  bool Decide(Verdict verdict, RuleId rule, std::string expected, std::string actual) {
    judgement_.verdict = verdict;
    judgement_.rule = rule;
    judgement_.expected = std::move(expected);
    judgement_.actual = std::move(actual);
    return true;
  }

  void Note(RuleId rule) { judgement_.notes.emplace_back(Name(rule)); }
  void NoteImplausible(const OpApplication& op) {
    std::string note = absl::StrCat(Name(RuleId::kValueImplausible), ": ", Name(op.op));
    if (!absl::c_linear_search(judgement_.notes, note)) judgement_.notes.push_back(std::move(note));
  }

  const Case& case_;
  const Observation& observation_;
  const JudgeOptions& options_;
  Legality legality_;
  Judgement judgement_;
  size_t stopped_ = 0;       // runs that stopped themselves
  FlushingRecord flushing_;  // over all runs
};

// What a toolchain may not say of a case; empty if all is in order.
std::string Contradiction(const Case& test_case, const Observation& observation) {
  const size_t runs = observation.runs.size();
  const bool completed = observation.outcome == Outcome::kCompleted;
  // A route that ends with the IR: nothing runs.
  if (observation.lowered) return completed && runs == 0 ? "" : "lowered IR, and an end or runs beside it";
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
      const ElementType expected = TypeOf(test_case.program, test_case.program.results[i]).element_type;
      const ElementType actual = run.results[i].tensor.element_type();
      if (actual != expected) return absl::StrCat("a result of ", Name(actual), " instead of ", Name(expected));
      for (uint64_t element : run.results[i].unwritten) {
        if (element >= run.results[i].tensor.element_count()) return absl::StrCat("an element ", element);
      }
      for (const StoreCount& count : run.results[i].not_stored_once) {
        if (count.element >= run.results[i].tensor.element_count()) return absl::StrCat("an element ", count.element);
      }
    }
  }
  return "";
}

// Deaths and harness failures before generated code runs. Nothing excuses them: whatever the input is, MLIR must
// answer.
bool Judgment::JudgeEnding() {
  if (observation_.outcome == Outcome::kToolFailure) {
    return Decide(Verdict::kHarnessFault, RuleId::kHarnessToolchain, "an observation", Summarize(observation_));
  }
  std::string why = options_.validation ? "" : Contradiction(case_, observation_);
  if (!why.empty()) {
    return Decide(Verdict::kHarnessFault, RuleId::kHarnessObservation, "an observation of this case", std::move(why));
  }
  return observation_.stage != Stage::kExecute && BlameEnd();
}

// An end that nothing excuses; false if the walk came to its regular end or was refused.
bool Judgment::BlameEnd() {
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
      return Decide(Verdict::kMemoryFault, RuleId::kRunMemory, "no access outside a buffer", std::move(actual));
    case Outcome::kCompleted:
    case Outcome::kRefused:
    case Outcome::kIllegalIr:
    case Outcome::kToolFailure:
      break;
  }
  return false;
}

// What the toolchain has no words or no route for: its verifier was never asked.
bool Judgment::JudgeBuild() {
  if (observation_.outcome != Outcome::kRefused || observation_.stage != Stage::kBuild) return false;
  const SupportEntry* entry = FindUnwritable(case_.program, options_.policies.dialect);
  return Decide(Verdict::kUnsupported, entry != nullptr ? entry->rule : RuleId::kSupportNotBuilt,
                entry != nullptr ? std::string(entry->reason) : "a route that the toolchain has",
                Summarize(observation_));
}

bool Judgment::JudgeDecision() {
  const bool refused = observation_.outcome == Outcome::kRefused && observation_.stage <= Stage::kVerify;
  const std::string expected = ToString(legality_);
  if (refused && legality_.answer != Answer::kAccept) NoteWrongReason();
  if (legality_.answer == Answer::kEither) {
    return refused && Decide(Verdict::kUndefined, legality_.rule, expected, Summarize(observation_));
  }
  const bool must_refuse = legality_.answer == Answer::kRefuse;
  if (refused && must_refuse) return Decide(Verdict::kAgree, legality_.rule, expected, Summarize(observation_));
  if (refused) return Decide(Verdict::kFalseReject, legality_.rule, expected, Summarize(observation_));
  if (!must_refuse) return false;
  judgement_.stage = Stage::kVerify;  // however far the walk went on
  return Decide(Verdict::kFalseAccept, legality_.rule, expected, "accepted by the verifier");
}

void Judgment::NoteWrongReason() {
  if (!observation_.category) return;
  const std::vector<Category> broken = options_.validation
                                           ? BrokenCategories(case_.program, *options_.validation, options_.policies)
                                           : BrokenCategories(case_.program, options_.policies);
  std::string note = WrongReason(*observation_.category, broken, legality_.rule);
  if (!note.empty()) judgement_.notes.push_back(std::move(note));
}

// What the decision has left of an observation of tosa-validate: an acceptance that is right, or IR that it broke.
bool Judgment::JudgeValidator() {
  return observation_.outcome == Outcome::kIllegalIr &&
         Decide(Verdict::kLoweringFailed, RuleId::kLowerLegalIr, "IR that verifies after every pass",
                Summarize(observation_));
}

bool Judgment::JudgeLowering() {
  if (observation_.outcome == Outcome::kIllegalIr) {
    return Decide(Verdict::kLoweringFailed, RuleId::kLowerLegalIr, "IR that verifies after every pass",
                  Summarize(observation_));
  }
  if (observation_.outcome != Outcome::kRefused) return false;
  if (const SupportEntry* entry =
          FindSupportEntry(case_.program, options_.policies.dialect, options_.policies.spec_version)) {
    return Decide(Verdict::kUnsupported, entry->rule, std::string(entry->reason), Summarize(observation_));
  }
  return Decide(Verdict::kLoweringFailed, RuleId::kLowerComplete, "a lowering of a legal, ranked program",
                Summarize(observation_));
}

// The IR of a route that ends with it: the first breach decides, the other rules that are broken are notes.
bool Judgment::JudgeContract() {
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

// Whether some element of a run with defined shapes is unpredictable, or may be, as far as the arguments tell: a run
// that did not end has told nothing else.
bool Judgment::MayHaveUndefinedElement(size_t run) const {
  const std::vector<const Tensor*> nothing(case_.program.ops.size(), nullptr);
  std::optional<RunSets> sets = RunSets::Of(case_, run, nothing, options_.policies);
  return !sets || sets->MayHaveUndefined();
}

// Run-time extents that do not fit are undefined behaviour altogether; an unpredictable element may trap, but must
// neither touch memory outside a tensor nor hang (tosa-semantics.md, Frame).
bool Judgment::EndIsUndefined() const {
  const size_t run = observation_.run;
  return HasUndefinedShape(run) || (observation_.outcome == Outcome::kSignal && MayHaveUndefinedElement(run));
}

// The elements that nobody wrote, without the unpredictable ones: LLVM may drop the store of such a value. Where the
// documents have no rule for the element type, an op that is always predictable has to write all the same.
std::vector<uint64_t> BlamedUnwritten(const Program& program, const OpApplication& op,
                                      const std::vector<const Tensor*>& operands, const ResultObservation& result,
                                      const std::vector<bool>& left_out, const Policies& policies) {
  std::vector<uint64_t> blamed;
  if (result.unwritten.empty()) return blamed;
  const std::vector<int64_t>& sizes = result.tensor.sizes();
  const std::vector<Expected> expected = Evaluate(program, op, operands, sizes, policies);
  const std::vector<Expected> of_flushed =
      Evaluate(program, op, operands, sizes, policies, SubnormalOperands::kFlushed);
  for (uint64_t i : result.unwritten) {
    if (!left_out.empty() && left_out[i]) continue;
    const bool has_no_rule = expected[i].value_case == ValueCase::kBeyondSpec;
    const bool always_predictable = has_no_rule && Info(op.op).unpredictable == Unpredictable::kNever;
    const bool may_be_undefined =
        expected[i].kind == Expected::Kind::kUndefined || of_flushed[i].kind == Expected::Kind::kUndefined;
    if (!may_be_undefined || always_predictable) blamed.push_back(i);
  }
  return blamed;
}

bool Judgment::JudgeResult(size_t run, size_t index, const std::vector<const Tensor*>& known, RunSets* sets) {
  const Program& program = case_.program;
  const ValueRef ref = program.results[index];
  if (ref.kind != ValueRef::Kind::kOp) return JudgePassedOn(run, index);
  const OpApplication& op = program.ops[ref.index];
  const std::vector<const Tensor*> operands = OperandsIn(case_, run, known, op);
  if (operands.empty()) return sets != nullptr && JudgeBySets(run, index, sets);
  const RuntimeShape sizes = SizesFor(op, operands);
  const ResultObservation& result = observation_.runs[run].results[index];
  if (!sizes.defined) {
    judgement_.masked += result.tensor.element_count();
    return false;
  }
  if (result.tensor.sizes() != sizes.sizes) return BlameShape(run, index, sizes);
  std::vector<bool> left_out;
  if (sets != nullptr && sets->sizes(ref.index) == sizes.sizes) left_out = sets->DependingOnUndefined(ref.index);
  const Policies& policies = options_.policies;
  flushing_.MoveTo(run, ref.index);
  return BlameUnwritten(run, index, BlamedUnwritten(program, op, operands, result, left_out, policies)) ||
         JudgeValues(run, index, CompareValues(program, op, operands, result.tensor, policies, left_out, &flushing_));
}

// A result that no op makes: it is the argument or the constant, bit by bit.
bool Judgment::JudgePassedOn(size_t run, size_t index) {
  if (HasUndefinedShape(run)) return false;
  const Tensor& expected = *ValueIn(case_, run, {}, case_.program.results[index]);
  const Tensor& actual = observation_.runs[run].results[index].tensor;
  if (actual.sizes() != expected.sizes()) {
    return BlameShape(run, index, {.rule = RuleId::kRunPassedOn, .sizes = expected.sizes()});
  }
  for (size_t i = 0; i < expected.element_count(); ++i) {
    if (actual.Bits(i) == expected.Bits(i)) continue;
    const ElementType type = expected.element_type();
    return Decide(Verdict::kWrongValue, RuleId::kRunPassedOn, BitsToString(type, expected.Bits(i)),
                  absl::StrCat(Where(run, index), BitsToString(type, actual.Bits(i)), " in element ", i));
  }
  judgement_.compared += expected.element_count();
  return false;
}

// A result whose operands are not all known is held to what may come of those that are.
bool Judgment::JudgeBySets(size_t run, size_t index, RunSets* sets) {
  const int op = case_.program.results[index].index;
  const ResultObservation& result = observation_.runs[run].results[index];
  if (result.tensor.sizes() != sets->sizes(op)) return BlameShape(run, index, sets->ShapeOf(op));
  std::vector<uint64_t> unwritten;
  for (uint64_t i : result.unwritten) {
    if (!sets->Allowed(op, i).IsUndefined()) unwritten.push_back(i);
  }
  return BlameUnwritten(run, index, unwritten) ||
         JudgeValues(run, index, CompareWithSets(case_.program, op, result.tensor, options_.policies, sets));
}

std::string Judgment::Where(size_t run, size_t index) const {
  return absl::StrCat("run ", run, ", ", ToString(case_.program.results[index]), ": ");
}

bool Judgment::BlameShape(size_t run, size_t index, const RuntimeShape& expected) {
  const Tensor& actual = observation_.runs[run].results[index].tensor;
  return Decide(Verdict::kWrongShape, expected.rule, SizesToString(expected.sizes),
                absl::StrCat(Where(run, index), SizesToString(actual.sizes())));
}

bool Judgment::BlameUnwritten(size_t run, size_t index, const std::vector<uint64_t>& elements) {
  return !elements.empty() &&
         Decide(Verdict::kUninitializedResult, RuleId::kRunEveryElementWritten, "every element written",
                absl::StrCat(Where(run, index), elements.size(), " elements depend on memory that was never written, ",
                             "the first is ", elements.front()));
}

bool Judgment::JudgeValues(size_t run, size_t index, ValueComparison values) {
  judgement_.compared += values.compared;
  judgement_.masked += values.masked;
  if (values.implausible > 0 && !values.first) NoteImplausible(case_.program.ops[case_.program.results[index].index]);
  if (!values.first) return false;
  values.first->run = static_cast<int>(run);
  values.first->op = case_.program.results[index].index;
  Decide(Verdict::kWrongValue, values.rule, values.first->expected, values.first->actual);
  judgement_.mismatch = *std::move(values.first);
  return true;
}

// Run-time verification has to stop a run whose extents, of at least 1, do not fit (trait document: undefined, so that
// the stop is the only promise left). `actual`: what the run did instead.
bool Judgment::JudgeMissedStop(size_t run, const std::string& actual) {
  UndefinedSizes why;
  if (!observation_.verifies_extents || SizesOfAllOps(case_.program, case_.runs[run], &why)) return false;
  if (why.rule != RuleId::kRuntimeConflict && why.rule != RuleId::kRuntimeStaticResult) return false;
  return Decide(Verdict::kContractViolation, RuleId::kVerificationMissedStop,
                absl::StrCat("a stop: ", Name(why.rule), " in dimension ", why.dim),
                absl::StrCat("run ", run, ": ", actual));
}

// What a run shows of linalg's properties, on the routes that look.
bool Judgment::JudgeProperties(size_t run) {
  const RunObservation& observed = observation_.runs[run];
  const bool stored_once = observed.uneven_stores.empty() &&
                           std::all_of(observed.results.begin(), observed.results.end(),
                                       [](const ResultObservation& result) { return result.not_stored_once.empty(); });
  if ((stored_once && !observation_.calls_library) || HasUndefinedShape(run)) return false;
  std::optional<Breach> breach = CheckStores(case_.program, observed);
  if (breach) breach->actual = absl::StrCat("run ", run, ", ", breach->actual);
  if (observation_.calls_library) {
    RunCheck check = CheckLibraryCalls(case_, run, observed, options_.policies);
    for (const RuleId note : check.notes) {
      if (!absl::c_linear_search(judgement_.notes, Name(note))) Note(note);
    }
    if (!breach) breach = std::move(check.breach);
  }
  return breach && Decide(Verdict::kContractViolation, breach->rule, breach->expected, breach->actual);
}

bool Judgment::JudgeRun(size_t run) {
  const RunObservation& observed = observation_.runs[run];
  if (!observed.stopped.empty()) {
    ++stopped_;
    return !HasUndefinedShape(run) &&
           Decide(Verdict::kContractViolation, RuleId::kVerificationFalseStop, "no stop: the extents fit",
                  absl::StrCat("run ", run, ": ", absl::StrReplaceAll(observed.stopped, {{"\n", " "}})));
  }
  if (JudgeMissedStop(run, "it went on to its end")) return true;
  const std::vector<const Tensor*> known = KnownOpResults(case_.program, observed);
  // Of a single op there is nothing that nobody saw.
  const bool has_intermediates = case_.program.ops.size() > 1;
  std::optional<RunSets> sets = has_intermediates ? RunSets::Of(case_, run, known, options_.policies) : std::nullopt;
  for (size_t i = 0; i < case_.program.results.size(); ++i) {
    if (JudgeResult(run, i, known, sets ? &*sets : nullptr)) return true;
  }
  if (JudgeProperties(run)) return true;
  return observed.leaked_buffers > 0 && !HasUndefinedShape(run) &&
         Decide(Verdict::kLeak, RuleId::kRunLeak, "every buffer freed or returned",
                absl::StrCat("run ", run, ": ", observed.leaked_buffers, " lost"));
}

// The worst first: an end that nothing excuses, then what the finished runs show, whatever came after them.
bool Judgment::JudgeRuns() {
  const bool ended_early = observation_.outcome != Outcome::kCompleted;
  const bool excused = ended_early && EndIsUndefined();
  if (ended_early && !excused) return BlameEnd();
  for (size_t run = 0; run < observation_.runs.size(); ++run) {
    if (JudgeRun(run)) return true;
  }
  if (JudgeFlushing()) return true;
  if (!excused) return false;
  if (JudgeMissedStop(observation_.run, Summarize(observation_))) return true;
  // Undefined, yet worth knowing: what the code touched before it ended.
  if (observation_.outcome == Outcome::kMemoryFault && observation_.fault) {
    Note(observation_.fault->is_write ? RuleId::kExtentsGuardedWrite : RuleId::kExtentsGuardedRead);
  }
  return Decide(Verdict::kUndefined, RuleId::kRunUndefined, "anything", Summarize(observation_));
}

// The specification lets a target flush all subnormals of a type or none: each element may be right, and all together
// be what no target makes.
bool Judgment::JudgeFlushing() {
  if (!flushing_.open().IsEmpty()) return false;
  BlameMixture(case_.program, flushing_, &judgement_);
  return true;
}

// What each op's own inference says (GradeInference).
bool Judgment::JudgeInference() {
  const Program& program = case_.program;
  for (size_t i = 0; i < observation_.inferred.size() && i < program.ops.size(); ++i) {
    const Legality legality = JudgeLegality(program, program.ops[i], options_.policies);
    const std::optional<TensorType>& actual = observation_.inferred[i];
    const ElementType element_type = program.ops[i].result.element_type;
    const InferenceGrade grade = GradeInference(legality.inferred, element_type, actual);
    if (grade == InferenceGrade::kLessPrecise) Note(RuleId::kInferLessPrecise);
    if (grade != InferenceGrade::kWrong) continue;
    return Decide(Verdict::kWrongInference, legality.inferred ? RuleId::kInferShape : RuleId::kInferUnrankedOperands,
                  legality.inferred ? ToString(TensorType{*legality.inferred, element_type}) : "no shape",
                  ToString(*actual));
  }
  return false;
}

bool Judgment::JudgeNothingCompared() {
  judgement_.rule = legality_.rule;
  if (judgement_.compared > 0 || stopped_ > 0 || case_.runs.empty() || observation_.lowered) return false;
  return Decide(Verdict::kUndefined, RuleId::kRunUndefined, "anything", Summarize(observation_));
}

}  // namespace

Judgement Judge(const Case& test_case, const Observation& observation, const JudgeOptions& options) {
  return Judgment(test_case, observation, options).Take();
}

}  // namespace tosaic
