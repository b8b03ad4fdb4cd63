// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/journals.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "campaign/case_record.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

std::string Line(uint64_t number, std::vector<std::string> patterns = {}) {
  CaseRecord record;
  record.number = number;
  record.op = "add";
  record.patterns = std::move(patterns);
  return ToLine(record) + "\n";
}

const Json kIdentity = {{"tosaic_campaign", 1}};

TEST(JournalsTest, LinesPassInTheOrderOfTheirCasesAndAPatternStaysWithTheFirst) {
  TemporaryDirectory temporary;
  Spill(temporary / "a", "{}\n" + Line(0) + Line(2, {"P", "Q"}) + Line(4));
  Spill(temporary / "b", "{}\n" + Line(1, {"P"}) + Line(7));
  const auto lines = MergeJournals({temporary / "a", temporary / "b"}, kIdentity, temporary / "all");
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_EQ(*lines, (std::vector<uint64_t>{3, 2}));
  EXPECT_EQ(Slurp(temporary / "all"),
            Dump(kIdentity, -1) + "\n" + Line(0) + Line(1, {"P"}) + Line(2, {"Q"}) + Line(4) + Line(7));
}

// More shards than a process may have files open, for instance.
TEST(JournalsTest, AJournalThatCannotBeOpenedIsNoEmptyOne) {
  TemporaryDirectory temporary;
  Spill(temporary / "a", "{}\n" + Line(0));
  const auto lines = MergeJournals({temporary / "a", temporary / "b"}, kIdentity, temporary / "all");
  ASSERT_FALSE(lines.ok());
  EXPECT_TRUE(absl::StrContains(lines.status().message(), (temporary / "b") + ": cannot open")) << lines.status();
  EXPECT_FALSE(std::filesystem::exists(temporary / "all"));
}

}  // namespace
}  // namespace tosaic
