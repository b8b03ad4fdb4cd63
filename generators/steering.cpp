// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/steering.h"

#include <cstddef>
#include <utility>

namespace tosaic {

int Steering::HeadOf(uint64_t number) {
  while (heads_.size() <= number) {
    std::vector<Combination> heads = CombinationsOf(seed_, heads_.size(), options_, kHeads);
    size_t rarest = 0;
    uint64_t least = ~uint64_t{0};
    for (size_t i = 0; i < heads.size() && least > 0; ++i) {
      const auto found = taken_.find(heads[i]);
      const uint64_t count = found == taken_.end() ? 0 : found->second;
      if (count >= least) continue;
      least = count;
      rarest = i;
    }
    ++taken_[std::move(heads[rarest])];
    heads_.push_back(static_cast<uint8_t>(rarest));
  }
  return heads_[number];
}

}  // namespace tosaic
