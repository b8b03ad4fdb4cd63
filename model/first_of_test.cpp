// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/first_of.h"

#include <gtest/gtest.h>

namespace tosaic {
namespace {

TEST(FirstOf, NamesThreeAndCountsTheRest) {
  EXPECT_EQ(FirstOf({}), "");
  EXPECT_EQ(FirstOf({"a"}), "a");
  EXPECT_EQ(FirstOf({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(FirstOf({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

}  // namespace
}  // namespace tosaic
