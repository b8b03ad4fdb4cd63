// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/rounds.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(RoundsTest, FollowEachOther) {
  uint64_t begin = 0;
  for (int round = 0; round < 8; ++round) {
    const uint64_t end = RoundEnd(begin);
    ASSERT_GT(end, begin);
    for (const uint64_t number : {begin, end - 1}) {
      EXPECT_EQ(RoundBegin(number), begin);
      EXPECT_EQ(RoundEnd(number), end);
    }
    begin = end;
  }
}

}  // namespace
}  // namespace tosaic
