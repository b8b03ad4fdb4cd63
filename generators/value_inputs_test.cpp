// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/value_inputs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "generators/element_bits.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;

std::set<std::array<uint64_t, 3>> AllOf(const ValueInputs& inputs) {
  std::set<std::array<uint64_t, 3>> all;
  for (uint64_t i = 0; i < inputs.size(); ++i) all.insert(inputs.At(i));
  return all;
}

TEST(ValueInputsTest, FewBitsAreExhaustive) {
  struct Row {
    std::vector<E> operands;
    uint64_t size;
  };
  for (const Row& row : std::vector<Row>{{{E::kI1}, 2},
                                         {{E::kF8E5M2}, 256},
                                         {{E::kBF16}, 65536},
                                         {{E::kI1, E::kI1}, 4},
                                         {{E::kI8, E::kI8}, 65536},
                                         {{E::kI1, E::kI8, E::kI8}, 131072}}) {
    const ValueInputs inputs(row.operands, 1);
    EXPECT_TRUE(inputs.exhaustive());
    EXPECT_EQ(inputs.size(), row.size);
    const std::set<std::array<uint64_t, 3>> all = AllOf(inputs);
    EXPECT_EQ(all.size(), row.size);
    for (size_t i = 0; i < row.operands.size(); ++i) EXPECT_LE((*all.rbegin())[i], BitMask(row.operands[i]));
  }
}

TEST(ValueInputsTest, EveryExponentOfAnF32HasItsShare) {
  const ValueInputs inputs({E::kF32}, 200'000);
  EXPECT_FALSE(inputs.exhaustive());
  EXPECT_EQ(inputs.size(), 200'000u);
  ASSERT_LT(inputs.boundaries(), 100'000u);
  std::map<uint64_t, std::set<uint64_t>> mantissas;  // sampled ones, by sign and exponent
  for (uint64_t i = inputs.boundaries(); i < inputs.size(); ++i) {
    const uint64_t bits = inputs.At(i)[0];
    mantissas[bits >> 23].insert(bits & 0x7fffff);
  }
  EXPECT_EQ(mantissas.size(), 512u);
  const uint64_t share = (inputs.size() - inputs.boundaries()) / 512;
  for (const auto& [exponent, values] : mantissas) {
    EXPECT_GE(values.size(), share * 9 / 10) << exponent;
    // Dense: no sixteenth of the range is left out.
    std::set<uint64_t> parts;
    for (uint64_t mantissa : values) parts.insert(mantissa >> 19);
    EXPECT_EQ(parts.size(), 16u) << exponent;
  }
}

TEST(ValueInputsTest, BoundariesOfAnF32) {
  const ValueInputs inputs({E::kF32}, 1);
  EXPECT_EQ(inputs.size(), inputs.boundaries());
  const auto all = AllOf(inputs);
  for (uint64_t bits : {0x00000000u, 0x80000000u, 0x00000001u, 0x807fffffu, 0x00800000u, 0x7f7fffffu, 0x7f800000u,
                        0x7f800001u, 0x3f800000u, 0x3f7fffffu, 0xbf800001u}) {
    EXPECT_TRUE(all.contains({bits})) << std::hex << bits;
  }
  // 1 + 2^-11 and 1 + 3 * 2^-11 are halfway between two f16; 1 + 2^-8 and 1 + 3 * 2^-8 between two bf16.
  for (double tie : {1 + std::ldexp(1, -11), 1 + std::ldexp(3, -11), 1 + std::ldexp(1, -8), 1 + std::ldexp(3, -8)}) {
    const uint64_t bits = EncodeFloat(E::kF32, tie);
    for (uint64_t near : {bits - 1, bits, bits + 1}) EXPECT_TRUE(all.contains({near})) << tie;
  }
  // Rounding to integers and their limits.
  for (double value : {0.5, 1.5, 127.5, -128.5, 32767.5, 2147483648.0, -2147483648.0}) {
    EXPECT_TRUE(all.contains({EncodeFloat(E::kF32, value)})) << value;
  }
}

TEST(ValueInputsTest, AnI32HasEveryLengthAndTheTiesOfF32) {
  const ValueInputs inputs({E::kI32}, 20'000);
  std::map<int, int> lengths;
  for (uint64_t i = inputs.boundaries(); i < inputs.size(); ++i) {
    const int64_t value = IntegerValue(E::kI32, inputs.At(i)[0]);
    ++lengths[value == 0 ? 0 : std::ilogb(static_cast<double>(std::abs(value))) + 1];
  }
  for (int length = 1; length <= 31; ++length)  // only INT_MIN has 32
    EXPECT_GT(lengths[length], 100) << length;
  int ties = 0;  // 26 bits of which f32 keeps 24
  for (uint64_t i = 0; i < inputs.boundaries(); ++i) {
    const int64_t value = IntegerValue(E::kI32, inputs.At(i)[0]);
    ties += value >= (1 << 25) && value < (1 << 26) && (value & 3) == 2 ? 1 : 0;
  }
  EXPECT_GE(ties, 4);
}

TEST(ValueInputsTest, PairsCombineSpecialValuesAndMeetNearEachOther) {
  const ValueInputs inputs({E::kF32, E::kF32}, 60'000);
  EXPECT_EQ(inputs.size(), 60'000u);
  const uint64_t infinity = InfinityBits(E::kF32);
  bool infinity_times_zero = false;
  for (uint64_t i = 0; i < inputs.boundaries(); ++i) {
    infinity_times_zero |= inputs.At(i) == std::array<uint64_t, 3>{infinity, 0, 0};
  }
  EXPECT_TRUE(infinity_times_zero);
  uint64_t near = 0, moderate = 0;
  for (uint64_t i = inputs.boundaries(); i < inputs.size(); ++i) {
    const auto [x, y, none] = inputs.At(i);
    EXPECT_LE(std::max(x, y), 0xffffffffu);
    near += (x ^ y) << 1 >> 24 == 0 ? 1 : 0;  // but for the sign
    const uint64_t exponent_x = x >> 23 & 0xff, exponent_y = y >> 23 & 0xff;
    moderate += std::max(exponent_x, exponent_y) < 135 && std::min(exponent_x, exponent_y) > 118 ? 1 : 0;
  }
  const uint64_t samples = inputs.size() - inputs.boundaries();
  EXPECT_GT(near, samples / 8);
  EXPECT_GT(moderate, samples / 8);
}

TEST(ValueInputsTest, AnInputDependsOnNothingElse) {
  const ValueInputs a({E::kBF16, E::kBF16}, 50'000), b({E::kBF16, E::kBF16}, 50'000);
  for (uint64_t i : {uint64_t{49'999}, uint64_t{3}, uint64_t{30'000}}) {
    (void)a.At(i / 2);
    EXPECT_EQ(a.At(i), b.At(i));
  }
}

}  // namespace
}  // namespace tosaic
