// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/block_text.h"

#include <cstdint>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/blocks.h"

namespace tosaic {
namespace {

std::string TypeOf(const std::string& shape, const std::string& value, const std::string& scales) {
  return absl::StrCat("tensor<", shape, "x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:", value, ", {", scales, "}>>");
}
std::string Splat(const std::string& scale, const std::string& value, const std::string& type = "f4E2M1FN") {
  return absl::StrCat("dense<", TypeOf("32", type, scale), " : ", value, " : ", type == "!tosa.mxint8" ? "i8" : type,
                      ">");
}

// The scale and the value of the constant that a splat is; all elements are alike.
std::string Read(const std::string& text) {
  const absl::StatusOr<Tensor> read = BlockConstantFromText(text);
  if (!read.ok()) return std::string(read.status().message());
  for (size_t i = 1; i < read->element_count(); ++i) {
    if (read->Bits(i) != read->Bits(0)) return "no splat";
  }
  return BitsToString(read->element_type(), read->Bits(0));
}

TEST(BlockText, EveryPatternOfEveryTypeComesBack) {
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    const uint64_t values = uint64_t{1} << BlockValueBits(info.type);
    Tensor tensor(info.type, {4, 2, 1024});
    for (size_t i = 0; i < tensor.element_count(); ++i) {
      tensor.SetBits(i, ElementInBlock(i / kBlockSize, i % values));
    }
    const std::string text = BlockConstantToText(tensor);
    const absl::StatusOr<Tensor> read = BlockConstantFromText(text);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, tensor) << info.name;
  }
}

TEST(BlockText, ATypeStatesItsScales) {
  Tensor tensor(ElementType::kBlockF4E2M1FN, {2, 32});
  for (size_t i = 0; i < 64; ++i) tensor.SetBits(i, ElementInBlock(i < 32 ? 0x80 : 0xff, i % 4));
  const std::string row = absl::StrJoin(std::vector<std::string>(8,
                                                                 "0x0 : f4E2M1FN, 0x1 : f4E2M1FN, 0x2 : f4E2M1FN, "
                                                                 "0x3 : f4E2M1FN"),
                                        ", ");
  EXPECT_EQ(BlockConstantToText(tensor), absl::StrCat("dense<", TypeOf("2x32", "f4E2M1FN", "2.0, 0x7FF8000000000000"),
                                                      " : [[", row, "], [", row, "]]>"));
  Tensor integers(ElementType::kBlockMxint8, {32});
  for (size_t i = 0; i < 32; ++i) integers.SetBits(i, ElementInBlock(0x00, 0xfd));
  EXPECT_TRUE(absl::StrContains(BlockConstantToText(integers), "{5.8774717541114375e-39}>> : [-3 : i8, -3 : i8, "));
}

// MLIR prints six digits, and NaNs and infinities as bits.
TEST(BlockText, WhatMlirPrintsIsRead) {
  EXPECT_EQ(Read(Splat("2.000000e+00", "1.500000e+00")), "0x8003");
  EXPECT_EQ(Read(Splat("5.877470e-39", "-0.000000e+00")), "0x0008");
  EXPECT_EQ(Read(Splat("1.701410e+38", "0.000000e+00")), "0xfe00");
  EXPECT_EQ(Read(Splat("0xFF", "6.000000e+00")), "0xff07");
  EXPECT_EQ(Read(Splat("1.0", "1.367190e-02", "f8E4M3FN")), "0x7f07");
  EXPECT_EQ(Read(Splat("1.0", "-4.577640e-05", "f8E5M2")), "0x7f83");
  EXPECT_EQ(Read(Splat("1.0", "0x7C", "f8E5M2")), "0x7f7c");
  EXPECT_EQ(Read(Splat("1.0", "-128", "!tosa.mxint8")), "0x7f80");
  EXPECT_EQ(Read(absl::StrReplaceAll(Splat("1.0", "1.0"), {{":f", " : f"}, {", {", " ,  { "}})), "0x7f02");
}

// As MLIR rounds, a number half way between two values to the even one.
TEST(BlockText, DecimalDigitsAreTheNearestValue) {
  EXPECT_EQ(Read(Splat("1.0", "0.25")), "0x7f00");
  EXPECT_EQ(Read(Splat("1.0", "0.75")), "0x7f02");
  EXPECT_EQ(Read(Splat("1.0", "-5.0")), "0x7f0e");
  EXPECT_EQ(Read(Splat("1.0", "5.01")), "0x7f07");
}

TEST(BlockText, WhatIsNoConstantIsRefused) {
  const struct {
    std::string text, why;
  } rows[] = {
      {"dense<1.0> : tensor<f32>", "no constant of a block-scaled type"},
      {"dense<tensor<32xf32, {1.0}> : 1.0 : f32>", "no constant of a block-scaled type"},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{"32x", "16x"}}), "no constant of a block-scaled type"},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{"32x", "?x"}}), "no constant of a block-scaled type"},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{", {1.0}", ""}}), "no constant of a block-scaled type"},
      {Splat("3.0", "1.0"), "a scale is 3.0, no power of 2 from 2^-127 to 2^127"},
      {Splat("0.0", "1.0"), "a scale is 0.0, "},
      {Splat("-2.0", "1.0"), "a scale is -2.0, "},
      {Splat("3.402824e+38", "1.0"), "a scale is 3.402824e+38, "},
      {Splat("2.938736e-39", "1.0"), "a scale is 2.938736e-39, "},
      {Splat("0x80", "1.0"), "a scale is 0x80, "},
      {Splat("", "1.0"), "a scale is , "},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{"32x", "4611686018427387904x32x"}}), "has 1 scale, and "},
      {Splat("1.0, 1.0", "1.0"), "has 2 scales, and 1 block"},
      {Splat("1.0", "6.1"), "element 0: a value of f4E2M1FN was expected, not '6.1 : f4E2M1FN'"},
      {Splat("1.0", "0x10"), "element 0: a value of f4E2M1FN was expected, not '0x10 : f4E2M1FN'"},
      {Splat("1.0", "128", "!tosa.mxint8"), "element 0: a value of i8 was expected, not '128 : i8'"},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{"1.0 : f4E2M1FN", "1.0 : f32"}}),
       "element 0: a value of f4E2M1FN was expected, not '1.0 : f32'"},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{"1.0 : f4E2M1FN", "[1.0 : f4E2M1FN]"}}),
       "element 1: ',' was expected, not ''"},
      {absl::StrReplaceAll(Splat("1.0", "1.0"), {{"1.0 : f4E2M1FN", "1.0 : f4E2M1FN, 1.0 : f4E2M1FN"}}),
       "element 32: the end was expected"},
  };
  for (const auto& row : rows)
    EXPECT_TRUE(absl::StartsWith(Read(row.text), row.why)) << row.text << "\n" << Read(row.text);
}

}  // namespace
}  // namespace tosaic
