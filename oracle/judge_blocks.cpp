// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges results of block-scaled types that a cast makes (block_results.h).
#include <cstddef>
#include <vector>

#include "oracle/judging.h"
#include "oracle/run_values.h"

namespace tosaic {

// Judges the blocks that a cast makes: of floats that are known, or that are the cast of blocks that are known.
bool Judging::JudgeBlocks(size_t run, size_t index, const std::vector<const Tensor*>& known, RunSets* sets) {
  const Program& program = case_.program;
  const auto op = static_cast<size_t>(program.results[index].index);
  const OpApplication& maker = MakerOf(program, program.results[index], known);
  const ValueRef of_input = maker.operands[0];
  const Tensor& actual = observation_.runs[run].results[index].tensor;
  std::vector<bool> left_out;
  if (sets != nullptr && actual.sizes() == sets->sizes(op)) left_out = sets->DependingOnUndefined(op);
  if (const Tensor* input = ValueIn(case_, run, known, of_input)) {
    const RuntimeShape sizes = SizesFor(maker, {input});
    if (!sizes.defined) {
      CountElements(index, {.elements = actual.element_count()});
      return false;
    }
    if (actual.sizes() != sizes.sizes) return BlameShape(run, index, sizes);
    return JudgeValues(run, index, CompareBlocks(*input, actual, left_out));
  }
  const OpApplication& first = program.ops[of_input.index];
  const Tensor* blocks = first.op == OpKind::kCast ? ValueIn(case_, run, known, first.operands[0]) : nullptr;
  if (blocks != nullptr && blocks->element_type() == actual.element_type() && blocks->sizes() == actual.sizes()) {
    return JudgeValues(run, index, CompareRoundTrip(*blocks, first.result.element_type, actual, left_out));
  }
  CountElements(index, {.elements = actual.element_count()});
  return false;
}

}  // namespace tosaic
