// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walls between folders: ci/check_walls.sh holds on this tree, and finds a breach wherever one is made.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// The rooms, and those that each may include.
std::map<std::string, std::vector<std::string>> Rooms() {
  std::map<std::string, std::vector<std::string>> rooms;
  for (const absl::string_view row : absl::StrSplit(Slurp(absl::StrCat(TOSAIC_SOURCE_DIR, "/ci/rooms.txt")), '\n')) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(row, absl::MaxSplits(':', 1));
    if (!parts.first.empty() && parts.first[0] != '#')
      rooms[parts.first] = absl::StrSplit(parts.second, absl::ByAnyChar(" |"), absl::SkipEmpty());
  }
  return rooms;
}

// The top folders that have rooms.
std::vector<std::string> Folders() {
  std::set<std::string> folders;
  for (const auto& [room, others] : Rooms()) {
    if (!absl::StartsWith(room, "examples/")) folders.insert(room.substr(0, room.find('/')));
  }
  return {folders.begin(), folders.end()};
}

// Makes a tree in which each room includes those in its row, with the files that the script reads beside the sources.
void MakeHonestTree(const TemporaryDirectory& temporary) {
  for (const auto& [room, others] : Rooms()) {
    std::string text = "#include <string>\n";
    for (const std::string& other : others) absl::StrAppend(&text, "#include \"", other, "/honest.h\"\n");
    fs::create_directories(temporary / room);
    Spill(temporary / absl::StrCat(room, "/honest.cpp"), text);
  }
  for (const char* file : {"ci/check_walls.sh", "ci/rooms.txt", "docs/design.md", ".clang-tidy"}) {
    fs::create_directories(fs::path(temporary / file).parent_path());
    fs::copy(absl::StrCat(TOSAIC_SOURCE_DIR, "/", file), temporary / file);
  }
}

int CheckWalls(const std::string& root, const std::string& errors) {
  const int status = std::system(absl::StrCat("bash '", root, "/ci/check_walls.sh' 2>'", errors, "'").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WallsTest, ThisTreeKeepsThem) {
  TemporaryDirectory temporary;
  EXPECT_EQ(CheckWalls(TOSAIC_SOURCE_DIR, temporary / "errors"), 0) << Slurp(temporary / "errors");
}

TEST(WallsTest, EveryBreachIsFound) {
  const std::pair<const char*, const char*> breaches[] = {
      {"model", "\"oracle/judge.h\""},
      {"generators", "\"oracle/broadcast.h\""},
      {"oracle", "\"generators/shapes.h\""},
      {"oracle", "\"mlir/IR/Verifier.h\""},
      {"oracle", "<llvm/ADT/APFloat.h>"},
      {"oracle", "\"toolchain/toolchain.h\""},
      {"generators", "\"mlir/IR/Builders.h\""},
      {"toolchain", "\"oracle/judge.h\""},
      {"toolchain", "\"campaign/campaign.h\""},
      {"reducer", "\"oracle/judge.h\""},
      {"reducer", "\"toolchain/toolchain.h\""},
      {"reports", "\"campaign/campaign.h\""},
      {"reports", "\"oracle/judge.h\""},
      {"campaign", "\"tools/subcommands.h\""},
      {"campaign", "\"mlir/IR/Verifier.h\""},
      {"tools", "\"llvm/Support/raw_ostream.h\""},
      {"fuzzers", "\"mlir/IR/Action.h\""},
      {"campaign", "\"tests/fake_toolchain.h\""},
      {"workers", "\"llvm/Support/Error.h\""},
      {"toolchain", "\"llvm/Support/Error.h\""},
      {"toolchain", "\"mlir/IR/Action.h\""},
      {"toolchain/execution", "\"mlir/IR/Action.h\""},
      {"toolchain/external", "\"mlir/IR/Action.h\""},
      {"workers", "\"toolchain/toolchain.h\""},
      {"toolchain/external", "\"toolchain/mlir/mlir_import.h\""},
      {"checking", "\"campaign/campaign.h\""},
      {"campaign", "\"conformance/conformance.h\""},
      {"tools/capi_worker", "\"tools/subcommands.h\""},  // a room does not see the one around it
      {"oracle/below", "\"model/shape.h\""},             // a folder that is no room
  };
  for (const auto& [folder, include] : breaches) {
    TemporaryDirectory temporary;
    MakeHonestTree(temporary);
    EXPECT_EQ(CheckWalls(temporary.path(), temporary / "errors"), 0) << Slurp(temporary / "errors");
    fs::create_directories(temporary / folder);
    Spill(temporary / absl::StrCat(folder, "/breach.h"), absl::StrCat("#include ", include, "\n"));
    EXPECT_EQ(CheckWalls(temporary.path(), temporary / "errors"), 1) << folder << " " << include;
    EXPECT_TRUE(absl::StrContains(Slurp(temporary / "errors"), absl::StrCat(folder, "/breach.h")));
  }
}

TEST(WallsTest, AnAllowanceThatARoomDoesNotUseIsFound) {
  TemporaryDirectory temporary;
  MakeHonestTree(temporary);
  Spill(temporary / "oracle/honest.cpp", "#include \"codec/json.h\"\n");
  EXPECT_EQ(CheckWalls(temporary.path(), temporary / "errors"), 1);
  EXPECT_EQ(Slurp(temporary / "errors"), "ci/rooms.txt lets oracle include model, which it does not\n");
}

TEST(WallsTest, ARoomThatIsNamedNowhereIsFound) {
  TemporaryDirectory temporary;
  MakeHonestTree(temporary);
  fs::create_directories(temporary / "new");
  Spill(temporary / "new/honest.cpp", "#include \"codec/json.h\"\n");
  Spill(temporary / "ci/rooms.txt", absl::StrCat(Slurp(temporary / "ci/rooms.txt"), "new: codec\n"));
  EXPECT_EQ(CheckWalls(temporary.path(), temporary / "errors"), 1);
  EXPECT_TRUE(absl::StrContains(Slurp(temporary / "errors"), "docs/design.md lacks the room new/"));
  Spill(temporary / "docs/design.md", absl::StrCat(Slurp(temporary / "docs/design.md"), "| `new/` | a room |\n"));
  EXPECT_EQ(CheckWalls(temporary.path(), temporary / "errors"), 1);
  EXPECT_TRUE(absl::StrContains(Slurp(temporary / "errors"), "HeaderFilterRegex lacks new"));
}

// The script cannot see an include that does not name its folder, nor libraries that belong to one folder.
TEST(WallsTest, EveryIncludeNamesItsFolder) {
  // The last is made at build time (cmake/Revision.cmake).
  const std::set<std::string> others = {"absl", "gtest", "gmock", "nlohmann", "benchmark", "gnu", "tosaic_revision.h"};
  const std::regex line("^#\\s*include\\s*([\"<])([^\">]*)[\">].*");
  const std::vector<std::string> folders = Folders();
  EXPECT_GT(folders.size(), 10);
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(absl::StrCat(TOSAIC_SOURCE_DIR, "/", folder))) {
      const std::string file = entry.path().string();
      if (!absl::EndsWith(file, ".h") && !absl::EndsWith(file, ".cpp") && !absl::EndsWith(file, ".def")) continue;
      const std::string text = Slurp(file);
      for (const std::string& text_line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
        std::smatch match;
        if (!std::regex_match(text_line, match, line)) continue;
        const std::string path = match[2], top = path.substr(0, path.find('/'));
        EXPECT_FALSE(absl::StrContains(path, "..")) << file << ": " << text_line;
        if (match[1] == "<") {
          EXPECT_TRUE(top == path || top == "sys" || top == "gtest") << file << ": " << text_line;
          EXPECT_TRUE(path != "mpfr.h" || folder == "oracle") << file << ": " << text_line;
          continue;
        }
        bool known = others.contains(top);
        for (const std::string& own : folders) known |= top == own;
        known |= top == "tests" && absl::EndsWith(file, "_test.cpp");
        known |= folder == "toolchain" && (top == "mlir" || top == "llvm");
        known |= folder == "tools" && top == "CLI";
        known |= folder == "proving" && path == "z3++.h";
        EXPECT_TRUE(known) << file << ": " << text_line;
      }
    }
  }
}

}  // namespace
}  // namespace tosaic
