// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/refinement.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "oracle/broadcast.h"
#include "oracle/legality.h"
#include "oracle/reshape.h"

namespace tosaic {
namespace {

// Combines the declared type and the inferred shape; nullopt if they contradict each other. The trait discards unranked
// operands. If there is one, an inferred 1 may still be broadcast, so the declared size is used instead of it.
std::optional<Shape> Together(const Shape& declared, const Shape& inferred, bool discarded) {
  if (!declared.IsRanked()) return inferred;
  if (!inferred.IsRanked()) return declared;
  if (declared.rank() != inferred.rank()) return std::nullopt;
  Shape both = declared;
  for (size_t i = 0; i < declared.rank(); ++i) {
    if (declared[i].IsDynamic()) both.mutable_dims()[i] = inferred[i];
    const bool differ = inferred[i].IsStatic() && both[i] != inferred[i];
    if (differ && !(discarded && inferred[i].Is(1))) return std::nullopt;
  }
  return both;
}

}  // namespace

std::optional<std::vector<Shape>> RefineShapes(const Program& program) {
  std::vector<Shape> refined;
  for (const OpApplication& op : program.ops) {
    std::vector<Shape> operands;
    for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
      const ValueRef ref = op.operands[i];
      operands.push_back(ref.kind == ValueRef::Kind::kOp ? refined[ref.index] : TypeOf(program, ref).shape);
    }
    std::vector<const Shape*> pointers;
    for (const Shape& shape : operands) pointers.push_back(&shape);
    // Ranked operands have the same rank at run time (tosa-semantics.md, Frame), even if unranked types hide it.
    if (!RanksAgree(pointers)) return std::nullopt;
    const ShapeInference inference = InferShapeOf(op, pointers);
    if (!inference.ok) return std::nullopt;
    const bool discarded = std::any_of(operands.begin(), operands.end(), [](const Shape& s) { return !s.IsRanked(); });
    std::optional<Shape> known = Together(op.result.shape, inference.shape.value_or(Shape::Unranked()), discarded);
    if (!known) return std::nullopt;
    refined.push_back(*std::move(known));
  }
  return refined;
}

}  // namespace tosaic
