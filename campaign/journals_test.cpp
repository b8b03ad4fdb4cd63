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
  record.op = OpKind::kAdd;
  record.patterns = std::move(patterns);
  return JournalLine(record) + "\n";
}

const Json kIdentity = {{"tosaic_campaign", 1}};

TEST(JournalsTest, LinesPassInTheOrderOfTheirCasesAndAPatternStaysWithTheFirst) {
  TemporaryDirectory temporary;
  Spill(temporary / "a", "{}\n" + Line(0) + Line(2, {"P", "Q"}) + Line(4));
  Spill(temporary / "b", "{}\n" + Line(1, {"P"}) + Line(7));
  const auto merged = MergeJournals({{temporary / "a"}, {temporary / "b"}}, kIdentity, temporary / "all");
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ((*merged)[0].lines, 3u);
  EXPECT_EQ((*merged)[1].lines, 2u);
  EXPECT_EQ((*merged)[0].problem + (*merged)[1].problem, "");
  EXPECT_EQ(Slurp(temporary / "all"),
            Dump(kIdentity, -1) + "\n" + Line(0) + Line(1, {"P"}) + Line(2, {"Q"}) + Line(4) + Line(7));
}

// More shards than a process may have files open, for instance.
TEST(JournalsTest, AJournalThatCannotBeOpenedIsNoEmptyOne) {
  TemporaryDirectory temporary;
  Spill(temporary / "a", "{}\n" + Line(0));
  const auto lines = MergeJournals({{temporary / "a"}, {temporary / "b"}}, kIdentity, temporary / "all");
  ASSERT_FALSE(lines.ok());
  EXPECT_TRUE(absl::StrContains(lines.status().message(), (temporary / "b") + ": cannot open")) << lines.status();
  EXPECT_FALSE(std::filesystem::exists(temporary / "all"));
}

TEST(JournalsTest, WhatACampaignAtWorkLeavesIsTakenUpToThere) {
  TemporaryDirectory temporary;
  Spill(temporary / "reversed", "{}\n" + Line(4) + Line(2) + Line(0));
  Spill(temporary / "twice", "{}\n" + Line(1) + Line(1));
  Spill(temporary / "cut", "{}\n" + Line(3) + Line(5).substr(0, 50));
  Spill(temporary / "no-end", "{}\n" + Line(7).substr(0, Line(7).size() - 1));
  const auto merged =
      MergeJournals({{temporary / "reversed"}, {temporary / "twice"}, {temporary / "cut"}, {temporary / "no-end"}},
                    kIdentity, temporary / "all");
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ((*merged)[0].problem, "line 3 of its journal has case 2 behind case 4");
  EXPECT_EQ((*merged)[1].problem, "line 3 of its journal has case 1 behind case 1");
  EXPECT_EQ((*merged)[2].problem, "line 3 of its journal is cut short");
  EXPECT_EQ((*merged)[3].problem, "");
  EXPECT_EQ(Slurp(temporary / "all"), Dump(kIdentity, -1) + "\n" + Line(1) + Line(3) + Line(4) + Line(7));
}

TEST(JournalsTest, ABrokenLineIsNamedByFileAndLine) {
  TemporaryDirectory temporary;
  const auto error = [&](const std::string& line, ShardJournal journal = {}) {
    journal.path = temporary / "a";
    Spill(journal.path, "{}\n" + Line(0) + line + Line(8));
    return std::string(MergeJournals({journal}, kIdentity, temporary / "all").status().message());
  };
  std::string flipped = Line(4);
  flipped[flipped.find("add")] ^= 1;
  const std::string place = (temporary / "a") + ":3: ";
  EXPECT_EQ(error(Line(4)), "");
  EXPECT_EQ(error(flipped), place + "its checksum is of another line: somebody or something has changed it");
  EXPECT_TRUE(absl::StartsWith(error("{}\n"), place)) << error("{}\n");
  EXPECT_EQ(error(Line(3), {.shard = 0, .shards = 2}), place + "case 3 is another shard's");
}

}  // namespace
}  // namespace tosaic
