// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic export-arm: what it writes is a suite that `conform --suite` plays, and both judges agree with it.
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "results/conformance.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

TEST(E2eExportArm, WritesASuiteThatConformPlays) {
  const TemporaryDirectory temporary;
  const std::string folder = temporary / "tests", out = temporary / "report.json";
  const Ran exported = RunTosaic({"export-arm", "--out=" + folder, "--ops=exp", "--runs=1"});
  ASSERT_EQ(exported.status, 0) << exported.err;
  EXPECT_TRUE(absl::StrContains(exported.out, " of which must be refused\n")) << exported.out;
  EXPECT_TRUE(absl::StrContains(exported.out, " left out: a test states the tolerance of one op\n")) << exported.out;
  const Ran ran = RunTosaic({"conform", "--out=" + out, "--suite=" + folder, "--no-reduce"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const auto report = ConformanceFromText(Slurp(out));
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->unwritable.empty());
  EXPECT_GT(report->cases.size(), 20u);
  for (const SuiteCase& suite_case : report->cases) {
    EXPECT_EQ(suite_case.verdict, Verdict::kAgree) << suite_case.name;
    const bool must_fail = !suite_case.test->error.empty();
    EXPECT_EQ(suite_case.test->tolerance, must_fail ? "" : "kept") << suite_case.name;
    if (must_fail) EXPECT_NE(suite_case.test->refused_by, "nobody") << suite_case.name;
  }
}

TEST(E2eExportArm, RefusesAFolderThatIsNotEmptyAndAnOpThatIsNone) {
  const TemporaryDirectory temporary;
  Spill(temporary / "file", "");
  EXPECT_EQ(RunTosaic({"export-arm", "--out=" + temporary.path()}).status, 2);
  EXPECT_EQ(RunTosaic({"export-arm", "--out=" + (temporary / "new"), "--ops=nothing"}).status, 2);
}

}  // namespace
}  // namespace tosaic
