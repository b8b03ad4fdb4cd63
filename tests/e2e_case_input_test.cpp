// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real tosaic reads cases: functions of .mlir files, by every command, and files as they are in the wild.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/signature_program.h"
#include "tests/fake_tools.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

// mul by a constant 0 is folded to 0 whatever x is: a known divergence.
constexpr char kMul[] = R"(
module {
  func.func private @printMemrefF16(tensor<*xf16>)
  func.func @main() {
    %a = util.unfoldable_constant dense<[1.0, 0x7C00]> : tensor<2xf16>
    %c = "tosa.const"() {values = dense<0.0> : tensor<2xf16>} : () -> tensor<2xf16>
    %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
    %0 = tosa.mul %a, %c, %s : (tensor<2xf16>, tensor<2xf16>, tensor<1xi8>) -> tensor<2xf16>
    %1 = tensor.cast %0 : tensor<2xf16> to tensor<*xf16>
    call @printMemrefF16(%1) : (tensor<*xf16>) -> ()
    return
  }
}
)";

constexpr char kTwo[] = R"(
func.func @a(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.abs %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @b(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = tosa.add %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @c(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = tosa.reverse %x {axis = 0 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
)";

class E2eCaseInput : public testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& text) {
    Spill(temporary_ / name, text);
    return temporary_ / name;
  }
  TemporaryDirectory temporary_;
};

TEST_F(E2eCaseInput, EveryCommandTakesAFunction) {
  const std::string file = File("mul.mlir", kMul);
  const Ran check = RunTosaic({"check", file});
  EXPECT_EQ(check.status, 1) << check.err;
  EXPECT_TRUE(absl::StrContains(check.out, ":@main: wrong-value [value.mul] (1 run)")) << check.out;
  const Ran reduce = RunTosaic({"reduce", file, absl::StrCat("--out=", temporary_ / "small.json")});
  EXPECT_EQ(reduce.status, 1) << reduce.err;
  EXPECT_EQ(RunTosaic({"check", temporary_ / "small.json"}).status, 1);
  const Ran bisect = RunTosaic({"bisect-passes", file});
  EXPECT_EQ(bisect.status, 1) << bisect.err;
  EXPECT_TRUE(absl::StrContains(bisect.out, "tosa-to-linalg")) << bisect.out;
  const Ran reproduce = RunTosaic({"reproduce", file, absl::StrCat("--out=", temporary_ / "folder")});
  EXPECT_EQ(reproduce.status, 1) << reproduce.err;
  EXPECT_TRUE(std::filesystem::exists(temporary_ / "folder/repro.sh"));
  const Ran eval = RunTosaic({"eval", "--function=main", file});
  EXPECT_EQ(eval.status, 0) << eval.err;
  EXPECT_TRUE(absl::StrContains(eval.out, "run 0, %0 = mul: 2\n")) << eval.out;
  const Ran explain = RunTosaic({"explain", file});
  EXPECT_EQ(explain.status, 0) << explain.err;
  EXPECT_TRUE(absl::StartsWith(explain.out, "mul(tensor<2xf16>, tensor<2xf16>, tensor<1xi8>) -> tensor<2xf16>\n"))
      << explain.out;
}

// Of two ops the value between shows which one is wrong: the program that returns it too is the case's twin.
TEST_F(E2eCaseInput, WhatOnlyTheTwinShowsIsReducedAndBisectedToo) {
  const std::string file = File("chain.mlir", R"(
    func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
      %zp = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
      %0 = tosa.negate %x, %zp, %zp : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
      %1 = tosa.negate %0, %zp, %zp : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
      return %1 : tensor<4xi8>
    })");
  const std::string small = temporary_ / "small.json";
  const Ran reduce = RunTosaic({"reduce", file, absl::StrCat("--out=", small)});
  EXPECT_EQ(reduce.status, 1) << reduce.err;
  EXPECT_TRUE(absl::StrContains(
      reduce.err,
      "chain.mlir: it is wrong as it is; its variant all-returned shows which op is wrong: a program "
      "computes the same whether it returns its last value or all values. This variant is reduced\n"));
  EXPECT_TRUE(absl::StrContains(reduce.err, "rule:      value.negate\n")) << reduce.err;
  EXPECT_EQ(RunTosaic({"check", small}).status, 1);
  const Ran bisect = RunTosaic({"bisect-passes", file});
  EXPECT_EQ(bisect.status, 1) << bisect.err;
  EXPECT_TRUE(absl::StrContains(bisect.out, "first wrong: ")) << bisect.out;
}

TEST_F(E2eCaseInput, StandardInputIsAFile) {
  const std::string file = File("mul.mlir", kMul), out = temporary_ / "out";
  const auto status = [&](const std::string& from, const std::string& command) {
    return WEXITSTATUS(std::system(absl::StrCat(TOSAIC_BINARY, " ", command, " - < ", from, " > ", out).c_str()));
  };
  EXPECT_EQ(status(file, "check"), 1);
  EXPECT_TRUE(absl::StrContains(Slurp(out), "-:@main: wrong-value [value.mul]")) << Slurp(out);
  EXPECT_EQ(status(file, "eval"), 0);
  EXPECT_EQ(status(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json"), "check"), 0);
}

TEST_F(E2eCaseInput, OneFunctionIsPicked) {
  const std::string file = File("two.mlir", kTwo);
  const Ran one = RunTosaic({"check", "--function=b", file});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_TRUE(absl::StrContains(one.out, ":@b: agree")) << one.out;
  EXPECT_FALSE(absl::StrContains(one.out, "@a")) << one.out;
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } rows[] = {
      {{"eval", file}, "two.mlir: 2 functions of it are cases; --function takes one of @a, @b\n"},
      {{"eval", "--function=c", file},
       "two.mlir: no function in it is a case: @c: uses tosa.reverse, which is not elementwise\n"},
      {{"eval", "--function=@d", file}, "two.mlir: --function=@d: the file has no such function, but @a, @b, @c\n"},
      {{"eval", File("none.mlir", "")}, "none.mlir: there is no function in it\n"},
      {{"reduce", File("bad.mlir", "func.func @f(")},
       "bad.mlir: no function in it is a case: @f: does not parse: line 1: "},
      {{"explain", temporary_.path()}, ": cannot read: it is a directory\n"},
      {{"coverage", File("none.mlir", "")}, "none.mlir: there is no function in it\n"},
      {{"check", File("none.mlir", "")}, "nothing to check: there is no function in the input\n"},
      {{"explain", temporary_ / "missing.mlir"}, "missing.mlir: cannot read: No such file or directory\n"},
      {{"check", "--function=f", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json")},
       "--function takes one of an .mlir file's functions\n"},
  };
  for (const auto& row : rows) {
    const Ran ran = RunTosaic(row.arguments);
    EXPECT_EQ(ran.status, 2) << row.says;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(absl::StrContains(ran.err, row.says)) << ran.err;
    EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
  }
}

// An agreement is one of the ops that were tested: what was not is named and counted, in text and in JSON.
TEST_F(E2eCaseInput, WhatNoCaseHasIsNamedAndCounted) {
  const std::string file = File("regions.mlir", R"(
    func.func @region(%a: tensor<2xf32>) -> tensor<2xf32> {
      "foo.region"(%a) ({
        ^bb0(%x: tensor<2xf32>):
        %1 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
        "foo.yield"(%1) : (tensor<2xf32>) -> ()
      }) : (tensor<2xf32>) -> ()
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @if(%p: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      %1 = tosa.cond_if %p : tensor<i1> -> tensor<2xf32> {
        %2 = tosa.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
        tosa.yield %2 : tensor<2xf32>
      } else {
        tosa.yield %a : tensor<2xf32>
      }
      return %1 : tensor<2xf32>
    }
    ml_program.func @other(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      ml_program.return %0 : tensor<2xf32>
    })");
  const Ran ran = RunTosaic({"check", "--runs=1", file});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part :
       {" (not tested: tosa.exp in foo.region (line 5))\n",
        " (the ops before tosa.cond_if) (not tested: tosa.exp in tosa.cond_if (line 14))\n",
        ":@other: skipped: elementwise ops outside of any func.func (not tested: tosa.abs in ml_program.func (line "
        "22))\n",
        "2 cases: agree 2; skipped 1; 3 ops not tested\n"}) {
    EXPECT_TRUE(absl::StrContains(ran.out, part)) << part << " in " << ran.out;
  }
  const Ran routes = RunTosaic({"check", "--runs=1", "--route=all", "--function=region", file});
  EXPECT_TRUE(absl::StrContains(routes.out, " routes (not tested: tosa.exp in foo.region (line 5))\n")) << routes.out;
  EXPECT_TRUE(absl::StrContains(routes.out, "; 1 op not tested\n")) << routes.out;
  const Json json = ParseJson(RunTosaic({"check", "--runs=1", "--json", file}).out).value_or(Json::array());
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["untested"], Json::array({"tosa.exp in foo.region (line 5)"}));
  EXPECT_TRUE(json[2].contains("skipped"));
}

// The others are checked all the same.
TEST_F(E2eCaseInput, AFileThatCannotBeReadIsSaidBesideTheOthers) {
  std::filesystem::create_directories(temporary_ / "in");
  const std::string good = File("in/good.mlir", R"(func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  const std::string binary = File("in/binary.mlir", std::string("\xff\xfe\0", 3));
  File("in/broken.json", "{");
  const Ran ran = RunTosaic({"check", temporary_ / "in"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat(good, ":@f: agree"))) << ran.out;
  EXPECT_TRUE(
      absl::StrContains(ran.out, absl::StrCat(binary, ": not read: this is not an MLIR file, but a binary one\n")))
      << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "1 case: agree 1; 2 files not read\n")) << ran.out;
  const Json json = Parsed(RunTosaic({"check", "--json", temporary_ / "in"}).out);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["not_read"], true);
  EXPECT_FALSE(json[2].contains("not_read"));
  EXPECT_EQ(RunTosaic({"check", File("mul.mlir", kMul), binary, "--function=main"}).status, 1) << "what diverges first";
  const std::string skipped = File("skipped.mlir", "func.func private @f(tensor<2xf32>) -> tensor<2xf32>");
  const Ran none = RunTosaic({"check", skipped, binary});
  EXPECT_TRUE(absl::StrContains(none.err, "nothing to check: the only function was skipped\n")) << none.err;
  const Ran alone = RunTosaic({"check", binary});
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.err, absl::StrCat("tosaic: ", binary, ": this is not an MLIR file, but a binary one\n"));
}

// An agreement that is a refusal says so, and which op is wrong is said where a later one is right.
TEST_F(E2eCaseInput, HeadlinesSayWhatRanAndWhichOpIsMeant) {
  const std::string file = File("in.mlir", R"(
    func.func @refused(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> tensor<2x3xf32> {
      %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    func.func @wrong(%x: tensor<2xf16>, %y: tensor<4xi8>) -> (tensor<2xf16>, tensor<4xi8>) {
      %zero = "tosa.const"() <{values = dense<0.0> : tensor<2xf16>}> : () -> tensor<2xf16>
      %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %0 = tosa.mul %x, %zero, %shift : (tensor<2xf16>, tensor<2xf16>, tensor<1xi8>) -> tensor<2xf16>
      %1 = tosa.bitwise_not %y : (tensor<4xi8>) -> tensor<4xi8>
      return %0, %1 : tensor<2xf16>, tensor<4xi8>
    })");
  const Ran ran = RunTosaic({"check", file});
  EXPECT_EQ(ran.status, 1);
  for (const char* part : {":@refused: agree [legal.rank] (types alone, nothing ran: it is refused, as it must be)\n",
                           "\nop:        mul(tensor<2xf16>, tensor<2xf16>, tensor<1xi8>) -> tensor<2xf16>\n",
                           "2 cases: agree 1 wrong-value 1; nothing ran of 1\n"}) {
    EXPECT_TRUE(absl::StrContains(ran.out, part)) << part << " in " << ran.out;
  }
}

TEST_F(E2eCaseInput, TheOpThatIsRefusedIsNamed) {
  const std::string file = File("in.mlir", R"(
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> tensor<2x3xf32> {
      %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
      %1 = tosa.exp %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %1 : tensor<2x3xf32>
    })");
  const std::string out = RunTosaic({"check", file}).out;
  EXPECT_TRUE(absl::StrContains(out, "\nop:        add(tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>\n")) << out;
}

// What of a case is not judged is said beside its agreement.
TEST_F(E2eCaseInput, NoAgreementHidesWhatWasNotJudged) {
  const std::string file = File("hidden.mlir", R"(
    func.func @unreturned(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
      return %x : tensor<2xf32>
    }
    func.func @undefined(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tosa.pow %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  const Ran all = RunTosaic({"check", file});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_TRUE(absl::StrContains(all.out, " (not tested: %0 (exp), whose value reaches no result)\n")) << all.out;
  EXPECT_TRUE(absl::StrContains(all.out, "2 cases: agree 2; 1 op not tested\n")) << all.out;
  const Ran undefined = RunTosaic({"check", file, "--function=undefined"});
  EXPECT_TRUE(absl::StrContains(undefined.out, " elements are undefined: [value.pow]")) << undefined.out;

  Case without_runs;
  without_runs.program = ParseSignature("abs(tensor<2xf32>) -> tensor<2xf32>").value();
  const Ran types = RunTosaic({"check", File("without_runs.json", CaseToText(without_runs))});
  EXPECT_TRUE(absl::StrContains(types.out, " (types alone, nothing ran: the file has no run)\n")) << types.out;
  EXPECT_TRUE(absl::StrContains(types.out, "1 case: agree 1; nothing ran of 1\n")) << types.out;
}

TEST_F(E2eCaseInput, FilesWithoutFunctionsAreNamed) {
  const std::string empty = File("empty.mlir", ""), comment = File("comment.mlir", "// nothing\n");
  const Ran beside = RunTosaic({"check", "--runs=1", File("two.mlir", kTwo), empty, comment});
  EXPECT_EQ(beside.status, 0) << beside.err;
  EXPECT_TRUE(
      absl::StrContains(beside.out, absl::StrCat(empty, ", ", comment, ": skipped: there is no function in it\n")))
      << beside.out;
  EXPECT_TRUE(absl::StrContains(beside.out, "; skipped 3\n")) << beside.out;
  const Ran alone = RunTosaic({"check", empty, comment});
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.err,
            absl::StrCat("tosaic: ", empty, ", ", comment, ": nothing to check: there is no function in the input\n"));
}

// A missing brace is a mistake in one function, and the others are tested.
TEST_F(E2eCaseInput, AFunctionBehindASyntaxErrorIsTested) {
  const std::string file = File("brace.mlir", absl::StrCat("func.func @brace() {\n  return\n", kTwo));
  const Ran ran = RunTosaic({"check", "--runs=1", file});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, ":@brace: skipped: does not parse: ")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "2 cases: agree 2; skipped 2\n")) << ran.out;
  EXPECT_EQ(RunTosaic({"check", "--runs=1", "--function=b", file}).status, 0);
}

TEST_F(E2eCaseInput, CheckSavesTheCases) {
  const std::string file = File("two.mlir", kTwo), saved = temporary_ / "cases";
  EXPECT_EQ(RunTosaic({"check", file, absl::StrCat("--save=", saved)}).status, 0);
  const std::map<std::string, std::string> files = FilesBelow(saved);
  ASSERT_EQ(files.size(), 2u);
  ASSERT_TRUE(files.contains("two-a.json") && files.contains("two-b.json"));
  EXPECT_TRUE(CaseFromText(files.at("two-a.json")).ok());
  const Ran again = RunTosaic({"check", saved});
  EXPECT_TRUE(absl::StrContains(again.out, "2 cases: agree 2")) << again.out;
  EXPECT_EQ(RunTosaic({"check", file, absl::StrCat("--save=", saved)}).status, 0);  // the same cases once more
}

// Nothing is written where one of the cases would replace another case.
TEST_F(E2eCaseInput, CheckSavesNothingInThePlaceOfAnotherCase) {
  const std::string saved = temporary_ / "cases", before = saved + "/two-b.json";
  EXPECT_EQ(RunTosaic({"check", File("two.mlir", kTwo), "--function=b", absl::StrCat("--save=", saved)}).status, 0);
  const std::map<std::string, std::string> files = FilesBelow(saved);
  const std::string other = File("two.mlir", absl::StrReplaceAll(kTwo, {{"tosa.add", "tosa.sub"}}));
  const Ran ran = RunTosaic({"check", other, absl::StrCat("--save=", saved)});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err,
            absl::StrCat("tosaic: --save: ", before, " is another case already; give a new directory, or remove it\n"));
  EXPECT_EQ(FilesBelow(saved), files);
}

TEST_F(E2eCaseInput, CheckSavesAFunctionWhoseNameIsAPathInTheFolder) {
  std::string text = kTwo;
  text.replace(text.find("@a"), 2, "@\"a/../../b\"");
  const std::string file = File("two.mlir", text), saved = temporary_ / "cases";
  const Ran ran = RunTosaic({"check", file, absl::StrCat("--save=", saved)});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(FilesBelow(saved).contains("two-a-..-..-b.json"));
}

// MLIR takes any text as a name, and file systems do not: the verdicts shall not be lost with the file's name.
TEST_F(E2eCaseInput, CheckSavesAFunctionWhoseNameIsNoFilesName) {
  const std::string saved = temporary_ / "cases", longest(300, 'x');
  std::string text = absl::StrReplaceAll(kTwo, {{"@a", "@\"line\\0Abreak\""}, {"@b", absl::StrCat("@", longest)}});
  absl::StrAppend(&text, absl::StrReplaceAll(kTwo, {{"@a", absl::StrCat("@", longest, "1")}}));
  const Ran ran = RunTosaic({"check", "--runs=1", File("odd.mlir", text), absl::StrCat("--save=", saved)});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::map<std::string, std::string> files = FilesBelow(saved);
  EXPECT_EQ(files.size(), 4u);
  EXPECT_TRUE(files.contains("odd-line-break.json"));
  EXPECT_TRUE(files.contains(absl::StrCat("odd-", longest.substr(0, 246), ".json")));
  EXPECT_TRUE(files.contains(absl::StrCat("odd-", longest.substr(0, 244), "-2.json")));
}

// A report that turned out undefined: what is printed is made of a shift by more than the type's bits.
TEST_F(E2eCaseInput, AReportWhoseOtherOpsNoCaseHasIsAnsweredForItsPart) {
  const std::string file = File("report.mlir", R"(
module {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @main() {
    %0 = "tosa.const"() <{values = dense<1641> : tensor<1x15x2xi32>}> : () -> tensor<1x15x2xi32>
    %1 = "tosa.const"() <{values = dense<3819> : tensor<1x15x2xi32>}> : () -> tensor<1x15x2xi32>
    %2 = tosa.abs %0 : (tensor<1x15x2xi32>) -> tensor<1x15x2xi32>
    %3 = tosa.logical_right_shift %2, %1 : (tensor<1x15x2xi32>, tensor<1x15x2xi32>) -> tensor<1x15x2xi32>
    %4 = tosa.reduce_sum %3 {axis = 1 : i32} : (tensor<1x15x2xi32>) -> tensor<1x1x2xi32>
    %5 = tosa.cast %4 : (tensor<1x1x2xi32>) -> tensor<1x1x2xf32>
    %cast = tensor.cast %5 : tensor<1x1x2xf32> to tensor<*xf32>
    call @printMemrefF32(%cast) : (tensor<*xf32>) -> ()
    return
  }
})");
  const Ran ran = RunTosaic({"check", file});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out,
                                ":@main: undefined [run.undefined] (1 run) (the ops before tosa.reduce_sum) (not "
                                "tested: tosa.cast (line 10))\n"))
      << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "\nanswer:    undefined: [value.logical_right_shift")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "https://github.com/arm/tosa-specification/")) << ran.out;
}

TEST_F(E2eCaseInput, TheAnswerNamesWhatIsOpenInACaseThatAgrees) {
  const Ran ran = RunTosaic({"check", File("shift.mlir", R"(
    func.func private @printMemrefI32(tensor<*xi32>)
    func.func @main() {
      %0 = "tosa.const"() {values = dense<[4, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
      %1 = "tosa.const"() {values = dense<[33, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %2 = tosa.logical_left_shift %0, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %cast = tensor.cast %2 : tensor<2xi32> to tensor<*xi32>
      call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
      return
    })")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(absl::StrContains(
      ran.out, "\nanswer:    as specified; 1 element is undefined: [value.logical_left_shift.shift-amount] An amount "))
      << ran.out;
}

TEST_F(E2eCaseInput, TheAnswerSaysWhatIsWrongAndSinceWhichPass) {
  const Ran wrong = RunTosaic({"check", File("mul.mlir", kMul)});
  EXPECT_TRUE(absl::StrContains(wrong.out, "\nanswer:    wrong: [value.mul] ")) << wrong.out;
  EXPECT_TRUE(absl::StrContains(wrong.out, "; first wrong after tosa-make-broadcastable\n")) << wrong.out;
  const Ran right = RunTosaic({"check", "--function=b", File("two.mlir", kTwo)});
  EXPECT_TRUE(absl::StrContains(right.out, "\nanswer:    as specified\n")) << right.out;
  const Ran by_zero = RunTosaic({"check", File("zero.mlir", R"(
    func.func @by_zero(%a: tensor<4xi32>) -> tensor<4xi32> {
      %c = "tosa.const"() {values = dense<0> : tensor<4xi32>} : () -> tensor<4xi32>
      %0 = tosa.intdiv %a, %c : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      return %0 : tensor<4xi32>
    })")});
  EXPECT_TRUE(absl::StrContains(by_zero.out, "\nanswer:    undefined: [value.intdiv")) << by_zero.out;
}

// Only the first element's shift is one number: what exp makes of 20 may be any of several, each more than 31.
TEST_F(E2eCaseInput, TheAnswerIsAboutTheElementWhateverTheOthersMayBe) {
  const Ran ran = RunTosaic({"check", File("shift.mlir", R"(
    func.func @by_exp() -> tensor<2xi32> {
      %x = "tosa.const"() {values = dense<[3.7, 20.0]> : tensor<2xf32>} : () -> tensor<2xf32>
      %one = "tosa.const"() {values = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
      %0 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
      %1 = tosa.cast %0 : (tensor<2xf32>) -> tensor<2xi32>
      %2 = tosa.logical_left_shift %one, %1 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %2 : tensor<2xi32>
    })")});
  EXPECT_TRUE(absl::StrContains(ran.out, "\nanswer:    undefined: [value.logical_left_shift")) << ran.out;
}

std::string AbsOf(const std::string& elements) {
  return absl::StrReplaceAll(R"(func.func @f(%x: tensor<Nxf32>) -> tensor<Nxf32> {
    %0 = tosa.abs %x : (tensor<Nxf32>) -> tensor<Nxf32>
    return %0 : tensor<Nxf32>
  })",
                             {{"N", elements}});
}

// Once nothing of more than 4,096 elements ran, and the answer was "as specified".
TEST_F(E2eCaseInput, LargeTensorsRunAndWhereNothingRanTheAnswerSaysSo) {
  const Ran large = RunTosaic({"check", File("large.mlir", AbsOf("50000"))});
  EXPECT_EQ(large.status, 0) << large.err;
  EXPECT_TRUE(absl::StrContains(large.out, ":@f: agree [bcast.verify.equal] (1 run)\n")) << large.out;
  EXPECT_TRUE(absl::StrContains(large.out, "compared:  50000 of 50000 elements")) << large.out;
  const std::string file = File("huge.mlir", AbsOf("10000000000"));
  const Ran huge = RunTosaic({"check", file});
  EXPECT_EQ(huge.status, 0) << huge.err;
  for (const char* part :
       {" (types alone, nothing ran: %arg0 has more than 262144 elements)\n", "verdict:   agree at infer\n",
        "answer:    the types are as specified; of the values nothing is known\n",
        "1 case: agree 1; nothing ran of 1\n"}) {
    EXPECT_TRUE(absl::StrContains(huge.out, part)) << part << " in " << huge.out;
  }
  EXPECT_FALSE(absl::StrContains(huge.out, "answer:    as specified")) << huge.out;
  const Json json = ParseJson(RunTosaic({"check", "--json", file}).out).value_or(Json::array());
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["not_run"], "%arg0 has more than 262144 elements");
  const Ran history = RunTosaic({"history", file});
  EXPECT_TRUE(absl::StrContains(history.out, "agree [bcast.verify.equal] (types alone, nothing ran)\n")) << history.out;
}

// As MLIR spelt it until 2025, and most reports have it: drawn data once stood for the shift, and the answer was "as
// specified".
TEST_F(E2eCaseInput, AFileInAnOlderSpellingIsReadAsItIs) {
  const std::string file = File("old.mlir", R"(func.func @main() -> tensor<1x1xi32> {
    %0 = "tosa.const"() <{value = dense<0> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %1 = "tosa.const"() <{value = dense<32> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %2 = tosa.logical_left_shift %0, %1 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    return %2 : tensor<1x1xi32>
  })");
  for (const char* toolchain : {"mlir-22", "mlir-19", "mlir-16"}) {
    const Ran ran = RunTosaic({"check", absl::StrCat("--toolchain=", toolchain), file});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string spelled = std::string(toolchain) == "mlir-22" ? " (as MLIR 20 spells it)" : "";
    EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat(":@main: undefined [run.undefined]"
                                                        " (1 run)",
                                                        spelled, "\n")))
        << ran.out;
  }
  const Json json = ParseJson(RunTosaic({"check", "--json", file}).out).value_or(Json::array());
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["spelled"], 20);
  const Ran history = RunTosaic({"history", "--json", file});
  const Json rows = ParseJson(history.out).value_or(Json::object());
  ASSERT_TRUE(rows.contains("toolchains")) << history.out << history.err;
  for (const Json& row : rows["toolchains"]) EXPECT_EQ(row["answer"], "undefined") << row.dump();
}

// LLVM's own test of tosa-to-linalg, whose result's sign was lost: that was a wrong refusal of its zero point.
TEST_F(E2eCaseInput, UnsignedNumbersOfAnOlderRescaleAreComputed) {
  const std::string file = File("rescale.mlir", R"(func.func @rescale_i8(%arg0: tensor<2xi8>) -> tensor<2xui8> {
    %1 = "tosa.rescale"(%arg0) {input_zp = 17 : i32, output_zp = 22 : i32, multiplier = array<i32: 19689>,
      shift = array<i8: 15>, scale32 = false, double_round = false, per_channel = false} : (tensor<2xi8>) -> tensor<2xui8>
    return %1 : tensor<2xui8>
  })");
  for (const char* toolchain : {"mlir-22", "mlir-19", "mlir-16"}) {
    const Ran ran = RunTosaic({"check", "--json", absl::StrCat("--toolchain=", toolchain), file});
    const Json json = ParseJson(ran.out).value_or(Json::array());
    ASSERT_EQ(json.size(), 1u) << ran.out << ran.err;
    const Json& judgement = json[0].at("judgement");
    EXPECT_EQ(judgement.at("verdict"), "agree") << ran.out;
    EXPECT_GT(judgement.at("compared"), 0) << ran.out;
    EXPECT_EQ(judgement.at("masked"), 0) << ran.out;
  }
}

TEST_F(E2eCaseInput, HistoryAsksEveryToolchain) {
  const Ran ran = RunTosaic({"history", "--json", File("mul.mlir", kMul)});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const Json json = ParseJson(ran.out).value_or(Json::object());
  ASSERT_TRUE(json.contains("toolchains")) << ran.out;
  std::map<std::string, std::string> answers;
  for (const Json& row : json["toolchains"]) answers[row["toolchain"]] = row["answer"];
  EXPECT_EQ(answers["mlir-22"], "wrong") << ran.out;
  EXPECT_TRUE(absl::StartsWith(json["span"].get<std::string>(), "wrong ")) << ran.out;
  const Json schema = ParseJson(RunTosaic({"list-formats", "--schema=history"}).out).value_or(Json::object());
  ASSERT_TRUE(schema.contains("properties"));
  for (const auto& [key, value] : json.items()) EXPECT_TRUE(schema["properties"].contains(key)) << key;
  const Ran text = RunTosaic({"history", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.rank-equality.json")});
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_TRUE(absl::StrContains(text.out, "\nwrong on no release\n")) << text.out;
  EXPECT_TRUE(absl::StrContains(text.out, "mlir-22              LLVM 22")) << text.out;
  // Its lowering did not broadcast at run time then.
  const Ran mended =
      RunTosaic({"history", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json")});
  EXPECT_EQ(mended.status, 1) << mended.out;
  EXPECT_TRUE(
      absl::StrContains(mended.out, "\nwrong on LLVM 16.0.6, the oldest that can tell, and no longer on LLVM 19.1.7\n"))
      << mended.out;
}

void WriteDatedBuild(const TemporaryDirectory& cache, const std::string& name, const std::string& date,
                     const std::string& program, const std::string& body) {
  const std::string folder = cache / absl::StrCat("tosaic/versions/", name);
  std::filesystem::create_directories(folder);
  Spill(folder + "/build.json", absl::StrCat(R"({"source": "iree-base-compiler )", name, R"(", "date": ")", date,
                                             R"(", "program": ")", program, "\"}"));
  WriteTool(absl::StrCat(folder, "/", program), body);
}

// A build that refuses where MLIR 22 is wrong, and one that lowers nothing.
TEST_F(E2eCaseInput, HistorySaysWhyADatedBuildCannotTell) {
  TemporaryDirectory cache;
  const auto build = [&](const std::string& name, const std::string& program, const std::string& body) {
    WriteDatedBuild(cache, name, "2026-01-13", program, absl::StrCat(body, "\nexec mlir-opt-22 \"$@\""));
  };
  build("refuses", "iree-opt",
        "case \"$*\" in *tosa-to-linalg*) cat > /dev/null; echo \"<stdin>:1:1: error: 'tosa.cast' op is hard\" >&2; "
        "exit 1;; esac");
  build("verifies", "tosa-opt", "case \"$1\" in --help) echo '  --tosa-validate  -  Validates'; exit;; esac");
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const Ran ran =
      RunTosaic({"history", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/cast-i32-bf16-double-rounding.json")});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(absl::StrContains(ran.out, "unknown   wrong otherwise: lowering-failed [lower.complete]\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "unknown   it has no tosa-to-linalg, and tells what verifiers decide\n"))
      << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "\ndated builds: no dated build can tell\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "; that may be of LLVM's code generation, which is")) << ran.out;
}

constexpr char kMaximum[] = R"(func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.maximum %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
})";

// A build that has an older name for an op, and one whose name for it is none of its own.
TEST_F(E2eCaseInput, WhatTheSecondHalfDoesNotReadSaysNothingOfADatedBuild) {
  TemporaryDirectory cache;
  const auto build = [&](const std::string& name, const std::string& reads) {
    WriteDatedBuild(cache, name, "2023-02-09", "iree-opt",
                    absl::StrCat("case \"$1\" in --*p|--version) exec mlir-opt-22 \"$@\";; esac\nout=$(", reads,
                                 " | mlir-opt-22 \"$@\"); status=$?\nprintf '%s\\n' \"$out\" | "
                                 "sed 's/arith.maximumf/arith.maxf/'; exit $status"));
  };
  build("old", "sed 's/arith.maxf/arith.maximumf/'");
  build("broken", "cat");
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const std::string file = File("max.mlir", kMaximum);
  const Ran history = RunTosaic({"history", "--runs=1", file});
  const Ran old = RunTosaic({"check", "--toolchain=old", file});
  const Ran broken = RunTosaic({"check", "--toolchain=broken", file});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(absl::StrContains(old.out, "unsupported [support.not-built]")) << old.out << old.err;
  EXPECT_TRUE(absl::StrContains(old.out, "does not read what old leaves: unregistered operation 'arith.maxf'"))
      << old.out;
  EXPECT_TRUE(absl::StrContains(broken.out, "lowering-failed [lower.complete]")) << broken.out << broken.err;
  EXPECT_TRUE(absl::StrContains(history.out, " unknown   refused at execute: LLVM 22")) << history.out;
}

// A tosa-opt had no route at all, and a campaign on it died.
TEST_F(E2eCaseInput, ACampaignOnABuildThatLowersNothingIsOneOfTheVerifier) {
  TemporaryDirectory cache;
  WriteDatedBuild(
      cache, "verifies", "2026-01-13", "tosa-opt",
      "case \"$1\" in --help) echo '  --tosa-validate  -  Validates'; exit;; esac\nexec mlir-opt-22 \"$@\"");
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  for (const char* route : {"", "--route=all", "--route=loops"}) {
    std::vector<std::string> arguments = {"fuzz", "--toolchain=verifies", "--cases=20", "--jobs=1",
                                          absl::StrCat("--out=", temporary_ / "work", route)};
    if (*route != '\0') arguments.push_back(route);
    const Ran ran = RunTosaic(arguments);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_TRUE(absl::StrContains(ran.out, "\nNo program was run, so no value was judged")) << ran.out;
  }
  unsetenv("XDG_CACHE_HOME");
}

// Makes a finding's folder in `work` one of a campaign on the toolchain, by whose summary `history` knows where a case
// was found.
Ran MakeFoundOn(const std::string& toolchain, const std::string& work) {
  Spill(work + "/findings/one/finding.json", "{}");
  const std::string campaign = work + "/campaign";
  Ran ran = RunTosaic({"fuzz", "--toolchain=" + toolchain, "--ops=abs", "--cases=1", "--out=" + campaign});
  std::filesystem::copy_file(campaign + "/summary.json", work + "/summary.json");
  return ran;
}

// Three builds, of which the middle alone is wrong: it is asked if the case was found on it, or all are.
TEST_F(E2eCaseInput, HistoryAsksTheBuildOfTheFindingOrAll) {
  TemporaryDirectory cache;
  for (const char* name : {"iree-1", "iree-2", "iree-3"}) {
    const bool is_wrong = name == std::string("iree-2");
    WriteDatedBuild(
        cache, name, absl::StrCat("2026-02-0", name + 5), "iree-opt",
        absl::StrCat(is_wrong ? "case \"$*\" in *tosa-to-linalg*) cat > /dev/null; echo '<stdin>:1:1: error: "
                                "no' >&2; exit 1;; esac\n"
                              : "",
                     "exec mlir-opt-22 \"$@\""));
  }
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const std::string work = temporary_ / "work", file = work + "/findings/one/reduced.mlir";
  std::filesystem::create_directories(work + "/findings/one");
  Spill(file, kMaximum);
  const Ran unasked = RunTosaic({"history", "--runs=1", file});
  const Ran all = RunTosaic({"history", "--runs=1", "--all", file});
  const Ran campaign = MakeFoundOn("iree-2", work);
  const Ran found = RunTosaic({"history", "--runs=1", file});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(absl::StrContains(unasked.out, "; 2 of 3 were asked, others may be wrong (--all asks each)\n"))
      << unasked.out;
  EXPECT_EQ(unasked.status, 0) << unasked.out;
  for (const Ran& ran : {all, found}) {
    EXPECT_EQ(ran.status, 1) << ran.out << ran.err << campaign.err;
    EXPECT_TRUE(absl::StrContains(ran.out, "a regression between 2026-02-01 and 2026-02-02; fixed between 2026-02-02"))
        << ran.out;
    EXPECT_FALSE(absl::StrContains(ran.out, "were asked, others")) << ran.out;
  }
}

// A build without the passes for other shapes.
std::string WithoutShapePasses(const std::string& opt, const std::string& before = "") {
  return absl::StrCat(
      "case \"$1\" in --help) ", opt, " --help | grep -v -e tosa-infer-shapes -e tosa-to-linalg-named; exit;; esac\n",
      "case \"$*\" in *tosa-infer-shapes*) echo 'error: no such pass' >&2; exit 1;; esac\n", before, opt, " \"$@\"");
}

// Each was "unknown: it lacks tosa-infer-shapes", also on the build that the campaign ran on.
TEST_F(E2eCaseInput, WhatAVerifierDecidesNeedsNoPassThatADatedBuildLacks) {
  TemporaryDirectory cache;
  WriteDatedBuild(cache, "iree-1", "2024-07-23", "iree-opt", WithoutShapePasses("mlir-opt-19"));
  WriteDatedBuild(cache, "iree-2", "2026-01-13", "iree-opt",
                  WithoutShapePasses("mlir-opt-22", "sed '/?xf32/s/tosa.maximum/tosa.logical_not/' | "));
  WriteDatedBuild(cache, "iree-3", "2026-02-01", "iree-opt", WithoutShapePasses("mlir-opt-22"));
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const Ran mended =
      RunTosaic({"history", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/sub-result-rank.json")});
  const std::string work = temporary_ / "work", file = work + "/findings/one/reduced.mlir";
  std::filesystem::create_directories(work + "/findings/one");
  Spill(file, absl::StrReplaceAll(kMaximum, {{"2xf32", "?xf32"}}));
  const Ran alone = RunTosaic({"history", "--runs=1", "--all", file});
  const Ran campaign = MakeFoundOn("iree-2", work);
  const Ran found = RunTosaic({"history", "--runs=1", file});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(absl::StrContains(
      mended.out, "\ndated builds: wrong since 2024-07-23 or before; fixed between 2024-07-23 and 2026-01-13"))
      << mended.out << mended.err;
  EXPECT_TRUE(absl::StrContains(alone.out, "iree-1               LLVM of 2024-07-23                 unknown "))
      << "what its verifier takes may be wrong behind it: " << alone.out;
  EXPECT_TRUE(absl::StrContains(alone.out, "(2026-01-13 to 2026-01-13)")) << alone.out;
  EXPECT_EQ(found.status, 1) << found.out << found.err << campaign.err;
  EXPECT_TRUE(absl::StrContains(
      found.out, "a regression between 2024-07-23 and 2026-01-13; fixed between 2026-01-13 and 2026-02-01"))
      << found.out;
}

// Its script named passes that the build lacks, and could not tell.
TEST_F(E2eCaseInput, TheScriptForADatedBuildHasItsPassesAlone) {
  TemporaryDirectory cache;
  // Refuses to lower a maximum, of a file or of its input.
  WriteDatedBuild(cache, "iree-1", "2026-01-13", "iree-opt",
                  WithoutShapePasses("mlir-opt-22",
                                     "case \"$*\" in *tosa-to-linalg[,\")\"]*) grep -c maximum $(echo \"$*\" | grep -o "
                                     "'[^ ]*[.]mlir') > /dev/null || { echo 'module {}'; exit; }\n"
                                     "echo '<stdin>:1:1: error: no' >&2; exit 1;; esac\n"));
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const std::string folder = temporary_ / "folder";
  const Ran ran = RunTosaic({"reproduce", "--toolchain=iree-1", File("max.mlir", kMaximum), "--out=" + folder});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(ran.status, 1) << ran.err;
  for (const char* name : {"/repro.sh", "/issue.md"}) {
    EXPECT_TRUE(absl::StrContains(Slurp(folder + name), "tosa-to-linalg")) << name;
    EXPECT_FALSE(absl::StrContains(Slurp(folder + name), "tosa-infer-shapes")) << name << Slurp(folder + name);
  }
  // There is no mlir-translate beside an iree-opt.
  const std::string on_build = absl::StrCat("MLIR_OPT=", cache / "tosaic/versions/iree-1/iree-opt",
                                            " MLIR_TRANSLATE=/none bash ", folder, "/repro.sh > ", folder, "/said");
  EXPECT_EQ(WEXITSTATUS(std::system(on_build.c_str())), 1) << Slurp(folder + "/said");
}

// Dated builds made of Debian's tools: as iree-opt, MLIR 19 without the passes for other shapes, and MLIR 22.
TEST_F(E2eCaseInput, HistoryDatesByBuildsThatLowerTheFirstHalf) {
  TemporaryDirectory cache;
  const auto build = [&](const std::string& name, const std::string& date, const std::string& opt) {
    WriteDatedBuild(cache, name, date, "iree-opt", WithoutShapePasses(opt));
  };
  build("iree-1", "2024-07-23", "mlir-opt-19");
  build("iree-2", "2026-01-13", "mlir-opt-22");
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const std::string log = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/log-exp-folded.json");
  const Ran ran = RunTosaic({"history", log});
  const Ran listed = RunTosaic({"history", "--json", log});
  const std::string cast = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/cast-i32-bf16-double-rounding.json");
  const Ran everywhere = RunTosaic({"history", cast});
  const Ran halves =
      RunTosaic({"reproduce", "--as-is", "--toolchain=iree-2", cast, "--out=" + (temporary_ / "halves")});
  const Ran toolchains = RunTosaic({"toolchains"});
  const Ran check = RunTosaic({"check", "--toolchain=iree-2", log});
  const std::string dynamic = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/spec/rfc.case.add-1d-all-dynamic.json");
  const Ran unsure = RunTosaic({"check", "--toolchain=iree-1", dynamic});
  const Ran reproduce = RunTosaic({"reproduce", "--toolchain=mlir-19", log, "--out=" + (temporary_ / "folder")});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(absl::StrContains(halves.out, "/halves: two MLIRs lowered it, iree-2 up to buffers and LLVM 22"))
      << halves.out << halves.err;
  EXPECT_EQ(reproduce.status, 1) << reproduce.err;
  const std::string issue = Slurp(temporary_ / "folder/issue.md");
  EXPECT_TRUE(
      absl::StrContains(issue,
                        "\n**Since:** wrong since 2024-07-23 or before; fixed between 2024-07-23 and 2026-01-13, "
                        "by dated builds of MLIR, from releases of IREE and tosa-tools\n"))
      << issue;
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(absl::StrContains(
      ran.out, "\ndated builds: wrong since 2024-07-23 or before; fixed between 2024-07-23 and 2026-01-13\n"))
      << ran.out;
  EXPECT_TRUE(absl::StrContains(
      everywhere.out,
      "wrong on each build that was asked and can tell (2024-07-23 to 2026-01-13); that may be of the "
      "passes behind buffers or of LLVM's code generation, which are the same for all\n"))
      << everywhere.out;
  const Json json = ParseJson(listed.out).value_or(Json::object());
  ASSERT_EQ(json["dated"].size(), 2u) << listed.out;
  EXPECT_EQ(json["dated"][0]["answer"], "wrong");
  EXPECT_EQ(json["dated"][0]["rule"], "value.log");
  EXPECT_EQ(json["dated"][1]["date"], "2026-01-13");
  EXPECT_TRUE(absl::StrContains(toolchains.out, "2024-07-23 to 2026-01-13: dated builds")) << toolchains.out;
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  EXPECT_TRUE(absl::StrContains(check.out, ": agree [")) << check.out;
  EXPECT_TRUE(absl::StrContains(unsure.out, ": unsupported [support.not-built]")) << unsure.out;
  EXPECT_TRUE(absl::StrContains(unsure.out, "lowers static shapes of one rank alone")) << unsure.out;
}

// A build as old as MLIR 16 makes other IR of the case, of which the passes of this LLVM behind buffers make right
// code. It was called right, and the case a regression, though its own passes there were never asked.
TEST_F(E2eCaseInput, HistoryCallsNoBuildRightByPassesThatAreNotItsOwn) {
  TemporaryDirectory cache;
  for (const auto& [name, date, opt] :
       {std::tuple("iree-1", "2023-01-24", "mlir-opt-16"), {"iree-2", "2026-01-13", "mlir-opt-22"}}) {
    WriteDatedBuild(cache, name, date, "iree-opt", absl::StrCat("exec ", opt, " \"$@\""));
  }
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  const Ran ran =
      RunTosaic({"history", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/ceil-f64-math-expanded-zero.json")});
  unsetenv("XDG_CACHE_HOME");
  const std::string why = "the pass at fault is behind buffers, where every dated build has the passes of mlir-22\n";
  EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("unknown   ", why))) << ran.out;
  EXPECT_TRUE(absl::StrContains(
      ran.out,
      absl::StrCat(
          "\ndated builds: wrong on each build that was asked and can tell (2026-01-13 to 2026-01-13); of builds "
          "that look right nothing is known: ",
          why)))
      << ran.out;
}

TEST_F(E2eCaseInput, HistoryOfAFolderIsATable) {
  const std::string folder = temporary_ / "cases";
  std::filesystem::create_directory(folder);
  for (const char* name : {"log-exp-folded", "mul-result-shape"}) {
    std::filesystem::copy_file(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/", name, ".json"),
                               absl::StrCat(folder, "/", name, ".json"));
  }
  Spill(folder + "/two.mlir",
        "func.func @a(%x: tensor<1xf32>) -> tensor<1xf32> {\n%0 = tosa.abs %x : (tensor<1xf32>) -> tensor<1xf32>\n"
        "return %0 : tensor<1xf32>\n}\nfunc.func private @b(tensor<1xf32>)\n");
  Spill(folder + "/none.json", "{");
  std::filesystem::copy_file(folder + "/mul-result-shape.json", folder + "/a|b`c.json");
  const Ran ran = RunTosaic({"history", folder});
  EXPECT_TRUE(absl::StrContains(ran.out, "/a\\|b`c.json`` | wrong on")) << "in a cell of its own: " << ran.out;
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "two.mlir:@a` | wrong on no release")) << ran.out;
  for (const char* left_out : {"/none.json: left out: ", "/two.mlir:@b: left out: a declaration"}) {
    EXPECT_TRUE(absl::StrContains(ran.err, left_out)) << ran.err;
  }
  EXPECT_TRUE(absl::StartsWith(ran.out, "| case | releases | dated builds |\n|---|---|---|\n| `")) << ran.out;
  EXPECT_TRUE(absl::StrContains(
      ran.out, "log-exp-folded.json` | wrong since LLVM 19.1.7 (LLVM 16.0.6 is not), and no longer on LLVM 22"))
      << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "mul-result-shape.json` | wrong on LLVM 16.0.6")) << ran.out;
}

// The same finding twice, and one of another function; the last line of one case alone says the same as the table.
TEST_F(E2eCaseInput, HistoryNamesWhomToBlameAndProbableDuplicates) {
  const std::string folder = temporary_ / "cases";
  std::filesystem::create_directory(folder);
  for (const auto& [name, as] :
       {std::pair("mul-zero-fold-infinity", "once"), {"mul-zero-fold-infinity", "twice"}, {"abs-abs-type", "abs"}}) {
    std::filesystem::copy_file(absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/", name, ".json"),
                               absl::StrCat(folder, "/", as, ".json"));
  }
  const std::string cache = temporary_ / "cache";
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const Ran ran = RunTosaic({"history", "--blame", folder});
  const Ran alone = RunTosaic({"history", "--blame", folder + "/once.json"});
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(absl::StartsWith(ran.out, "| case | releases | dated builds | blame |\n|---|---|---|---|\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "| mlir::tosa::AbsOp::fold |\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("\nProbably one cause (mlir::tosa::MulOp::fold; wrong ")))
      << ran.out;
  EXPECT_TRUE(absl::EndsWith(ran.out, absl::StrCat(": `", folder, "/once.json`, `", folder, "/twice.json`\n")))
      << ran.out;
  EXPECT_TRUE(absl::EndsWith(alone.out, "\nblame: mlir::tosa::MulOp::fold\n")) << alone.out;
  const auto blamed = [](const std::string& name) {
    return RunTosaic({"history", "--blame", absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/regressions/", name, ".json")})
        .out;
  };
  EXPECT_TRUE(absl::EndsWith(blamed("mul-result-shape"), "\nblame: not proved, suspect: mlir::tosa::MulOp::verify\n"));
  EXPECT_TRUE(absl::StrContains(blamed("log-exp-folded"), "\nblame: nobody: mlir-22: the verdict is agree"));
  // The verifier that refuses what a fold made is right.
  EXPECT_TRUE(absl::EndsWith(blamed("sub-zero-fold-illegal-ir"), "\nblame: mlir::tosa::SubOp::fold\n"));
}

// Text that only another version parses is skipped, and whoever parses it is named.
TEST_F(E2eCaseInput, TextThatDoesNotParseNamesTheToolchainThatParsesIt) {
  TemporaryDirectory temporary;
  const std::string file = temporary / "f.mlir";
  const std::string end =
      " : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>\n"
      "  return %0, %1 : tensor<4xf32>, tensor<4x4xf32>\n}\n";
  const auto spill = [&](absl::string_view op) {
    Spill(file, absl::StrCat("func.func @f(%a: tensor<4xf32>, %b: tensor<4x4xf32>)"
                             " -> (tensor<4xf32>, tensor<4x4xf32>) {\n"
                             "  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>\n  %1 = ",
                             op, " %b, %b, %a", end));
  };
  spill("tosa.fully_connected");
  const Ran old = RunTosaic({"check", file});
  EXPECT_EQ(old.status, 2) << old.out;
  EXPECT_EQ(old.out, file +
                         ":@f: skipped: does not parse: line 3: uses tosa.fully_connected, which MLIR 22 does not "
                         "know; mlir-19 parses it: --toolchain=mlir-19\n");
  const Ran followed = RunTosaic({"check", file, "--toolchain=mlir-19", "--runs=1"});
  EXPECT_EQ(followed.status, 0) << followed.out << followed.err;
  spill("tosa.no_such_op");
  const Ran never = RunTosaic({"check", file});
  EXPECT_EQ(never.status, 2) << never.out;
  EXPECT_FALSE(absl::StrContains(never.out, "parses it")) << never.out;
}

// As a night's crashes/ has them, of several targets.
TEST_F(E2eCaseInput, AFolderOfArtifactsIsEachFileOfTheTarget) {
  std::filesystem::create_directories(temporary_ / "crashes");
  std::filesystem::create_directories(temporary_ / "empty/folder");
  File("crashes/fuzz_verifier-crash-1", "abc");
  File("crashes/crash-2", "abcd");
  File("crashes/fuzz_trait-crash-3", "abc");
  const Ran ran = RunTosaic({"check", "--artifact-of=fuzz_verifier", temporary_ / "crashes"});
  EXPECT_TRUE(absl::StrContains(ran.out, "2 cases: ")) << ran.out << ran.err;
  const Ran none = RunTosaic({"check", "--artifact-of=fuzz_verifier", temporary_ / "empty"});
  EXPECT_EQ(none.status, 2) << none.out;
  EXPECT_TRUE(absl::StrContains(none.err, "this directory has no input of fuzz_verifier")) << none.err;
}

}  // namespace
}  // namespace tosaic
