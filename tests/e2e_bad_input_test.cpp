// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bad input to the real tosaic: exit status 2, nothing on standard output, and one line on standard error that says
// what is wrong and where. Nothing on disk is lost or half written.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

void ExpectRefused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  SCOPED_TRACE(absl::StrJoin(arguments, " "));
  const Ran ran = RunTosaic(arguments);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(absl::StartsWith(ran.err, "tosaic: ")) << ran.err;
  ASSERT_FALSE(ran.err.empty());
  EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << "one line: " << ran.err;
  for (const std::string& part : parts) EXPECT_TRUE(absl::StrContains(ran.err, part)) << part << " in " << ran.err;
}

struct Breakage {
  const char* name;
  std::function<std::string(std::string)> apply;
  std::vector<std::string> parts;  // of the message
};

std::function<std::string(std::string)> Replace(std::string from, std::string to) {
  return [=](std::string text) {
    const std::string changed = absl::StrReplaceAll(text, {{from, to}});
    EXPECT_NE(changed, text) << from;
    return changed;
  };
}

std::vector<Breakage> Breakages() {
  return {
      {"empty", [](std::string) { return ""; }, {"not a JSON document: it is empty"}},
      {"no-json", [](std::string) { return "hello\nworld\n"; }, {"not a JSON document"}},
      {"cut-off", [](std::string text) { return text.substr(0, text.size() / 2); }, {"it is cut short"}},
      {"other-json", [](std::string) { return "[1, 2]"; }, {}},
      {"too-deep", [](std::string) { return std::string(100000, '['); }, {"nested"}},
      {"unknown-op", Replace("\"add\"", "\"frobnicate\""), {"ops[0].op", "frobnicate", "list-ops"}},
      {"stray-attribute",
       Replace("\"attributes\": {}", "\"attributes\": {\"round\": true}"),
       {"ops[0].attributes: add has no round"}},
      {"bad-type", Replace("tensor<?xf32>", "tensor<?xf33>"), {"arguments[0]", "tensor<?xf33>"}},
      {"bad-shape", Replace("tensor<?xf32>", "tensor<-1xf32>"), {"arguments[0]", "tensor<-1xf32>"}},
      {"short-data", Replace("\"data\": \"3f800000 ", "\"data\": \""), {"runs[0][0].data"}},
      {"long-data", Replace("\"data\": \"3f800000", "\"data\": \"3f800000 3f800000"), {"runs[0][0].data"}},
      {"no-hex", Replace("3f800000", "3f8000zz"), {"runs[0][0].data", "3f8000zz"}},
      {"future-version", Replace("\"tosaic_case\": 1", "\"tosaic_case\": 99"), {"version 99", "up to 1"}},
      {"missing-operand", Replace("\"%arg1\"", "\"%arg7\""), {"ops[0].operands", "%arg7"}},
      {"unknown-route", Replace("\"loops\"", "\"moon\""), {"moon", "loops-dealloc"}},
  };
}

TEST(E2eBadInput, AFlagWithoutAValueTakesNone) {
  ExpectRefused({"check", "--split-input-file=yes", kGoodCase}, {"--split-input-file: it takes no value"});
  ExpectRefused({"compare", "--no-ir=true", "a", "b"}, {"--no-ir: it takes no value"});
}

TEST(E2eBadInput, AListHasNoEmptyItems) {
  ExpectRefused({"fuzz", "--ops=add,,mul"}, {"--ops=add,,mul: an item of the list is empty"});
  ExpectRefused({"fuzz", "--ops", "add,"}, {"--ops=add,: an item of the list is empty"});
  ExpectRefused({"sweep", "--ops=,add"}, {"--ops=,add: an item of the list is empty"});
}

TEST(E2eBadInput, ABinaryFileIsNoMlirFile) {
  TemporaryDirectory temporary;
  for (const char* name : {"x.mlir", "x.bin"}) {
    const std::string file = temporary / name;
    Spill(file, std::string("\x7f"
                            "ELF\0\1\2",
                            7));
    ExpectRefused({"check", file}, {name, ": this is not an MLIR file, but a binary one"});
  }
}

TEST(E2eBadInput, ABrokenCaseFileIsNamedByEverySubcommand) {
  const std::string good = Slurp(kGoodCase);
  for (Breakage& breakage : Breakages()) {
    TemporaryDirectory temporary;
    const std::string file = temporary / absl::StrCat(breakage.name, ".json");
    const std::string content = breakage.apply(good);
    Spill(file, content);
    breakage.parts.push_back(file);
    ExpectRefused({"check", file}, breakage.parts);
    ExpectRefused({"reduce", file, absl::StrCat("--out=", temporary / "reduced.json")}, breakage.parts);
    // The oracle's expectation does not depend on the route.
    if (std::string(breakage.name) != "unknown-route") ExpectRefused({"eval", file}, breakage.parts);
    const std::map<std::string, std::string> kept = {{absl::StrCat(breakage.name, ".json"), content}};
    EXPECT_EQ(FilesBelow(temporary.path()), kept);
  }
}

TEST(E2eBadInput, ABrokenFileInADirectoryIsNamed) {
  TemporaryDirectory temporary;
  fs::create_directories(temporary / "below");
  Spill(temporary / "good.json", Slurp(kGoodCase));
  Spill(temporary / "below/broken.json", "{\"tosaic_case\": 1, \"pro");
  const Ran ran = RunTosaic({"check", temporary.path()});
  EXPECT_EQ(ran.status, 2);
  const std::string broken = temporary / "below/broken.json";
  EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("\n", broken, ": not read: not a JSON document"))) << ran.out;
  EXPECT_EQ(ran.err, absl::StrCat("tosaic: ", broken, ": not read\n"));
}

TEST(E2eBadInput, MissingFilesAndEmptyDirectories) {
  TemporaryDirectory temporary;
  const std::string missing = temporary / "missing.json";
  for (const char* subcommand : {"check", "reduce", "eval"})
    ExpectRefused({subcommand, missing}, {missing, "cannot read"});
  ExpectRefused({"fuzz", "--cases=1", absl::StrCat("--known=", missing)}, {missing, "cannot read"});
  ExpectRefused({"check", temporary.path()}, {temporary.path(), "no case file"});
  ExpectRefused({"eval", temporary.path()}, {temporary.path(), "directory"});
  Spill(temporary / "known.json", "{\"known\": [{\"signature\": \"x\"}]}");
  ExpectRefused({"fuzz", "--cases=1", absl::StrCat("--known=", temporary / "known.json")},
                {temporary / "known.json", "known[0]", "reason"});
}

TEST(E2eBadInput, Flags) {
  TemporaryDirectory temporary;
  const std::string out = absl::StrCat("--out=", temporary / "out");
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> rows = {
      {{"--cases=0"}, {"--cases", "0"}},
      {{"--cases=-1"}, {"--cases", "-1"}},
      {{"--cases=many"}, {"--cases", "many"}},
      {{"--jobs=0"}, {"--jobs", "1 to 1024"}},
      {{"--jobs=4294967297"}, {"--jobs", "1 to 1024"}},
      {{"--seed=-1"}, {"--seed", "-1"}},
      {{"--seed=18446744073709551616"}, {"--seed", "18446744073709551616"}},
      {{"--runs=0"}, {"--runs"}},
      {{"--max-elements=0"}, {"--max-elements"}},
      {{"--illegal-percent=101"}, {"--illegal-percent"}},
      {{"--illegal-percent=60", "--beyond-spec-percent=60"}, {"illegal", "beyond", "100"}},
      {{"--cpu-limit=0"}, {"--cpu-limit"}},
      {{"--frobnicate"}, {"--frobnicate"}},
      {{"stray"}, {"stray"}},
      {{"--shard=3/2"}, {"--shard=3/2", "I/N"}},
      {{"--shard=0/2"}, {"--shard=0/2", "I/N"}},
      {{"--shard=1"}, {"--shard=1", "I/N"}},
      {{"--shard=a/b"}, {"--shard=a/b", "I/N"}},
      {{"--duration=abc"}, {"--duration=abc", "60s"}},
      {{"--duration=-5s"}, {"--duration=-5s", "60s"}},
      {{"--duration=0s"}, {"--duration=0s", "60s"}},
      {{"--duration=inf"}, {"--duration=inf", "60s"}},
      {{"--route=loops", "--pipeline=builtin.module()"}, {"--route", "--pipeline"}},
      {{"--duration=5s", "--cases=5"}, {"--cases", "--duration"}},
      {{"--ops=add,frobnicate"}, {"--ops", "frobnicate", "list-ops"}},
      {{"--types=f32,f33"}, {"--types", "f33"}},
      {{"--ops=logical_and", "--types=f32"}, {"ops", "element types"}},
      {{"--route=moon"}, {"--route", "moon", "loops"}},
      {{"--toolchain=gcc"}, {"--toolchain", "gcc", "mlir-22"}},
      {{"--spec-version=2.0"}, {"--spec-version", "2.0", "1.0.2"}},
  };
  for (const auto& [flags, parts] : rows) {
    std::vector<std::string> arguments = {"fuzz", out};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    ExpectRefused(arguments, parts);
    EXPECT_FALSE(fs::exists(temporary / "out"));
  }
}

TEST(E2eBadInput, Subcommands) {
  ExpectRefused({}, {"name a command"});
  ExpectRefused({"frobnicate"}, {"frobnicate"});
  ExpectRefused({"check"}, {"FILES... is required (see 'tosaic check --help')"});
  ExpectRefused({"-V"}, {"'tosaic' has no flag '-V' (see 'tosaic --help')"});
  ExpectRefused({"list-ops", "stray"}, {"'list-ops' takes no arguments, and 'stray' is one more (see"});
  ExpectRefused({"eval", "a.json", "b.json", "c.json"}, {"'eval' takes 1 argument, and 'b.json' is one more"});
  ExpectRefused({"compare", "a", "b", "c"}, {"REPORTS...: at most 2, not 3"});
  for (const char* flag : {"--ops=add", "--known=none", "--profile=pro-fp", "--route=loops", "--no-ir", "--jobs=2"}) {
    ExpectRefused({"compare", "a", "b", flag}, {"requires --base"});
  }
  ExpectRefused({"compare", "--base=no-such-mlir", "--patch=mlir-22"}, {"tosaic: --base: 'no-such-mlir'"});
  ExpectRefused({"compare", "--base=mlir-22", "--patch=no-such-mlir"}, {"tosaic: --patch: 'no-such-mlir'"});
  ExpectRefused({"fuzz", "--jobs=two"}, {"--jobs: 'two' is not a number from 1 to 1024 (see 'tosaic fuzz --help')"});
  ExpectRefused({"fuzz", "--jobs", "-1"}, {"--jobs: '-1' is not a number from 1 to 1024"});
  ExpectRefused({"list-ops", "--json", "--markdown"}, {"--json", "--markdown"});
}

// The parser alone would take the next flag for the value.
TEST(E2eBadInput, FlagsWithoutTheirValue) {
  TemporaryDirectory temporary;
  const fs::path here = fs::current_path();
  fs::current_path(temporary.path());
  ExpectRefused({"fuzz", "--out=", "--cases=1"}, {"--out has no value: --out=DIR (see 'tosaic fuzz --help')"});
  ExpectRefused({"fuzz", "--out", "--cases=1"}, {"--out has no value: --out=DIR"});
  ExpectRefused({"fuzz", "--cases=1", "--out"}, {"--out has no value: --out=DIR"});
  ExpectRefused({"report", "--format=", "x"}, {"--format has no value: --format=NAME"});
  EXPECT_TRUE(fs::is_empty(temporary.path()));
  fs::current_path(here);
}

// A list may be given in parts, which are united; the second part must have a value, too.
TEST(E2eBadInput, AListGivenTwiceIsOneList) {
  const auto decisions = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"sweep", "--max-rank=0"});
    const Ran ran = RunTosaic(flags);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out.substr(0, ran.out.find(" accepted"));
  };
  EXPECT_EQ(decisions({"--ops=abs", "--ops=exp"}), decisions({"--ops=abs,exp"}));
  EXPECT_EQ(decisions({"--ops", "abs", "--ops", "exp"}), decisions({"--ops=abs,exp"}));
  EXPECT_NE(decisions({"--ops=abs"}), decisions({"--ops=abs,exp"}));
  ExpectRefused({"sweep", "--ops=abs", "--ops="}, {"--ops has no value: --ops=LIST"});
  ExpectRefused({"sweep", "--ops=abs", "--ops"}, {"--ops has no value: --ops=LIST"});
}

TEST(E2eBadInput, ADeviceWithoutAnEndIsRefused) {
  for (const char* subcommand : {"check", "eval", "report"}) {
    ExpectRefused({subcommand, "/dev/zero"}, {"/dev/zero: cannot read: it is a device without an end"});
  }
}

TEST(E2eBadInput, PipelinesThatDoNotParse) {
  TemporaryDirectory temporary;
  for (const std::string pipeline :
       {"nonsense", "builtin.module(", "builtin.module(no-such-pass)", "func.func(tosa-to-linalg)",
        "builtin.module(func.func(tosa-to-linalg{no-such-option=1}))"}) {
    const std::string flag = absl::StrCat("--pipeline=", pipeline);
    ExpectRefused({"fuzz", "--cases=1", flag, absl::StrCat("--out=", temporary / "out")}, {pipeline});
    ExpectRefused({"check", flag, kGoodCase}, {pipeline});
    EXPECT_FALSE(fs::exists(temporary / "out"));
  }
}

TEST(E2eBadInput, PluginsThatDoNotLoad) {
  TemporaryDirectory temporary;
  const std::string missing = temporary / "missing.so", text = temporary / "text.so";
  Spill(text, "not a shared library\n");
  const std::string cut_short = temporary / "cut_short.so", same = temporary / "same.so";
  Spill(cut_short, Slurp(TOSAIC_PLUGIN).substr(0, 20000));
  const std::pair<std::string, std::string> rows[] = {
      {missing, "No such file"},
      {temporary.path(), "directory"},
      {text, "Could not load library"},
      {TOSAIC_NOT_A_PLUGIN, "Plugin entry point not found"},
      {cut_short, "that ends the process"},
      {TOSAIC_OTHER_API_PLUGIN, "Wrong API version"},
  };
  for (const auto& [file, why] : rows) {
    const std::string flag = absl::StrCat("--load-pass-plugin=", file);
    const std::string edit = "--insert-after=tosa-to-linalg:its-pass";
    ExpectRefused({"fuzz", "--cases=1", flag, edit, absl::StrCat("--out=", temporary / "out")}, {file, why});
    ExpectRefused({"check", flag, edit, kGoodCase}, {file, why});
    ExpectRefused({"reduce", flag, edit, kGoodCase}, {file, why});
    ExpectRefused({"selftest", flag}, {file, why});
    EXPECT_FALSE(fs::exists(temporary / "out"));
  }
  ExpectRefused({"check", absl::StrCat("--load-pass-plugin=", missing), "--insert-after=tosa-to-linalg:cse", kGoodCase},
                {missing, "No such file"});
  fs::copy(TOSAIC_PLUGIN, same);
  ExpectRefused({"check", kPluginFlag, absl::StrCat("--load-pass-plugin=", same),
                 "--insert-after=tosa-to-linalg:tosaic-break", kGoodCase},
                {same, "that ends the process: LLVM ERROR: "});
}

TEST(E2eBadInput, Selftests) {
  ExpectRefused({"selftest", absl::StrCat("--load-pass-plugin=", TOSAIC_EMPTY_PLUGIN)},
                {TOSAIC_EMPTY_PLUGIN, "tosaicBrokenLowerings"});
  ExpectRefused({"selftest", "--only=swap-sub,frobnicate"}, {"--only", "'frobnicate'; there are 1", "from "});
  ExpectRefused({"selftest", "--only=swap-subb"}, {"did you mean 'swap-sub'?"});
  ExpectRefused({"selftest", "--only=swap-everything"}, {"these are like it: ", "swap-sub"});
  ExpectRefused({"selftest", "--seeds=0"}, {"--seeds"});
  ExpectRefused({"selftest", "--cases=0"}, {"--cases"});
  ExpectRefused({"selftest", "--jobs=0"}, {"--jobs"});
  // The default plugin lies beside the executable.
  TemporaryDirectory temporary;
  const std::string alone = temporary / "tosaic", errors = temporary / "errors";
  fs::copy(TOSAIC_BINARY, alone);
  const int status = std::system(absl::StrCat("'", alone, "' selftest 2>'", errors, "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_TRUE(absl::StrContains(Slurp(errors), temporary / "tosaic_broken_lowerings.so")) << Slurp(errors);
}

TEST(E2eBadInput, Nights) {
  TemporaryDirectory temporary;
  const std::string state = absl::StrCat("--state=", temporary / "state");
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> rows = {
      {{state}, {"--minutes"}},
      {{"--minutes=1"}, {"--state"}},
      {{state, "--minutes=0"}, {"--minutes", "above 0"}},
      {{state, "--minutes=-1"}, {"--minutes", "above 0"}},
      {{state, "--minutes=many"}, {"--minutes", "many"}},
      {{state, "--minutes=inf"}, {"--minutes", "inf"}},
      {{state, "--minutes=1", "--seed=-1"}, {"--seed", "-1"}},
      {{state, "--minutes=1", "--jobs=0"}, {"--jobs", "1 to 1024"}},
      {{state, "--minutes=1", "--ops=frobnicate"}, {"--ops", "frobnicate", "list-ops"}},
      {{state, "--minutes=1", "--known=/no/such/file"}, {"/no/such/file", "cannot read"}},
      {{state, "--minutes=1", "--fuzzers=/no/such/folder"}, {"--fuzzers=/no/such/folder: there is no such directory"}},
      {{state, "--minutes=1", "--fuzzers=/usr"},
       {"--fuzzers=/usr: none of the targets is there: fuzz_verifier, fuzz_trait"}},
      {{state, "--minutes=1", "--fuzzer-corpus=/dev/null"}, {"--fuzzer-corpus=/dev/null", "no such directory"}},
      {{state, "--minutes=1", "--other=/no/such/mlir"}, {"--other", "/no/such/mlir"}},
      {{state, "--minutes=1", "--keep=0"}, {"--keep: '0' is not a number from 1 to 100000"}},
      {{state, "--minutes=1", "stray"}, {"stray"}},
      {{"--state=/dev/null/state", "--minutes=1"}, {"--state=/dev/null/state", "cannot create the directory"}},
  };
  for (const auto& [flags, parts] : rows) {
    std::vector<std::string> arguments = {"nightly"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    ExpectRefused(arguments, parts);
    EXPECT_FALSE(fs::exists(temporary / "state"));
  }
  fs::create_directories(temporary / "state");
  Spill(temporary / "state/reported.json", "{");
  ExpectRefused({"nightly", state, "--minutes=1"}, {temporary / "state/reported.json"});
}

// A flag without effect would be thought to have one.
TEST(E2eBadInput, FlagsWithoutEffect) {
  const std::string target = "--target=1.0,pro_int,8k", out = "--out=/no/such/folder/out";
  for (const char* beside : {"--route=all", "--route=loops", "--pipeline=builtin.module()",
                             "--insert-after=tosa-to-linalg:cse", "--replace=tosa-to-linalg:cse"}) {
    ExpectRefused({"check", kGoodCase, target, beside},
                  {"--target asks tosa-validate alone", "has no place beside it"});
  }
  ExpectRefused({"fuzz", target, "--route=loops", out}, {"--target", "--route"});
  ExpectRefused({"conform", target, "--out=/dev/null"}, {"'conform' has no flag '--target'"});
  ExpectRefused({"compare", target, "--base=mlir-22", "--patch=mlir-22"}, {"'compare' has no flag '--target'"});
  ExpectRefused({"check", kGoodCase, "--cpu=aarch64", "--route=contract"},
                {"--cpu: with --route=contract nothing runs"});
  ExpectRefused({"check", kGoodCase, "--cpu=aarch64", "--as-tosa", "--pipeline=builtin.module()"},
                {"--cpu: with --as-tosa nothing runs"});
  ExpectRefused({"check", kGoodCase, "--cpu=aarch64", target}, {"--cpu: with --target nothing runs"});
  ExpectRefused({"check", kGoodCase, "--expect=/dev/null", target}, {"--expect: with --target nothing runs"});
  ExpectRefused({"fuzz", "--mutant-percent=3", "--cases=1", out},
                {"of a guided campaign; give --guided or --corpus too"});
  ExpectRefused({"check", kGoodCase, "--runs=3"}, {kGoodCase, "no .mlir file, and --runs is of these alone"});
  ExpectRefused({"explain", "abs(tensor<2xf32>) -> tensor<2xf32>", "--function=f"}, {"--function", "a signature"});
}

TEST(E2eBadInput, Signatures) {
  for (const std::string signature :
       {"frobnicate(tensor<2xf32>) -> tensor<2xf32>", "add(tensor<2xf32>) -> tensor<2xf32>"}) {
    ExpectRefused({"explain", signature}, {signature});
  }
  // Text that does not parse gives an error of one line, with the column.
  for (const auto& [signature, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", "an op's name: add, tosa.mul, ... at column 1"},
           {"add", "'(' after the op's name at column 4"},
           {"add(tensor<2xf32>", "',' or ')' after an operand's type at column 18"},
           {"add(tensor<2xf32>, tensor<2xf32>)", "'->' before the result's type at column 34"},
           {"abs(tensor<2xf32>) -> tensor<2xf32> tail", "the end at column 37"}}) {
    ExpectRefused({"explain", signature}, {"tosaic: '" + signature + "': expected " + expected + "\n"});
  }
}

TEST(E2eBadInput, Sweeps) {
  ExpectRefused({"sweep", "--dims=?,x"}, {"--dims: 'x' is not a dimension"});
  ExpectRefused({"sweep", "--dims=1,1"}, {"--dims: '1' is given twice"});
  ExpectRefused({"sweep", "--ops=ad"}, {"--ops: unknown op 'ad'"});
  ExpectRefused({"sweep", "--max-rank=5"}, {"--max-rank"});
  ExpectRefused({"sweep", "--out=/"}, {"--out=/: this is a directory"});
  ExpectRefused({"sweep", "--values", "--out=/no/such/file"},
                {"--out=/no/such/file: cannot write there: No such file or directory"});
  ExpectRefused({"sweep", "--route=loops"}, {"--route requires --values"});
  ExpectRefused({"fuzz", "--patch=mlir-22"}, {"--patch requires --base"});
  ExpectRefused({"fuzz", "--base=mlir-22", "--patch=/nowhere"}, {"--patch: '/nowhere' is neither"});
  ExpectRefused({"sweep", "--values", "--target=1.0"}, {"--target"});
  ExpectRefused({"sweep", "--max-rank=4", "--ops=select"}, {"decisions, more than 500000000; give --yes"});
}

TEST(E2eBadInput, OutputsThatCannotBeWritten) {
  TemporaryDirectory temporary;
  Spill(temporary / "file", "kept");
  for (const char* name : {"file", "file/below"}) {
    ExpectRefused({"fuzz", "--cases=1", absl::StrCat("--out=", temporary / name)}, {temporary / name});
  }
  fs::create_directories(temporary / "mine/findings");
  Spill(temporary / "mine/findings/precious", "kept");
  ExpectRefused({"fuzz", "--cases=1", absl::StrCat("--out=", temporary / "mine")}, {temporary / "mine/findings"});
  const std::string divergence = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/mul-result-shape.json");
  fs::create_directories(temporary / "directory");
  ExpectRefused({"reduce", divergence, absl::StrCat("--out=", temporary / "directory")}, {temporary / "directory"});
  const std::string own = temporary / "own.json", text = Slurp(divergence);
  Spill(own, text);
  ExpectRefused({"reduce", own, "--out=" + own}, {"it would replace what the command reads"});
  const std::string corpus = absl::StrCat("--corpus=", own), known = "--known=" + own, out = "--out=" + own;
  const std::string replaced = "it would replace what the command reads";
  ExpectRefused({"conform", "--ops=abs", corpus, out}, {replaced});
  ExpectRefused({"conform", "--ops=abs", absl::StrCat("--corpus=", temporary.path()), out}, {replaced});
  ExpectRefused({"conform", "--ops=abs", known, out}, {replaced});
  ExpectRefused({"prove", "--ops=abs", known, out}, {replaced});
  ExpectRefused({"sweep", "--ops=abs", known, out}, {replaced});
  ExpectRefused({"sweep", "--values", "--ops=abs", known, out}, {replaced});
  const std::string work = absl::StrCat("=", temporary.path());
  for (const char* flag : {"--work", "--take"}) {
    ExpectRefused({"sweep", "--values", "--all", "--ops=tanh", "--types=f16", flag + work, out}, {replaced});
  }
  EXPECT_EQ(Slurp(own), text);
  fs::remove(own);
  const Ran full = RunTosaic({"reduce", divergence, "--out=/dev/full"});
  EXPECT_EQ(full.status, 3);
  EXPECT_EQ(full.err, "tosaic: /dev/full: cannot write: No space left on device\n");
  for (const char* command : {"export-arm", "export-lit"}) {
    ExpectRefused({command, absl::StrCat("--out=", temporary / "file")}, {"it is not a folder"});
  }
  ExpectRefused({"reproduce", divergence, absl::StrCat("--out=", temporary / "file")}, {"it is not a folder"});
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  const std::map<std::string, std::string> kept = {{"file", "kept"}, {"mine/findings/precious", "kept"}};
  EXPECT_EQ(FilesBelow(temporary.path()), kept);
}

TEST(E2eBadInput, ACaseWithoutADivergenceIsNotReduced) {
  TemporaryDirectory temporary;
  ExpectRefused({"reduce", kGoodCase, absl::StrCat("--out=", temporary / "reduced.json")}, {kGoodCase, "agree"});
  EXPECT_FALSE(fs::exists(temporary / "reduced.json"));
}

TEST(E2eBadInput, AnotherCampaignsDirectoryStaysAsItWas) {
  TemporaryDirectory temporary;
  const std::string out = absl::StrCat("--out=", temporary / "out");
  RunTosaic({"fuzz", "--seed=1", "--cases=5", out});
  const auto before = FilesBelow(temporary.path());
  const std::pair<const char*, const char*> rows[] = {
      {"--seed=2", "(seed 1, not 2)"},
      {"--ops=add", "(ops all, not add)"},
      {"--route=loops-dealloc", ", not loops-dealloc)"},
      {"--strict-static-result", "(strict static result false, not true)"},
  };
  for (const auto& [flag, difference] : rows) {
    ExpectRefused({"fuzz", "--cases=5", out, flag}, {temporary / "out", "another campaign", difference});
    EXPECT_EQ(FilesBelow(temporary.path()), before);
  }
}

}  // namespace
}  // namespace tosaic
