// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/data.h"

#include <algorithm>
#include <bit>
#include <set>

#include "generators/element_bits.h"
#include "generators/special_values.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;

std::set<uint64_t> Drawn(E type, E result, int count) {
  SeededChoices choices(3, static_cast<uint64_t>(type));
  std::set<uint64_t> drawn;
  for (int i = 0; i < count; ++i) drawn.insert(DrawElement(choices, type, result));
  return drawn;
}

TEST(DrawElement, CastsMeetBothSidesOfWhereTheNarrowFloatOverflows) {
  const std::set<uint64_t> drawn = Drawn(E::kF32, E::kF16, 20000);
  const auto draws_between = [&](float least, float greatest) {
    return std::ranges::any_of(drawn, [&](uint64_t bits) {
      const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
      return least < value && value < greatest;
    });
  };
  EXPECT_TRUE(draws_between(65504, 65519)) << "65504, but for a cast that compares with the greatest value";
  EXPECT_TRUE(draws_between(65521, 65535)) << "infinity";
  EXPECT_TRUE(drawn.contains(std::bit_cast<uint32_t>(65520.0F))) << "the tie";
}

TEST(SpecialValues, FitTheTypeAndAreDistinct) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    const SpecialValues& specials = Specials(info.type);
    EXPECT_EQ(specials.core.front(), 0u);
    for (const auto& values : {specials.core, specials.more}) {
      EXPECT_EQ(std::set<uint64_t>(values.begin(), values.end()).size(), values.size()) << info.name;
      for (uint64_t bits : values) EXPECT_EQ(bits & ~BitMask(info.type), 0u) << info.name;
    }
  }
}

TEST(SpecialValues, FloatsHaveTheClassicOnes) {
  const auto& values = Specials(E::kF32).core;
  const std::set<uint64_t> core(values.begin(), values.end());
  for (uint64_t bits : {0x00000000u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00001u, 0x00000001u, 0x007fffffu,
                        0x00800000u, 0x7f7fffffu, 0x3f800000u, 0xbf800000u, 0x3f000000u}) {
    EXPECT_EQ(core.count(bits), 1u) << std::hex << bits;
  }
  const auto& more = Specials(E::kF32).more;
  EXPECT_NE(std::find(more.begin(), more.end(), 0x7f800001u), more.end()) << "a signalling NaN";
}

TEST(Data, EverySpecialOfEveryTypeComesUp) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    const std::set<uint64_t> drawn = Drawn(info.type, info.type, 60000);
    for (const auto& values : {Specials(info.type).core, Specials(info.type).more}) {
      for (uint64_t bits : values) EXPECT_EQ(drawn.count(bits), 1u) << info.name << " " << std::hex << bits;
    }
  }
}

TEST(Data, AboutHalfIsSpecialAndTheRestIsNot) {
  for (E type : {E::kF32, E::kI32}) {
    SeededChoices choices(4, 4);
    std::set<uint64_t> special(Specials(type).core.begin(), Specials(type).core.end());
    special.insert(Specials(type).more.begin(), Specials(type).more.end());
    int count = 0;
    for (int i = 0; i < 10000; ++i) count += static_cast<int>(special.count(DrawElement(choices, type, type)));
    EXPECT_GT(count, 4500);
    EXPECT_LT(count, 7500);
  }
}

TEST(Data, CastsMeetTheIntegersLimits) {
  const std::set<uint64_t> drawn = Drawn(E::kF32, E::kI8, 60000);
  for (double value : {126.5, 127.0, 127.5, 128.0, 128.5, -127.5, -128.0, -128.5, -129.0}) {
    EXPECT_EQ(drawn.count(EncodeFloat(E::kF32, value)), 1u) << value;
  }
}

TEST(Data, CastsMeetTiesOfTheFloat) {
  int ties = 0;
  for (uint64_t bits : Drawn(E::kI32, E::kF16, 5000)) {
    // A tie: an odd multiple of half the last place, at 11 bits of precision.
    const auto value = static_cast<uint64_t>(std::llabs(IntegerValue(E::kI32, bits)));
    const int width = 64 - std::countl_zero(value | 1);
    if (width > 11 && (value & ((uint64_t{1} << (width - 11)) - 1)) == uint64_t{1} << (width - 12)) ++ties;
  }
  EXPECT_GT(ties, 50);
}

// Where the bits that a cast drops are one half exactly, the last bit that it keeps decides.
TEST(Data, CastsToNarrowerFloatsMeetTies) {
  const auto ties = [](E type, E result) {
    const int dropped = Info(type).mantissa_bits - Info(result).mantissa_bits;
    int even = 0, odd = 0;
    for (uint64_t bits : Drawn(type, result, 5000)) {
      if ((bits & ((uint64_t{1} << dropped) - 1)) != uint64_t{1} << (dropped - 1)) continue;
      ++((bits >> dropped & 1) == 0 ? even : odd);
    }
    return std::min(even, odd);
  };
  EXPECT_GT(ties(E::kF32, E::kF16), 30);
  EXPECT_GT(ties(E::kF32, E::kBF16), 30);
  EXPECT_GT(ties(E::kF16, E::kF8E4M3FN), 20);
}

TEST(Data, CopiesOfTheSiblingComeUp) {
  SeededChoices choices(5, 5);
  Tensor first(E::kF32, {1000}), second(E::kF32, {1000});
  FillData(choices, E::kF32, nullptr, first);
  FillData(choices, E::kF32, &first, second);
  int equal = 0;
  for (size_t i = 0; i < 1000; ++i) equal += first.Bits(i) == second.Bits(i) ? 1 : 0;
  EXPECT_GT(equal, 80);
}

TEST(Data, OfASiblingWithoutElementsNothingIsCopied) {
  SeededChoices choices(5, 5);
  const Tensor empty(E::kF32, {0});
  Tensor tensor(E::kF32, {1000});
  FillData(choices, E::kF32, &empty, tensor);
  std::set<uint64_t> patterns;
  for (size_t i = 0; i < tensor.element_count(); ++i) patterns.insert(tensor.Bits(i));
  EXPECT_GT(patterns.size(), 300);
}

// A pattern of the patch may ask whether a constant is 1234 in all elements.
TEST(Data, AStronglyFavouredNumberIsOftenAllOfAConstant) {
  const double numbers[] = {1234};
  const auto constants = [&](bool strongly) {
    SeededChoices choices(5, 5);
    choices.Favour(numbers, strongly);
    int all = 0;
    for (int i = 0; i < 300; ++i) {
      Tensor tensor(E::kI32, {4});
      FillConstant(choices, E::kI32, tensor);
      bool is_all = true;
      for (size_t k = 0; k < 4; ++k) is_all = is_all && tensor.Bits(k) == 1234;
      all += is_all ? 1 : 0;
    }
    return all;
  };
  EXPECT_GT(constants(true), 25);
  EXPECT_LT(constants(false), 10);
}

TEST(Data, ExhaustedBytesGiveZeros) {
  ByteChoices choices({});
  for (const ElementTypeInfo& info : AllElementTypes()) EXPECT_EQ(DrawElement(choices, info.type, info.type), 0u);
}

}  // namespace
}  // namespace tosaic
