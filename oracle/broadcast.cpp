// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/broadcast.h"

#include <algorithm>
#include <cstdlib>

namespace tosaic {
namespace {

// "Dimensions are classified in three categories" (Dimension inference).
enum class DimClass : uint8_t { kDynamic, kOne, kMany };

DimClass Classify(Dim dim) {
  if (dim.IsDynamic()) return DimClass::kDynamic;
  return dim.Is(1) ? DimClass::kOne : DimClass::kMany;
}

constexpr int ClassPair(DimClass class0, DimClass class1) {
  return 3 * static_cast<int>(class0) + static_cast<int>(class1);
}

// How lenient a row of the verification table is: an acceptance names the most lenient row.
enum class Leniency : uint8_t { kEqual, kDynamic, kRelaxed, kImplicitCast };

Leniency LeniencyOf(Dim inferred, Dim actual) {
  if (inferred.IsDynamic()) return actual.IsDynamic() ? Leniency::kDynamic : Leniency::kImplicitCast;
  return actual.IsDynamic() ? Leniency::kRelaxed : Leniency::kEqual;
}

// InferShape, with the first shape overwritten by the result. Returns the dimension of a conflict, or -1.
int InferShapeInPlace(Shape* inferred, const Shape& operand) {
  // Equalize ranks. Missing leading dimensions of the operand count as 1 without being stored.
  const size_t rank = std::max(inferred->rank(), operand.rank());
  ExpandRank(rank, inferred);
  const size_t missing = rank - operand.rank();
  for (size_t i = 0; i < rank; ++i) {
    Dim& dim0 = inferred->mutable_dims()[i];
    const Dim dim1 = i < missing ? Dim::Static(1) : operand[i - missing];
    const std::optional<Dim> dim = InferDim(dim0, dim1).dim;
    if (!dim) return static_cast<int>(i);
    dim0 = *dim;
  }
  return -1;
}

}  // namespace

EnumNames NamesOf(Answer) {
  static constexpr absl::string_view kNames[] = {"accept", "refuse", "either"};
  return NamesFor<Answer>(kNames, "an answer");
}

DimInference InferDim(Dim dim0, Dim dim1) {
  using enum DimClass;
  switch (ClassPair(Classify(dim0), Classify(dim1))) {
    case ClassPair(kDynamic, kDynamic):
      return {dim0, RuleId::kBcastInferDynDyn};
    case ClassPair(kDynamic, kOne):
      return {dim0, RuleId::kBcastInferDyn1};
    case ClassPair(kOne, kDynamic):
      return {dim1, RuleId::kBcastInferDyn1};
    case ClassPair(kDynamic, kMany):
      return {dim1, RuleId::kBcastInferDynN};
    case ClassPair(kMany, kDynamic):
      return {dim0, RuleId::kBcastInferDynN};
    case ClassPair(kOne, kOne):
      return {dim0, RuleId::kBcastInfer11};
    case ClassPair(kOne, kMany):
      return {dim1, RuleId::kBcastInfer1N};
    case ClassPair(kMany, kOne):
      return {dim0, RuleId::kBcastInfer1N};
    case ClassPair(kMany, kMany):
      if (dim0 != dim1) return {std::nullopt, RuleId::kBcastInferConflict};
      return {dim0, RuleId::kBcastInferNN};
  }
  std::abort();  // The nine pairs are complete.
}

void ExpandRank(size_t rank, Shape* shape) {
  std::vector<Dim>& dims = shape->mutable_dims();
  if (dims.size() < rank) dims.insert(dims.begin(), rank - dims.size(), Dim::Static(1));
}

ShapeInference InferResultShape(absl::Span<const Shape* const> operands) {
  ShapeInference inference;
  inference.rule = RuleId::kBcastOperandsUnranked;
  for (const Shape* operand : operands) {
    if (!operand->IsRanked()) continue;
    if (!inference.shape) {
      inference.shape = *operand;
      inference.rule = RuleId::kBcastOperandsOne;
      continue;
    }
    inference.rule = RuleId::kBcastOperandsPairs;
    const int conflict = InferShapeInPlace(&*inference.shape, *operand);
    if (conflict >= 0)
      return {.ok = false, .shape = std::nullopt, .rule = RuleId::kBcastInferConflict, .dim = conflict};
  }
  return inference;
}

Decision VerifyDim(Dim inferred, Dim actual, const Policies& policies) {
  switch (LeniencyOf(inferred, actual)) {
    case Leniency::kDynamic:
      return {Answer::kAccept, RuleId::kBcastVerifyDynDyn};
    case Leniency::kImplicitCast:
      return {policies.refuse_static_result_of_dynamic_inference ? Answer::kRefuse : Answer::kAccept,
              RuleId::kBcastVerifyDynStatic};
    case Leniency::kRelaxed:
      return {Answer::kAccept, RuleId::kBcastVerifyStaticDyn};
    case Leniency::kEqual:
      break;
  }
  // RFC modification 1: an inferred 1 is not broadcast to a larger result.
  if (inferred != actual) return {Answer::kRefuse, RuleId::kBcastVerifyDifferent};
  return {Answer::kAccept, RuleId::kBcastVerifyEqual};
}

Decision VerifyResult(const ShapeInference& inference, const Shape& result, const Policies& policies) {
  if (!inference.ok) return {Answer::kRefuse, inference.rule, inference.dim};
  // Done if the result is unranked or all operands are unranked.
  if (!result.IsRanked()) return {Answer::kAccept, RuleId::kBcastVerifyUnrankedResult};
  if (!inference.shape) return {Answer::kAccept, RuleId::kBcastVerifyUnrankedOperands};
  const Shape& inferred = *inference.shape;
  if (inferred.rank() != result.rank()) return {Answer::kRefuse, RuleId::kBcastVerifyRank};
  Decision accepted = {Answer::kAccept, RuleId::kBcastVerifyEqual};
  Leniency leniency = Leniency::kEqual;
  for (size_t i = 0; i < result.rank(); ++i) {
    Decision decision = VerifyDim(inferred[i], result[i], policies);
    decision.dim = static_cast<int>(i);
    if (decision.answer == Answer::kRefuse) return decision;
    const Leniency row = LeniencyOf(inferred[i], result[i]);
    if (i == 0 || row > leniency) {
      accepted = decision;
      leniency = row;
    }
  }
  return accepted;
}

InferenceGrade GradeInference(const std::optional<Shape>& expected, ElementType element_type,
                              const std::optional<TensorType>& actual) {
  if (actual && actual->element_type != element_type) {
    const InferenceGrade of_shape = GradeInference(expected, element_type, TensorType{actual->shape, element_type});
    return of_shape == InferenceGrade::kWrong ? of_shape : InferenceGrade::kOtherElementType;
  }
  if (!actual || !actual->shape.IsRanked()) return expected ? InferenceGrade::kLessPrecise : InferenceGrade::kEqual;
  const Shape& shape = actual->shape;
  if (!expected || shape.rank() != expected->rank()) return InferenceGrade::kWrong;
  InferenceGrade grade = InferenceGrade::kEqual;
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] == (*expected)[i]) continue;
    if (shape[i].IsStatic()) return InferenceGrade::kWrong;
    grade = InferenceGrade::kLessPrecise;
  }
  return grade;
}

}  // namespace tosaic
