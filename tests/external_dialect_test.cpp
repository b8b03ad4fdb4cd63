// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools are asked op by op which parts of a dialect they read: an mlir-opt 22 that reads other words plays a later
// version.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "gtest/gtest.h"
#include "model/signature_program.h"
#include "tests/fake_tools.h"
#include "toolchain/external/external_toolchain.h"

namespace tosaic {
namespace {

// An mlir-opt that reads what `edit`, a script for sed, makes of its input.
class OtherWords {
 public:
  explicit OtherWords(const std::string& edit, bool is_dated = false) {
    const std::string real = FindTools("mlir-22-tools").value().opt;
    // Who asks for the help writes nothing to the input.
    const std::string body =
        absl::StrCat("case \"$1\" in --help) exec ", real, " --help; esac\nsed '", edit, "' | ", real, " \"$@\"");
    WriteTool(directory_ / "mlir-opt", Versioned("22.1.8", body));
    const DatedBuild build = {
        .name = "iree-9", .opt = directory_ / "mlir-opt", .source = "iree 9", .date = "2026-01-02"};
    toolchain_ = CreateExternalToolchain((is_dated ? ToolsOf(build) : FindTools(directory_.path())).value()).value();
    unspoken_ = toolchain_->description().unspoken;
  }
  const std::vector<Unspoken>& unspoken() const { return unspoken_; }
  Dialect dialect() const { return toolchain_->description().dialect; }
  // `has_rank`: whether the result has one.
  Judgement Check(const std::string& signature, std::optional<NanMode> nan_mode = std::nullopt, bool has_rank = true) {
    Case test_case;
    test_case.program = ParseSignature(signature).value();
    test_case.program.ops.front().attributes.nan_mode = nan_mode;
    if (!has_rank) test_case.program.ops.front().result.shape = Shape::Unranked();
    return CheckCase(*toolchain_, test_case, {}, {}).judgement;
  }

 private:
  TemporaryDirectory directory_;
  std::vector<Unspoken> unspoken_;
  std::unique_ptr<Toolchain> toolchain_;
};

constexpr char kSin[] = "sin(tensor<2xf32>) -> tensor<2xf32>";
constexpr char kClz[] = "clz(tensor<2xi32>) -> tensor<2xi32>";
constexpr char kReshape[] = "reshape(tensor<6xi32>) -> tensor<2x3xi32>";
constexpr char kMaximum[] = "maximum(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";

TEST(ExternalDialect, NothingIsMissingWhereAllIsTaken) {
  OtherWords tools("");
  EXPECT_TRUE(tools.unspoken().empty());
  EXPECT_EQ(tools.Check(kMaximum, NanMode::kIgnore).verdict, Verdict::kAgree);
}

TEST(ExternalDialect, AnOpThatIsNotReadIsNotInTheDialect) {
  OtherWords tools("s/\"tosa.sin\"/\"tosa.sine\"/");
  EXPECT_EQ(tools.dialect(), Dialect::k22);
  ASSERT_EQ(tools.unspoken().size(), 1u);
  EXPECT_TRUE(absl::StartsWith(ToString(tools.unspoken()[0]), "sin: unregistered operation 'tosa.sine'"))
      << ToString(tools.unspoken()[0]);
  const Judgement sin = tools.Check(kSin);
  EXPECT_EQ(sin.verdict, Verdict::kUnsupported);
  EXPECT_TRUE(absl::StrContains(sin.actual, "not in this dialect: sin")) << sin.actual;
  EXPECT_EQ(tools.Check(kClz).verdict, Verdict::kAgree);
}

TEST(ExternalDialect, AnAttributeThatIsNotReadIsNotInTheDialect) {
  OtherWords tools("s/#tosa.nan_mode<IGNORE>/#tosa.nans<IGNORE>/");
  ASSERT_EQ(tools.unspoken().size(), 3u) << "of clamp, maximum and minimum";
  for (const Unspoken& word : tools.unspoken()) EXPECT_EQ(word.attribute, Attribute::kNanMode) << ToString(word);
  EXPECT_EQ(tools.Check(kMaximum).verdict, Verdict::kAgree);
  EXPECT_EQ(tools.Check(kMaximum, NanMode::kIgnore).verdict, Verdict::kUnsupported);
}

// Nor is what a verifier refuses, for it may be wrong.
TEST(ExternalDialect, WhatTheVerifierRefusesIsJudged) {
  OtherWords tools("s/\"tosa.clz\"/\"tosa.sin\"/");
  EXPECT_TRUE(tools.unspoken().empty());
  EXPECT_EQ(tools.Check(kClz).verdict, Verdict::kFalseReject);
}

// A dated build whose dialect is described but nearly may read another form: what it says of one is no verdict on it.
TEST(ExternalDialect, WhatADatedBuildSaysOfAFormIsNotJudgedIfItsDialectIsAnother) {
  constexpr char kAbs[] = "abs(tensor<3xi32>) -> tensor<3xi32>";
  const std::string other_number = "s/\"tosa.abs\"\\(.*3xi32\\)/\"tosa.add\"\\1/";
  const std::string lacks_sin = "; s/\"tosa.sin\"/\"tosa.sine\"/";
  const Judgement unknown = OtherWords(other_number + lacks_sin, true).Check(kAbs);
  EXPECT_EQ(unknown.verdict, Verdict::kUnsupported);
  EXPECT_TRUE(absl::StrContains(unknown.actual, "not in this dialect: 'tosa.add' op expected 2 operands, but found 1"))
      << unknown.actual;
  EXPECT_EQ(OtherWords(other_number, true).Check(kAbs).verdict, Verdict::kFalseReject) << "all its words are known";
  EXPECT_EQ(OtherWords(other_number + lacks_sin).Check(kAbs).verdict, Verdict::kFalseReject) << "no dated build";
  const std::string other_reason = "s/\"tosa.abs\"\\(.*3xi32\\)/\"tosa.logical_not\"\\1/";
  EXPECT_EQ(OtherWords(other_reason + lacks_sin, true).Check(kAbs).verdict, Verdict::kFalseReject);
}

// What came or went between two releases is right or wrong by the day, which nobody described.
TEST(ExternalDialect, WhatADatedBuildDecidesOtherwiseThanItsDialectIsNotJudged) {
  const struct {
    const char *edit, *signature, *why;
    Verdict of_release;
  } rows[] = {
      {"s/\"tosa.reshape\"\\(.*tensor<\\*x\\)/\"tosa.logical_not\"\\1/", kReshape,
       "not in this dialect: unranked result of reshape: ", Verdict::kFalseReject},
      {"/xf64/s/tosa.identity/tosa.logical_not/", "identity(tensor<2xf64>) -> tensor<2xf64>",
       "not in this dialect: f64: ", Verdict::kFalseReject},
      {"s/si32/i32/g", "abs(tensor<2xsi32>) -> tensor<2xsi32>",
       "not in this dialect: si32: it is taken, and not in MLIR 22", Verdict::kFalseAccept},
  };
  for (const auto& row : rows) {
    OtherWords dated(row.edit, true);
    const Judgement unknown = dated.Check(row.signature, std::nullopt, row.signature != kReshape);
    EXPECT_EQ(unknown.verdict, Verdict::kUnsupported) << row.edit;
    EXPECT_TRUE(absl::StrContains(unknown.actual, row.why)) << unknown.actual;
    for (const char* other : {kReshape, "cast(tensor<2xf64>) -> tensor<2xf32>"}) {
      EXPECT_EQ(dated.Check(other).verdict, Verdict::kAgree) << row.edit;
    }
    EXPECT_EQ(OtherWords(row.edit).Check(row.signature, std::nullopt, row.signature != kReshape).verdict,
              row.of_release)
        << "no dated build: " << row.edit;
  }
}

// MLIR 16 has no i4, the first number of the specification that identity has: it was asked by that, and of two dialects
// of which a build reads as many ops, but none completely, the one of the build's number was taken.
TEST(ExternalDialect, ABuildOfTheYearOf16HasTheDialectOf16) {
  TemporaryDirectory directory;
  WriteTool(directory / "mlir-opt",
            Versioned("17.0.0git", absl::StrCat("exec ", FindTools("mlir-16-tools").value().opt, " \"$@\"")));
  const DatedBuild build = {.name = "iree-9", .opt = directory / "mlir-opt", .source = "iree 9", .date = "2023-02-09"};
  const auto toolchain = CreateExternalToolchain(ToolsOf(build).value()).value();
  EXPECT_EQ(toolchain->description().dialect, Dialect::k16);
  EXPECT_TRUE(toolchain->description().unspoken.empty());
}

// For some weeks rescale had attributes for unsigned numbers and still its numbers as attributes. An mlir-opt of that
// day is written to as MLIR 19 is, whose unsigned types it takes and cannot lower.
TEST(ExternalDialect, UnsignedTypesAreNoWordsWhereAnAttributeSaysIt) {
  const std::string real = FindTools("mlir-19-tools").value().opt;
  TemporaryDirectory directory;
  // That no attribute of another type is refused by 19 is the first half of the test.
  WriteTool(directory / "mlir-opt",
            Versioned("19.1.7", absl::StrCat("case \"$1\" in --help) exec ", real,
                                             " --help; esac\nsed 's/\\(in\\|out\\)put_unsigned = 0 : i32, "
                                             "scale32 = [a-z]*/scale32 = 0 : i32/' | ",
                                             real, " \"$@\"")));
  EXPECT_TRUE(CreateExternalToolchain(FindTools("mlir-19-tools").value()).value()->description().unspoken.empty());
  const DatedBuild build = {.name = "iree-9", .opt = directory / "mlir-opt", .source = "iree 9", .date = "2025-01-07"};
  const auto toolchain = CreateExternalToolchain(ToolsOf(build).value()).value();
  EXPECT_EQ(toolchain->description().dialect, Dialect::k19);
  ASSERT_EQ(toolchain->description().unspoken.size(), 2u);
  EXPECT_EQ(toolchain->description().unspoken[0].attribute, Attribute::kInputUnsigned);
}

TEST(ExternalDialect, ADialectOfWhichMostIsTakenIsTheirs) {
  OtherWords tools("s/\"tosa.sin\"/\"tosa.sine\"/; s/\"tosa.cos\"/\"tosa.cosine\"/; s/min_val/least/");
  EXPECT_EQ(tools.dialect(), Dialect::k22);
  EXPECT_EQ(tools.unspoken().size(), 3u);
}

// One that gives back what it is given would take everything; one that only verifies would fold nothing.
TEST(ExternalDialect, AnMlirOptThatDecidesNothingIsRefused) {
  const std::string real = FindTools("mlir-22-tools").value().opt;
  for (const auto& [body, why] :
       {std::pair<std::string, std::string>("exec cat",
                                            " of LLVM 22.1.8 verifies nothing: it takes a function that "
                                            "returns nothing and declares an i32"),
        {"exec " + real, " of LLVM 22.1.8 runs no passes: canonicalize leaves an addition of 0"}}) {
    TemporaryDirectory directory;
    WriteTool(directory / "mlir-opt", Versioned("22.1.8", body));
    const ExternalTools tools = FindTools(directory.path()).value();
    EXPECT_EQ(CreateExternalToolchain(tools).status().message(), tools.opt + why);
  }
}

TEST(ExternalDialect, AnMlirOptThatHangsIsRefused) {
  TemporaryDirectory directory;
  WriteTool(directory / "mlir-opt", Versioned("22.1.8", "sleep 1000"));
  const ExternalTools tools = FindTools(directory.path()).value();
  const absl::Status status = CreateExternalToolchain(tools, {.limits = {.wall_seconds = 1}}).status();
  EXPECT_TRUE(absl::EndsWith(status.message(),
                             "that Tosaic writes (of MLIR 16, 17, 18, 19, 20, 21, 22, 24): it does not answer in time"))
      << status.message();
}

}  // namespace
}  // namespace tosaic
