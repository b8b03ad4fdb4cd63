// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Broadcastable trait (docs/tosa-semantics.md: Trait), function by function: dimension inference, shape inference
// over any number of operands, verification of the result. Every row and branch of the document is a rule (`bcast.*`),
// which the answer names. Equal rank and everything else that TOSA adds is in legality.h.
#ifndef TOSAIC_ORACLE_BROADCAST_H_
#define TOSAIC_ORACLE_BROADCAST_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "model/rules.h"
#include "model/shape.h"
#include "oracle/policy.h"

namespace tosaic {

enum class Answer : uint8_t {
  kAccept,
  kRefuse,
  kEither,  // the documents allow both: the result is unpredictable, and refusing is as good as accepting
};
EnumNames NamesOf(Answer answer);  // "accept", "refuse", "either"

struct Decision {
  Answer answer = Answer::kAccept;
  RuleId rule = RuleId::kNone;  // the rule that decided
  int dim = -1;                 // the dimension of the result it decided at; -1: none in particular

  friend bool operator==(const Decision& a, const Decision& b) = default;
};

struct DimInference {
  std::optional<Dim> dim;       // nullopt: the operands are not broadcast-compatible
  RuleId rule = RuleId::kNone;  // the row of the table

  friend bool operator==(const DimInference& a, const DimInference& b) = default;
};

// Infers one dimension of the result from two operands' (Dimension inference). The classes of the document are `?`,
// 1 and >1; a static 0, which TOSA forbids (legal.dimension), counts as >1 here.
DimInference InferDim(Dim dim0, Dim dim1);

// Prepends dimensions of 1 until `shape` has `rank` dimensions (Shape inference). REQUIRES: shape is ranked.
void ExpandRank(size_t rank, Shape* shape);

struct ShapeInference {
  bool ok = true;              // false: the operands are not broadcast-compatible
  std::optional<Shape> shape;  // nullopt if not ok, or if no operand is ranked
  // ok: bcast.operands.unranked, .one or .pairs, by the number of ranked operands. Otherwise bcast.infer.conflict.
  RuleId rule = RuleId::kNone;
  int dim = -1;  // of the equalized ranks, where the conflict is

  friend bool operator==(const ShapeInference& a, const ShapeInference& b) = default;
};

// Infers the result's shape from any number of operands', unranked ones discarded (Shape inference: InferResultShape).
ShapeInference InferResultShape(absl::Span<const Shape* const> operands);

// Compares one inferred dimension with the result's (Verification, the table). `?` against a static size is decided by
// Policies::refuse_static_result_of_dynamic_inference.
Decision VerifyDim(Dim inferred, Dim actual, const Policies& policies);

// Verifies the result's shape against what inference said (Verification: Verify). A refusal names the first dimension
// that is wrong. An acceptance names the most lenient row used (dyn-static, static-dyn, dyn-dyn, equal, in this order)
// and the first dimension that used it; rank 0 is accepted as bcast.verify.equal.
Decision VerifyResult(const ShapeInference& inference, const Shape& result, const Policies& policies);

// Compares MLIR's inference with the trait's, and with the element type of a legal op's result. Inferring nothing is
// the same as inferring an unranked shape. An inferred type must be true of every run-time shape that the trait allows;
// a less precise one is sound, and another element type is what nobody asks for (docs/policies.md, "less precise
// inference", "element type in an op's own inference").
enum class InferenceGrade : uint8_t { kEqual, kLessPrecise, kOtherElementType, kWrong };
InferenceGrade GradeInference(const std::optional<Shape>& expected, ElementType element_type,
                              const std::optional<TensorType>& actual);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_BROADCAST_H_
