// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/rounds.h"

#include <algorithm>
#include <iterator>

namespace tosaic {
namespace {

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

}  // namespace tosaic
