// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/value_chunk.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "checking/signature.h"
#include "codec/visitor.h"
#include "oracle/compare.h"
#include "oracle/element_accuracy.h"
#include "oracle/expected.h"
#include "oracle/reference.h"
#include "oracle/run_values.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

// Goes over the elements of the one result of the one op.
class ElementWalk {
 public:
  ElementWalk(const Case& test_case, const Observation& observation, InputNumbers numbers, const Policies& policies,
              const OtherResults* others)
      : case_(test_case),
        observation_(observation),
        numbers_(numbers),
        others_(others),
        op_(test_case.program.ops[0]),
        actual_(observation.runs[0].results[0].tensor),
        policies_(policies),
        input_(InputOf(test_case.program, op_, policies)),
        function_(FindScalarFunction(input_.op, input_.input_type, input_.result_type, policies.spec_version)),
        operands_(OperandsIn(test_case, 0, {}, op_)) {}

  void Walk(absl::Span<const uint64_t> also_wrong, ValueChunk* chunk) {
    also_wrong_ = also_wrong;
    const std::vector<Expected> expected = Evaluate(case_.program, op_, operands_, actual_.sizes(), policies_);
    for (size_t i = 0; i < expected.size(); ++i) Visit(i, expected[i], chunk);
    AddWrongBelow(std::numeric_limits<uint64_t>::max(), chunk);
  }
  // REQUIRES: all were walked over. The judge decides most elements by intervals; here all are decided by the reference
  // itself.
  void CompareWith(const Judgement& judgement, ValueChunk* chunk) const;

 private:
  ScalarInput InputAt(size_t i) const;
  void Visit(size_t i, const Expected& expected, ValueChunk* chunk);
  void Disagree(size_t i, const Expected& expected, RuleId rule, ValueChunk* chunk);
  void AddWrongBelow(uint64_t input, ValueChunk* chunk) {
    for (; !also_wrong_.empty() && also_wrong_.front() < input; also_wrong_.remove_prefix(1))
      chunk->wrong.Add(also_wrong_.front());
  }
  static bool IsPoisoned(const ResultObservation& result, size_t i) {
    return absl::c_binary_search(result.poisoned, uint64_t{i});
  }
  bool IsOfPatch(size_t i, const Expected& expected) const {
    const auto is_right = [&](const ResultObservation* result) {
      return !IsPoisoned(*result, i) &&
             !MeasureElement(InputAt(i), function_, expected, result->tensor.RawBits(i)).is_wrong;
    };
    return is_right(others_->base) && absl::c_none_of(others_->ways, is_right);
  }
  uint64_t OperandBits(size_t operand, size_t i) const {
    return operands_[operand]->Bits(operands_[operand]->element_count() == 1 ? 0 : i);
  }
  // The bits of the operands that broadcast; the special operands are the setting.
  std::vector<std::string> InputBits(size_t i) const {
    std::vector<std::string> bits;
    for (size_t operand = 0; operand < BroadcastOperandCount(Info(op_.op)); ++operand) {
      bits.push_back(BitsToString(operands_[operand]->element_type(), OperandBits(operand, i)));
    }
    return bits;
  }

  const Case& case_;
  const Observation& observation_;
  const InputNumbers numbers_;
  const OtherResults* const others_;  // may be null
  const OpApplication& op_;
  const Tensor& actual_;
  const Policies& policies_;
  const ScalarInput input_;  // without elements
  const ScalarFunction function_;
  const std::vector<const Tensor*> operands_;
  absl::Span<const uint64_t> also_wrong_;  // those that are not added yet
};

ScalarInput ElementWalk::InputAt(size_t i) const {
  ScalarInput in = input_;
  for (size_t operand = 0; operand < operands_.size(); ++operand) in.bits[operand] = OperandBits(operand, i);
  return in;
}

void ElementWalk::Visit(size_t i, const Expected& expected, ValueChunk* chunk) {
  const uint64_t bits = actual_.RawBits(i);
  const ElementAccuracy accuracy = MeasureElement(InputAt(i), function_, expected, bits);
  AccuracyProfile& profile = chunk->profile;
  if (accuracy.is_unpredictable) {
    ++profile.unpredictable;
    return;
  }
  ++(accuracy.is_open ? profile.open : profile.compared);
  profile.exact_kept += accuracy.fate == SubnormalFate::kKept ? 1 : 0;
  profile.exact_flushed += accuracy.fate == SubnormalFate::kFlushed ? 1 : 0;
  profile.flushed += accuracy.is_flushed ? 1 : 0;
  profile.measured += accuracy.is_measured ? 1 : 0;
  profile.error_sum += accuracy.error;
  profile.implausible += accuracy.is_implausible ? 1 : 0;
  const auto raise = [&](double value, Extreme* extreme) {
    if (value <= extreme->value) return;
    *extreme = {value, InputBits(i), BitsToString(actual_.element_type(), actual_.Bits(i))};
  };
  raise(accuracy.error, &profile.error);
  raise(accuracy.bound_used, &profile.bound_used);
  if (accuracy.is_wrong) return Disagree(i, expected, RuleOf(input_.op, expected), chunk);
  if (IsPoisoned(observation_.runs[0].results[0], i))
    return Disagree(i, expected, RuleId::kRunUndefinedBehaviour, chunk);
  if (accuracy.is_implausible && policies_.strict_values) Disagree(i, expected, RuleId::kValueImplausible, chunk);
}

void ElementWalk::Disagree(size_t i, const Expected& expected, RuleId rule, ValueChunk* chunk) {
  ++chunk->profile.disagreements;
  AddWrongBelow(numbers_.At(i), chunk);
  chunk->wrong.Add(numbers_.At(i));
  ValueDisagreement disagreement;
  Judgement& judgement = disagreement.judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.stage = Stage::kExecute;
  judgement.mismatch = ExplainMismatch(InputAt(i), expected, actual_.RawBits(i));
  judgement.mismatch->index = numbers_.At(i);
  judgement.mismatch->count = 1;
  judgement.rule = rule;
  judgement.expected = judgement.mismatch->expected;
  judgement.actual = judgement.mismatch->actual;
  ValueChunk::Finding& finding =
      FindingOf(chunk, SignatureOf(case_, observation_, judgement), others_ != nullptr && IsOfPatch(i, expected));
  ++finding.count;
  if (finding.listed.size() == kListedDisagreements) return;
  disagreement.input_bits = InputBits(i);
  finding.listed.push_back(std::move(disagreement));
}

void ElementWalk::CompareWith(const Judgement& judgement, ValueChunk* chunk) const {
  if (judgement.rule == RuleId::kValueFlushing) {  // no element is wrong by itself
    ValueChunk::Finding& mixture = FindingOf(chunk, SignatureOf(case_, observation_, judgement));
    mixture.count = 1;
    mixture.listed.push_back({judgement, {}});
    std::optional<ElementMismatch>& mismatch = mixture.listed.front().judgement.mismatch;
    mismatch->index = numbers_.At(mismatch->index);
  } else if ((chunk->profile.disagreements > 0) != (judgement.verdict == Verdict::kWrongValue)) {
    chunk->verdict = Verdict::kHarnessFault;
    chunk->harness_fault = "the oracle's two ways of comparing values contradict each other";
  }
}

}  // namespace

ValueChunk::Finding& FindingOf(ValueChunk* chunk, const FindingSignature& signature, bool base_agrees) {
  for (ValueChunk::Finding& finding : chunk->findings) {
    if (finding.signature == signature && finding.base_agrees == base_agrees) return finding;
  }
  chunk->findings.push_back({.signature = signature, .base_agrees = base_agrees});
  return chunk->findings.back();
}

void AddFindings(std::vector<ValueChunk::Finding> next, ValueChunk* chunk) {
  for (ValueChunk::Finding& found : next) {
    ValueChunk::Finding& finding = FindingOf(chunk, found.signature, found.base_agrees);
    finding.count += found.count;
    for (ValueDisagreement& disagreement : found.listed) {
      if (finding.listed.size() < kListedDisagreements) finding.listed.push_back(std::move(disagreement));
    }
  }
}

ValueChunk JudgeChunk(const Case& test_case, const Observation& observation, InputNumbers numbers,
                      const JudgeOptions& options, absl::Span<const uint64_t> also_wrong, const OtherResults* others) {
  const Judgement judgement = Judge(test_case, observation, options);
  ValueChunk chunk = {.verdict = judgement.verdict};
  const bool is_undefined = judgement.verdict == Verdict::kUndefined;
  const bool is_of_values = judgement.verdict == Verdict::kAgree || judgement.verdict == Verdict::kWrongValue ||
                            (is_undefined && observation.outcome == Outcome::kCompleted);
  if (is_of_values && !observation.runs.empty()) {
    ElementWalk walk(test_case, observation, numbers, options.policies, others);
    walk.Walk(also_wrong, &chunk);
    if (!is_undefined && others == nullptr) walk.CompareWith(judgement, &chunk);
    return chunk;
  }
  switch (judgement.verdict) {
    case Verdict::kUndefined:  // every element is open; or it ended early, which an unpredictable one may bring about
      chunk.note = "nothing compared: " + judgement.actual;
      chunk.profile.unpredictable = test_case.runs[0][0].element_count();
      break;
    case Verdict::kHarnessFault:
      chunk.harness_fault = absl::StrCat(Name(judgement.rule), ": ", judgement.actual);
      break;
    case Verdict::kAgree:  // on a route that ends with the IR
    case Verdict::kWrongValue:
    case Verdict::kUnsupported:
    case Verdict::kJudgesDisagree:
      break;
    case Verdict::kFalseAccept:
    case Verdict::kFalseReject:
    case Verdict::kWrongInference:
    case Verdict::kLoweringFailed:
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kMemoryFault:
    case Verdict::kUninitializedResult:
    case Verdict::kLeak:
    case Verdict::kWrongShape:
    case Verdict::kContractViolation:
      ValueChunk::Finding& finding = FindingOf(&chunk, SignatureOf(test_case, observation, judgement));
      finding.count = test_case.runs[0][0].element_count();
      finding.listed.push_back({judgement, {}});
  }
  return chunk;
}

void Fields(Visitor& v, ValueChunk::Finding& finding) {
  v("signature", finding.signature);
  v("count", finding.count);
  v.Optional("base_agrees", finding.base_agrees);
  v("listed", finding.listed);
}

void Fields(Visitor& v, ValueChunk::Part& part) {
  v("error", part.error);
  v("allowed", part.allowed);
  v("wrong", part.is_wrong);
}

void Fields(Visitor& v, ValueChunk& chunk) {
  v("verdict", chunk.verdict);
  v("note", chunk.note);
  v("harness_fault", chunk.harness_fault);
  v("profile", chunk.profile);
  v("findings", chunk.findings);
  v("wrong", chunk.wrong);
  v("parts", chunk.parts);
}

}  // namespace tosaic
