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
  explicit OtherWords(const std::string& edit) {
    const std::string real = FindTools("mlir-22-tools").value().opt;
    WriteTool(directory_ / "mlir-opt", Versioned("22.1.8", absl::StrCat("sed '", edit, "' | ", real, " \"$@\"")));
    toolchain_ = CreateExternalToolchain(FindTools(directory_.path()).value()).value();
    unspoken_ = toolchain_->description().unspoken;
  }
  const std::vector<Unspoken>& unspoken() const { return unspoken_; }
  Dialect dialect() const { return toolchain_->description().dialect; }
  Judgement Check(const std::string& signature, std::optional<NanMode> nan_mode = std::nullopt) {
    Case test_case;
    test_case.program = ParseSignature(signature).value();
    test_case.program.ops.front().attributes.nan_mode = nan_mode;
    return CheckCase(*toolchain_, test_case, {}, {}).judgement;
  }

 private:
  TemporaryDirectory directory_;
  std::vector<Unspoken> unspoken_;
  std::unique_ptr<Toolchain> toolchain_;
};

constexpr char kSin[] = "sin(tensor<2xf32>) -> tensor<2xf32>";
constexpr char kClz[] = "clz(tensor<2xi32>) -> tensor<2xi32>";
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
  EXPECT_TRUE(
      absl::EndsWith(status.message(), "that Tosaic writes (of MLIR 16, 19, 22, 24): it does not answer in time"))
      << status.message();
}

}  // namespace
}  // namespace tosaic
