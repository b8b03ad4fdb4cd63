// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting that keeps the order of equals. std::stable_sort of Debian 12's libstdc++ is deprecated by its own header.
#ifndef TOSAIC_RESULTS_SORTED_H_
#define TOSAIC_RESULTS_SORTED_H_

#include <map>
#include <utility>
#include <vector>

namespace tosaic {

// Sorts by `key(value)`, the least first.
template <typename T, typename Key>
void SortBy(std::vector<T>* values, const Key& key) {
  std::multimap<decltype(key(values->front())), T> sorted;
  for (T& value : *values) {
    auto place = key(value);
    sorted.emplace(std::move(place), std::move(value));
  }
  values->clear();
  for (auto& [place, value] : sorted) values->push_back(std::move(value));
}

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_SORTED_H_
