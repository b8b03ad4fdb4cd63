// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refinement: the shapes that follow for every value of a program once the operands' are known, op by op: what MLIR's
// tosa-infer-shapes may write into the types. From the trait's inference (broadcast.h) and the declared types alone.
#ifndef TOSAIC_ORACLE_REFINEMENT_H_
#define TOSAIC_ORACLE_REFINEMENT_H_

#include <optional>
#include <vector>

#include "model/observation.h"
#include "model/program.h"
#include "model/shape.h"
#include "model/verdict.h"

namespace tosaic {

// Per op, what is known of its result: each dimension is static where the declared type or the inference from the
// refined operands says so. nullopt if the refined types contradict each other: no run then has a defined shape.
// REQUIRES: the program is well formed and legal (JudgeLegality).
std::optional<std::vector<Shape>> RefineShapes(const Program& program);

// Judges an observation of tosa-infer-shapes, whose `inferred` are the refined shapes: kAgree, with a note
// "infer.less-precise" per op that says less; kWrongInference; or the end it came to. REQUIRES: as RefineShapes, which
// knows an answer.
Judgement JudgeRefinement(const Program& program, const Observation& observation);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_REFINEMENT_H_
