// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real tosaic where its output cannot be written: nothing is lost in silence, and nothing hangs.
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

// Runs it in a shell, with its streams as `redirections` says. Standard output is then what the shell's is.
Ran RunWith(const std::string& arguments, const std::string& redirections) {
  TemporaryDirectory directory;
  const std::string command =
      absl::StrCat("timeout 60 '", TOSAIC_BINARY, "' ", arguments, " 2> '", directory / "err", "' ", redirections);
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, "", Slurp(directory / "err")};
}

std::vector<std::string> CommandsThatPrint() {
  return {"--version",
          "--help",
          "fuzz --help",
          "help",
          "list-ops",
          "list-rules --json",
          "toolchains",
          absl::StrCat("check '", kGoodCase, "'"),
          absl::StrCat("eval --json '", kGoodCase, "'"),
          "explain 'abs(tensor<1xf32>) -> tensor<1xf32>'"};
}

TEST(E2eOutput, WhatCannotBeWrittenIsAnError) {
  for (const std::string& arguments : CommandsThatPrint()) {
    SCOPED_TRACE(arguments);
    const Ran full = RunWith(arguments, "> /dev/full"), closed = RunWith(arguments, ">&-");
    EXPECT_EQ(full.status, 3);
    EXPECT_EQ(full.err, "tosaic: standard output: cannot write: No space left on device\n");
    EXPECT_EQ(closed.status, 2);
    EXPECT_EQ(closed.err, "tosaic: standard output: cannot write: Bad file descriptor\n");
  }
}

// Runs it on a terminal, made by script(1); the environment is the test's.
std::string OnATerminal(const std::string& environment, const std::string& arguments) {
  TemporaryDirectory directory;
  const std::string command =
      absl::StrCat("env -u NO_COLOR TERM=xterm ", environment, " script -qec \"'", TOSAIC_BINARY, "' ", arguments,
                   "\" /dev/null > '", directory / "out", "' < /dev/null");
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return Slurp(directory / "out");
}

TEST(E2eOutput, IsColouredOnATerminalOnly) {
  const std::string check = absl::StrCat("check '", kGoodCase, "'"), green = "\x1b[32magree\x1b[0m";
  EXPECT_TRUE(absl::StrContains(OnATerminal("", check), green));
  EXPECT_FALSE(absl::StrContains(OnATerminal("NO_COLOR=1", check), "\x1b[32m"));
  EXPECT_FALSE(absl::StrContains(OnATerminal("TERM=dumb", check), "\x1b[32m"));
  EXPECT_FALSE(absl::StrContains(OnATerminal("", check + " --color=never"), "\x1b[32m"));
  EXPECT_TRUE(absl::StrContains(OnATerminal("NO_COLOR=1", check + " --color=always"), green));
  EXPECT_FALSE(absl::StrContains(RunTosaic({"check", kGoodCase}).out, "\x1b"));
  EXPECT_TRUE(absl::StrContains(RunTosaic({"check", kGoodCase, "--color=always"}).out, green));
}

TEST(E2eOutput, QuietSaysWhatWasFoundAndNoMore) {
  TemporaryDirectory directory;
  const std::string out = absl::StrCat("--out=", directory / "out");
  const std::vector<std::string> fuzz = {"fuzz", "--cases=40", "--jobs=1", "--known=none", out};
  const Ran ran = RunTosaic(fuzz);
  std::vector<std::string> quietly = fuzz;
  quietly.push_back("--quiet");
  const Ran quiet = RunTosaic(quietly);
  std::vector<std::string> with_details = fuzz;
  with_details.push_back("--details");
  const Ran detailed = RunTosaic(with_details);
  EXPECT_EQ(quiet.status, ran.status);
  EXPECT_EQ(quiet.err, "");
  EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("\n\n", quiet.out, "\nTo see more "))) << ran.out;
  for (const char* detail : {"\ncoverage\n", "never fired", "what computed the elements"}) {
    EXPECT_FALSE(absl::StrContains(ran.out, detail)) << detail;
    EXPECT_TRUE(absl::StrContains(detailed.out, detail)) << detail;
  }
  quietly.push_back("--color=always");
  EXPECT_TRUE(absl::StrContains(RunTosaic(quietly).out, "  \x1b[1;31mnew\x1b[0m "));
}

TEST(E2eOutput, NeedsNoOtherStream) {
  for (const std::string& arguments : CommandsThatPrint()) {
    SCOPED_TRACE(arguments);
    EXPECT_EQ(RunWith(arguments, "> /dev/null <&-").status, 0);
    EXPECT_EQ(RunWith(arguments, "> /dev/null 2>&-").status, 0);
  }
}

}  // namespace
}  // namespace tosaic
