// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of casts to block-scaled types: no function of one element, for 32 decide the scale. What CAST writes, and
// what it may return, over whole tensors (block_scaled.h).
#ifndef TOSAIC_ORACLE_BLOCK_RESULTS_H_
#define TOSAIC_ORACLE_BLOCK_RESULTS_H_

#include <vector>

#include "model/program.h"
#include "model/tensor.h"
#include "oracle/reference.h"

namespace tosaic {

// Whether the op casts floats to a block-scaled type, and the documents have values for it.
bool MakesBlocks(const Program& program, const OpApplication& op);

// The op that makes a value, behind identities of values that are not known (null in `known`, by op). REQUIRES: an op's
// result.
const OpApplication& MakerOf(const Program& program, ValueRef ref, const std::vector<const Tensor*>& known);

// CAST's own result. REQUIRES: the last dimension is a multiple of kBlockSize, and the input is of floats.
Tensor BlocksOf(const Tensor& input, ElementType type);

// Compares block by block. A block that may be anything is masked, and so is one with an element that `left_out` names
// (empty: none). The first mismatch is of the first element that is not CAST's own, in the first block that is wrong;
// `rule` is value.cast.to-block-scaled. Widths count the values that are allowed with the scale that a block has.
// REQUIRES: as BlocksOf, and `actual` has the input's sizes.
ValueComparison CompareBlocks(const Tensor& input, const Tensor& actual, const std::vector<bool>& left_out = {});
// The same of the last of two casts, of blocks to `between` and back, whose result between is not known.
ValueComparison CompareRoundTrip(const Tensor& blocks, ElementType between, const Tensor& actual,
                                 const std::vector<bool>& left_out = {});

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_BLOCK_RESULTS_H_
