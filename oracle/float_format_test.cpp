// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/float_format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/tensor.h"
#include "oracle/real.h"

namespace tosaic {
namespace {

using E = ElementType;

TEST(FloatFormatTest, HasTheNumbersOfTheCheckFunctions) {
  struct Row {
    E type;
    int frac;
    double normal_min, normal_max;
  };
  for (const Row& row : {Row{E::kF32, 23, std::ldexp(1, -126), std::ldexp(1, 128) - std::ldexp(1, 104)},
                         {E::kF16, 10, std::ldexp(1, -14), std::ldexp(1, 16) - std::ldexp(1, 5)},
                         {E::kBF16, 7, std::ldexp(1, -126), std::ldexp(1, 128) - std::ldexp(1, 120)},
                         {E::kF8E4M3FN, 3, std::ldexp(1, -6), 448},
                         {E::kF8E5M2, 2, std::ldexp(1, -14), 57344}}) {
    EXPECT_EQ(Format(row.type).frac, row.frac) << Name(row.type);
    EXPECT_EQ(Format(row.type).normal_min, row.normal_min) << Name(row.type);
    EXPECT_EQ(Format(row.type).normal_max, row.normal_max) << Name(row.type);
    EXPECT_EQ(std::ldexp(1, Format(row.type).min_exponent), row.normal_min) << Name(row.type);
  }
}

TEST(FloatFormatTest, NearestBitsInvertsElementToDoubleForEveryPattern) {
  for (E type : {E::kF16, E::kBF16, E::kF8E4M3FN, E::kF8E5M2}) {
    for (uint64_t bits = 0; bits <= BitMask(type); ++bits) {
      const double value = ElementToDouble(type, bits);
      const uint64_t back = NearestBits(type, value);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(ElementToDouble(type, back))) << Name(type) << bits;
      } else {
        ASSERT_EQ(back, bits) << Name(type);
        ASSERT_EQ(RoundToGrid(type, value, Rounding::kTowardZero), value);
      }
    }
  }
}

TEST(FloatFormatTest, NearestBitsAgreesWithTheHardwareForF32) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double value = std::ldexp(static_cast<double>(state >> 11), static_cast<int>(state % 300) - 210);
    const float nearest = static_cast<float>(value);
    ASSERT_EQ(ElementToDouble(E::kF32, NearestBits(E::kF32, value)), nearest) << value;
  }
}

TEST(FloatFormatTest, RoundsTiesAndOverflow) {
  EXPECT_EQ(NearestBits(E::kF16, 65519.99), 0x7bffu);
  EXPECT_EQ(NearestBits(E::kF16, 65520), 0x7c00u);
  EXPECT_EQ(NearestBits(E::kF16, -kInfinity), 0xfc00u);
  EXPECT_EQ(NearestBits(E::kF8E4M3FN, 464), 0x7eu);  // a tie, to even
  EXPECT_EQ(NearestBits(E::kF8E4M3FN, 465), 0x7fu);  // NaN: no infinity there
  EXPECT_EQ(NearestBits(E::kF8E4M3FN, -kInfinity), 0xffu);
  EXPECT_EQ(NearestBits(E::kF8E5M2, 61440), 0x7cu);
  EXPECT_EQ(NearestBits(E::kF16, std::ldexp(1, -25)), 0u);  // half the least subnormal, to even
  EXPECT_EQ(NearestBits(E::kF16, -std::ldexp(1.01, -25)), 0x8001u);
  EXPECT_EQ(RoundToGrid(E::kBF16, 1 + std::ldexp(1, -8), Rounding::kHalfAway), 1 + std::ldexp(1, -7));
  EXPECT_EQ(RoundToGrid(E::kBF16, 1 + std::ldexp(1, -8), Rounding::kHalfEven), 1);
  EXPECT_EQ(RoundToGrid(E::kBF16, -1.999, Rounding::kTowardZero), -(2 - std::ldexp(1, -7)));
}

TEST(RealTest, HoldsSumsAndProductsOfF32Exactly) {
  const Real greatest = ElementToDouble(E::kF32, 0x7f7fffff), least = ElementToDouble(E::kF32, 1);
  EXPECT_TRUE((greatest + least) - greatest == least);
  EXPECT_TRUE((greatest + least) > greatest);
  EXPECT_TRUE(greatest * greatest / greatest == greatest);
  EXPECT_TRUE(least * least == Real::PowerOfTwo(-298));
}

TEST(RealTest, ACopyHasTheSamePrecision) {
  Real copy = Real::Apply(mpfr_exp, Real(1));
  copy = Real(copy);
  EXPECT_EQ(copy.ToDouble(MPFR_RNDN), std::exp(1.0));
}

}  // namespace
}  // namespace tosaic
