// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tosaic conform --suite=DIR` as a user has it, with small tests of Tosaic's own in the form of Arm's.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/npy.h"
#include "results/conformance.h"
#include "tests/run_tosaic.h"

namespace tosaic {
namespace {

// y = OP(a, b), all of one type and these shapes.
struct Example {
  std::string op, type;
  std::string a, b, y;  // shapes: "2, 1"
  std::string error;    // why it must be refused
  std::string inputs = R"("a", "b")";
};

std::string TensorText(const std::string& name, const Example& example, const std::string& shape) {
  return absl::StrCat(R"({"name": ")", name, R"(", "type": ")", example.type, R"(", "shape": [)", shape, "]}");
}

void WriteTest(const std::string& folder, const Example& example) {
  std::filesystem::create_directories(folder);
  Spill(folder + "/desc.json",
        absl::StrCat(R"({"tosa_file": "own.tosa", "ifm_name": ["a", "b"], "ifm_file": ["a.npy", "b.npy"],
          "ofm_name": ["y"], "ofm_file": ["y.npy"], "expected_failure": )",
                     example.error.empty() ? "false" : "true", R"(, "tag": ["own"], "test_details": {"operator": ")",
                     example.op, R"(", "ERRORIF": ")", example.error,
                     R"("}, "test_requirements": {"profiles_supported": ["tosa-pro-int"]},
          "meta": {"compliance": {"tensors": {"y": {"mode": "EXACT", "data_type": "INT32"}}}}})"));
  Spill(folder + "/own.json",
        absl::StrCat(R"({"regions": [{"blocks": [{"operators": [{"op": ")", example.op, R"(", "inputs": [)",
                     example.inputs, R"(], "outputs": ["y"]}], "tensors": [)", TensorText("a", example, example.a),
                     ", ", TensorText("b", example, example.b), ", ", TensorText("y", example, example.y),
                     R"(], "inputs": ["a", "b"], "outputs": ["y"]}]}]})"));
  Tensor a(ElementType::kI32, {2, 1}), b(ElementType::kI32, {1, 3});
  for (size_t i = 0; i < 3; ++i) a.SetBits(i % 2, 5 + i), b.SetBits(i, 7 * i);
  Spill(folder + "/a.npy", ToNpy(a));
  Spill(folder + "/b.npy", ToNpy(b));
}

class E2eArmSuite : public testing::Test {
 protected:
  void SetUp() override {
    const Example right = {.op = "ADD", .type = "INT32", .a = "2, 1", .b = "1, 3", .y = "2, 3"};
    WriteTest(suite_ + "/add/right", right);
    Example other = right;
    other.op = "SUB";
    WriteTest(suite_ + "/sub/right", other);
    other.op = "GATHER";
    WriteTest(suite_ + "/gather/right", other);
    other = {.op = "ADD", .type = "INT32", .a = "2, 1", .b = "1, 3", .y = "2, 4", .error = "WrongShape"};
    WriteTest(suite_ + "/add/shape", other);
    other = {.op = "ADD", .type = "INT8", .a = "2, 3", .b = "2, 3", .y = "2, 3", .error = "WrongType"};
    WriteTest(suite_ + "/add/type", other);
    other = {.op = "ADD", .type = "FP4E2M1", .a = "2, 3", .b = "2, 3", .y = "2, 3", .error = "WrongType"};
    WriteTest(suite_ + "/add/unknown", other);
    other = right;
    other.error = "WrongInputList";
    other.inputs = R"("a", "b", "a")";
    WriteTest(suite_ + "/add/list", other);
  }
  Ran Conform(const std::string& out, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"conform", absl::StrCat("--out=", out), absl::StrCat("--suite=", suite_)});
    return RunTosaic(flags);
  }

  TemporaryDirectory temporary_;
  const std::string suite_ = temporary_ / "suite";
};

TEST_F(E2eArmSuite, RunsWhatItCanAndAsksWhoRefuses) {
  const std::string out = temporary_ / "report.json";
  const Ran ran = Conform(out, {});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_TRUE(absl::StrContains(ran.out, "tests that run: agree 2\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "the same by the tolerance that each states: kept 2\n")) << ran.out;
  EXPECT_TRUE(absl::StrContains(
      ran.out, "tests that must be refused, by who refuses them: not representable 1 tosa-validate 1 verifier 2\n"))
      << ran.out;
  EXPECT_TRUE(absl::StrContains(ran.out, "1 test not run: Tosaic has no op GATHER\n")) << ran.out;
  const auto report = ConformanceFromText(Slurp(out));
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->suite.profile, "arm");
  std::map<std::string, const SuiteCase*> cases;
  for (const SuiteCase& suite_case : report->cases) cases[suite_case.name] = &suite_case;
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases.at("add/right")->runs, 1u);
  EXPECT_EQ(cases.at("add/right")->test->tolerance, "kept");
  EXPECT_EQ(cases.at("add/right")->shapes, "static-broadcast");
  EXPECT_EQ(cases.at("add/right")->test->tags, std::vector<std::string>{"own"});
  EXPECT_EQ(cases.at("add/right")->test->profiles, std::vector<std::string>{"tosa-pro-int"});
  EXPECT_EQ(cases.at("add/shape")->test->refused_by, "verifier");
  EXPECT_EQ(cases.at("add/type")->test->refused_by, "tosa-validate");
  EXPECT_EQ(cases.at("add/type")->test->error, "WrongType");
  ASSERT_EQ(report->unwritable.size(), 3u);
  EXPECT_EQ(report->unwritable[0].name, "add/list");
  EXPECT_EQ(report->unwritable[0].why, "add has 3 operands and 1 result instead of 2 and 1");
  EXPECT_EQ(report->unwritable[0].test.refused_by, "verifier");
  EXPECT_EQ(report->unwritable[1].name, "add/unknown");
  EXPECT_EQ(report->unwritable[1].test.refused_by, "");
}

// Tools refuse what is no program as well; those of an older dialect are not asked.
TEST_F(E2eArmSuite, ToolsAreAskedAboutNumbersOfOperands) {
  const std::string out = temporary_ / "report.json";
  const auto refused_by = [&](const std::string& toolchain) {
    const Ran ran = Conform(out, {"--ops=add", "--toolchain=" + toolchain});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    const auto report = ConformanceFromText(Slurp(out));
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? report->unwritable.at(0).test.refused_by : "";
  };
  EXPECT_EQ(refused_by("mlir-22-tools"), "verifier");
  EXPECT_EQ(refused_by("mlir-19-tools"), "");
}

TEST_F(E2eArmSuite, TwoOfItsReportsAreCompared) {
  const std::string base = temporary_ / "base.json", patch = temporary_ / "patch.json";
  EXPECT_EQ(Conform(base, {"--ops=add"}).status, 0);
  EXPECT_EQ(Conform(patch, {"--ops=add", "--route=fused"}).status, 0);
  const Ran compared = RunTosaic({"compare", base, patch});
  EXPECT_EQ(compared.status, 0) << compared.out << compared.err;
  const Ran junit = RunTosaic({"report", base, "--format=junit"});
  EXPECT_TRUE(absl::StrContains(junit.out, "name=\"i32 static-broadcast\"")) << junit.out;
}

TEST_F(E2eArmSuite, BadInputIsOneLine) {
  const auto expect_error = [&](const std::vector<std::string>& flags, const std::string& message) {
    const Ran ran = Conform(temporary_ / "report.json", flags);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_TRUE(absl::StrContains(ran.err, message)) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  expect_error({"--ops=clz"}, absl::StrCat("--suite=", suite_, ": there is nothing that Tosaic can run"));
  Spill(suite_ + "/sub/right/b.npy", ToNpy(Tensor(ElementType::kF32, {1, 3})));
  expect_error({}, "sub/right/b.npy: its elements are '<f4', and i32 is '<i4'");
  Spill(suite_ + "/gather/right/desc.json", "{\"tosa_file\": 1}");
  expect_error({}, "gather/right/desc.json: tosa_file: a string is needed here");
  std::filesystem::remove_all(suite_);
  expect_error({}, absl::StrCat("--suite: ", suite_, ": No such file or directory"));
  std::filesystem::create_directories(suite_);
  expect_error({}, "there is no test (desc.json) in it");
  EXPECT_EQ(Conform(temporary_ / "report.json", {"--profile=all"}).status, 2);
}

}  // namespace
}  // namespace tosaic
