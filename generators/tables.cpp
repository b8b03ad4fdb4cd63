// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/tables.h"

#include <algorithm>
#include <cstdint>
#include <random>

#include "generators/element_bits.h"
#include "model/operand_roles.h"

namespace tosaic {

Tensor DrawTable(ChoiceSource& choices, ElementType input, bool any_step) {
  const size_t entries = LookupIn(input).entries;
  Tensor table(input, {static_cast<int64_t>(entries)});
  constexpr int kWeights[] = {30, 15, 55};
  const size_t kind = choices.Weighted(kWeights);
  // A choice for each entry would make a fuzzer's input mostly table.
  std::mt19937_64 random(choices.Bits());
  const int64_t slope = choices.Between(-3, 3), from = IntegerValue(input, random() & BitMask(input));
  int64_t before = 0;
  for (size_t i = 0; i < entries; ++i) {
    int64_t entry = IntegerValue(input, random() & BitMask(input));
    if (kind == 0) entry = from + slope * static_cast<int64_t>(i);
    if (kind == 1) entry = IntegerValue(input, i % 2 == 0 ? LowestBits(input) : HighestBits(input));
    entry = IntegerValue(input, static_cast<uint64_t>(entry) & BitMask(input));
    if (i > 0 && LookupIn(input).reads > 1 && !any_step)
      entry = std::clamp<int64_t>(entry, before + INT16_MIN, before + INT16_MAX);
    table.SetBits(i, EncodeInteger(input, entry));
    before = entry;
  }
  return table;
}

}  // namespace tosaic
