// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOSAIC_MODEL_SORT_UNIQUE_H_
#define TOSAIC_MODEL_SORT_UNIQUE_H_

#include <algorithm>
#include <vector>

namespace tosaic {

// Sorts, and leaves each value once.
template <typename T>
void SortUnique(std::vector<T>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SORT_UNIQUE_H_
