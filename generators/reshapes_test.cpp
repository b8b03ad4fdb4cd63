// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/reshapes.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

constexpr int kCases = 2000;

TEST(Reshapes, WithoutThemACaseIsTheSame) {
  GeneratorOptions with, without;
  with.reshape_percent = 100;
  int reshaped = 0;
  for (uint64_t number = 0; number < kCases; ++number) {
    Case one = GenerateCase(7, number, with);
    const Case other = GenerateCase(7, number, without);
    ASSERT_TRUE(CheckWellFormed(one).ok()) << CheckWellFormed(one);
    if (one == other) continue;
    ++reshaped;
    ASSERT_EQ(one.program.ops.size(), other.program.ops.size() + 1);
    const OpApplication& reshape = one.program.ops.front();
    EXPECT_EQ(reshape.op, OpKind::kReshape);
    const auto argument = static_cast<size_t>(reshape.operands[0].index);
    EXPECT_EQ(reshape.result, other.program.arguments[argument]);
    EXPECT_NE(one.program.arguments[argument].shape, reshape.result.shape);
    for (size_t run = 0; run < one.runs.size(); ++run) {
      EXPECT_EQ(one.runs[run][argument].bytes(), other.runs[run][argument].bytes());
    }
  }
  EXPECT_GT(reshaped, kCases / 2);
}

TEST(Reshapes, AreDrawnAsOftenAsIsAsked) {
  GeneratorOptions options;
  options.reshape_percent = 3;
  int reshaped = 0;
  for (uint64_t number = 0; number < kCases; ++number) {
    reshaped += (GenerateCase(7, number, options) != GenerateCase(7, number, {})) ? 1 : 0;
  }
  EXPECT_GT(reshaped, kCases / 100);
  EXPECT_LT(reshaped, kCases * 3 / 100);
}

}  // namespace
}  // namespace tosaic
