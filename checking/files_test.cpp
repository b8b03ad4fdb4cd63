// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/files.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/signature_program.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

std::string CaseText() {
  Case test_case;
  test_case.program = ParseSignature("abs(tensor<1xf32>) -> tensor<1xf32>").value();
  return CaseToText(test_case);
}

void ExpectError(const absl::Status& status, absl::string_view part) {
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
  EXPECT_FALSE(absl::StrContains(status.message(), "\n")) << status;
}

TEST(FilesTest, ADeviceWithoutAnEndIsNoFile) {
  ExpectError(ReadFile("/dev/zero").status(), "/dev/zero: cannot read: it is a device without an end");
  EXPECT_EQ(ReadFile("/dev/null").value(), "");
}

TEST(FilesTest, APipeThatNobodyHoldsIsNotWaitedFor) {
  TemporaryDirectory directory;
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ExpectError(ReadFile(pipe).status(), pipe + ": cannot read: nobody writes into this pipe");
  ExpectError(WriteFile(pipe, "content"), pipe + ": cannot write: nobody reads this pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(FilesTest, APipeIsReadToItsEndAndWrittenWhole) {
  TemporaryDirectory directory;
  const std::string pipe = directory / "pipe", content(300'000, 'x');
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t other = fork();
  if (other == 0) {  // later than the reader, slowly, then the other way round
    usleep(50'000);
    std::FILE* out = std::fopen(pipe.c_str(), "w");
    usleep(50'000);
    std::fwrite(content.data(), 1, content.size() / 2, out);
    std::fflush(out);
    usleep(50'000);
    std::fwrite(content.data(), 1, content.size() / 2, out);
    std::fclose(out);
    _exit(Slurp(pipe) == content ? 0 : 1);
  }
  EXPECT_EQ(ReadFile(pipe).value(), content);
  EXPECT_TRUE(WriteFile(pipe, content).ok());
  int status = 1;
  EXPECT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
}

TEST(FilesTest, ReadsWhatItWrote) {
  TemporaryDirectory directory;
  const std::string content = std::string("a\0b\n\xff", 5) + std::string(200000, 'x');
  ASSERT_TRUE(WriteFile(directory / "a", content).ok());
  ASSERT_TRUE(WriteFile(directory / "empty", "").ok());
  EXPECT_EQ(ReadFile(directory / "a").value(), content);
  EXPECT_EQ(ReadFile(directory / "empty").value(), "");
  ASSERT_TRUE(WriteFile(directory / "a", "shorter").ok());
  EXPECT_EQ(ReadFile(directory / "a").value(), "shorter");
  EXPECT_EQ(FilesBelow(directory.path()).size(), 2u) << "no temporary file stays";
}

TEST(FilesTest, NamesWhatItCannotRead) {
  TemporaryDirectory directory;
  ExpectError(ReadFile(directory / "nowhere").status(), directory / "nowhere");
  ExpectError(ReadFile(directory.path()).status(), "it is a directory");
}

TEST(FilesTest, AFailedWriteLeavesEverythingAsItWas) {
  TemporaryDirectory directory;
  // A directory has the file's name.
  ASSERT_TRUE(MakeDirectories(directory / "taken").ok());
  Spill(directory / "taken/inside", "kept");
  ExpectError(WriteFile(directory / "taken", "new"), directory / "taken");
  // The directory does not exist, or is a file.
  ExpectError(WriteFile(directory / "nowhere/a", "new"), directory / "nowhere/a");
  Spill(directory / "file", "kept");
  ExpectError(WriteFile(directory / "file/a", "new"), directory / "file/a");
  const std::map<std::string, std::string> kept = {{"file", "kept"}, {"taken/inside", "kept"}};
  EXPECT_EQ(FilesBelow(directory.path()), kept);
}

TEST(FilesTest, AFullDeviceIsAnErrorAndStaysADevice) {
  ExpectError(WriteFile("/dev/full", "content"), "/dev/full: cannot write: No space left");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_TRUE(WriteFile("/dev/null", "content").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(FilesTest, AFileWhereADirectoryShouldBeIsNamed) {
  TemporaryDirectory directory;
  Spill(directory / "file", "kept");
  ExpectError(MakeDirectories(directory / "file"), directory / "file");
  ExpectError(MakeDirectories(directory / "file/below"), directory / "file/below");
  EXPECT_EQ(Slurp(directory / "file"), "kept");
  EXPECT_TRUE(MakeDirectories(directory / "a/b/c").ok());
  EXPECT_TRUE(MakeDirectories(directory / "a/b/c").ok());
  EXPECT_TRUE(fs::is_directory(directory / "a/b/c"));
}

TEST(FilesTest, ANameThatWasReadStaysInItsFolder) {
  TemporaryDirectory directory;
  const std::string folder = directory / "folder";
  ASSERT_TRUE(MakeDirectories(folder + "/below").ok());
  Spill(directory / "secret", "");
  for (const std::string name : {"a", "a.json", "below/a", "not-there/a", "..a", "a..", ".a", "\u00e4 b"}) {
    EXPECT_EQ(PathBelow(folder, name).value(), folder + "/" + name);
  }
  EXPECT_EQ(PathBelow("", "a").value(), "a");
  EXPECT_EQ(PathBelow(folder + "/", "a").value(), folder + "/a");
  for (const std::string& name :
       {std::string(), std::string("/etc/passwd"), std::string(".."), std::string("../secret"), std::string("."),
        std::string("below/../../secret"), std::string("./a"), std::string("a/"), std::string("a//b"),
        std::string("a\0b", 3), std::string("a\nb")}) {
    ExpectError(PathBelow(folder, name).status(), "is not the plain name of a file in " + folder);
  }
  fs::create_symlink("../secret", folder + "/link");
  fs::create_symlink("..", folder + "/up");
  fs::create_symlink("below", folder + "/down");
  ExpectError(PathBelow(folder, "link").status(), "'link' is not the plain name");
  ExpectError(PathBelow(folder, "up/secret").status(), "'up/secret' is not the plain name");
  EXPECT_EQ(PathBelow(folder, "down/a").value(), folder + "/down/a");
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  ExpectError(PathBelow(folder, "pipe").status(), "'pipe' is not the plain name");
  fs::create_symlink("folder", directory / "other-name");
  EXPECT_TRUE(PathBelow(directory / "other-name", "below/a").ok()) << "the folder itself may be a link";
}

TEST(FilesTest, AReproducerIsWrittenIntoItsFolderAlone) {
  TemporaryDirectory directory;
  Spill(directory / "mine", "kept");
  ExpectError(WriteReproducer(directory / "folder", {{"../mine", "lost"}}), "'../mine' is not the plain name");
  EXPECT_EQ(FilesBelow(directory.path()), (std::map<std::string, std::string>{{"mine", "kept"}}));
}

TEST(FilesTest, ABrokenCaseNamesItsFile) {
  TemporaryDirectory directory;
  Spill(directory / "good.json", CaseText());
  EXPECT_TRUE(ReadCase(directory / "good.json").ok());
  Spill(directory / "cut.json", CaseText().substr(0, 100));
  ExpectError(ReadCase(directory / "cut.json").status(), directory / "cut.json");
}

TEST(FilesTest, ListsTheCasesOfADirectoryAndWhatIsBroken) {
  TemporaryDirectory directory;
  ASSERT_TRUE(MakeDirectories(directory / "below").ok());
  Spill(directory / "b.json", CaseText());
  Spill(directory / "below/a.json", CaseText());
  Spill(directory / "below/cut.json", CaseText().substr(0, 100));
  Spill(directory / "below/nonsense.json", "no JSON");
  Spill(directory / "summary.json", "{\"seed\": 1}");
  Spill(directory / "list.json", "[]");
  Spill(directory / "notes.txt", CaseText());
  const std::vector<std::string> expected = {directory / "b.json", directory / "below/a.json",
                                             directory / "below/cut.json", directory / "below/nonsense.json"};
  EXPECT_EQ(CaseFilesAt({directory.path()}).value(), expected);
  EXPECT_EQ(CaseFilesAt({directory / "notes.txt"}).value(), std::vector<std::string>{directory / "notes.txt"});
  // A missing file is told when it is read.
  EXPECT_EQ(CaseFilesAt({directory / "nowhere"}).value(), std::vector<std::string>{directory / "nowhere"});
}

TEST(FilesTest, AProgramBesideACaseIsListedUnlessItIsTheCases) {
  TemporaryDirectory directory;
  for (const char* folder : {"finding", "mine", "repro"}) ASSERT_TRUE(MakeDirectories(directory / folder).ok());
  for (const char* file : {"a.json", "finding/reduced.json", "repro/case.json"}) Spill(directory / file, CaseText());
  for (const char* file : {"b.mlir", "finding/reduced.mlir", "repro/test.mlir", "finding/finding.json",
                           "repro/repro.sh", "mine/c.mlir", "mine/repro.sh"}) {
    Spill(directory / file, "{}");
  }
  Spill(directory / "misspelt.json", R"({"tosaic_cse": 1, "program": {}})");
  const std::string a = directory / "a.json", b = directory / "b.mlir", finding = directory / "finding/reduced.json",
                    mine = directory / "mine/c.mlir", misspelt = directory / "misspelt.json",
                    repro = directory / "repro/case.json";
  EXPECT_EQ(CaseFilesAt({directory.path()}).value(), (std::vector<std::string>{a, b, finding, mine, misspelt, repro}));
  EXPECT_EQ(JsonCaseFilesAt({directory.path()}).value(), (std::vector<std::string>{a, finding, misspelt, repro}));
}

TEST(FilesTest, ADirectoryWithoutCasesIsAnError) {
  TemporaryDirectory directory;
  Spill(directory / "summary.json", "{\"seed\": 1}");
  ExpectError(CaseFilesAt({directory.path()}).status(), directory.path());
}

// The key that marks a case may stand anywhere in the file.
TEST(FilesTest, ACaseIsRecognisedByItsKeyWhereverItStands) {
  TemporaryDirectory directory;
  Json json = ParseJson(CaseText()).value();
  Json reordered = {{"origin", std::string(1000, 'x')}, {"tosaic_case", json["tosaic_case"]}};
  Spill(directory / "a.json", Dump(reordered, 2));
  EXPECT_EQ(CaseFilesAt({directory.path()}).value().size(), 1u);
}

}  // namespace
}  // namespace tosaic
