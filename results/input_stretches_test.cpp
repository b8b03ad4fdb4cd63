// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/input_stretches.h"

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(InputStretchesTest, ConsecutiveInputsAreOneStretch) {
  InputStretches stretches;
  for (uint64_t input : {5, 6, 7, 9, 20, 21}) stretches.Add(input);
  EXPECT_EQ(stretches.inputs, 6u);
  EXPECT_EQ(stretches.count, 3u);
  EXPECT_EQ(stretches.listed, (std::vector<InputStretch>{{5, 7}, {9, 9}, {20, 21}}));
  EXPECT_EQ(stretches.last, (InputStretch{20, 21}));
}

// The parts of a sweep, put together, are what one part would have been: stretches across borders are one.
TEST(InputStretchesTest, PartsMakeTheSameAsAWhole) {
  for (const uint64_t step : {1, 2, 3}) {
    InputStretches whole, of_parts;
    for (uint64_t part = 0; part < 10; ++part) {
      InputStretches one;
      for (uint64_t input = part * 60; input < part * 60 + 60; ++input) {
        if (input % step == 1 || (input / 100) % 2 == 1) continue;
        whole.Add(input);
        one.Add(input);
      }
      of_parts.Add(one);
    }
    EXPECT_EQ(whole, of_parts) << step;
    EXPECT_LE(whole.listed.size(), InputStretches::kListed);
  }
}

TEST(InputStretchesTest, ManyAreCountedAndTheFirstAreListed) {
  InputStretches stretches;
  for (uint64_t input = 0; input < 1000; input += 2) stretches.Add(input);
  EXPECT_EQ(stretches.count, 500u);
  EXPECT_EQ(stretches.listed.size(), InputStretches::kListed);
  EXPECT_EQ(stretches.last, (InputStretch{998, 998}));
  stretches.Add(999);
  EXPECT_EQ(stretches.count, 500u);
  EXPECT_EQ(stretches.last, (InputStretch{998, 999}));
  const absl::StatusOr<InputStretches> read = FromText<InputStretches>(ToLine(stretches));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, stretches);
}

}  // namespace
}  // namespace tosaic
