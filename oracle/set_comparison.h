// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares results with the sets that a run allows for their elements.
#ifndef TOSAIC_ORACLE_SET_COMPARISON_H_
#define TOSAIC_ORACLE_SET_COMPARISON_H_

#include <cstddef>
#include <optional>

#include "model/program.h"
#include "model/verdict.h"
#include "oracle/flushing.h"
#include "oracle/policy.h"
#include "oracle/reference.h"
#include "oracle/run_sets.h"

namespace tosaic {

// Compares a result with its sets; REQUIRES: its sizes are sets->sizes(op). An element counts as compared if its set
// excludes a pattern. If nothing is wrong with the result, elements whose operands have only one possible value are
// judged like those of ops on known values: whether they are plausible, and what happened to subnormals
// (CompareValues). Any other element is implausible if it is so for all possible operands; for subnormals it only
// counts that one was kept.
ValueComparison CompareWithSets(const Program& program, size_t op, const Tensor& actual, const Policies& policies,
                                RunSets* sets, FlushingRecord* flushing = nullptr);

// The first element that is not in its set. If the sets are those of a certain target, this target cannot have made the
// element.
std::optional<ElementMismatch> FindOutside(const Program& program, size_t op, const Tensor& actual,
                                           const Policies& policies, RunSets* sets);

// Explains one element, whether it is in its set or not; `run`, `op` and `count` are the caller's.
ElementMismatch ExplainBySets(const Program& program, size_t op, const Tensor& actual, size_t element,
                              const Policies& policies, RunSets* sets);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_COMPARISON_H_
