#include "oracle/judge.h"

#include <csignal>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/support_table.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

class Judgment {
 public:
  Judgment(const Case& test_case, const Observation& observation, const JudgeOptions& options)
      : case_(test_case), observation_(observation), options_(options) {}

  Judgement Take() {
    judgement_.stage = observation_.stage;
    legality_ = JudgeLegality(case_.program, options_.policies);
    judgement_.beyond_spec = legality_.beyond_spec;
    JudgeEnding() || JudgeDecision() || JudgeLowering() || JudgeRuns() || JudgeInference() || JudgeNothingCompared();
    return std::move(judgement_);
  }

 private:
  // Each step returns true if it decided.
  bool JudgeEnding();
  bool JudgeDecision();
  bool JudgeLowering();
  bool JudgeRuns();
  bool JudgeInference();
  bool JudgeNothingCompared();

  // The outcome of one run; false if it has nothing against it.
  bool JudgeRun(size_t run);
  bool JudgeResult(size_t run, size_t result, const std::vector<const Tensor*>& known);
  bool JudgeExecutionEnd();
  bool RunIsUndefined(size_t run);

  bool Decide(Verdict verdict, absl::string_view rule, std::string expected, std::string actual) {
    judgement_.verdict = verdict;
    judgement_.rule = std::string(rule);
    judgement_.expected = std::move(expected);
    judgement_.actual = std::move(actual);
    return true;
  }

  const Case& case_;
  const Observation& observation_;
  const JudgeOptions& options_;
  Legality legality_;
  Judgement judgement_;
};

// Deaths and harness failures before generated code runs. Nothing excuses them: whatever the input is, MLIR must
// answer.
bool Judgment::JudgeEnding() {
  const bool executing = observation_.stage == Stage::kExecute;
  switch (observation_.outcome) {
    case Outcome::kToolFailure:
      return Decide(Verdict::kHarnessFault, "harness.toolchain", "an observation", Summarize(observation_));
    case Outcome::kDeadline:
      return Decide(Verdict::kTimeout, "run.deadline", "an end", Summarize(observation_));
    case Outcome::kOutOfMemory:
      return Decide(Verdict::kCrash, "run.memory-limit", "an end within the memory limit", Summarize(observation_));
    case Outcome::kSignal:
      return !executing && Decide(Verdict::kCrash, "run.signal", "an answer", Summarize(observation_));
    default:
      return false;
  }
}

bool Judgment::JudgeDecision() {
  const bool refused = observation_.outcome == Outcome::kRefused && observation_.stage <= Stage::kVerify;
  const std::string expected = absl::StrCat(Name(legality_.answer), " [", legality_.rule, "]");
  if (legality_.answer == Answer::kEither) {
    return refused && Decide(Verdict::kUndefined, legality_.rule, expected, Summarize(observation_));
  }
  const bool must_refuse = legality_.answer == Answer::kRefuse;
  if (refused && must_refuse) return Decide(Verdict::kAgree, legality_.rule, expected, Summarize(observation_));
  if (refused) return Decide(Verdict::kFalseReject, legality_.rule, expected, Summarize(observation_));
  if (must_refuse) return Decide(Verdict::kFalseAccept, legality_.rule, expected, "accepted by the verifier");
  return false;
}

bool Judgment::JudgeLowering() {
  if (observation_.outcome == Outcome::kIllegalIr) {
    return Decide(Verdict::kLoweringFailed, "lower.legal-ir", "IR that verifies after every pass",
                  Summarize(observation_));
  }
  if (observation_.outcome != Outcome::kRefused) return false;
  if (const SupportEntry* entry = FindSupportEntry(case_.program, options_.mlir_version)) {
    return Decide(Verdict::kUnsupported, entry->label, std::string(entry->reason), Summarize(observation_));
  }
  return Decide(Verdict::kLoweringFailed, "lower.complete", "a lowering of a legal, ranked program",
                Summarize(observation_));
}

// The values known in a run, by op: what the program returns is what an op really got or made.
std::vector<const Tensor*> KnownOpResults(const Program& program, const RunObservation& run) {
  std::vector<const Tensor*> known(program.ops.size(), nullptr);
  for (size_t i = 0; i < program.results.size(); ++i) {
    if (program.results[i].kind == ValueRef::Kind::kOp) known[program.results[i].index] = &run.results[i].tensor;
  }
  return known;
}

const Tensor* ValueIn(const Case& test_case, size_t run, const std::vector<const Tensor*>& op_results, ValueRef ref) {
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return &test_case.runs[run][ref.index];
    case ValueRef::Kind::kConstant:
      return &test_case.program.constants[ref.index];
    case ValueRef::Kind::kOp:
      return op_results[ref.index];
  }
  return nullptr;
}

// The operands an op really got in a run; empty if one of them is an intermediate that was not returned.
std::vector<const Tensor*> OperandsIn(const Case& test_case, size_t run, const std::vector<const Tensor*>& op_results,
                                      const OpApplication& op) {
  std::vector<const Tensor*> operands;
  for (ValueRef ref : op.operands) {
    operands.push_back(ValueIn(test_case, run, op_results, ref));
    if (operands.back() == nullptr) return {};
  }
  return operands;
}

RuntimeShape SizesOf(const OpApplication& op, const std::vector<const Tensor*>& operands) {
  std::vector<std::vector<int64_t>> sizes;
  for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) sizes.push_back(operands[i]->sizes());
  return ResultSizes(sizes, op.result.shape);
}

// Whether the documents leave something in this run open: the shapes, or some element.
bool Judgment::RunIsUndefined(size_t run) {
  const Program& program = case_.program;
  if (!SizesOfAllOps(program, case_.runs[run])) return true;
  const std::vector<const Tensor*> unknown(program.ops.size(), nullptr);
  for (const OpApplication& op : program.ops) {
    const std::vector<const Tensor*> operands = OperandsIn(case_, run, unknown, op);
    if (operands.empty()) continue;
    const RuntimeShape sizes = SizesOf(op, operands);
    for (const Expected& expected : Evaluate(program, op, operands, sizes.sizes, options_.policies)) {
      if (expected.kind == Expected::Kind::kUndefined) return true;
    }
  }
  return false;
}

// Generated code ended by a signal or touched foreign memory in the run after those that finished.
bool Judgment::JudgeExecutionEnd() {
  const size_t run = observation_.runs.size();
  const bool fault = observation_.outcome == Outcome::kMemoryFault;
  if (!fault && observation_.outcome != Outcome::kSignal) return false;
  // Run-time extents that do not fit are undefined behaviour altogether; an unpredictable element may trap, but
  // must not touch memory outside a tensor (tosa-semantics.md, Frame).
  const bool undefined_shape = run < case_.runs.size() && !SizesOfAllOps(case_.program, case_.runs[run]);
  const bool may_trap = !fault && run < case_.runs.size() && RunIsUndefined(run);
  if (undefined_shape || may_trap) {
    return Decide(Verdict::kUndefined, "run.undefined", "anything", Summarize(observation_));
  }
  if (fault) {
    return Decide(Verdict::kMemoryFault, "run.memory", "no access outside a buffer",
                  absl::StrCat("run ", run, ": ", Summarize(observation_)));
  }
  return Decide(Verdict::kCrash, "run.signal", "a result", absl::StrCat("run ", run, ": ", Summarize(observation_)));
}

bool Judgment::JudgeResult(size_t run, size_t index, const std::vector<const Tensor*>& known) {
  const Program& program = case_.program;
  const ValueRef ref = program.results[index];
  if (ref.kind != ValueRef::Kind::kOp) return false;
  const OpApplication& op = program.ops[ref.index];
  const std::vector<const Tensor*> operands = OperandsIn(case_, run, known, op);
  if (operands.empty()) return false;
  const RuntimeShape sizes = SizesOf(op, operands);
  const ResultObservation& result = observation_.runs[run].results[index];
  if (!sizes.defined) {
    judgement_.masked += result.tensor.element_count();
    return false;
  }
  const std::string where = absl::StrCat("run ", run, ", ", ToString(ref), ": ");
  if (result.tensor.sizes() != sizes.sizes) {
    return Decide(Verdict::kWrongShape, sizes.rule, SizesToString(sizes.sizes),
                  absl::StrCat(where, SizesToString(result.tensor.sizes())));
  }
  if (!result.unwritten.empty()) {
    return Decide(Verdict::kUninitializedResult, "run.every-element-written", "every element written",
                  absl::StrCat(where, result.unwritten.size(), " elements depend on memory that was never written, ",
                               "the first is ", result.unwritten.front()));
  }
  ValueComparison values = CompareValues(program, op, operands, result.tensor, options_.policies);
  judgement_.compared += values.compared;
  judgement_.masked += values.masked;
  if (!values.first) return false;
  values.first->run = static_cast<int>(run);
  values.first->op = ref.index;
  Decide(Verdict::kWrongValue, values.rule, values.first->expected, values.first->actual);
  judgement_.mismatch = *std::move(values.first);
  return true;
}

bool Judgment::JudgeRun(size_t run) {
  const RunObservation& observed = observation_.runs[run];
  const std::vector<const Tensor*> known = KnownOpResults(case_.program, observed);
  for (size_t i = 0; i < case_.program.results.size(); ++i) {
    if (JudgeResult(run, i, known)) return true;
  }
  return observed.leaked_buffers > 0 && Decide(Verdict::kLeak, "run.leak", "every buffer freed or returned",
                                               absl::StrCat("run ", run, ": ", observed.leaked_buffers, " lost"));
}

bool Judgment::JudgeRuns() {
  if (JudgeExecutionEnd()) return true;
  bool decided = false;

  for (size_t run = 0; run < observation_.runs.size() && !decided; ++run) decided = JudgeRun(run);
  return decided;
}

// What an op's own inference says must be true of every run-time shape the trait allows. Saying less is sound and
// only noted (docs/policies.md, "less precise inference").
bool Judgment::JudgeInference() {
  const Program& program = case_.program;
  for (size_t i = 0; i < observation_.inferred.size() && i < program.ops.size(); ++i) {
    const Legality legality = JudgeLegality(program, program.ops[i], options_.policies);
    const std::optional<Shape>& actual = observation_.inferred[i];
    if (!actual || !actual->IsRanked()) {
      if (legality.inferred) judgement_.notes.push_back("infer.less-precise");
      continue;
    }
    const TensorType actual_type{*actual, program.ops[i].result.element_type};
    if (!legality.inferred) {
      return Decide(Verdict::kWrongInference, "infer.unranked-operands", "no shape", ToString(actual_type));
    }
    bool wrong = actual->rank() != legality.inferred->rank();
    bool less_precise = false;
    for (size_t d = 0; !wrong && d < actual->rank(); ++d) {
      wrong = (*actual)[d].IsStatic() && (*actual)[d] != (*legality.inferred)[d];
      less_precise |= (*actual)[d].IsDynamic() && (*legality.inferred)[d].IsStatic();
    }
    if (less_precise) judgement_.notes.push_back("infer.less-precise");
    if (wrong) {
      return Decide(Verdict::kWrongInference, "infer.shape",
                    ToString(TensorType{*legality.inferred, program.ops[i].result.element_type}),
                    ToString(actual_type));
    }
  }
  return false;
}

bool Judgment::JudgeNothingCompared() {
  judgement_.rule = std::string(legality_.rule);
  if (judgement_.compared > 0 || case_.runs.empty()) return false;
  return Decide(Verdict::kUndefined, "run.undefined", "anything", Summarize(observation_));
}

}  // namespace

Judgement Judge(const Case& test_case, const Observation& observation, const JudgeOptions& options) {
  return Judgment(test_case, observation, options).Take();
}

}  // namespace tosaic
