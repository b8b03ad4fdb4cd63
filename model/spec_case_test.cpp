// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spec_case.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/json.h"

namespace tosaic {
namespace {

constexpr char kProbe[] = R"({
  "tosaic_probe": 1,
  "origin": "a document",
  "probe": "broadcastable(tensor<4xi32>) -> tensor<?xi32>",
  "expected": {
    "decision": "accept",
    "rule": "bcast.verify.static-dyn",
    "inferred": "tensor<4xi32>"
  }
}
)";

constexpr char kCase[] = R"({"tosaic_case": 1, "route": "loops", "program": {"arguments": ["tensor<2xf32>"],
  "constants": [], "ops": [{"op": "abs", "operands": ["%arg0"], "attributes": {}, "result": "tensor<3xf32>"}],
  "results": ["%0"]}, "runs": [], "expected": {"decision": "refuse", "rule": "bcast.verify.different",
  "inferred": "tensor<2xf32>"}})";

TEST(SpecCase, AProbeRoundTrips) {
  const absl::StatusOr<SpecCase> spec_case = SpecCaseFromText(kProbe);
  ASSERT_TRUE(spec_case.ok()) << spec_case.status();
  ASSERT_NE(spec_case->probe(), nullptr);
  EXPECT_EQ(ToString(*spec_case->probe()), "broadcastable(tensor<4xi32>) -> tensor<?xi32>");
  EXPECT_EQ(spec_case->origin, "a document");
  EXPECT_EQ(spec_case->expected->inferred, "tensor<4xi32>");
  EXPECT_EQ(SpecCaseToText(*spec_case), kProbe);
}

TEST(SpecCase, ACaseMayHaveAnExpectationAndIsOneWithoutIt) {
  const absl::StatusOr<SpecCase> spec_case = SpecCaseFromText(kCase);
  ASSERT_TRUE(spec_case.ok()) << spec_case.status();
  ASSERT_NE(spec_case->test_case(), nullptr);
  EXPECT_EQ(spec_case->expected, (Expectation{"refuse", RuleId::kBcastVerifyDifferent, "tensor<2xf32>", {}}));
  EXPECT_EQ(*CaseFromText(kCase), *spec_case->test_case());
  EXPECT_EQ(SpecCaseFromText(SpecCaseToText(*spec_case))->expected, spec_case->expected);
}

TEST(SpecCase, SaysWhatVersionsOfMlirDecide) {
  const std::string text =
      absl::StrReplaceAll(kProbe, {{"tensor<4xi32>\"\n",
                                    "tensor<4xi32>\",\n    \"mlir\": {\n      \"16\": \"refuse\",\n      "
                                    "\"22\": \"accept\"\n    }\n"}});
  const absl::StatusOr<SpecCase> spec_case = SpecCaseFromText(text);
  ASSERT_TRUE(spec_case.ok()) << spec_case.status();
  EXPECT_EQ(spec_case->expected->mlir, (std::map<std::string, std::string>{{"16", "refuse"}, {"22", "accept"}}));
  EXPECT_EQ(SpecCaseToText(*spec_case), text);
  for (const char* wrong : {"\"either\"", "1"}) {
    const absl::Status status = SpecCaseFromText(absl::StrReplaceAll(text, {{"\"refuse\"", wrong}})).status();
    EXPECT_TRUE(absl::StrContains(status.message(), "expected.mlir.16: ")) << status;
  }
}

TEST(SpecCase, SaysByWhichRuleTosaValidateDecides) {
  const auto with = [](const char* validation) {
    return absl::StrReplaceAll(
        kCase, {{"\"tensor<2xf32>\"}}", absl::StrCat("\"tensor<2xf32>\", \"validation\": ", validation, "}}")}});
  };
  const absl::StatusOr<SpecCase> spec_case = SpecCaseFromText(with(R"({"1.0,pro_int,8k": "validate.profile"})"));
  ASSERT_TRUE(spec_case.ok()) << spec_case.status();
  EXPECT_EQ(spec_case->expected->validation.at("1.0,pro_int,8k"), RuleId::kValidateProfile);
  EXPECT_EQ(SpecCaseFromText(SpecCaseToText(*spec_case))->expected, spec_case->expected);
  for (const char* wrong : {R"({"1.0,pro_int,9k": "validate.profile"})", R"({"1.0,pro_int,8k": "validate"})", "1"}) {
    const absl::Status status = SpecCaseFromText(with(wrong)).status();
    EXPECT_TRUE(absl::StrContains(status.message(), "expected.validation")) << status;
  }
  const absl::Status of_probe =
      SpecCaseFromText(
          absl::StrReplaceAll(
              kProbe, {{"\"inferred\"", "\"validation\": {\"1.0,pro_int,8k\": \"validate.profile\"}, \"inferred\""}}))
          .status();
  EXPECT_EQ(of_probe.message(), "expected.validation: a probe is no program");
}

TEST(SpecCase, RefusesWithThePlace) {
  struct Row {
    const char *part, *instead, *message;
  };
  for (const Row& row : {Row{"\"tosaic_probe\": 1", "\"tosaic_probe\": 2", "tosaic_probe: this build reads version 1"},
                         Row{"tensor<?xi32>\"", "tensor<?xi33>\"",
                             "expected a dimension (2, ?) or an element type (f32, i8, ...) at column 42"},
                         Row{"broadcastable(", "add(", "probe: its op is 'broadcastable'"},
                         Row{"\"accept\"", "\"yes\"", "expected.decision: it must be accept, refuse or either"},
                         Row{"\"rule\"", "\"rules\"", "expected: the key \"rules\" is none of"},
                         Row{"\"origin\"", "\"orgin\"", "the key \"orgin\" is none of"}}) {
    const std::string text = absl::StrReplaceAll(kProbe, {{row.part, row.instead}});
    const absl::Status status = SpecCaseFromText(text).status();
    EXPECT_TRUE(absl::StrContains(status.message(), row.message)) << status;
  }
}

}  // namespace
}  // namespace tosaic
