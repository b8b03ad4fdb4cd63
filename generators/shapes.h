// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of an op's types: operands that broadcast against each other, static, dynamic or 1 in each dimension, and a
// result type that the documents allow with them (docs/tosa-semantics.md: Trait). It has its own inference, separate
// from the oracle's.
#ifndef TOSAIC_GENERATORS_SHAPES_H_
#define TOSAIC_GENERATORS_SHAPES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "model/shape.h"

namespace tosaic {

struct ShapeOptions {
  bool allow_unranked = true;
  bool unranked_operands = true;  // where unranked is allowed
  size_t min_rank = 0;            // at most 1
  size_t max_rank = 8;
  int64_t max_elements = 4096;
};

// Ranks up to this one are in every level of the specification (chapter "Levels", MAX_RANK of 8K).
inline constexpr size_t kMaxRankOfLevels = 6;

struct ShapePlan {
  std::vector<int64_t> full;    // sizes of a result that the types admit
  std::vector<Shape> operands;  // those that broadcast
  Shape result;
  int64_t element_limit = 0;  // for which `full` was drawn; if it is large, a part of the runs may reach it too
};

// Draws legal shapes for as many operands as `must_be_static` has elements; the operands that it marks have static
// shapes (constants).
// REQUIRES: at least one operand.
ShapePlan DrawShapes(ChoiceSource& choices, const std::vector<bool>& must_be_static, const ShapeOptions& options);

// The result's shape that ranked operands of equal rank and legal sizes imply; none if no operand is ranked.
std::optional<Shape> ImpliedShape(absl::Span<const Shape> operands);

// Draws a size for one dimension, at most `limit`: mostly 1 to 5, where there is room for it often 32, 64, 128, 256 or
// beside one of these, where vector loops end.
int64_t DrawSize(ChoiceSource& choices, int64_t limit);

// Draws how many elements a result may have: mostly a few dozen, rarely 4,096.
int64_t DrawElementLimit(ChoiceSource& choices, int64_t max_elements);
// A limit above this counts as large; plans rarely have one.
inline constexpr int64_t kLargeElements = 4096;

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SHAPES_H_
