// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/run_values.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(RunValuesTest, AnOperandOfOneElementTakesPartEverywhereWhateverItsRank) {
  const Tensor shift(ElementType::kI8, {1}), row(ElementType::kI32, {1, 3}), scalar(ElementType::kI32, {});
  EXPECT_EQ(OperandIndex(shift.sizes(), 0, {}), 0u);
  EXPECT_EQ(OperandIndex(shift.sizes(), 5, {2, 3}), 0u);
  EXPECT_EQ(OperandIndex(scalar.sizes(), 0, {}), 0u);
  EXPECT_EQ(OperandIndex(row.sizes(), 5, {2, 3}), 2u);
}

}  // namespace
}  // namespace tosaic
