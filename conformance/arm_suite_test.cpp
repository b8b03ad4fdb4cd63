// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_suite.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "conformance/arm_program.h"
#include "gtest/gtest.h"
#include "model/npy.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

// A tensor of the flatbuffer; `more` has its shape and data.
std::string TensorText(const std::string& name, const std::string& type, const std::string& more) {
  return absl::StrCat(R"({"name": ")", name, R"(", "type": ")", type, R"(", )", more, R"(, "variable_name": ""})");
}

std::string ProgramText(const std::string& ops, const std::string& tensors, const std::string& inputs) {
  return absl::StrCat(R"({"version": {"_major": 1}, "regions": [{"name": "r", "blocks": [{"name": "b", "operators": [)",
                      ops, R"(], "tensors": [)", tensors, R"(], "inputs": [)", inputs, R"(], "outputs": ["y"]}]}]})");
}

std::string ConstantText(const std::string& name) {
  return absl::StrCat(R"({"op": "CONST", "attribute": {}, "inputs": [], "outputs": [")", name, R"("]})");
}

// y = add(a, b), a 2x1 and b 1x3.
std::string AddText() {
  return ProgramText(
      R"({"op": "ADD", "attribute": {}, "inputs": ["a", "b"], "outputs": ["y"]})",
      absl::StrJoin({TensorText("a", "FP32", R"("shape": [2, 1])"), TensorText("b", "FP32", R"("shape": [1, 3])"),
                     TensorText("y", "FP32", R"("shape": [2, 3])")},
                    ", "),
      R"("a", "b")");
}

constexpr const char* kDescription = R"({"tosa_file": "mine.tosa", "ifm_name": ["b", "a"],
  "ifm_file": ["second.npy", "first.npy"], "ofm_name": ["y"], "ofm_file": ["y.npy"], "expected_failure": false,
  "tag": ["small"], "test_requirements": {"profiles_supported": ["tosa-pro-fp"], "extensions_required": ["tosa-ext-x"]},
  "test_details": {"operator": "ADD"}, "meta": {"compliance": {"tensors": {"y": {"mode": "ULP", "data_type": "FP32",
  "ulp_info": {"ulp": 0.5, "ulp_lower": 1}}}}}})";

Tensor Ones(ElementType type, std::vector<int64_t> sizes) {
  Tensor tensor(type, std::move(sizes));
  for (size_t i = 0; i < tensor.element_count(); ++i) tensor.SetBits(i, 0x3f800000 + i);
  return tensor;
}

// A suite of one test, "add/mine".
class ArmSuite : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    Write("desc.json", kDescription);
    Write("mine.json", AddText());
    Write("first.npy", ToNpy(Ones(ElementType::kF32, {2, 1})));
    Write("second.npy", ToNpy(Ones(ElementType::kF32, {1, 3})));
  }
  void Write(const std::string& name, const std::string& content) { Spill(folder_ + "/" + name, content); }
  void ExpectError(const std::string& message) {
    const auto test = ReadArmTest(folder_);
    ASSERT_FALSE(test.ok());
    EXPECT_TRUE(absl::StrContains(test.status().message(), message)) << test.status();
    EXPECT_TRUE(absl::StrContains(test.status().message(), folder_)) << test.status();
    EXPECT_FALSE(absl::StrContains(test.status().message(), "\n")) << test.status();
  }

  TemporaryDirectory suite_;
  const std::string folder_ = suite_ / "add/mine";
};

TEST_F(ArmSuite, IsAProgramWithARun) {
  const auto suite = ReadArmSuite(suite_.path());
  ASSERT_TRUE(suite.ok()) << suite.status();
  ASSERT_EQ(suite->size(), 1u);
  const ArmTest& test = suite->front();
  EXPECT_EQ(test.name, "add/mine");
  EXPECT_EQ(test.op, "add");
  EXPECT_EQ(test.tags, std::vector<std::string>{"small"});
  EXPECT_EQ(test.profiles, std::vector<std::string>{"tosa-pro-fp"});
  EXPECT_EQ(test.extensions, std::vector<std::string>{"tosa-ext-x"});
  EXPECT_FALSE(test.must_fail);
  ASSERT_TRUE(test.test_case) << test.not_representable;
  const Program& program = test.test_case->program;
  EXPECT_EQ(Signature(program, program.ops.front()), "add(tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>");
  ASSERT_EQ(test.test_case->runs.size(), 1u);
  EXPECT_TRUE(test.test_case->runs.front().empty()) << "a suite is too much to hold at once";
  const auto whole = WholeCase(test);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(whole->origin, "add/mine");
  EXPECT_EQ(whole->runs.front(),
            (tosaic::Run{Ones(ElementType::kF32, {2, 1}), Ones(ElementType::kF32, {1, 3})}));  // by name, not by place
  Write("first.npy", ToNpy(Tensor(ElementType::kF32, {2, 1})));
  EXPECT_TRUE(absl::StrContains(WholeCase(test).status().message(), "the test has changed since it was first read"));
}

TEST_F(ArmSuite, StatesATolerance) {
  const auto tolerance = [&](const std::string& from, const std::string& to) {
    Write("desc.json", absl::StrReplaceAll(kDescription, {{from, to}}));
    const auto test = ReadArmTest(folder_);
    EXPECT_TRUE(test.ok()) << test.status();
    return test.ok() ? test->tolerance : std::nullopt;
  };
  EXPECT_EQ(tolerance("none", "none"), (StatedTolerance{.outward = 0.5, .inward = 1}));
  EXPECT_EQ(tolerance(", \"ulp_lower\": 1", ""), (StatedTolerance{.outward = 0.5, .inward = 0.5}));
  EXPECT_EQ(tolerance("\"ULP\"", "\"EXACT\""), StatedTolerance());
  EXPECT_EQ(tolerance("\"ULP\"", "\"PRECOMPUTED\""), StatedTolerance{.mode = StatedTolerance::Mode::kOfTheOp});
  EXPECT_EQ(tolerance("\"mode\": \"ULP\"",
                      R"("mode": "ABS_ERROR", "abs_error_info": {"base_bound": 2.0, "lower_bound": 0.5,
                         "bound_as_magnitude": true, "normal_divisor": 2, "max_compare": 3e-5})"),
            (StatedTolerance{.mode = StatedTolerance::Mode::kAbsoluteError, .absolute = {2, 0.5, 2, true, 3e-5}}));
  EXPECT_EQ(tolerance("\"ULP\"", "\"DOT_PRODUCT\""), std::nullopt) << "no elementwise op has it";
  EXPECT_EQ(tolerance("\"meta\"", "\"other\""), std::nullopt);
}

TEST_F(ArmSuite, WhatMustFailHasNoRun) {
  Write("desc.json", absl::StrReplaceAll(kDescription, {{"\"expected_failure\": false", "\"expected_failure\": true"},
                                                        {"\"operator\"", "\"ERRORIF\": \"Wrong\", \"operator\""}}));
  std::filesystem::remove(folder_ + "/first.npy");
  const auto test = ReadArmTest(folder_);
  ASSERT_TRUE(test.ok()) << test.status();
  EXPECT_TRUE(test->must_fail);
  EXPECT_EQ(test->error, "Wrong");
  ASSERT_TRUE(test->test_case);
  EXPECT_TRUE(test->test_case->runs.empty());
}

TEST_F(ArmSuite, WhatTosaicHasNoWordsForHasAReason) {
  const auto reason = [&](const std::string& from, const std::string& to) {
    Write("mine.json", absl::StrReplaceAll(AddText(), {{from, to}}));
    const auto test = ReadArmTest(folder_);
    EXPECT_TRUE(test.ok()) << test.status();
    EXPECT_FALSE(test.ok() && test->test_case);
    return test.ok() ? test->not_representable : "";
  };
  EXPECT_EQ(reason("\"ADD\"", "\"RESIZE\""), "Tosaic has no op RESIZE");
  EXPECT_EQ(reason("\"FP32\"", "\"FP4E2M1\""), "Tosaic has no element type FP4E2M1");
  EXPECT_EQ(reason("[\"a\", \"b\"], \"outputs\": [\"y\"]}", "[\"a\"], \"outputs\": [\"y\"]}"),
            "add has 1 operand and 1 result instead of 2 and 1");
  EXPECT_EQ(reason("[2, 3]", "[2, -1]"), "the tensor y has a dimension -1");
}

TEST_F(ArmSuite, AMiscountedOpIsWrittenDownWhereItMustBeRefused) {
  Write("mine.json",
        absl::StrReplaceAll(AddText(), {{R"(["a", "b"], "outputs": ["y"]})", R"(["b"], "outputs": []})"}}));
  const auto miscounted = [&](const std::string& must_fail) {
    Write("desc.json", absl::StrReplaceAll(kDescription, {{"_failure\": false", "_failure\": " + must_fail}}));
    const auto test = ReadArmTest(folder_);
    EXPECT_EQ(test->not_representable, "add has 1 operand and 0 results instead of 2 and 1");
    return test->miscounted;
  };
  EXPECT_EQ(miscounted("false"), std::nullopt);
  const TensorType b{Shape({Dim::Static(1), Dim::Static(3)}), ElementType::kF32};
  EXPECT_EQ(miscounted("true"), (LooseOp{.op = OpKind::kAdd, .operands = {b}}));
  // As the generator writes it: the second result is declared nowhere.
  Write("mine.json", absl::StrReplaceAll(AddText(), {{R"("outputs": ["y"]})", R"("outputs": ["y", "dummy"]})"}}));
  const std::optional<LooseOp> two = ReadArmTest(folder_)->miscounted;
  ASSERT_TRUE(two);
  EXPECT_EQ(two->results.at(1), two->operands.at(0));
  Write("mine.json", absl::StrReplaceAll(AddText(), {{"\"ADD\"", "\"RESIZE\""}}));
  EXPECT_EQ(ReadArmTest(folder_)->miscounted, std::nullopt);
}

TEST_F(ArmSuite, WhatIsBrokenIsOneLine) {
  Write("second.npy", ToNpy(Ones(ElementType::kF32, {3})));
  ExpectError("second.npy: its shape is 3, and b is tensor<1x3xf32>");
  Write("second.npy", ToNpy(Ones(ElementType::kI32, {1, 3})));
  ExpectError("second.npy: its elements are '<i4', and f32 is '<f4'");
  std::filesystem::remove(folder_ + "/second.npy");
  ExpectError("second.npy");
  Write("mine.json", "{");
  ExpectError("mine.json");
  Write("mine.json", absl::StrReplaceAll(AddText(), {{"[\"a\", \"b\"], \"outputs\"", "[\"a\", \"c\"], \"outputs\""}}));
  ExpectError("mine.json: there is no tensor c");
  std::filesystem::remove(folder_ + "/mine.json");
  ExpectError("mine.json: there is no such file; Arm's generator writes it with --output-type both");
  Write("desc.json", absl::StrReplaceAll(kDescription, {{"[\"second.npy\", \"first.npy\"]", "[\"first.npy\"]"}}));
  ExpectError("desc.json: ifm_file: 1 file for 2 inputs");
  Write("desc.json", absl::StrReplaceAll(kDescription, {{"\"ifm_name\"", "\"names\""}}));
  ExpectError("the key \"ifm_name\" is missing");
}

TEST_F(ArmSuite, WhatTheDescriptionNamesLiesInItsFolder) {
  Spill(suite_ / "first.npy", ToNpy(Ones(ElementType::kF32, {2, 1})));
  Spill(suite_ / "mine.json", AddText());
  Write("desc.json", absl::StrReplaceAll(kDescription, {{"first.npy", "../../first.npy"}}));
  ExpectError("desc.json: ifm_file: '../../first.npy' is not the plain name of a file in");
  Write("desc.json", absl::StrReplaceAll(kDescription, {{"mine.tosa", "../../mine.tosa"}}));
  ExpectError("desc.json: tosa_file: '../../mine.json' is not the plain name of a file in");
}

TEST_F(ArmSuite, OfOtherOpsTheDescriptionAloneIsRead) {
  Write("mine.json", "{");
  const auto of_mul = ReadArmSuite(suite_.path(), {OpKind::kMul});
  ASSERT_TRUE(of_mul.ok()) << of_mul.status();
  EXPECT_TRUE(of_mul->empty());
  EXPECT_FALSE(ReadArmSuite(suite_.path(), {OpKind::kMul, OpKind::kAdd}).ok());
}

TEST_F(ArmSuite, ASuiteWithoutTestsIsAnError) {
  EXPECT_TRUE(absl::StrContains(ReadArmSuite(suite_ / "none").status().message(), "No such file"));
  std::filesystem::remove(folder_ + "/desc.json");
  EXPECT_TRUE(absl::StrContains(ReadArmSuite(suite_.path()).status().message(), "there is no test (desc.json) in it"));
}

// The program y = op(x, constants), or why it is none.
absl::StatusOr<ArmProgram> WithConstant(const std::string& type, const std::string& constant) {
  return ArmProgramFromText(
      ProgramText(absl::StrCat(ConstantText("c"), R"(, {"op": "SUB", "inputs": ["x", "c"], "outputs": ["y"]})"),
                  absl::StrJoin({TensorText("x", type, R"("shape": [3])"), TensorText("c", type, constant),
                                 TensorText("y", type, R"("shape": [3])")},
                                ", "),
                  R"("x")"));
}

TEST(ArmProgram, ConstantsAreAsTheFlatbufferPacksThem) {
  const auto data = [](const std::string& type, const std::string& bytes) {
    const auto program = WithConstant(type, absl::StrCat(R"("shape": [3], "data": [)", bytes, "]"));
    return program.ok() ? DataToHex(program->program.constants.front()) : program.status().ToString();
  };
  EXPECT_EQ(data("INT8", "1, 255, 128"), "01 ff 80");
  EXPECT_EQ(data("INT8", "1, 255, 128, 0, 0, 0, 0, 0"), "01 ff 80");  // filled up
  EXPECT_EQ(data("INT4", "241, 8"), "1 f 8");
  EXPECT_EQ(data("INT48", "1,0,0,0,0,0, 255,255,255,255,255,255, 0,0,0,0,0,128"),
            "000000000001 ffffffffffff 800000000000");
  EXPECT_EQ(data("BOOL", "1, 0, 1"), "1 0 1");
  EXPECT_EQ(data("BF16", "128, 63, 0, 0, 192, 127"), "3f80 0000 7fc0");
  EXPECT_TRUE(absl::StrContains(data("INT16", "1, 2, 3, 4, 5"), "the constant c has 5 bytes of data"));
  EXPECT_TRUE(absl::StrContains(data("INT8", "1,2,3,4,5,6,7,8,9,10,11"), "the constant c has 11 bytes of data"));
}

TEST(ArmProgram, AttributesAreThoseOfTheOp) {
  const auto clamp = [](const std::string& attribute) {
    return ArmProgramFromText(ProgramText(
        absl::StrCat(R"({"op": "CLAMP", "attribute": {)", attribute, R"(}, "inputs": ["x"], "outputs": ["y"]})"),
        absl::StrCat(TensorText("x", "FP16", R"("shape": [])"), ", ", TensorText("y", "FP16", R"("shape": [])")),
        R"("x")"));
  };
  const auto whole = clamp(R"("min_val": [0, 188], "max_val": [0, 60], "nan_mode": "IGNORE")");
  ASSERT_TRUE(whole.ok()) << whole.status();
  const Attributes& attributes = whole->program.ops.front().attributes;
  EXPECT_EQ(attributes.min_val, (TypedBits{ElementType::kF16, 0xbc00}));
  EXPECT_EQ(attributes.max_val, (TypedBits{ElementType::kF16, 0x3c00}));
  EXPECT_EQ(attributes.nan_mode, NanMode::kIgnore);
  const auto unknown = clamp(R"("nan_mode": "UNKNOWN")");
  ASSERT_TRUE(unknown.ok()) << unknown.status();
  EXPECT_EQ(unknown->program.ops.front().attributes, Attributes());
  std::optional<LooseOp> loose;
  const auto without_operand = ArmProgramFromText(
      ProgramText(
          R"({"op": "CLAMP", "attribute": {"min_val": [0, 188], "max_val": [0, 60]}, "inputs": [], "outputs": ["y"]})",
          TensorText("y", "FP16", R"("shape": [])"), ""),
      &loose);
  EXPECT_TRUE(absl::IsUnimplemented(without_operand.status())) << without_operand.status();
  ASSERT_TRUE(loose);
  EXPECT_EQ(loose->attributes.min_val, (TypedBits{ElementType::kF16, 0xbc00})) << "of the result, without an operand";
  EXPECT_EQ(clamp(R"("min_val": [0])").status().message(), "min_val has 1 byte, and the operand is of f16");
}

}  // namespace
}  // namespace tosaic
