// Shapes of an op's types: operands that broadcast against each other, static, dynamic or 1 in each dimension, and a
// result type that the documents allow with them (docs/documents.md: Trait). Own inference, apart from the
// oracle's.
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
  size_t min_rank = 0;  // at most 1
  int64_t max_elements = 4096;
};

struct ShapePlan {
  std::vector<int64_t> full;    // sizes of a result that the types admit
  std::vector<Shape> operands;  // those that broadcast
  Shape result;
};

// Draws legal shapes for as many operands as `must_be_static` has; those it marks have static shapes (constants).
// REQUIRES: at least one operand.
ShapePlan DrawShapes(ChoiceSource& choices, const std::vector<bool>& must_be_static, const ShapeOptions& options);

// The result's shape that ranked operands of equal rank and legal sizes imply; none if no operand is ranked.
std::optional<Shape> ImpliedShape(absl::Span<const Shape> operands);

// Draws a size for one dimension, at most `limit`: mostly 1 to 5, at times a prime around vector widths.
int64_t DrawSize(ChoiceSource& choices, int64_t limit);

// Draws how many elements a result may have: mostly a few dozen, rarely all of `max_elements`.
int64_t DrawElementLimit(ChoiceSource& choices, int64_t max_elements);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_SHAPES_H_
