// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/choice_source.h"

#include <array>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

// These values are a promise: a seed found today names the same case in ten years.
TEST(SeededChoices, GivesTheKnownSequence) {
  SeededChoices zero(0, 0);
  const std::array<uint64_t, 4> of_zero = {zero.Bits(), zero.Bits(), zero.Bits(), zero.Bits()};
  EXPECT_EQ(of_zero,
            (std::array<uint64_t, 4>{0x56eaad56059fae32, 0x3b7cec11cc0f444e, 0xd117ff4dbeb44d6a, 0x71bf179cc527dd8a}));
  SeededChoices other(1, 42);
  const std::array<uint64_t, 4> of_other = {other.Bits(), other.Bits(), other.Bits(), other.Bits()};
  EXPECT_EQ(of_other,
            (std::array<uint64_t, 4>{0x83f88ae0e19836c8, 0x727047798201fdab, 0xe08c7c19dd79e5bc, 0x817f850450bdecf6}));
}

TEST(SeededChoices, StreamsAndSeedsDiffer) {
  std::set<uint64_t> firsts;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    for (uint64_t stream = 0; stream < 100; ++stream) firsts.insert(SeededChoices(seed, stream).Bits());
  }
  EXPECT_EQ(firsts.size(), 10000u);
}

TEST(ChoiceSource, BelowIsUniformAndInRange) {
  SeededChoices choices(7, 7);
  std::array<int, 10> counts = {};
  for (int i = 0; i < 100000; ++i) ++counts.at(choices.Below(10));
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(choices.Below(1), 0u);
}

TEST(ChoiceSource, BetweenIncludesBothEnds) {
  SeededChoices choices(7, 8);
  std::set<int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(choices.Between(-2, 2));
  EXPECT_EQ(seen, (std::set<int64_t>{-2, -1, 0, 1, 2}));
}

TEST(ChoiceSource, ChanceAndWeightedFollowTheirWeights) {
  SeededChoices choices(7, 9);
  int hits = 0;
  std::array<int, 3> counts = {};
  constexpr int kWeights[] = {1, 0, 3};
  for (int i = 0; i < 10000; ++i) {
    hits += choices.Chance(1, 4) ? 1 : 0;
    ++counts.at(choices.Weighted(kWeights));
  }
  EXPECT_NEAR(hits, 2500, 200);
  EXPECT_NEAR(counts[0], 2500, 200);
  EXPECT_EQ(counts[1], 0);
}

TEST(ByteChoices, ReadsBytesThenZeros) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ByteChoices choices(bytes);
  EXPECT_EQ(choices.Bits(), 0x0807060504030201u);
  EXPECT_EQ(choices.Below(200), 9u);
  EXPECT_EQ(choices.Below(1), 0u);  // takes no byte
  EXPECT_EQ(choices.Below(7), 10u % 7);
  EXPECT_EQ(choices.Bits(), 0u);
  EXPECT_EQ(choices.Below(5), 0u);
  EXPECT_FALSE(choices.Chance(1, 2));
}

TEST(ByteChoices, ASmallChoiceTakesOneByte) {
  const std::vector<uint8_t> bytes = {255, 3, 1, 7};
  ByteChoices choices(bytes);
  EXPECT_EQ(choices.Below(256), 255u);
  EXPECT_EQ(choices.Below(1000), 3u + 256u);
  EXPECT_EQ(choices.Below(8), 7u);
}

}  // namespace
}  // namespace tosaic
