// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/attributes.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include "gtest/gtest.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

using E = ElementType;
using Bounds = std::pair<double, double>;

std::set<Bounds> BoundsOfClamp(E type) {
  SeededChoices choices(1, 1);
  std::set<Bounds> drawn;
  for (int i = 0; i < 1000; ++i) {
    const Attributes attributes = DrawAttributes(choices, {OpKind::kClamp, type, type});
    drawn.insert({ElementToDouble(type, attributes.min_val->bits), ElementToDouble(type, attributes.max_val->bits)});
  }
  return drawn;
}

// A clamp to the whole range does nothing, and one to a single value less does something.
TEST(DrawAttributes, BoundsAreOftenTheWholeRangeOrOneValueLess) {
  const double infinity = std::numeric_limits<double>::infinity(), greatest = 65504;
  const std::set<Bounds> of_i8 = BoundsOfClamp(E::kI8), of_u8 = BoundsOfClamp(E::kUi8), of_i16 = BoundsOfClamp(E::kI16),
                         of_f16 = BoundsOfClamp(E::kF16);
  for (const Bounds& bounds : {Bounds(-128, 127), Bounds(-128, 126), Bounds(-127, 127), Bounds(-127, 126)}) {
    EXPECT_TRUE(of_i8.contains(bounds)) << bounds.first << " " << bounds.second;
  }
  for (const Bounds& bounds : {Bounds(0, 255), Bounds(0, 254), Bounds(1, 255), Bounds(1, 254)}) {
    EXPECT_TRUE(of_u8.contains(bounds)) << bounds.first << " " << bounds.second;
  }
  for (const Bounds& bounds : {Bounds(-32768, 32766), Bounds(-32767, 32767)}) {
    EXPECT_TRUE(of_i16.contains(bounds)) << bounds.first << " " << bounds.second;
  }
  for (const Bounds& bounds : {Bounds(-infinity, infinity), Bounds(-infinity, greatest), Bounds(-greatest, infinity),
                               Bounds(-greatest, greatest)}) {
    EXPECT_TRUE(of_f16.contains(bounds)) << bounds.first << " " << bounds.second;
  }
}

}  // namespace
}  // namespace tosaic
