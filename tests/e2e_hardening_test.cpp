// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real tosaic on machines that fail and in the hands of people who mean harm: streams that are closed, disks that
// are full, signals, links that lie in wait, files that are not what they seem.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// A line of bash, in which $T is tosaic and $G a case that agrees.
Ran Shell(const std::string& line) {
  TemporaryDirectory directory;
  const std::string out = directory / "out", err = directory / "err";
  setenv("T", TOSAIC_BINARY, 1);
  setenv("G", kGoodCase.c_str(), 1);
  const std::string script = directory / "script";
  Spill(script, line);
  const int status = std::system(absl::StrCat("timeout 120 bash ", script, " >", out, " 2>", err).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), Slurp(out), Slurp(err)};
}

std::vector<std::string> FuzzQuietly(const std::string& out, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"fuzz", "--seed=1", "--no-reduce", "--quiet", absl::StrCat("--out=", out)});
  return flags;
}

std::string JournalIn(const std::string& out) { return out + "/journal.jsonl"; }

// The case of kGoodCase with other arguments, sizes or data.
std::string Changed(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = Slurp(kGoodCase);
  for (const auto& [from, to] : changes) text = absl::StrReplaceAll(text, {{from, to}});
  return text;
}

TEST(E2eHardening, Item01ClosedStreamsAreNoHang) {
  EXPECT_EQ(Shell("$T check $G >&-").status, 2);
  EXPECT_EQ(Shell("$T check $G 2>&-").status, 0);
  EXPECT_EQ(Shell("$T check $G <&- >&- 2>&-").status, 2);
  for (const char* command : {"check", "eval", "explain", "history"}) {
    const Ran ran = Shell(absl::StrCat("$T ", command, " - <&-"));
    EXPECT_EQ(ran.status, 2) << command;
    EXPECT_EQ(ran.err, "tosaic: standard input is closed\n") << command;
  }
}

TEST(E2eHardening, Item02TmpdirMayBeMissingOrEmpty) {
  for (const char* tmpdir : {"/no/such/folder", "", "/dev/null"}) {
    SCOPED_TRACE(tmpdir);
    const Ran check = Shell(absl::StrCat("TMPDIR='", tmpdir, "' $T check --toolchain=", TOSAIC_LLVM_TOOLS, " $G $G"));
    EXPECT_EQ(check.status, 0) << check.err;
    if (*tmpdir == '\0') continue;
    const Ran compare = Shell(absl::StrCat("TMPDIR='", tmpdir, "' $T compare --base=mlir-22 --patch=mlir-22 --quiet"));
    EXPECT_EQ(compare.status, 2);
    EXPECT_TRUE(absl::StrContains(compare.err, absl::StrCat("TMPDIR: cannot create a temporary folder in ", tmpdir)))
        << compare.err;
  }
}

TEST(E2eHardening, Item03EvalIsBounded) {
  TemporaryDirectory temporary;
  const auto row = [](int rows, int columns) {
    std::vector<std::string> data(static_cast<size_t>(rows) * static_cast<size_t>(columns), "3f800000");
    return absl::StrCat("{\"type\": \"f32\", \"shape\": [", rows, ", ", columns, "], \"data\": \"",
                        absl::StrJoin(data, " "), "\"}");
  };
  const std::string type = "\"tensor<?x?xf32>\"";
  Spill(temporary / "large.json",
        absl::StrCat("{\"tosaic_case\": 1, \"route\": \"loops\", \"program\": {\"arguments\": [", type, ", ", type,
                     "], \"constants\": [], \"ops\": [{\"op\": \"add\", \"operands\": [\"%arg0\", \"%arg1\"], "
                     "\"attributes\": {}, \"result\": ",
                     type, "}], \"results\": [\"%0\"]}, \"runs\": [[", row(4096, 1), ", ", row(1, 4096), "]]}"));
  for (const char* command : {"eval", "check", "reduce"}) {
    const Ran ran = RunTosaic({command, temporary / "large.json"});
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_TRUE(absl::StrContains(
        ran.err, "large.json: run 0: %0 has the sizes 4096x4096, and a tensor takes up to 8388608 elements"))
        << ran.err;
  }
}

TEST(E2eHardening, Item04AFullDiskEndsTheCampaignAtOnce) {
  // A disk of 64 KiB. (A limit for the size of files would also hit the memory that compiled code runs in.)
  TemporaryDirectory temporary;
  const std::string disk = temporary / "disk", out = temporary / "out";
  const std::string on_disk = absl::StrCat("mkdir -p '", disk, "' && mount -t tmpfs -o size=64k none '", disk, "'");
  if (Shell(absl::StrCat("unshare --mount sh -c \"", on_disk, "\"")).status != 0) GTEST_SKIP() << "mounting takes root";
  const std::string fuzz = absl::StrJoin(FuzzQuietly(disk + "/out", {"--cases=100000"}), " ");
  const Ran ran = Shell(absl::StrCat("unshare --mount sh -c \"", on_disk, "; $T ", fuzz, "; status=\\$?; cp -r ", disk,
                                     "/out ", out, "; exit \\$status\""));
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(absl::StrContains(ran.err, "journal.jsonl: cannot write: No space left on device; the ")) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.err, " before are safe in it, and the same command goes on with them")) << ran.err;
  // With more room it does.
  const size_t safe = LinesOf(JournalIn(out)) - 1;
  EXPECT_GT(safe, 5u);
  const Ran resumed = RunTosaic(FuzzQuietly(out, {absl::StrCat("--cases=", safe + 20)}));
  EXPECT_LE(resumed.status, 1) << resumed.err;
  EXPECT_EQ(SummaryIn(out)["cases"], safe + 20);
}
TEST(E2eHardening, Item04AJournalThatIsRemovedEndsTheCampaignAtOnce) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  Running running(temporary, FuzzQuietly(out, {"--cases=1000000"}));
  WaitForLines(running, JournalIn(out), 5);
  fs::remove_all(out);
  const Ran ran = running.Wait();
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.err, "journal.jsonl: was removed while the campaign was at work")) << ran.err;
}

TEST(E2eHardening, Item05AnInterruptedRunHasAStatusOfItsOwn) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  Running running(temporary, FuzzQuietly(out, {"--cases=1000000"}));
  WaitForLines(running, JournalIn(out), 5);
  kill(running.pid(), SIGINT);
  EXPECT_EQ(running.Wait().status, 4);
  for (const char* format : {"csv", "html", "json", "junit", "markdown", "sarif", "tap", "text"}) {
    const Ran report = RunTosaic({"report", out, absl::StrCat("--format=", format)});
    EXPECT_EQ(report.status, 0);
    EXPECT_TRUE(absl::StrContains(report.out, "interrupted")) << format;
  }
  EXPECT_TRUE(absl::StrContains(RunTosaic({"--help"}).out, "4 interrupted before its end"));
}

TEST(E2eHardening, Item06TwoProcessesOnOneDirectory) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  Running first(temporary, FuzzQuietly(out, {"--cases=1000000"}));
  WaitForLines(first, JournalIn(out), 3);
  const Ran second = RunTosaic(FuzzQuietly(out, {"--cases=1000000"}));
  EXPECT_EQ(second.status, 2);
  EXPECT_TRUE(absl::StrContains(second.err, absl::StrCat("another tosaic is at work there (process ", first.pid())))
      << second.err;
  EXPECT_TRUE(absl::StrContains(second.err, ", since 2")) << second.err;
  kill(first.pid(), SIGKILL);
  EXPECT_EQ(first.Wait().status, 128 + SIGKILL);
  EXPECT_LE(RunTosaic(FuzzQuietly(out, {"--duration=1s"})).status, 1);
  EXPECT_FALSE(fs::exists(out + "/lock"));
}

TEST(E2eHardening, Item07WhatIsPrintedHasNoControlCharacters) {
  TemporaryDirectory temporary;
  const std::string name = temporary / "a\x1b[31mb\x07\xe2\x80\xae.mlir";
  Spill(name,
        "func.func @\"f\\1B[31m\\E2\\80\\AE\"(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n");
  Spill(temporary / "zero.json", absl::StrReplaceAll(Slurp(kGoodCase), {{"\"add\"", "\"a\\u0000b\\u001b[31m\""}}));
  const std::vector<std::vector<std::string>> rows = {
      {"check", name},           {"eval", temporary / "zero.json"}, {"check", name + "x"}, {"explain", "a\x1b[31m("},
      {"fuzz", "--ops=\x1b[1m"}, {"check", "--\x1b[31m"},           {"check", name, name}};
  for (const std::vector<std::string>& row : rows) {
    const Ran ran = RunTosaic(row);
    const std::string all = ran.out + ran.err;
    EXPECT_FALSE(all.empty());
    for (const char* part : {"\x1b", "\x07", "\xe2\x80\xae"}) EXPECT_FALSE(absl::StrContains(all, part)) << all;
  }
  // A zero byte cuts nothing off.
  EXPECT_TRUE(absl::StrContains(RunTosaic(rows[1]).err, "a\\u0000b\\u001b[31m")) << RunTosaic(rows[1]).err;
}

TEST(E2eHardening, Item08AWorkerKilledFromOutsideLeavesNoTrace) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const std::vector<std::string> flags = {"--cases=300", "--jobs=1", "--ops=add,abs"};
  Running running(temporary, FuzzQuietly(out, flags));
  for (size_t kills = 1; kills <= 5; ++kills) {
    WaitForLines(running, JournalIn(out), 20 * kills);
    (void)std::system(absl::StrCat("pkill -KILL -P ", running.pid()).c_str());
  }
  EXPECT_LE(running.Wait().status, 1);
  EXPECT_EQ(SummaryIn(out)["harness_faults"], Json::array());
  RunTosaic(FuzzQuietly(temporary / "undisturbed", flags));
  EXPECT_EQ(SummaryIn(out)["tiles"], SummaryIn(temporary / "undisturbed")["tiles"]);
}

// Tools of which mlir-opt is a script that leaves a child behind; the child's process number is written to a file.
// While there is no file "go", the script waits for its child when its command has `waits_at` in it, and says so in
// "waiting".
std::string Wrapper(const TemporaryDirectory& temporary, absl::string_view waits_at = "") {
  const std::string tools = temporary / "tools";
  fs::create_directories(tools);
  for (const auto& tool : fs::directory_iterator(TOSAIC_LLVM_TOOLS)) {
    fs::create_symlink(tool.path(), tools + "/" + tool.path().filename().string());
  }
  fs::remove(tools + "/mlir-opt");
  Spill(tools + "/mlir-opt",
        absl::StrCat("#!/bin/bash\nsleep 600 &\necho $! >> ", temporary / "children", "\n", TOSAIC_LLVM_TOOLS,
                     "/mlir-opt \"$@\"\nstatus=$?\n[[ -e ", temporary / "go", " || $* != *", waits_at,
                     "* ]] || { echo >> ", temporary / "waiting", "; wait; }\nexit $status\n"));
  fs::permissions(tools + "/mlir-opt", fs::perms::owner_all);
  return tools;
}

TEST(E2eHardening, Item09WhatAToolStartsEndsWithTosaic) {
  for (const int signal : {SIGKILL, SIGINT, SIGTERM}) {
    TemporaryDirectory temporary;
    const std::string tools = Wrapper(temporary);
    Spill(temporary / "go", "");
    Running running(temporary, FuzzQuietly(temporary / "out", {"--cases=100000", "--jobs=2", "--toolchain=" + tools}));
    WaitForLines(running, temporary / "children", 6);
    fs::remove(temporary / "go");  // from now on the tools wait for their children
    usleep(500'000);
    kill(running.pid(), signal);
    running.Wait();
    for (absl::string_view child : absl::StrSplit(Slurp(temporary / "children"), '\n', absl::SkipEmpty())) {
      const auto lives = [&] {
        std::ifstream comm(absl::StrCat("/proc/", child, "/comm"));
        std::string name;  // the process may end between opening and reading
        return std::getline(comm, name) && name == "sleep";
      };
      for (int i = 0; i < 200 && lives(); ++i) usleep(50'000);  // a machine may be busy
      EXPECT_FALSE(lives()) << child << " lives on after signal " << signal;
    }
  }
}

TEST(E2eHardening, ToolsThatHangBeforeTheFirstCaseEndWithTosaic) {
  TemporaryDirectory temporary;
  const std::string tools = Wrapper(temporary, "tosa-to-spirv-tosa");  // a question of toolchain/features.def
  const auto fuzz = FuzzQuietly(temporary / "out", {"--cases=4", "--no-reduce", "--toolchain=" + tools});
  Running running(temporary, fuzz);
  WaitForLines(running, temporary / "waiting", 1);
  kill(running.pid(), SIGINT);
  EXPECT_EQ(running.Wait().status, 4);
  // Silence is not taken for what the tools lack: the same command begins anew.
  Spill(temporary / "go", "");
  EXPECT_LE(RunTosaic(fuzz).status, 1);
  EXPECT_EQ(SummaryIn(temporary / "out")["cases"], 4);
}

TEST(E2eHardening, Item10HangupEndsItCleanlyAndStaleFoldersGo) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  Running running(temporary, FuzzQuietly(out, {"--cases=1000000"}));
  WaitForLines(running, JournalIn(out), 5);
  kill(running.pid(), SIGHUP);
  EXPECT_EQ(running.Wait().status, 4);
  EXPECT_EQ(SummaryIn(out)["interrupted"], true);
  // A campaign that nohup started ends by itself.
  const std::string kept = temporary / "kept";
  const Ran kept_on = Shell(absl::StrCat("trap '' HUP; $T fuzz --seed=1 --no-reduce --quiet --cases=300 --out=", kept,
                                         " & campaign=$!\n", "until [ -s ", JournalIn(kept),
                                         " ]; do sleep 0.01; done; kill -HUP $campaign; wait $campaign"));
  EXPECT_LE(kept_on.status, 1) << kept_on.err;
  EXPECT_EQ(SummaryIn(kept)["cases"], 300);
  fs::create_directories(temporary / "stale/tosaic-prepared-abcdef");
  fs::last_write_time(temporary / "stale/tosaic-prepared-abcdef",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  const Ran next =
      Shell(absl::StrCat("TMPDIR=", temporary / "stale", " $T check --toolchain=", TOSAIC_LLVM_TOOLS, " $G"));
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_TRUE(fs::is_empty(temporary / "stale"));
}

TEST(E2eHardening, Item11WhatCannotBePrintedIsSaid) {
  TemporaryDirectory temporary;
  for (const char* line : {"$T check $G", "$T list-ops --json", "$T --version", "$T eval $G", "$T help fuzz"}) {
    const Ran ran = Shell(absl::StrCat(line, " >/dev/full"));
    EXPECT_EQ(ran.status, 3) << line;
    EXPECT_TRUE(absl::StrContains(ran.err, "standard output: cannot write")) << line;
  }
  // What took the time is in its file all the same.
  for (const std::string line : {"sweep --max-rank=1 --ops=abs", "sweep --values --ops=bitwise_not --types=i8",
                                 "prove --ops=bitwise_not --types=i8", "conform --ops=abs"}) {
    const std::string out = temporary / "out.json";
    EXPECT_EQ(Shell(absl::StrCat("$T ", line, " --out=", out, " >/dev/full")).status, 3) << line;
    EXPECT_TRUE(fs::remove(out)) << line;
  }
}

TEST(E2eHardening, AReaderThatLeavesEndsEachCommandAlike) {
  TemporaryDirectory temporary;
  const std::string fuzz = absl::StrCat("$T fuzz --cases=3 --quiet --out=", temporary / "out");
  for (const std::string& line : {std::string("$T list-ops"), std::string("$T check --json $G"), fuzz}) {
    const Ran ran = Shell(absl::StrCat("{ ", line, "; echo $? >", temporary / "status", "; } | true"));
    EXPECT_EQ(Slurp(temporary / "status"), "141\n") << line << ran.err;
    EXPECT_EQ(ran.err, "") << line;
  }
  EXPECT_EQ(SummaryIn(temporary / "out")["cases"], 3);
}

TEST(E2eHardening, Item12PlantedLinksAreNotFollowed) {
  TemporaryDirectory temporary;
  Spill(temporary / "precious", "kept");
  // The name that is taken for the shell's own process number, which exec hands on.
  const Ran ran = Shell(absl::StrCat("cd ", temporary.path(), "; ln -s precious report.json.tmp$$; ",
                                     "exec $T sweep --max-rank=1 --ops=abs --out=report.json"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(Slurp(temporary / "precious"), "kept");
  EXPECT_TRUE(fs::is_regular_file(temporary / "report.json"));
  // Nor is a journal that is a link appended to.
  fs::create_directories(temporary / "out");
  fs::create_symlink(temporary / "precious", temporary / "out/journal.jsonl");
  EXPECT_EQ(RunTosaic(FuzzQuietly(temporary / "out", {"--cases=2"})).status, 2);
  EXPECT_EQ(Slurp(temporary / "precious"), "kept");
}

TEST(E2eHardening, Item13AFileThatMayNotGrowIsAnError) {
  TemporaryDirectory temporary;
  const Ran ran = Shell(absl::StrCat("ulimit -f 1; $T list-ops --json > ", temporary / "ops"));
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(absl::StrContains(ran.err, "standard output: cannot write")) << ran.err;
}

TEST(E2eHardening, Item13AFileThatMayNotGrowLeavesNothingHalf) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const Ran ran = Shell(absl::StrCat("ulimit -f 1; $T ", absl::StrJoin(FuzzQuietly(out, {"--cases=40"}), " ")));
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err, absl::StrCat("tosaic: ", out, "/journal.jsonl: cannot write: File too large\n"));
  EXPECT_TRUE(fs::is_empty(out));
}

// The memory for compiled code is not a file, so that a limit on the size of files does not hold for it.
TEST(E2eHardening, Item13ALimitForFilesIsNoneForMemory) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  const std::string fuzz = absl::StrJoin(FuzzQuietly(out, {"--cases=40"}), " ");
  const Ran ran = Shell(absl::StrCat("ulimit -f 500; $T ", fuzz));
  EXPECT_LE(ran.status, 1) << ran.out << ran.err;
  EXPECT_FALSE(absl::StrContains(ran.out, "harness-fault")) << ran.out;
}

TEST(E2eHardening, Item14APathTooLongIsRefusedAtOnce) {
  TemporaryDirectory temporary;
  std::string out = temporary.path();
  while (out.size() < 3990) out += "/" + std::string(std::min<size_t>(200, 3999 - out.size()), 'x');
  const Ran ran = RunTosaic(FuzzQuietly(out, {"--cases=1000000"}));
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.err, "too long a path for the files of findings below it")) << ran.err;
  EXPECT_TRUE(fs::is_empty(temporary.path()) || !fs::exists(temporary / "stdout"));
}

TEST(E2eHardening, Item15DiagnosticsInIssuesAreNoMarkdown) {
  // Through a tool whose diagnostic tries: it is quoted as text, in a fence that it cannot end.
  TemporaryDirectory temporary;
  const std::string tools = Wrapper(temporary);
  Spill(temporary / "go", "");
  Spill(tools + "/mlir-opt", absl::StrCat("#!/bin/bash\nmodule=$(cat)\ncase \"$* $module\" in *linalg*tosa.*) echo "
                                          "'x.mlir:3:1: error: ```</details>--> "
                                          "@everyone [x](http://x) #1 <img src=x>' >&2; exit 1;; esac\nexec ",
                                          TOSAIC_LLVM_TOOLS, "/mlir-opt \"$@\" <<<\"$module\"\n"));
  const Ran ran = RunTosaic({"reproduce", kGoodCase, "--toolchain=" + tools, "--out=" + (temporary / "repro")});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  const std::string issue = Slurp(temporary / "repro/issue.md");
  const size_t at = issue.find("```</details>");
  ASSERT_NE(at, issue.npos) << issue;
  EXPECT_TRUE(absl::StrContains(issue.substr(0, at), "````\n")) << issue;
  // The comment with the signature goes to the end.
  EXPECT_EQ(issue.find("-->", issue.find("<!-- ")), issue.size() - 4) << issue;
}

TEST(E2eHardening, Item16WhatIsTooLargeIsRefused) {
  TemporaryDirectory temporary;
  std::string many = "func.func @f(", body, last = "%a0";
  for (int i = 0; i < 40; ++i) absl::StrAppend(&many, i > 0 ? ", " : "", "%a", i, ": tensor<2xf32>");
  for (int i = 1; i < 40; ++i) {
    absl::StrAppend(&body, "  %", i, " = tosa.add ", last, ", %a", i,
                    " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n");
    last = absl::StrCat("%", i);
  }
  Spill(temporary / "many.mlir",
        absl::StrCat(many, ") -> tensor<2xf32> {\n", body, "  return ", last, " : tensor<2xf32>\n}\n"));
  for (const char* command : {"check", "eval"}) {
    const Ran ran = RunTosaic({command, temporary / "many.mlir"});
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_TRUE(absl::StrContains(ran.out + ran.err, "40 arguments, and a run takes up to 31")) << ran.out << ran.err;
  }
  // A dimension of a tensor without an element.
  Spill(temporary / "huge.json", Changed({{"tensor<?xf32>", "tensor<?x?xf32>"},
                                          {"          3\n", "          9223372036854775807, 0\n"},
                                          {"          1\n", "          1, 0\n"},
                                          {"3f800000 40000000 40400000", ""},
                                          {"41200000 41a00000 41f00000", ""},
                                          {"\"3f800000\"", "\"\""},
                                          {"\"41200000\"", "\"\""}}));
  const Ran huge = RunTosaic({"check", temporary / "huge.json"});
  EXPECT_EQ(huge.status, 2) << huge.out;
  EXPECT_TRUE(absl::StrContains(huge.err, "run 0: %arg0 has the sizes 9223372036854775807x0")) << huge.err;
}

TEST(E2eHardening, Item17FilesThatAreNotWhatTheySeem) {
  TemporaryDirectory temporary;
  Spill(temporary / "twice.json", Changed({{"\"tosaic_case\": 1,", "\"tosaic_case\": 1, \"tosaic_c\\u0061se\": 1,"}}));
  Spill(temporary / "zero.json", Slurp(kGoodCase) + std::string(1, '\0'));
  const std::pair<std::string, std::string> rows[] = {
      {"twice.json", "the key \"tosaic_case\" stands twice in an object"}, {"zero.json", "is zero"}};
  for (const auto& [file, message] : rows) {
    const Ran ran = RunTosaic({"check", temporary / file});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(absl::StrContains(ran.err, message)) << ran.err;
  }
  fs::create_directories(temporary / "out");
  ASSERT_EQ(mkfifo((temporary / "out/journal.jsonl").c_str(), 0600), 0);
  const Ran ran = RunTosaic(FuzzQuietly(temporary / "out", {"--cases=1"}));
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.err, "journal.jsonl: this is not a file")) << ran.err;
  fs::remove(temporary / "out/journal.jsonl");
  ASSERT_EQ(RunTosaic(FuzzQuietly(temporary / "out", {"--cases=1"})).status, 0);
  for (const std::string name : {"summary.json", "groups.jsonl", "tally.json"}) {
    fs::remove(temporary / ("out/" + name));
    ASSERT_EQ(mkfifo((temporary / ("out/" + name)).c_str(), 0600), 0);
    const Ran again = RunTosaic(FuzzQuietly(temporary / "out", {"--cases=2"}));
    EXPECT_EQ(again.status, 2);
    EXPECT_TRUE(absl::StrContains(again.err, name + ": this is not a file")) << again.err;
    fs::remove_all(temporary / "merged");
    EXPECT_GE(RunTosaic({"merge", temporary / "out", "--out=" + (temporary / "merged")}).status, 2);
    fs::remove(temporary / ("out/" + name));
    ASSERT_EQ(RunTosaic(FuzzQuietly(temporary / "out", {"--cases=1"})).status, 0);
  }
}

TEST(E2eHardening, Item18AForgedLineOfAJournalIsNotBelieved) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "out";
  RunTosaic(FuzzQuietly(out, {"--cases=6", "--ops=add"}));
  const std::string whole = Slurp(JournalIn(out));
  const Json before = SummaryIn(out);
  const std::pair<std::string, std::string> forgeries[] = {
      {"\"op\":\"add\"", "\"op\":\"frobnicate\""}, {"\"types\":\"", "\"types\":\"q"}, {"\"case\":2", "\"case\":2.5"}};
  for (const auto& [from, to] : forgeries) {
    ASSERT_TRUE(absl::StrContains(whole, from)) << from;
    Spill(JournalIn(out), absl::StrReplaceAll(whole, {{from, to}}));
    RunTosaic(FuzzQuietly(out, {"--cases=6", "--ops=add"}));
    EXPECT_EQ(SummaryIn(out)["by_op"], before["by_op"]);
    EXPECT_FALSE(absl::StrContains(Slurp(JournalIn(out)), to));
  }
}

TEST(E2eHardening, EveryCommandThatIsInterruptedSaysSoInItsStatus) {
  TemporaryDirectory temporary;
  const std::string pipe = temporary / "pipe.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string command : {"check", "reduce", "history", "eval", "bisect-passes"}) {
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
      Running running(temporary, {command, pipe});
      const int writer = open(pipe.c_str(), O_WRONLY);  // waits until it reads
      kill(running.pid(), number);
      const Ran ran = running.Wait();
      EXPECT_EQ(ran.status, 4) << command << number << ran.err;
      EXPECT_EQ(ran.err, "tosaic: interrupted\n") << command;
      close(writer);
    }
  }
}

const std::string kManyCases = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec");

// The output of a command that is interrupted at work. A signal that comes too early ends it at once, so each attempt
// waits longer.
std::string PrintedInTheMidst(const std::vector<std::string>& arguments) {
  Ran ran;
  const auto is_too_early = [&] { return ran.status == 4 || ran.status == 128 + SIGTERM; };
  for (int milliseconds = 20; ran.out.empty() && (milliseconds == 20 || is_too_early()); milliseconds *= 2) {
    TemporaryDirectory temporary;
    Running running(temporary, arguments);
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    kill(running.pid(), SIGTERM);
    ran = running.Wait();
  }
  EXPECT_EQ(ran.status, 4) << ran.err;
  return ran.out;
}

TEST(E2eHardening, AnInterruptedCheckPrintsWhatItKnows) {
  std::vector<std::string> arguments = {"check"};
  arguments.insert(arguments.end(), 20, kManyCases);
  TemporaryDirectory temporary;
  Running running(temporary, arguments);
  WaitForLines(running, temporary / "stdout", 5);
  kill(running.pid(), SIGINT);
  const Ran ran = running.Wait();
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, " more: skipped: the command was interrupted\n")) << ran.out;
  EXPECT_TRUE(absl::EndsWith(ran.out, " (interrupted)\n")) << ran.out;

  arguments.emplace_back("--json");
  const Json answers = Parsed(PrintedInTheMidst(arguments));
  ASSERT_FALSE(answers.empty());
  EXPECT_EQ(answers.size() % 20, 0u) << "each has an answer";
  EXPECT_EQ(answers.back()["interrupted"], true);
  EXPECT_EQ(answers.back()["skipped"], "the command was interrupted");
}

TEST(E2eHardening, AnInterruptedHistoryPrintsWhatItKnows) {
  const Json histories =
      Parsed(PrintedInTheMidst({"history", "--json", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions")}));
  ASSERT_FALSE(histories.empty());
  EXPECT_EQ(histories.back()["interrupted"], true);
  EXPECT_EQ(histories.back()["span"], "interrupted: not all were asked");
}

// What it has found until then is new, which comes before its interruption. The sweep takes minutes.
TEST(E2eHardening, AnInterruptedSweepOfTypesSaysSoInItsStatus) {
  TemporaryDirectory temporary;
  const std::string out = temporary / "sweep.json";
  Json result = {{"disagreements", Json::array()}};
  for (unsigned seconds = 1; result["disagreements"].empty() && seconds < 64; seconds *= 2) {
    Running running(temporary,
                    {"sweep", "--max-rank=3", "--yes", "--ops=mul,add,select", "--known=none", "--out=" + out});
    sleep(seconds);
    kill(running.pid(), SIGINT);
    const Ran ran = running.Wait();
    if (fs::exists(out)) result = Parsed(Slurp(out));
    EXPECT_EQ(ran.status, result["disagreements"].empty() ? 4 : 1) << ran.out << ran.err;
  }
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_FALSE(result["disagreements"].empty());
}

TEST(E2eHardening, ASmallStackIsMadeLarger) {
  TemporaryDirectory temporary;
  rlimit before = {}, small = {.rlim_cur = 64 << 10, .rlim_max = 0};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &before), 0);
  small.rlim_max = before.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &small), 0);
  Running running(temporary, {"check", kGoodCase});
  setrlimit(RLIMIT_STACK, &before);
  const Ran ran = running.Wait();
  EXPECT_EQ(ran.status, 0) << ran.err;
}

// A daemon or a scheduler may start its children so.
TEST(E2eHardening, SignalsThatTheParentSwitchedOffAreTaken) {
  const Ran ran = RunTosaic({"check", TOSAIC_SOURCE_DIR "/corpus/regressions/add-zero-fold-read-beyond.json",
                             TOSAIC_SOURCE_DIR "/corpus/regressions/clamp-unranked-canonicalize-crash.json"},
                            [] {
                              signal(SIGCHLD, SIG_IGN);
                              sigset_t all;
                              sigfillset(&all);
                              sigprocmask(SIG_SETMASK, &all, nullptr);
                            });
  EXPECT_TRUE(absl::StrContains(ran.out, "memory-fault")) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "signal 11")) << ran.out << ran.err;
}

TEST(E2eHardening, WithoutMemoryItSaysSo) {
  if (!kLimitsAddressSpace) GTEST_SKIP() << "a sanitizer's shadow is larger";
  static rlim_t bytes = 0;
  int said = 0;
  for (bytes = 6 << 20; bytes <= 14 << 20; bytes += 1 << 20) {
    TemporaryDirectory temporary;
    const Ran ran = RunTosaic(FuzzQuietly(temporary / "out", {"--cases=10"}), [] {
      const rlimit little = {.rlim_cur = bytes, .rlim_max = bytes};
      setrlimit(RLIMIT_DATA, &little);
    });
    EXPECT_NE(ran.status, 128 + SIGABRT) << ran.err;
    if (!absl::StartsWith(ran.err, "tosaic: out of memory")) continue;
    EXPECT_EQ(ran.status, 3);
    ++said;
  }
  EXPECT_GT(said, 0) << "with less the loader fails, and with more nobody lacks memory";
}

// As containers do by default.
TEST(E2eHardening, AddressesThatCannotBeFixedAreSaid) {
  const auto forbid = [] {
    personality(0);
    static sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program = {std::size(rules), rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(126);
  };
  const Ran check = RunTosaic({"check", kGoodCase}, forbid), list = RunTosaic({"list-ops"}, forbid),
            eval = RunTosaic({"eval", kGoodCase}, forbid);
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_TRUE(absl::StrContains(check.err, "each process has other addresses here")) << check.err;
  EXPECT_EQ(list.err + eval.err, "") << "what runs no case does not depend on them";
  if (Shell("setarch -R true").status == 0) EXPECT_EQ(RunTosaic({"check", kGoodCase}).err, "");
}

// RunTosaic starts it so; a shell does not.
TEST(E2eHardening, AddressesAreFixed) {
  if (Shell("setarch -R true").status != 0) GTEST_SKIP() << "not tried: the system forbids it";
  TemporaryDirectory directory;
  const std::string out = directory / "out";
  const Ran ran = Shell(absl::StrReplaceAll(
      "$T fuzz --cases=1000000 --no-reduce --quiet --out=OUT >OUT.log & until [ -s OUT/journal.jsonl ]; do sleep 0.05; "
      "done; cat /proc/$!/personality; kill $!; wait $!",
      {{"OUT", out}}));
  EXPECT_EQ(ran.out, "00040000\n") << ran.err;
  EXPECT_EQ(ran.status, 4);
}

// So that forking is sound, and no sanitizer for threads is needed: neither the parent nor a worker has a second one.
TEST(E2eHardening, NoThreadIsEverStarted) {
  TemporaryDirectory temporary;
  Running running(temporary, FuzzQuietly(temporary / "out", {"--cases=1000000", "--jobs=2"}));
  WaitForLines(running, JournalIn(temporary / "out"), 30);
  kill(running.pid(), SIGSTOP);  // so that no worker that ends is gone before it is looked at
  const std::string parent = absl::StrCat(running.pid());
  const Ran processes =
      Shell(absl::StrCat("for p in ", parent, " $(pgrep -P ", parent, "); do ls /proc/$p/task | wc -l; done"));
  kill(running.pid(), SIGCONT);
  for (absl::string_view threads : absl::StrSplit(processes.out, '\n', absl::SkipEmpty())) EXPECT_EQ(threads, "1");
  EXPECT_GE(processes.out.size(), 4u) << "the parent and a worker: " << processes.out;
  kill(running.pid(), SIGINT);
  running.Wait();
}

}  // namespace
}  // namespace tosaic
