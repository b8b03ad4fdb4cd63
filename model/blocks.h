// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block-scaled tensors: whole blocks, and the two parts of an element (kBlockSize and kBlockScaleShift of
// model/element_type.h).
#ifndef TOSAIC_MODEL_BLOCKS_H_
#define TOSAIC_MODEL_BLOCKS_H_

#include <cstdint>

#include "model/element_type.h"
#include "model/shape.h"

namespace tosaic {

inline uint64_t ScaleInBlock(uint64_t bits) { return bits >> kBlockScaleShift; }
inline uint64_t ValueInBlock(uint64_t bits) { return bits & ((uint64_t{1} << kBlockScaleShift) - 1); }
inline uint64_t ElementInBlock(uint64_t scale, uint64_t value) { return scale << kBlockScaleShift | value; }

// Whether the last dimension is a multiple of kBlockSize, as far as the shape says; it says so of no scalar.
inline bool HasWholeBlocks(const Shape& shape) {
  if (!shape.IsRanked()) return true;
  if (shape.rank() == 0) return false;
  const Dim last = shape.dims().back();
  return last.IsDynamic() || last.size() % static_cast<int64_t>(kBlockSize) == 0;
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_BLOCKS_H_
