// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_export.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "conformance/arm_flatbuffer.h"
#include "conformance/arm_suite.h"
#include "generators/suite.h"
#include "gtest/gtest.h"
#include "model/signature_program.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

Case CaseOf(const std::string& signature, std::vector<Run> runs) {
  Case test_case;
  test_case.program = ParseSignature(signature).value();
  test_case.runs = std::move(runs);
  return test_case;
}

Tensor Of(ElementType type, const std::string& hex, std::vector<int64_t> sizes) {
  return *TensorFromHex(type, std::move(sizes), hex);
}

std::string WhyNone(const Case& test_case) {
  return std::string(ArmFoldersOf("x", test_case, Policies()).status().message());
}

ArmTest Read(const ArmFolder& folder, const TemporaryDirectory& temporary) {
  const std::string path = temporary / folder.name;
  std::filesystem::create_directories(path);
  for (const auto& [name, content] : folder.files) Spill(absl::StrCat(path, "/", name), content);
  const auto test = ReadArmTest(path);
  EXPECT_TRUE(test.ok()) << test.status();
  return test.value_or(ArmTest());
}

TEST(ArmExport, WhatIsWrittenIsReadAsTheSameTest) {
  const TemporaryDirectory temporary;
  const tosaic::Run first = {Of(ElementType::kF16, "3c00 4000", {2}), Of(ElementType::kF16, "3c00", {1})};
  const tosaic::Run second = {Of(ElementType::kF16, "3c00", {1}), Of(ElementType::kF16, "4000", {1})};
  const Case add = CaseOf("add(tensor<?xf16>, tensor<1xf16>) -> tensor<?xf16>", {first, second});
  const auto folders = ArmFoldersOf("add/f16/0", add, Policies());
  ASSERT_TRUE(folders.ok()) << folders.status();
  ASSERT_EQ(folders->size(), 2u);
  EXPECT_EQ(folders->at(0).name, "add/f16/0-0");
  const ArmTest test = Read(folders->at(0), temporary);
  EXPECT_EQ(test.op, "add");
  EXPECT_EQ(test.profiles, std::vector<std::string>{"tosa-pro-fp"});
  EXPECT_FALSE(test.must_fail);
  EXPECT_EQ(test.tolerance, (StatedTolerance{.outward = 0.5, .inward = 0.5}));
  ASSERT_TRUE(test.test_case);
  const Program& program = test.test_case->program;
  EXPECT_EQ(Signature(program, program.ops[0]), "add(tensor<2xf16>, tensor<1xf16>) -> tensor<2xf16>");
  EXPECT_EQ(test.test_case->runs, std::vector<tosaic::Run>{first});
  EXPECT_EQ(Read(folders->at(1), temporary).test_case->runs, std::vector<tosaic::Run>{second});
}

// The suite as it is: each case of one op that is exported comes back with its attributes, constants and element types.
TEST(ArmExport, TheSuiteComesBack) {
  const TemporaryDirectory temporary;
  uint64_t must_fail = 0, runs = 0;
  const std::vector<OpKind> ops = {OpKind::kClamp, OpKind::kMul, OpKind::kArithmeticRightShift, OpKind::kLog};
  for (const SuiteTile& tile : SuiteTiles(SuiteProfile::kAll, ops)) {
    if (tile.cases.empty()) continue;
    const Case whole = SuiteCaseOf(tile, 0);
    const auto folders = ArmFoldersOf(tile.cases.front(), whole, Policies());
    if (!folders.ok()) continue;
    const OpApplication& original = whole.program.ops.front();
    for (const ArmFolder& folder : *folders) {
      const ArmTest test = Read(folder, temporary);
      ASSERT_TRUE(test.test_case) << folder.name << ": " << test.not_representable;
      const OpApplication& op = test.test_case->program.ops.front();
      EXPECT_EQ(op.op, original.op);
      // An attribute that is absent in MLIR has the schema's default in a flatbuffer.
      if (original.attributes.round) EXPECT_EQ(op.attributes, original.attributes) << folder.name;
      EXPECT_EQ(op.attributes.min_val, original.attributes.min_val) << folder.name;
      if (original.op == OpKind::kClamp) {
        EXPECT_EQ(op.attributes.nan_mode, original.attributes.nan_mode.value_or(NanMode::kPropagate)) << folder.name;
      }
      EXPECT_EQ(test.test_case->program.constants, whole.program.constants) << folder.name;
      EXPECT_EQ(test.must_fail, folder.must_fail);
      EXPECT_TRUE(test.must_fail || test.tolerance) << folder.name;
      ++(test.must_fail ? must_fail : runs);
    }
  }
  EXPECT_GT(must_fail, 3u);
  EXPECT_GT(runs, 50u);
}

TEST(ArmExport, StatesTheToleranceOfTheSpecification) {
  const TemporaryDirectory temporary;
  const auto tolerance = [&](const std::string& op, const std::string& to, const std::string& element) {
    const Tensor x = Of(ElementType::kF32, "3f000000", {1});
    Case test_case = CaseOf(absl::StrCat(op, "(tensor<1xf32>) -> tensor<1x", to, ">"), {{x}});
    const auto folders = ArmFoldersOf(absl::StrCat(op, element), test_case, Policies());
    EXPECT_TRUE(folders.ok()) << folders.status();
    return Read(folders->front(), temporary).tolerance.value();
  };
  using Mode = StatedTolerance::Mode;
  EXPECT_EQ(tolerance("exp", "f32", ""),
            (StatedTolerance{.mode = Mode::kAbsoluteError, .absolute = {.base_bound = 3}}));
  EXPECT_EQ(tolerance("cos", "f32", ""),
            (StatedTolerance{.mode = Mode::kAbsoluteError,
                             .absolute = {.base_bound = 1, .normal_divisor = 2, .bound_as_magnitude = true}}));
  EXPECT_EQ(tolerance("tanh", "f32", ""),
            (StatedTolerance{.mode = Mode::kAbsoluteError, .absolute = {.base_bound = 12, .lower_bound = 0.5}}));
  EXPECT_EQ(tolerance("abs", "f32", ""), StatedTolerance());
  EXPECT_EQ(tolerance("cast", "f16", "f16"), (StatedTolerance{.outward = 0.5, .inward = 1}));
  EXPECT_EQ(tolerance("cast", "i8", "i8"), StatedTolerance());
}

TEST(ArmExport, SaysWhyACaseIsNoTest) {
  const Tensor large = Of(ElementType::kI32, "7fffffff", {1});
  EXPECT_EQ(WhyNone(CaseOf("add(tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>", {{large, large}})),
            "the documents leave elements undefined");
  EXPECT_EQ(WhyNone(CaseOf("abs(tensor<?xf32>) -> tensor<?xf32>", {})), "no run says what the shapes are");
}

// In a flatbuffer an absent boolean is false. Bounds are lists of bytes, which stay empty.
TEST(ArmExport, AMissingAttributeIsNoErrorWhereTheFlatbufferHasAValueForIt) {
  Case rescale = CaseOf("rescale(tensor<1xi8>) -> tensor<1xi8>", {});
  for (const Attribute missing : {Attribute::kScale32, Attribute::kRoundingMode, Attribute::kPerChannel}) {
    Case without = rescale;
    ForEachAttribute(without.program.ops[0].attributes, [&](const AttributeInfo& info, auto& value) {
      if (info.attribute == missing) value.reset();
    });
    EXPECT_EQ(WhyNone(without), "an attribute that is missing has a value in the flatbuffer") << Name(missing);
  }
  rescale = CaseOf("rescale(tensor<1xi48>) -> tensor<1xi8>", {});
  rescale.program.ops[0].attributes.per_channel.reset();
  rescale.program.ops[0].attributes.input_unsigned = rescale.program.ops[0].attributes.output_unsigned = true;
  const auto folders = ArmFoldersOf("x", rescale, Policies());
  ASSERT_TRUE(folders.ok()) << "what is refused for another reason, too, stays: " << folders.status();
  Case clamp = CaseOf("clamp(tensor<1xf32>) -> tensor<1xf32>", {});
  clamp.program.ops[0].attributes.min_val.reset();
  EXPECT_TRUE(ArmFoldersOf("x", clamp, Policies()).ok());
}

TEST(ArmExport, PacksAsTheFlatbufferDoes) {
  const Tensor nibbles = Of(ElementType::kI4, "1 f 8", {3}),
               wide = Of(ElementType::kI48, "000000000001 800000000000", {2});
  EXPECT_EQ(Packed(nibbles), (std::vector<uint8_t>{0xf1, 0x8}));
  EXPECT_EQ(Packed(wide), (std::vector<uint8_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80}));
  for (const Tensor& tensor : {nibbles, wide}) {
    for (size_t i = 0; i < tensor.element_count(); ++i) {
      EXPECT_EQ(PackedBits(Packed(tensor), tensor.element_type(), i), tensor.Bits(i));
    }
  }
}

}  // namespace
}  // namespace tosaic
