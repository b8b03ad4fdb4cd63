// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// corpus/upstream: a case for each report on LLVM's tracker, and in reports.json what the thread and the specification
// say of it and the verdict of each version, as docs/findings.md prints it. They must stay true.
#include <map>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

const std::string kFolder = absl::StrCat(TOSAIC_SOURCE_DIR, "/corpus/upstream/");

std::string Text(const Json& json, const char* key) { return json.value(key, std::string()); }

// The rows of reports.json by the names of their cases.
const std::map<std::string, Json>& Reports() {
  static const auto* reports = [] {
    auto* rows = new std::map<std::string, Json>;
    const Json json = ParseJson(Slurp(kFolder + "reports.json")).value();
    for (const Json& row : json.at("reports")) (*rows)[Text(row, "case")] = row;
    return rows;
  }();
  return *reports;
}

class UpstreamReports : public testing::TestWithParam<const char*> {};

TEST_P(UpstreamReports, HaveTheVerdictThatIsWrittenDown) {
  const Ran toolchains = RunTosaic({"toolchains"});
  if (!absl::StrContains(toolchains.out, GetParam())) GTEST_SKIP() << "not tried: " << GetParam() << " is not here";
  const Ran ran = RunTosaic({"check", "--json", absl::StrCat("--toolchain=", GetParam()), kFolder});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const absl::StatusOr<Json> results = ParseJson(ran.out);
  ASSERT_TRUE(results.ok()) << results.status();
  std::set<std::string> checked;
  for (const Json& result : *results) {
    const std::string name = Text(result, "file").substr(kFolder.size());
    ASSERT_TRUE(Reports().contains(name)) << name << " has no row";
    checked.insert(name);
    const Json& row = Reports().at(name);
    const std::string expected = Text(row["verdicts"], GetParam());
    const std::string verdict = Text(result["judgement"], "verdict"), rule = Text(result["judgement"], "rule");
    if (expected == "not tried") {  // nothing was asked of this version: it has no such route, op or attribute
      EXPECT_EQ(verdict + " at " + Text(result["judgement"], "stage"), "unsupported at build") << name;
      continue;
    }
    EXPECT_EQ(verdict, expected) << name << " " << result["judgement"].dump();
    // A wrong verdict names the row's rule. For undefined elements `tosaic eval` names it.
    if (verdict == "wrong-value" || verdict == "wrong-shape" || verdict == "false-accept") {
      EXPECT_EQ(rule, Text(row, "rule")) << name;
    }
  }
  EXPECT_EQ(checked.size(), Reports().size());
}

INSTANTIATE_TEST_SUITE_P(Versions, UpstreamReports, testing::Values("mlir-22", "mlir-19", "mlir-16", "mlir-trunk"),
                         [](const auto& info) { return absl::StrReplaceAll(info.param, {{"-", "_"}}); });

// Where the undefined op has operands that need nothing run, which `tosaic eval` evaluates.
TEST(E2eUpstream, WhatIsUndefinedIsSoByItsRule) {
  size_t tried = 0;
  for (const auto& [name, row] : Reports()) {
    if (Text(row["verdicts"], "mlir-22") != "undefined") continue;
    const Ran ran = RunTosaic({"eval", kFolder + name});
    EXPECT_EQ(ran.status, 0) << name << ran.err;
    if (!absl::StrContains(ran.out, "undefined")) continue;
    ++tried;
    EXPECT_TRUE(absl::StrContains(ran.out, absl::StrCat("[", Text(row, "rule"), "]"))) << name << ran.out;
  }
  EXPECT_GE(tried, 8u);
}

TEST(E2eUpstream, EachReportHasItsNumberItsRuleAndALineInTheFindings) {
  const std::string rules = RunTosaic({"list-rules"}).out;
  const std::string findings = Slurp(absl::StrCat(TOSAIC_SOURCE_DIR, "/docs/findings.md"));
  EXPECT_GE(Reports().size(), 30u);
  for (const auto& [name, row] : Reports()) {
    const std::string number = name.substr(0, name.find('.'));
    const std::string link = Text(ParseJson(Slurp(kFolder + name)).value(), "origin");
    EXPECT_TRUE(absl::StartsWith(link, "https://github.com/llvm/llvm-project/")) << name;
    EXPECT_TRUE(absl::EndsWith(link, absl::StrCat("/", number))) << name << ": " << link;
    EXPECT_TRUE(absl::StrContains(findings, absl::StrCat("[#", number, "](", link, ") | ", Text(row, "says")))) << name;
    EXPECT_TRUE(absl::StrContains(rules, Text(row, "rule"))) << name;
  }
}

}  // namespace
}  // namespace tosaic
