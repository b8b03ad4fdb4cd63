// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a program with one op, and data for a run of it. The caller decides the shapes, sizes and constants.
#ifndef TOSAIC_GENERATORS_ONE_OP_H_
#define TOSAIC_GENERATORS_ONE_OP_H_

#include <cstdint>
#include <vector>

#include "generators/choice_source.h"
#include "generators/shapes.h"
#include "generators/typed_op.h"
#include "model/program.h"

namespace tosaic {

struct OneOp {
  TypedOp op;
  ShapePlan shapes;
  std::vector<bool> constant;        // of the operands that broadcast, which are constants; their shapes are static
  bool special_at_run_time = false;  // some parameters or all are arguments, else none
  bool any_value = false;            // shifts, multipliers and tables: any, defined or not
  size_t min_rank = 0;               // of a result with a new shape
};

// A legal program of that op; draws attributes and constants. Where the op has a new shape, the result is what it says,
// and the plan's result stands for the operand (DrawNewShape()).
Program BuildOneOp(ChoiceSource& choices, const OneOp& one_op);

// Gives a dynamic dimension of an argument another size, which may not fit the others. False if there is no such
// dimension.
bool MisfitSizes(ChoiceSource& choices, const Program& program, int64_t max_elements,
                 std::vector<std::vector<int64_t>>& sizes);

// Draws the arguments' data for operands of these run-time sizes. With `repair`, no element is unpredictable; then the
// sizes must fit each other, and the program's constants may change, too.
Run DrawOneOpRun(ChoiceSource& choices, const OneOp& one_op, const std::vector<std::vector<int64_t>>& sizes,
                 bool repair, Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ONE_OP_H_
