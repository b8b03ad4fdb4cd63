// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/float_literals.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

// LLVM 24 prints the literals on the left; on the right are their bits in LLVM 22's spelling.
TEST(FloatLiterals, AreBitsThatEveryVersionReads) {
  const struct {
    const char* literal;
    const char* bits;
  } cases[] = {{"half 9.997550e-02", "half 0xH2e66"},
               {"half 5.960460e-08", "half 0xH0001"},
               {"half +snan(0x1)", "half 0xH7c01"},
               {"half -inf", "half 0xHfc00"},
               {"bfloat 1.000980e-01", "bfloat 0xR3dcd"},
               {"bfloat +nan(0x1)", "bfloat 0xR7fc1"},
               {"bfloat -qnan", "bfloat 0xRffc0"},
               {"float 1.000000e-01", "float 0x3fb99999a0000000"},
               {"float -0.000000e+00", "float 0x8000000000000000"},
               {"float f0x47F12065", "float 0x40fe240ca0000000"},
               {"float 9.999940e-41", "float 0x37a16c2000000000"},
               {"float +inf", "float 0x7ff0000000000000"},
               {"float -snan(0x1)", "float 0xfff0000020000000"},
               {"float +nan(0x1)", "float 0x7ff8000020000000"},
               {"double f0x40FE240C9FBE76C9", "double 0x40fe240c9fbe76c9"},
               {"double -6.000000e-08", "double 0xbe701b2b29a4692b"},
               {"double +qnan", "double 0x7ff8000000000000"}};
  for (const auto& test : cases) EXPECT_EQ(WithFloatsAsBits(test.literal), test.bits) << test.literal;
}

TEST(FloatLiterals, HaveTheLastTypeOfTheirLine) {
  EXPECT_EQ(WithFloatsAsBits("%2 = fadd float %0, 1.0\n%3 = select i1 %c, half 1.0, half -inf\n"),
            "%2 = fadd float %0, 0x3ff0000000000000\n%3 = select i1 %c, half 0xH3c00, half 0xHfc00\n");
  EXPECT_EQ(WithFloatsAsBits("<2 x float> <float 1.0, float +inf>"),
            "<2 x float> <float 0x3ff0000000000000, float 0x7ff0000000000000>");
}

TEST(FloatLiterals, AllElseStays) {
  for (const char* text :
       {"", "%1.5 = load float, ptr %0", "ret i32 7", "@s = constant [9 x i8] c\"float 1.0\"", "half 0xH3C00",
        "float 0x3FF0000000000000", "; a float 1.5\n", "define float @f.1(float %0) {", "float +nan", "float +nan(0x",
        "\"float 1.0", "target triple = \"x86_64\"", "float +1", "float undef"}) {
    EXPECT_EQ(WithFloatsAsBits(text), text);
  }
}

}  // namespace
}  // namespace tosaic
