// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/case_size.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(CaseSize, OrdersSizes) {
  EXPECT_LT(SizeCost(1), SizeCost(2));
  EXPECT_LT(SizeCost(2), SizeCost(3));
  EXPECT_LT(SizeCost(1000), SizeCost(0));
}

}  // namespace
}  // namespace tosaic
