// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws run-time sizes that a plan of shapes allows: broadcast-compatible, varying, and often 1 in a dynamic dimension
// against a larger size, where lowerings go wrong (docs/tosa-semantics.md: RFC).
#ifndef TOSAIC_GENERATORS_RUN_SIZES_H_
#define TOSAIC_GENERATORS_RUN_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "generators/choice_source.h"
#include "generators/shapes.h"

namespace tosaic {

// Draws the sizes of each operand for one run. The result they give fits the result type and has at most
// `max_elements` elements (given that those of the static dimensions alone have no more).
std::vector<std::vector<int64_t>> DrawRunSizes(ChoiceSource& choices, const ShapePlan& plan, int64_t max_elements);

// The number of elements that the runs of a case compute, without its first run: a large run costs as much as many
// small ones.
inline constexpr int64_t kMostElementsOfRuns = 8 * kLargeElements;
// In a case that is about a size, one large run shows it.
inline int64_t MostElementsOfRuns(const ChoiceSource& choices) {
  return choices.favoured().empty() ? kMostElementsOfRuns : kLargeElements / 2;
}

// The size of dimension `dim` of an op in every run, if it is the same in all and there is a run.
std::optional<int64_t> SizeInAllRuns(const std::vector<std::vector<std::vector<int64_t>>>& runs, size_t op, size_t dim);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_RUN_SIZES_H_
