// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/element_bits.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

using E = ElementType;

TEST(ElementBits, EncodeFloatGivesKnownPatterns) {
  EXPECT_EQ(EncodeFloat(E::kF32, 1.0), 0x3f800000u);
  EXPECT_EQ(EncodeFloat(E::kF32, -0.0), 0x80000000u);
  EXPECT_EQ(EncodeFloat(E::kF32, 1e300), 0x7f7fffffu);
  EXPECT_EQ(EncodeFloat(E::kF32, std::ldexp(1, -149)), 1u);
  EXPECT_EQ(EncodeFloat(E::kF32, std::ldexp(1, -150)), 0u);
  EXPECT_EQ(EncodeFloat(E::kF32, 16777217.0), 0x4b800000u);  // toward zero
  EXPECT_EQ(EncodeFloat(E::kF16, -65504.0), 0xfbffu);
  EXPECT_EQ(EncodeFloat(E::kBF16, 3.0), 0x4040u);
  EXPECT_EQ(EncodeFloat(E::kF8E4M3FN, 448.0), 0x7eu);
  EXPECT_EQ(EncodeFloat(E::kF8E5M2, 57344.0), 0x7bu);
  EXPECT_EQ(EncodeFloat(E::kF64, 0.1), 0x3fb999999999999au);
}

TEST(ElementBits, EncodeFloatInvertsElementToDouble) {
  for (const ElementTypeInfo& info : AllElementTypes()) {
    if (!IsFloat(info.type) || info.bits > 16) continue;
    for (uint64_t bits = 0; bits <= BitMask(info.type); ++bits) {
      const double value = ElementToDouble(info.type, bits);
      EXPECT_EQ(IsNan(info.type, bits), std::isnan(value)) << bits;
      EXPECT_EQ(IsInfinite(info.type, bits), std::isinf(value)) << bits;
      if (std::isfinite(value)) {
        ASSERT_EQ(EncodeFloat(info.type, value), bits);
      } else {
        const double finite = std::fabs(ElementToDouble(info.type, MadeFinite(info.type, bits)));
        EXPECT_GE(finite, 1);
        EXPECT_LT(finite, 2);
      }
    }
  }
}

TEST(ElementBits, LimitsAreTheTypesOwn) {
  EXPECT_EQ(IntegerValue(E::kI8, LowestBits(E::kI8)), -128);
  EXPECT_EQ(IntegerValue(E::kI8, HighestBits(E::kI8)), 127);
  EXPECT_EQ(IntegerValue(E::kI64, LowestBits(E::kI64)), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(IntegerValue(E::kUi8, HighestBits(E::kUi8)), 255);
  EXPECT_EQ(IntegerValue(E::kI1, HighestBits(E::kI1)), 1);
  EXPECT_EQ(IntegerValue(E::kI4, EncodeInteger(E::kI4, -8)), -8);
  EXPECT_EQ(HighestBits(E::kF16), 0x7c00u);
  EXPECT_EQ(LowestBits(E::kF8E4M3FN), 0xfeu);
}

TEST(ElementBits, LessValueReadsTheTypesWay) {
  EXPECT_TRUE(LessValue(E::kI8, 0x80, 0x7f));
  EXPECT_FALSE(LessValue(E::kUi8, 0x80, 0x7f));
  EXPECT_FALSE(LessValue(E::kF32, 0x80000000, 0));  // zeros are equal
  EXPECT_TRUE(LessValue(E::kF32, 0xff800000, 0x7f800000));
  EXPECT_TRUE(LessValue(E::kI64, 0x7ffffffffffffffe, 0x7fffffffffffffff));
}

}  // namespace
}  // namespace tosaic
