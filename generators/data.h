// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element data: half special values, the rest random bits, random magnitudes and small integers. It does not consider
// what an op does with a value: repair.h replaces values that would be undefined.
#ifndef TOSAIC_GENERATORS_DATA_H_
#define TOSAIC_GENERATORS_DATA_H_

#include <cstdint>

#include "generators/choice_source.h"
#include "model/tensor.h"

namespace tosaic {

// Draws one element of `type`. `result` is the op's result type: for a cast between integers and floats, it also draws
// values around the integer's limits and ties of the float. Zero is the simplest choice.
uint64_t DrawElement(ChoiceSource& choices, ElementType type, ElementType result);

// A favoured number or one beside it, of either sign; of a float also what has the number for its bits. REQUIRES: some
// are favoured.
uint64_t DrawFavouredElement(ChoiceSource& choices, ElementType type);

// Draws all elements; of a block-scaled type, and of floats for a `result` of such a type, block by block. If there is
// a `sibling` of the same element type, an eighth of them are copied from it, so that comparisons get equal values.
void FillData(ChoiceSource& choices, ElementType result, const Tensor* sibling, Tensor& tensor);

// Fills a constant: half of the time with one value everywhere, sometimes with one exception; 0, 1 and favoured numbers
// are more frequent than others, because folders look for them.
void FillConstant(ChoiceSource& choices, ElementType result, Tensor& tensor);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_DATA_H_
