// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the new shape of a reshape: the operand's dimensions in another order, merged, split, and with dimensions of 1
// more or less.
#ifndef TOSAIC_GENERATORS_NEW_SHAPES_H_
#define TOSAIC_GENERATORS_NEW_SHAPES_H_

#include <cstdint>
#include <vector>

#include "generators/choice_source.h"
#include "generators/shapes.h"
#include "model/shape.h"

namespace tosaic {

struct NewShape {
  std::vector<int64_t> sizes;  // the attribute, with at most one -1
  Shape result;                // the declared type
};

// A new shape that has as many elements as the plan's only operand in every run of the plan (run_sizes.h). The plan's
// result has the operand's rank: where it declares a dimension more generally or more specifically than the operand,
// or none at all, so does the new result. Its rank is at least `min_rank`, and at most that of all levels or the
// operand's. REQUIRES: the operand is ranked, and has that rank.
NewShape DrawNewShape(ChoiceSource& choices, const ShapePlan& plan, size_t min_rank);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_NEW_SHAPES_H_
