// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real tosaic describes itself: help, version, man page, completions, and errors in a command line.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/run_tosaic.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

std::vector<std::string> AllLines(const std::string& text) { return absl::StrSplit(text, '\n'); }

// The commands that the list of all names: the lines that begin with two blanks and a letter.
std::vector<std::string> Commands() {
  std::vector<std::string> commands;
  const Ran ran = RunTosaic({"help"});
  for (const std::string& line : AllLines(ran.out)) {
    if (line.size() < 3 || line[2] == ' ' || line[2] == '-' || !absl::StartsWith(line, "  ")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    if (name != "tosaic" && absl::ascii_islower(name[0])) commands.push_back(name);
  }
  return commands;
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  const Ran ran = RunTosaic(arguments);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

TEST(E2eHelp, OfEveryCommandFitsAScreenAndHasAnExample) {
  const std::vector<std::string> commands = Commands();
  EXPECT_GT(commands.size(), 15u);
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const Ran ran = RunTosaic({command, "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    for (const std::string& line : AllLines(ran.out)) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("\nExample:\n  tosaic ", command))) << ran.out;
    EXPECT_EQ(RunTosaic({"help", command}).out, ran.out);
  }
  EXPECT_EQ(RunTosaic({"help"}).out, RunTosaic({"--help"}).out);
}

TEST(E2eHelp, OfFuzzGroupsItsFlags) {
  const Ran ran = RunTosaic({"help", "fuzz"});
  for (const char* part : {"\nWhich cases:\n", "\nOptions:\n", "\nWhat is tested:\n", "\nHow the documents are read:\n",
                           "\n  --seed=N                the campaign's seed (default: 1)\n", "not with --duration)"}) {
    EXPECT_TRUE(absl::StrContains(ran.out, part)) << part << " in " << ran.out;
  }
}

TEST(E2eHelp, SpellsAFlagAsItIsGivenAndNamesNoHiddenOne) {
  const std::string check = RunTosaic({"help", "check"}).out;
  EXPECT_TRUE(absl::StrContains(check, "\n  --replace=PASS:NEW      put NEW")) << check;
  const std::string help = RunTosaic({"help", "help"}).out;
  EXPECT_TRUE(absl::StrContains(help, "(default: list all commands)\n")) << help;
}

TEST(E2eHelp, HasColourWhereItIsWanted) {
  EXPECT_TRUE(absl::StrContains(RunTosaic({"help", "fuzz", "--color=always"}).out, "\n\x1b[1mWhich cases:\x1b[0m\n"));
  EXPECT_FALSE(absl::StrContains(RunTosaic({"help", "fuzz"}).out, "\x1b"));
}

TEST(E2eHelp, SaysWhichVersionThisIs) {
  const Ran ran = RunTosaic({"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  int major = 0, minor = 0, patch = 0;
  char revision[100], llvm[100];
  EXPECT_EQ(std::sscanf(ran.out.c_str(), "tosaic %d.%d.%d, revision %90[^,], linked to LLVM and MLIR %90s", &major,
                        &minor, &patch, revision, llvm),
            5)
      << ran.out;
}

TEST(E2eHelp, AnErrorNamesTheHelpToReadAndWhatWasMeant) {
  EXPECT_EQ(ErrorOf({"fuz"}), "tosaic: 'fuz' is not a command; did you mean 'fuzz'? (see 'tosaic --help')\n");
  EXPECT_EQ(ErrorOf({"frobnicate"}), "tosaic: 'frobnicate' is not a command (see 'tosaic --help')\n");
  EXPECT_EQ(ErrorOf({"fuzz", "--sed=1"}),
            "tosaic: 'fuzz' has no flag '--sed'; did you mean '--seed'? (see 'tosaic fuzz --help')\n");
  EXPECT_TRUE(
      absl::StrContains(ErrorOf({"fuzz", "--route=lops"}), "; did you mean 'loops'? (see 'tosaic fuzz --help')"));
  EXPECT_TRUE(absl::StrContains(ErrorOf({"fuzz", "--ops=ad"}), "'ad'; did you mean 'add'? (see 'tosaic list-ops')"));
  EXPECT_TRUE(absl::StrContains(ErrorOf({"help", "chek"}), "'chek' is not a command; did you mean 'check'?"));
  EXPECT_EQ(ErrorOf({}), "tosaic: name a command (see 'tosaic --help')\n");
}

TEST(E2eHelp, TheManPageHasEveryFlag) {
  const Ran ran = RunTosaic({"help", "--man"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(absl::StartsWith(ran.out, ".TH TOSAIC 1 "));
  for (const char* part : {".SS bisect\\-passes\n", "\\fB\\-\\-beyond\\-spec\\-percent=N\\fR", ".SH EXIT STATUS"}) {
    EXPECT_TRUE(absl::StrContains(ran.out, part)) << part;
  }
}

TEST(E2eHelp, WhatIsSuggestedIsLikeWhatWasTyped) {
  EXPECT_EQ(ErrorOf({"selftest", "--ops=ad"}),
            "tosaic: 'selftest' has no flag '--ops' (see 'tosaic selftest --help')\n");
  EXPECT_TRUE(absl::StrContains(ErrorOf({"version"}), "did you mean '--version'?"));
  EXPECT_TRUE(absl::StrContains(ErrorOf({"--vers"}), "did you mean '--version'?"));
  const std::string many = ErrorOf({"history", "--route=lops", "case.json"});
  EXPECT_TRUE(absl::StrContains(many, " values; did you mean 'loops'?")) << many;
  EXPECT_FALSE(absl::StrContains(many, "parallel-loops")) << many;
  EXPECT_TRUE(absl::StrContains(ErrorOf({"fuzz", "--route=moon"}), "parallel-loops"));
  const std::string op = ErrorOf({"explain", "ad(tensor<2xf32>) -> tensor<2xf32>"});
  EXPECT_TRUE(absl::StrContains(op, "unknown op 'ad'; did you mean 'add'?")) << op;
}

// The words that bash would offer after these, of which the last is being typed.
std::string Completed(const std::string& words) {
  TemporaryDirectory temporary;
  Spill(temporary / "completion", RunTosaic({"help", "--completion=bash"}).out);
  const std::string script =
      absl::StrCat("set -eu; . ", temporary / "completion", "; compopt() { :; }; COMP_WORDS=(", words,
                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tosaic; echo \"${COMPREPLY[*]}\" > ", temporary / "out");
  Spill(temporary / "script", script);
  EXPECT_EQ(std::system(absl::StrCat("bash ", temporary / "script").c_str()), 0);
  return Slurp(temporary / "out");
}

TEST(E2eHelp, BashCompletesCommandsFlagsAndTheirValues) {
  EXPECT_EQ(Completed("tosaic re"), "reduce reproduce report\n");
  EXPECT_EQ(Completed("tosaic fuzz --se"), "--seed=\n");
  EXPECT_EQ(Completed("tosaic fuzz --route = loops-"), "loops-dealloc\n");
  EXPECT_EQ(Completed("tosaic report --format ="), "csv html json junit sarif tap markdown text\n");
  EXPECT_EQ(Completed("tosaic check corpus"), "\n");  // bash offers files
}

TEST(E2eHelp, ZshHasEveryCommand) {
  const Ran ran = RunTosaic({"help", "--completion=zsh"});
  EXPECT_TRUE(absl::StartsWith(ran.out, "#compdef tosaic\n"));
  for (const std::string& command : Commands()) {
    EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("        ", command, ")\n"))) << command;
  }
}

}  // namespace
}  // namespace tosaic
