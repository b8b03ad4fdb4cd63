// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic fuzz --guided` as a user runs it, over the real MLIR.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

std::vector<std::string> Guided(const TemporaryDirectory& directory, int jobs) {
  return {"fuzz",
          "--guided",
          "--seed=3",
          "--cases=120",
          "--no-reduce",
          absl::StrCat("--jobs=", jobs),
          absl::StrCat("--out=", directory / "out"),
          absl::StrCat("--corpus=", directory / "corpus")};
}

std::vector<Json> Records(const TemporaryDirectory& directory) {
  const std::string text = Slurp(directory / "out/journal.jsonl");
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  std::vector<Json> records;
  for (size_t i = 1; i < lines.size(); ++i) records.push_back(*ParseJson(lines[i]));
  return records;
}

// By number what is said of each case, but for what tells of the worker.
std::map<uint64_t, std::string> Journal(const TemporaryDirectory& directory) {
  std::map<uint64_t, std::string> records;
  for (Json& record : Records(directory)) {
    for (const char* key : {"first_preceding", "patterns", "reached"}) record.erase(key);
    records[record["case"].get<uint64_t>()] = Dump(record, -1);
  }
  return records;
}

class E2eGuided : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    one_worker_ = std::make_unique<TemporaryDirectory>();
    const Ran ran = RunTosaic(Guided(*one_worker_, 1));
    EXPECT_LE(ran.status, 1) << ran.out << ran.err;
  }
  static void TearDownTestSuite() { one_worker_.reset(); }
  static const TemporaryDirectory& WithOneWorker() { return *one_worker_; }
  static void ExpectTheSame(const TemporaryDirectory& directory) {
    EXPECT_EQ(Journal(directory), Journal(WithOneWorker()));
    EXPECT_EQ(FilesBelow(directory / "corpus"), FilesBelow(WithOneWorker() / "corpus"));
  }

 private:
  static inline std::unique_ptr<TemporaryDirectory> one_worker_;
};

TEST_F(E2eGuided, LeavesACorpusOfCasesThatReachBlocks) {
  EXPECT_GT(FilesBelow(WithOneWorker() / "corpus").size(), 20u);
  const Ran checked = RunTosaic({"check", WithOneWorker() / "corpus"});
  EXPECT_LE(checked.status, 1) << checked.out << checked.err;
}

// What a round has reached is forgotten: no case of a later round stops there, or every case would be run twice.
TEST_F(E2eGuided, ABlockIsOfOneRound) {
  std::map<std::string, int> round_of;
  int blocks = 0;
  for (const Json& record : Records(WithOneWorker())) {
    const int number = record["case"], round = number < 16 ? 0 : number < 64 ? 1 : 2;
    for (const std::string& reached : record.value("reached", std::vector<std::string>())) {
      if (!absl::ascii_isdigit(reached.front())) continue;
      EXPECT_EQ(round_of.try_emplace(reached, round).first->second, round)
          << "block " << reached << ", case " << number;
      ++blocks;
    }
  }
  EXPECT_GT(blocks, 1000);
}

TEST_F(E2eGuided, ThreeWorkersLeaveTheSameVerdictsAndCorpus) {
  const TemporaryDirectory directory;
  const Ran ran = RunTosaic(Guided(directory, 3));
  EXPECT_LE(ran.status, 1) << ran.out << ran.err;
  ExpectTheSame(directory);
}

TEST_F(E2eGuided, KilledAndGoneOnWithItLeavesTheSame) {
  const TemporaryDirectory directory;
  StoppedInTheMidst(Guided(directory, 3), directory.path(), directory / "out/journal.jsonl", 60, SIGKILL);
  const Ran ran = RunTosaic(Guided(directory, 2));
  EXPECT_LE(ran.status, 1) << ran.out << ran.err;
  ExpectTheSame(directory);
}

TEST_F(E2eGuided, SaysOnceWhereThereAreNoEyes) {
  const TemporaryDirectory directory;
  std::vector<std::string> arguments = Guided(directory, 1);
  arguments.insert(arguments.end(), {"--cases=8", absl::StrCat("--toolchain=", TOSAIC_LLVM_TOOLS)});
  std::erase(arguments, "--cases=120");
  const Ran ran = RunTosaic(arguments);
  EXPECT_LE(ran.status, 1) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, "rules guide this campaign, and no blocks: ")) << ran.err;
}

}  // namespace
}  // namespace tosaic
