// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element-type tuples that the draft of 1.1 adds (tosa.xml): rows of the op catalogue.
#ifndef TOSAIC_MODEL_DRAFT_TUPLES_H_
#define TOSAIC_MODEL_DRAFT_TUPLES_H_

#include <array>
#include <cstddef>
#include <iterator>

#include "model/op_catalogue.h"

namespace tosaic {

// The draft of 1.1 (tosa.xml): EXT-INT64, and casts between i1 and f32.
inline constexpr TypeTuple kI64[] = {{ElementType::kI64, ElementType::kI64, Profile::kExtInt64}};
inline constexpr TypeTuple kI64Comparison[] = {{ElementType::kI64, ElementType::kI1, Profile::kExtInt64}};
inline constexpr TypeTuple kDraftCastTypes[] = {
    {ElementType::kI1, ElementType::kI64, Profile::kExtInt64},
    {ElementType::kI32, ElementType::kI64, Profile::kExtInt64},
    {ElementType::kI64, ElementType::kI1, Profile::kExtInt64},
    {ElementType::kI64, ElementType::kI32, Profile::kExtInt64},
    {ElementType::kI1, ElementType::kF32, Profile::kProFp},
    {ElementType::kF32, ElementType::kI1, Profile::kProFp},
};

// MX: all block-scaled types, and of CAST the floats to and from them.
inline constexpr ElementType kBlocks[] = {ElementType::kBlockF8E4M3FN, ElementType::kBlockF8E5M2,
                                          ElementType::kBlockF6E3M2FN, ElementType::kBlockF6E2M3FN,
                                          ElementType::kBlockF4E2M1FN, ElementType::kBlockMxint8};
inline constexpr ElementType kFloatsOfBlocks[] = {ElementType::kF8E4M3FN, ElementType::kF8E5M2, ElementType::kF16,
                                                  ElementType::kBF16, ElementType::kF32};
inline constexpr auto kBlockTypes = [] {
  std::array<TypeTuple, std::size(kBlocks)> tuples = {};
  for (size_t i = 0; i < tuples.size(); ++i) tuples[i] = {kBlocks[i], kBlocks[i], Profile::kDeduced};
  return tuples;
}();
inline constexpr auto kBlockCastTypes = [] {
  std::array<TypeTuple, 2 * std::size(kBlocks) * std::size(kFloatsOfBlocks)> tuples = {};
  size_t count = 0;
  for (const ElementType block : kBlocks) {
    for (const ElementType number : kFloatsOfBlocks) {
      tuples[count++] = {number, block, Profile::kDeduced};
      tuples[count++] = {block, number, Profile::kDeduced};
    }
  }
  return tuples;
}();

}  // namespace tosaic

#endif  // TOSAIC_MODEL_DRAFT_TUPLES_H_
