// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/probe_legality.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "oracle/broadcast.h"
#include "oracle/category.h"

namespace tosaic {
namespace {

bool Has(const OpSignature& probe, Container container) {
  return probe.result.container == container ||
         std::any_of(probe.operands.begin(), probe.operands.end(),
                     [&](const ValueType& operand) { return operand.container == container; });
}

// Whether the op is refused if every 0 is read as a 1.
bool IsRefusedWithOnes(OpSignature probe, const Policies& policies) {
  auto replace = [](ValueType& type) {
    if (!type.type.shape.IsRanked()) return;
    std::vector<Dim>& dims = type.type.shape.mutable_dims();
    std::replace(dims.begin(), dims.end(), Dim::Static(0), Dim::Static(1));
  };
  replace(probe.result);
  for (ValueType& operand : probe.operands) replace(operand);
  return JudgeProbe(probe, policies).answer == Answer::kRefuse;
}

}  // namespace

bool IsMixed(const OpSignature& probe) { return Has(probe, Container::kTensor) && Has(probe, Container::kVector); }

Legality JudgeProbe(const OpSignature& probe, const Policies& policies) {
  Legality legality;
  auto decide = [&](const Decision& decision) {
    legality.answer = decision.answer;
    legality.rule = decision.rule;
    legality.dim = decision.dim;
  };
  if (probe.operands.empty()) {
    decide({Answer::kRefuse, RuleId::kBcastPropertyOperands});
    return legality;
  }
  if (Has(probe, Container::kScalar)) {
    decide({Answer::kRefuse, RuleId::kBcastPropertyContainer});
    return legality;
  }
  auto has_zero = [](const ValueType& type) {
    const Shape& shape = type.type.shape;
    return shape.IsRanked() &&
           std::find(shape.dims().begin(), shape.dims().end(), Dim::Static(0)) != shape.dims().end();
  };
  const bool zero = has_zero(probe.result) || std::any_of(probe.operands.begin(), probe.operands.end(), has_zero);
  if (zero && !IsRefusedWithOnes(probe, policies)) {
    decide({Answer::kEither, RuleId::kBcastDimensionZero});
    return legality;
  }
  absl::InlinedVector<const Shape*, 6> shapes;
  for (const ValueType& operand : probe.operands) shapes.push_back(&operand.type.shape);
  ShapeInference inference = InferResultShape(shapes);
  decide(VerifyResult(inference, probe.result.type.shape, policies));
  if (zero && legality.answer != Answer::kRefuse) decide({Answer::kEither, RuleId::kBcastDimensionZero});
  if (!zero) legality.inferred = std::move(inference.shape);
  if (IsMixed(probe) && legality.answer == Answer::kAccept) decide({Answer::kEither, RuleId::kBcastPropertyMixed});
  return legality;
}

Judgement JudgeProbe(const OpSignature& probe, const Observation& observation, const Policies& policies) {
  const Legality legality = JudgeProbe(probe, policies);
  Judgement judgement;
  judgement.stage = observation.stage;
  judgement.rule = legality.rule;
  judgement.expected = ToString(legality);
  judgement.actual = Summarize(observation);
  const bool refused = observation.outcome == Outcome::kRefused;
  if (refused && observation.stage == Stage::kBuild) {
    judgement.verdict = Verdict::kUnsupported;
    judgement.rule = RuleId::kSupportNotBuilt;
    return judgement;
  }
  if (!refused && observation.outcome != Outcome::kCompleted) {
    judgement.verdict = observation.outcome == Outcome::kToolFailure ? Verdict::kHarnessFault
                        : observation.outcome == Outcome::kDeadline  ? Verdict::kTimeout
                                                                     : Verdict::kCrash;
    return judgement;
  }
  if (legality.answer != Answer::kEither && refused != (legality.answer == Answer::kRefuse)) {
    judgement.verdict = refused ? Verdict::kFalseReject : Verdict::kFalseAccept;
    if (!refused) judgement.actual = "accepted by the verifier";
    return judgement;
  }
  if (refused && observation.category && legality.answer == Answer::kRefuse) {
    std::string note = WrongReason(*observation.category, BrokenCategories(probe, policies), legality.rule);
    if (!note.empty()) judgement.notes.push_back(std::move(note));
  }
  if (refused || observation.inferred.empty() || legality.answer == Answer::kEither) return judgement;
  const std::optional<TensorType>& inferred = observation.inferred.front();
  const ElementType element_type = probe.result.type.element_type;
  const InferenceGrade grade = GradeInference(legality.inferred, element_type, inferred);
  if (grade == InferenceGrade::kLessPrecise) judgement.notes.emplace_back(Name(RuleId::kInferLessPrecise));
  if (grade == InferenceGrade::kEqual || grade == InferenceGrade::kLessPrecise) return judgement;
  judgement.verdict = Verdict::kWrongInference;
  judgement.rule = legality.inferred ? RuleId::kInferShape : RuleId::kInferUnrankedOperands;
  judgement.expected = legality.inferred ? ToString(TensorType{*legality.inferred, element_type}) : "no shape";
  judgement.actual = ToString(*inferred);
  return judgement;
}

}  // namespace tosaic
