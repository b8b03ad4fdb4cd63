// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refinement: computes the shapes of all values of a program, op by op, from the operands' shapes: the shapes that
// MLIR's tosa-infer-shapes may write into the types. It uses only the trait's inference (broadcast.h) and the declared
// types.
#ifndef TOSAIC_ORACLE_REFINEMENT_H_
#define TOSAIC_ORACLE_REFINEMENT_H_

#include <optional>
#include <vector>

#include "model/program.h"
#include "model/shape.h"

namespace tosaic {

// For each op, what is known about its result: a dimension is static if the declared type or the inference from the
// refined operands says so. nullopt if the refined types contradict each other, so that no run has a defined shape.
// REQUIRES: the program is well formed and legal (JudgeLegality).
std::optional<std::vector<Shape>> RefineShapes(const Program& program);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_REFINEMENT_H_
