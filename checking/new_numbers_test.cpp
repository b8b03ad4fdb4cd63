// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/new_numbers.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Numbers = std::vector<double>;

TEST(NewNumbers, AreThoseOfConstantsThatTheOtherLacks) {
  EXPECT_EQ(NumbersOnlyIn("%c4096 = arith.constant 4096 : index\n%c7 = arith.constant 7 : index\n",
                          "%c7 = arith.constant 7 : index\n"),
            Numbers{4096});
  EXPECT_EQ(NumbersOnlyIn("%0 = arith.addi %a, %b : tensor<64xi32>", ""), Numbers{});
}

TEST(NewNumbers, AreReadInEverySpellingOfMlir) {
  EXPECT_EQ(NumbersOnlyIn("%cst = arith.constant 8.800000e+01 : f32", ""), Numbers{88});
  EXPECT_EQ(NumbersOnlyIn("%cst = arith.constant dense<-9> : vector<4xi32>", ""), Numbers{-9});
  EXPECT_EQ(NumbersOnlyIn("%0 = llvm.mlir.constant(4096 : index) : i64", ""), Numbers{4096});
  EXPECT_EQ(NumbersOnlyIn("%0 = llvm.mlir.constant(dense<2.5> : vector<2xf32>) : vector<2xf32>", ""), Numbers{2.5});
  EXPECT_EQ(NumbersOnlyIn("%cst = arith.constant 0x3EFFFFFF : f32", ""), Numbers{0.49999997019767761});
  EXPECT_EQ(NumbersOnlyIn("%cst = arith.constant dense<0x3C01> : vector<4xf16>", ""), Numbers{1.0009765625});
}

TEST(NewNumbers, AreNeitherTrivialNorInfinite) {
  EXPECT_EQ(NumbersOnlyIn("arith.constant 0 : index\narith.constant 1.0 : f32\narith.constant -1 : i8\n"
                          "arith.constant 0x7F800000 : f32\narith.constant true\narith.constant 0x7FC00000 : f32\n"
                          "arith.constant dense<[1, 2]> : vector<2xi32>\narith.constant 0x\narith.constant",
                          ""),
            Numbers{});
}

}  // namespace
}  // namespace tosaic
