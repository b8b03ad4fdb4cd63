// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element data: half special values, the rest random bits, random magnitudes and small integers. What a value does in
// an op is none of its business: repair.h mends what would be undefined.
#ifndef TOSAIC_GENERATORS_DATA_H_
#define TOSAIC_GENERATORS_DATA_H_

#include <cstdint>

#include "generators/choice_source.h"
#include "model/tensor.h"

namespace tosaic {

// Draws one element of `type`. `result` is the op's result type: for a cast between integers and floats, values
// around the integer's limits and ties of the float come up too. Zero is the simplest choice.
uint64_t DrawElement(ChoiceSource& choices, ElementType type, ElementType result);

// Draws all elements. With `sibling` of the same element type, an eighth of them are copies of the sibling's, so that
// comparisons meet equal values.
void FillData(ChoiceSource& choices, ElementType result, const Tensor* sibling, Tensor& tensor);

// Fills a constant: half the time one value everywhere, at times but for one place, 0 and 1 more often than others
// (what folders look for).
void FillConstant(ChoiceSource& choices, ElementType result, Tensor& tensor);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_DATA_H_
