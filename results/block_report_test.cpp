// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/block_report.h"

#include "absl/strings/match.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "results/text.h"

namespace tosaic {
namespace {

BlockReport Example() {
  BlockReport report;
  report.library = "libMLIR.so.1";
  report.of = "seed 1";
  report.cases = 2;
  report.functions = {
      {.group = "fold", .name = "Whole", .address = 1, .blocks = 2, .reached = 2},
      {.group = "fold", .name = "Part", .address = 2, .blocks = 4, .reached = 3, .unreached = {{12, {"Called"}}}},
      {.group = "verify", .name = "Never", .address = 3, .blocks = 1, .unreached = {{0, {}}}},
      {.group = "verify", .name = "NeverAndLarger", .address = 4, .blocks = 2, .unreached = {{0, {}}, {5, {}}}},
      {.group = "verify", .name = "Wide", .address = 5, .blocks = 9, .unreachable = "over 64 bits"},
  };
  return report;
}

TEST(BlockReport, CountsWhatIsNotKnownToBeUnreachable) {
  const BlockTotals all = TotalsOf(Example().functions), verify = TotalsOf(Example().functions, "verify");
  EXPECT_EQ(all.functions, 4u);
  EXPECT_EQ(all.never_entered, 2u);
  EXPECT_EQ(all.blocks, 9u);
  EXPECT_EQ(all.reached, 5u);
  EXPECT_EQ(verify.blocks, 3u);
}

TEST(BlockReport, NeverEnteredOnesComeFirst) {
  BlockReport report = Example();
  SortForReaders(&report.functions);
  std::vector<std::string> names;
  for (const FunctionBlocks& function : report.functions) names.push_back(function.name);
  EXPECT_EQ(names, (std::vector<std::string>{"NeverAndLarger", "Never", "Part", "Whole", "Wide"}));
}

TEST(BlockReport, TheTextHasEachFunctionThatIsNotReachedWholly) {
  BlockReport report = Example();
  SortForReaders(&report.functions);
  const std::string text = ToText(report, false);
  EXPECT_TRUE(absl::StartsWith(text, "seed 1, 2 cases: 5 of 9 blocks (55.6 %) of 4 functions of libMLIR.so.1\n"))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "\nnever entered\n    0 of    2  NeverAndLarger\n    0 of    1  Never\n"))
      << text;
  EXPECT_TRUE(absl::StrContains(text, "\nreached in part\n    3 of    4  Part\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "\nunreachable: over 64 bits\n    0 of    9  Wide\n")) << text;
  EXPECT_TRUE(absl::StrContains(text, "\n1 function reached wholly\n")) << text;
  EXPECT_FALSE(absl::StrContains(text, "Called"));
  EXPECT_TRUE(absl::StrContains(ToText(report, true), "0xc Called\n"));
}

TEST(BlockReport, IsReadAsItWasWritten) {
  BlockReport report = Example();
  const auto read = FromJson<BlockReport>(ToJson(report));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToLine(*read), ToLine(report));
}

}  // namespace
}  // namespace tosaic
