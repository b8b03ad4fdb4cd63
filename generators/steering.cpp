// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/steering.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "generators/choice_source.h"

namespace tosaic {
namespace {

constexpr uint64_t kPreferring = 0x707265666572;  // choices of their own

// Rounds end at 16, 64, 256, 768, 1280, ...
constexpr uint64_t kFirstRounds[] = {0, 16, 64, 256};
constexpr uint64_t kRound = 512;

}  // namespace

uint64_t RoundBegin(uint64_t number) {
  constexpr uint64_t kLast = kFirstRounds[std::size(kFirstRounds) - 1];
  if (number >= kLast) return kLast + (number - kLast) / kRound * kRound;
  return *(std::upper_bound(std::begin(kFirstRounds), std::end(kFirstRounds), number) - 1);
}

uint64_t RoundEnd(uint64_t number) {
  const auto next = std::upper_bound(std::begin(kFirstRounds), std::end(kFirstRounds), number);
  return next != std::end(kFirstRounds) ? *next : RoundBegin(number) + kRound;
}

void Steering::PreferFrom(uint64_t number, GeneratorOptions preferred) {
  preferred_.insert_or_assign(number, std::move(preferred));
}

const GeneratorOptions& Steering::OptionsOf(uint64_t number) const {
  const auto next = preferred_.upper_bound(number);
  const bool is_preferring = next != preferred_.begin() && SeededChoices(seed_ ^ kPreferring, number).Chance(3, 4);
  return is_preferring ? std::prev(next)->second : options_;
}

int Steering::HeadOf(uint64_t number) {
  while (heads_.size() <= number) {
    std::vector<Combination> heads = CombinationsOf(seed_, heads_.size(), OptionsOf(heads_.size()), kHeads);
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
