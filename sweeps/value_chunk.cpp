// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweeps/value_chunk.h"

#include <cmath>
#include <optional>
#include <utility>

#include "checking/signature.h"
#include "codec/visitor.h"
#include "oracle/compare.h"
#include "oracle/expected.h"
#include "oracle/flushing.h"
#include "oracle/plausible.h"
#include "oracle/reference.h"
#include "oracle/scalar_ops.h"

namespace tosaic {
namespace {

ValueChunk::Finding& FindingOf(ValueChunk* chunk, const FindingSignature& signature) {
  for (ValueChunk::Finding& finding : chunk->findings) {
    if (finding.signature == signature) return finding;
  }
  chunk->findings.push_back({signature, 0, {}});
  return chunk->findings.back();
}

// Goes over the elements of the one result of the one op.
class ElementWalk {
 public:
  ElementWalk(const Case& test_case, const Observation& observation, uint64_t first, const Policies& policies)
      : case_(test_case),
        observation_(observation),
        first_(first),
        op_(test_case.program.ops[0]),
        actual_(observation.runs[0].results[0].tensor),
        policies_(policies) {
    for (ValueRef ref : op_.operands) {
      const bool argument = ref.kind == ValueRef::Kind::kArgument;
      operands_.push_back(argument ? &test_case.runs[0][ref.index] : &test_case.program.constants[ref.index]);
    }
  }

  void Walk(ValueChunk* chunk) {
    const std::vector<Expected> expected = Evaluate(case_.program, op_, operands_, actual_.sizes(), policies_);
    for (size_t i = 0; i < expected.size(); ++i) Visit(i, expected[i], chunk);
  }

 private:
  ScalarInput InputAt(size_t i) const;
  bool MayBeUndefined(size_t i, const Expected& expected) const;
  void Visit(size_t i, const Expected& expected, ValueChunk* chunk);
  void Measure(size_t i, const Expected& expected, AccuracyProfile* profile) const;
  void Disagree(size_t i, const Expected& expected, RuleId rule, ValueChunk* chunk) const;
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
  uint64_t first_;
  const OpApplication& op_;
  const Tensor& actual_;
  const Policies& policies_;
  std::vector<const Tensor*> operands_;
};

ScalarInput ElementWalk::InputAt(size_t i) const {
  ScalarInput in = InputOf(case_.program, op_, policies_);
  for (size_t operand = 0; operand < operands_.size(); ++operand) in.bits[operand] = OperandBits(operand, i);
  return in;
}

bool ElementWalk::MayBeUndefined(size_t i, const Expected& expected) const {
  if (expected.kind == Expected::Kind::kUndefined) return true;
  ScalarInput flushed = InputAt(i);
  return flushed.op.unpredictable != Unpredictable::kNever && FlushOperands(&flushed) &&
         EvaluateScalar(flushed).kind == Expected::Kind::kUndefined;
}

void ElementWalk::Visit(size_t i, const Expected& expected, ValueChunk* chunk) {
  AccuracyProfile& profile = chunk->profile;
  if (MayBeUndefined(i, expected)) {
    ++profile.unpredictable;
    return;
  }
  const ElementType type = actual_.element_type();
  ++(IsMostOf(type, WidthOf(type, expected)) ? profile.open : profile.compared);
  const uint64_t bits = actual_.RawBits(i);
  const bool matches = Matches(expected, type, bits);
  const ScalarInput in = InputAt(i);
  const ScalarFunction function = FindScalarFunction(in.op, in.input_type, in.result_type, in.policies.spec_version);
  // The value is right for flushed operands, however far it is from the true value.
  if (!matches && CheckElement(in, function, bits).allowed) {
    ++profile.flushed;
    return;
  }
  Measure(i, expected, &profile);
  if (!matches) return Disagree(i, expected, RuleOf(in.op, expected), chunk);
  if (!MayBeImplausible(in.op, type, expected, bits) || FindImplausibility(in, function, bits).empty()) return;
  ++profile.implausible;
  if (policies_.strict_values) Disagree(i, expected, RuleId::kValueImplausible, chunk);
}

void ElementWalk::Measure(size_t i, const Expected& expected, AccuracyProfile* profile) const {
  const ElementType type = actual_.element_type();
  const uint64_t bits = actual_.Bits(i);
  if (IsInteger(type) || expected.kind == Expected::Kind::kNan || std::isnan(ElementToDouble(type, bits))) return;
  if (expected.kind == Expected::Kind::kBits && std::isnan(ElementToDouble(type, expected.bits))) return;
  const SubnormalFate fate = FateOfSubnormal(type, expected, bits);
  profile->exact_kept += fate == SubnormalFate::kKept ? 1 : 0;
  profile->exact_flushed += fate == SubnormalFate::kFlushed ? 1 : 0;
  if (PassesByFlushing(type, expected, actual_.RawBits(i))) {
    ++profile->flushed;
    return;
  }
  ++profile->measured;
  const double error = UlpDistance(type, expected, bits);
  profile->error_sum += error;
  const auto raise = [&](double value, Extreme* extreme) {
    if (value > extreme->value) *extreme = {value, InputBits(i), BitsToString(type, bits)};
  };
  raise(error, &profile->error);
  if (error > 0) raise(BoundUsed(type, expected, actual_.RawBits(i)), &profile->bound_used);
}

void ElementWalk::Disagree(size_t i, const Expected& expected, RuleId rule, ValueChunk* chunk) const {
  ++chunk->profile.disagreements;
  ValueDisagreement disagreement;
  Judgement& judgement = disagreement.judgement;
  judgement.verdict = Verdict::kWrongValue;
  judgement.stage = Stage::kExecute;
  judgement.mismatch = ExplainMismatch(InputAt(i), expected, actual_.RawBits(i));
  judgement.mismatch->index = first_ + i;
  judgement.mismatch->count = 1;
  judgement.rule = rule;
  judgement.expected = judgement.mismatch->expected;
  judgement.actual = judgement.mismatch->actual;
  ValueChunk::Finding& finding = FindingOf(chunk, SignatureOf(case_, observation_, judgement));
  ++finding.count;
  if (finding.listed.size() == kListedDisagreements) return;
  disagreement.input_bits = InputBits(i);
  finding.listed.push_back(std::move(disagreement));
}

}  // namespace

ValueChunk JudgeChunk(const Case& test_case, const Observation& observation, uint64_t first,
                      const JudgeOptions& options) {
  const Judgement judgement = Judge(test_case, observation, options);
  ValueChunk chunk;
  chunk.verdict = judgement.verdict;
  switch (judgement.verdict) {
    case Verdict::kAgree:
    case Verdict::kWrongValue:
      ElementWalk(test_case, observation, first, options.policies).Walk(&chunk);
      if (judgement.rule == RuleId::kValueFlushing) {  // no element is wrong by itself
        ValueChunk::Finding& mixture = FindingOf(&chunk, SignatureOf(test_case, observation, judgement));
        mixture.count = 1;
        mixture.listed.push_back({judgement, {}});
        mixture.listed.front().judgement.mismatch->index += first;
      } else if ((chunk.profile.disagreements > 0) != (judgement.verdict == Verdict::kWrongValue)) {
        // The judge decides most elements by intervals; here all are decided by the reference itself.
        chunk.verdict = Verdict::kHarnessFault;
        chunk.harness_fault = "the oracle's two ways of comparing values contradict each other";
      }
      break;
    case Verdict::kUndefined:  // every element; or it ended early, which an unpredictable one may bring about
      if (observation.outcome != Outcome::kCompleted) chunk.note = "nothing compared: " + judgement.actual;
      chunk.profile.unpredictable = test_case.runs[0][0].element_count();
      break;
    case Verdict::kHarnessFault:
      chunk.harness_fault = absl::StrCat(Name(judgement.rule), ": ", judgement.actual);
      break;
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
  v("listed", finding.listed);
}

void Fields(Visitor& v, ValueChunk& chunk) {
  v("verdict", chunk.verdict);
  v("note", chunk.note);
  v("harness_fault", chunk.harness_fault);
  v("profile", chunk.profile);
  v("findings", chunk.findings);
}

}  // namespace tosaic
