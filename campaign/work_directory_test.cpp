// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/work_directory.h"

#include <filesystem>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "model/signature_program.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

Identity OfSeed(uint64_t seed) { return {.seed = seed}; }

CaseRecord Record(uint64_t number, const std::string& signature = "") {
  CaseRecord record;
  record.number = number;
  record.verdict = signature.empty() ? Verdict::kAgree : Verdict::kWrongValue;
  record.signature = ParseFindingSignature(signature);
  return record;
}

// A work directory with the cases 0, 1 and 2.
void Fill(const std::string& path) {
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(path, OfSeed(1));
  ASSERT_TRUE(directory.ok()) << directory.status();
  for (uint64_t number : {2, 0, 1}) ASSERT_TRUE(directory->Append(Record(number)).ok());
}

std::vector<uint64_t> NumbersIn(const std::string& path) {
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(path, OfSeed(1));
  EXPECT_TRUE(directory.ok()) << directory.status();
  std::vector<uint64_t> numbers;
  if (!directory.ok()) return numbers;
  EXPECT_TRUE(directory->ForEach([&](const CaseRecord& record) { numbers.push_back(record.number); }).ok());
  return numbers;
}

CampaignSummary SummaryWith(const std::vector<std::string>& signatures) {
  CampaignSummary summary;
  for (const std::string& signature : signatures) {
    Finding finding;
    finding.signature = ParseFindingSignature(signature);
    finding.op = "add";
    finding.cases().original.program = ParseSignature("add(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>").value();
    finding.cases().reduced = finding.cases().original;
    summary.findings.push_back(finding);
  }
  return summary;
}

using Numbers = std::vector<uint64_t>;

TEST(WorkDirectoryTest, GoesOnWithWhatIsThere) {
  TemporaryDirectory temporary;
  const std::string path = temporary / "deep/work";
  Fill(path);
  EXPECT_EQ(NumbersIn(path), (Numbers{0, 1, 2}));
  EXPECT_EQ(NumbersIn(path), (Numbers{0, 1, 2})) << "opening twice changes nothing";
}

TEST(WorkDirectoryTest, DoesNotGoOnWithAHarnessFault) {
  TemporaryDirectory temporary;
  Fill(temporary.path());
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  CaseRecord fault = Record(1);
  fault.verdict = Verdict::kHarnessFault;
  ASSERT_TRUE(directory->Append(fault).ok());
  directory = absl::UnknownError("closed");
  EXPECT_EQ(NumbersIn(temporary.path()), (Numbers{0, 2}));
}

TEST(WorkDirectoryTest, ARecordIsOnDiskAtOnce) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  ASSERT_TRUE(directory->Append(Record(7)).ok());
  EXPECT_TRUE(absl::StrContains(Slurp(temporary / "journal.jsonl"), "\"case\":7"));
}

TEST(WorkDirectoryTest, AnotherCampaignIsRefusedAndNothingChanges) {
  TemporaryDirectory temporary;
  Fill(temporary.path());
  Spill(temporary / "summary.json", "{}");
  Spill(temporary / "journal.jsonl", Slurp(temporary / "journal.jsonl") + "{\"case\":3,\"ver");
  const auto before = FilesBelow(temporary.path());
  const absl::StatusOr<WorkDirectory> other = WorkDirectory::Open(temporary.path(), OfSeed(2));
  ASSERT_FALSE(other.ok());
  EXPECT_TRUE(absl::StrContains(other.status().message(), "another campaign (seed 1, not 2): give another --out"))
      << other.status();
  EXPECT_TRUE(absl::StrContains(other.status().message(), temporary.path()));
  EXPECT_EQ(FilesBelow(temporary.path()), before);
}

TEST(WorkDirectoryTest, AFileThatIsNoJournalIsRefusedAndStays) {
  TemporaryDirectory temporary;
  Spill(temporary / "journal.jsonl", "Dear diary,\n");
  EXPECT_FALSE(WorkDirectory::Open(temporary.path(), OfSeed(1)).ok());
  EXPECT_EQ(Slurp(temporary / "journal.jsonl"), "Dear diary,\n");
}

TEST(WorkDirectoryTest, ForeignFilesInTheWayAreRefusedAndStay) {
  for (const char* name : {"findings", "summary.json"}) {
    TemporaryDirectory temporary;
    fs::create_directories(temporary / "findings");
    Spill(temporary / "findings/mine", "precious");
    if (std::string(name) == "summary.json") fs::rename(temporary / "findings", temporary / name);
    const auto before = FilesBelow(temporary.path());
    const absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
    ASSERT_FALSE(directory.ok());
    EXPECT_TRUE(absl::StrContains(directory.status().message(), name)) << directory.status();
    EXPECT_EQ(FilesBelow(temporary.path()), before);
  }
}

TEST(WorkDirectoryTest, OtherFilesBesideAreNoHindrance) {
  TemporaryDirectory temporary;
  Spill(temporary / "README", "mine");
  Fill(temporary.path());
  EXPECT_EQ(Slurp(temporary / "README"), "mine");
}

TEST(WorkDirectoryTest, ALineCutOffByACrashIsDropped) {
  TemporaryDirectory temporary;
  Fill(temporary.path());
  const std::string whole = Slurp(temporary / "journal.jsonl");
  for (size_t cut = 1; cut < JournalLine(Record(1)).size(); cut += 17) {
    Spill(temporary / "journal.jsonl", whole.substr(0, whole.size() - cut));
    // The newline alone missing, the line is whole.
    EXPECT_EQ(NumbersIn(temporary.path()), cut == 1 ? (Numbers{0, 1, 2}) : (Numbers{0, 2})) << cut;
  }
}

TEST(WorkDirectoryTest, AChangedLineIsDroppedAndNamed) {
  TemporaryDirectory temporary;
  Fill(temporary.path());
  std::string text = Slurp(temporary / "journal.jsonl");
  const size_t digit = text.find("\"compared\":0", text.find("\"case\":2")) + 11;
  ASSERT_EQ(text[digit], '0');
  text[digit] = '1';
  Spill(temporary / "journal.jsonl", text);
  testing::internal::CaptureStderr();
  EXPECT_EQ(NumbersIn(temporary.path()), (Numbers{0, 1}));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            absl::StrCat("tosaic: ", temporary / "journal.jsonl",
                         ":2: its checksum is of another line: somebody or something has changed it; 1 line dropped, "
                         "whose cases run again\n"));
}

TEST(WorkDirectoryTest, AppendsAfterACutOffLineStartALineOfTheirOwn) {
  TemporaryDirectory temporary;
  Fill(temporary.path());
  const std::string whole = Slurp(temporary / "journal.jsonl");
  Spill(temporary / "journal.jsonl", whole.substr(0, whole.size() - 20));
  {
    absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
    ASSERT_TRUE(directory.ok());
    ASSERT_TRUE(directory->Append(Record(9)).ok());
  }
  EXPECT_EQ(NumbersIn(temporary.path()), (Numbers{0, 2, 9}));
}

TEST(WorkDirectoryTest, AnEmptyJournalIsAFreshStart) {
  TemporaryDirectory temporary;
  Spill(temporary / "journal.jsonl", "");
  EXPECT_EQ(NumbersIn(temporary.path()), Numbers{});
}

TEST(WorkDirectoryTest, RewriteSortsTheJournal) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  for (uint64_t number : {5, 3}) ASSERT_TRUE(directory->Append(Record(number)).ok());
  ASSERT_TRUE(directory->Rewrite([](CaseRecord&) {}).ok());
  ASSERT_TRUE(directory->Append(Record(4)).ok());
  EXPECT_EQ(Slurp(temporary / "journal.jsonl"), ToLine(OfSeed(1)) + "\n" + JournalLine(Record(3)) + "\n" +
                                                    JournalLine(Record(5)) + "\n" + JournalLine(Record(4)) + "\n");
}

TEST(WorkDirectoryTest, RecordsAreReadFromTheJournal) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  const std::string signature = "wrong-value/add/f32/loops/number-for-number";
  for (const uint64_t number : {5, 3}) ASSERT_TRUE(directory->Append(Record(number)).ok());
  ASSERT_TRUE(directory->Append(Record(4, signature)).ok());
  EXPECT_TRUE(directory->Has(3) && !directory->Has(7));
  CaseRecord killed = Record(6);
  killed.verdict = Verdict::kHarnessFault;
  killed.notes = {"killed from outside"};
  ASSERT_TRUE(directory->Append(killed).ok());
  EXPECT_EQ(directory->Divergent(), (Numbers{4, 6}));
  EXPECT_EQ(ToString(directory->Read(4).value().signature), signature);
  ASSERT_TRUE(directory->Rewrite([](CaseRecord& record) { record.runs = record.number; }).ok());
  ASSERT_TRUE(directory->Append(Record(1)).ok());
  Numbers runs;
  ASSERT_TRUE(directory->ForEach([&](const CaseRecord& record) { runs.push_back(record.runs); }).ok());
  EXPECT_EQ(runs, (Numbers{0, 3, 4, 5, 6})) << "of the cases 1, 3, 4, 5 and 6";
}

TEST(WorkDirectoryTest, AJournalThatSomebodyChangesWhileItIsUsedIsAnError) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  for (const uint64_t number : {1, 2}) ASSERT_TRUE(directory->Append(Record(number)).ok());
  const std::string journal = Slurp(temporary / "journal.jsonl");
  Spill(temporary / "journal.jsonl", journal.substr(0, journal.size() - 20));
  EXPECT_TRUE(directory->Read(1).ok());
  const absl::Status status = directory->Rewrite([](CaseRecord&) {});
  EXPECT_TRUE(absl::StrContains(status.message(), "somebody has changed the line of case 2")) << status;
}

TEST(WorkDirectoryTest, WithoutRecordsTheJournalIsLeftAsItIs) {
  TemporaryDirectory temporary;
  Fill(temporary.path());
  const auto before = FilesBelow(temporary.path());
  const absl::StatusOr<WorkDirectory> directory =
      WorkDirectory::OpenWithoutRecords(temporary.path(), ToJson(OfSeed(1)));
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_EQ(directory->size(), 0u);
  EXPECT_EQ(Slurp(temporary / "journal.jsonl"), before.at("journal.jsonl"));
  const absl::StatusOr<WorkDirectory> other = WorkDirectory::OpenWithoutRecords(temporary / "new", ToJson(OfSeed(2)));
  EXPECT_TRUE(other.ok()) << other.status();
  EXPECT_FALSE(fs::exists(temporary / "new/journal.jsonl"));
}

TEST(WorkDirectoryTest, WritesAFolderPerFindingAndRemovesOlderOnes) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  CampaignSummary first = SummaryWith({"crash/add", "leak/add"});
  ASSERT_TRUE(directory->WriteResults(&first, {}, {}).ok());
  ASSERT_EQ(first.findings.size(), 2u);
  for (const Finding& finding : first.findings) {
    const std::string& folder = finding.cases().folder;
    for (const char* file :
         {"original.json", "original.mlir", "reduced.json", "reduced.mlir", "finding.json", "finding.txt"}) {
      EXPECT_TRUE(fs::exists(temporary / (folder + "/" + file))) << folder << "/" << file;
    }
  }
  CampaignSummary second = SummaryWith({"leak/add"});
  ASSERT_TRUE(directory->WriteResults(&second, {}, {}).ok());
  EXPECT_FALSE(fs::exists(temporary / first.findings[0].cases().folder));
  EXPECT_TRUE(fs::exists(temporary / first.findings[1].cases().folder));
  CampaignSummary none;
  ASSERT_TRUE(directory->WriteResults(&none, {}, {}).ok());
  const auto files = FilesBelow(temporary.path());
  EXPECT_EQ(files.size(), 5u) << "the journal, the summary, what merging needs, and the lock";
}

TEST(WorkDirectoryTest, WhatAnInterruptedWriteLeftIsClearedAway) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  fs::create_directories(temporary / "findings.new/half");
  CampaignSummary summary = SummaryWith({"crash/add"});
  ASSERT_TRUE(directory->WriteResults(&summary, {}, {}).ok());
  EXPECT_FALSE(fs::exists(temporary / "findings.new"));
  EXPECT_FALSE(fs::exists(temporary / "findings/half"));
}

TEST(WorkDirectoryTest, ASummaryThatCannotBeWrittenIsAnError) {
  TemporaryDirectory temporary;
  absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary.path(), OfSeed(1));
  ASSERT_TRUE(directory.ok());
  fs::create_directory(temporary / "summary.json");
  CampaignSummary summary;
  const absl::Status status = directory->WriteResults(&summary, {}, {});
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(absl::StrContains(status.message(), temporary / "summary.json")) << status;
}

TEST(WorkDirectoryTest, ADirectoryThatCannotBeMadeIsNamed) {
  TemporaryDirectory temporary;
  Spill(temporary / "file", "kept");
  const absl::StatusOr<WorkDirectory> directory = WorkDirectory::Open(temporary / "file", OfSeed(1));
  ASSERT_FALSE(directory.ok());
  EXPECT_TRUE(absl::StrContains(directory.status().message(), temporary / "file")) << directory.status();
  EXPECT_EQ(Slurp(temporary / "file"), "kept");
}

TEST(FolderNameTest, IsReadableShortAndUnique) {
  EXPECT_TRUE(absl::StartsWith(FolderName("crash/add/f32/loops"), "crash-add-f32-loops-"));
  EXPECT_NE(FolderName("crash/add f32"), FolderName("crash/add/f32"));
  const std::string name = FolderName("a/../b/'tosa.add' \"x\"\n" + std::string(500, 'y'));
  EXPECT_LE(name.size(), 80u);
  for (char c : {'/', '\'', '"', '\n', ' '}) EXPECT_EQ(name.find(c), std::string::npos);
}

TEST(RemoveWorkTest, LeavesWhatIsNotACampaigns) {
  TemporaryDirectory temporary;
  for (const char* name : {"out/journal.jsonl", "out/findings/one/case.json", "out/mine"}) {
    std::filesystem::create_directories(std::filesystem::path(temporary / name).parent_path());
    Spill(temporary / name, "x");
  }
  std::filesystem::create_directory_symlink(temporary / "out", temporary / "link");
  RemoveWork(temporary / "link");
  EXPECT_EQ(FilesBelow(temporary / "out"), (std::map<std::string, std::string>{{"mine", "x"}}));
  EXPECT_TRUE(std::filesystem::is_symlink(temporary / "link"));
  std::filesystem::remove(temporary / "out/mine");
  RemoveWork(temporary / "out");
  EXPECT_FALSE(std::filesystem::exists(temporary / "out"));
}

}  // namespace
}  // namespace tosaic
