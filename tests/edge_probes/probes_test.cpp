// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short form of bench/edge_probes.
#include "tests/edge_probes/probes.h"

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace tosaic::edge_probes {
namespace {

TEST(EdgeProbes, NothingAllowedIsBlamedAndEachReturnedStepOutsideIs) {
  const Result result = JudgeProbes(/*seed=*/1, /*first=*/0, /*count=*/20000);
  const Counts total = result.Total();
  EXPECT_EQ(total.blamed, 0) << absl::StrJoin(result.complaints, "\n");
  EXPECT_EQ(total.accepted, 0) << absl::StrJoin(result.complaints, "\n");
  // There were probes of every kind.
  EXPECT_GT(total.allowed, 5000);
  EXPECT_GT(total.outside, 2000);
  EXPECT_GT(total.hidden_outside, 200);
  EXPECT_GT(total.hidden_explained, 20);
}

}  // namespace
}  // namespace tosaic::edge_probes
