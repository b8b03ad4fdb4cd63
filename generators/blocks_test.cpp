// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/blocks.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generators/data.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

GeneratorOptions Options() {
  GeneratorOptions options = {
      .ops = {OpKind::kCast, OpKind::kIdentity, OpKind::kReshape}, .runs = 3, .spec_version = SpecVersion::k1_1};
  for (const ElementTypeInfo& info : BlockScaledTypes()) options.blocks.push_back(info.type);
  return options;
}

std::vector<Case> Blocks(const GeneratorOptions& options, uint64_t count = 3000) {
  std::vector<Case> cases;
  for (uint64_t i = 0; i < count; ++i) {
    SeededChoices choices(5, i);
    cases.push_back(GenerateBlocks(choices, options, /*for_validator=*/false));
  }
  return cases;
}

bool IsLegal(const Case& generated) { return !absl::StrContains(generated.origin, '/'); }

TEST(Blocks, AreDrawnOnlyWhereTheyAreReadAndFewOfThem) {
  GeneratorOptions options = Options();
  int drawn = 0;
  for (uint64_t i = 0; i < 2000; ++i) drawn += HasBlocks(GenerateCase(3, i, options).program);
  EXPECT_GT(drawn, 30);
  EXPECT_LT(drawn, 140);
  options.blocks.clear();
  for (uint64_t i = 0; i < 500; ++i) EXPECT_FALSE(HasBlocks(GenerateCase(3, i, options).program));
}

TEST(Blocks, NeedAnOpATypeAndRoom) {
  GeneratorOptions options = Options();
  EXPECT_TRUE(DrawsBlocks(options));
  options.max_elements = 31;
  EXPECT_FALSE(DrawsBlocks(options));
  options = Options();
  options.ops = {OpKind::kAdd};
  EXPECT_FALSE(DrawsBlocks(options));
  options = Options();
  options.spec_version = SpecVersion::k1_0_2;
  EXPECT_FALSE(DrawsBlocks(options));
  options = Options();
  options.blocks = {ElementType::kBlockF4E2M1FN};
  options.ops = {OpKind::kIdentity};
  for (const Case& generated : Blocks(options, 200)) {
    for (const OpApplication& op : generated.program.ops) {
      EXPECT_EQ(op.op, OpKind::kIdentity);
      if (IsLegal(generated)) EXPECT_EQ(op.result.element_type, ElementType::kBlockF4E2M1FN);
    }
  }
}

TEST(Blocks, LegalOnesAreStaticAndWholeWithRuns) {
  std::set<size_t> ranks;
  for (const Case& generated : Blocks(Options())) {
    ASSERT_TRUE(CheckWellFormed(generated).ok()) << CheckWellFormed(generated);
    if (!IsLegal(generated)) continue;
    EXPECT_TRUE(HasBlocks(generated.program) && HasWholeBlocks(generated.program)) << CaseToText(generated);
    EXPECT_EQ(generated.runs.size(), generated.program.arguments.empty() ? 1u : 3u);
    for (const OpApplication& op : generated.program.ops) {
      EXPECT_TRUE(op.result.shape.IsStatic());
      EXPECT_TRUE(HasSpecTypes(generated.program, op, SpecVersion::k1_1)) << Signature(generated.program, op);
      ranks.insert(op.result.shape.rank());
    }
  }
  EXPECT_EQ(ranks, (std::set<size_t>{1, 2, 3, 4}));
}

TEST(Blocks, EachOpTypeAndIllegalityIsDrawnAndEachRoundTrip) {
  std::set<std::string> tuples, illegalities, round_trips;
  int constants = 0, of_blocks = 0, splats = 0;
  for (const Case& generated : Blocks(Options(), 8000)) {
    if (!IsLegal(generated)) {
      illegalities.insert(generated.origin);
      EXPECT_EQ(generated.program.ops.size(), 1u);
      EXPECT_TRUE(generated.runs.empty());
      continue;
    }
    const Program& program = generated.program;
    constants += static_cast<int>(program.constants.size());
    for (const Tensor& constant : program.constants) {
      if (!IsBlockScaled(constant.element_type())) continue;
      ++of_blocks;
      bool is_splat = true;
      for (size_t i = 0; i < constant.element_count(); ++i) is_splat &= constant.Bits(i) == constant.Bits(0);
      splats += is_splat;
    }
    for (size_t i = 0; i < program.ops.size(); ++i) {
      const ElementType input = InputElementType(program, program.ops[i]), result = program.ops[i].result.element_type;
      if (IsBlockScaled(input) || IsBlockScaled(result))
        tuples.insert(absl::StrCat(Name(program.ops[i].op), ToString(TypePair{input, result})));
      if (i == 0 || program.ops[i - 1].op != OpKind::kCast || program.ops[i].op != OpKind::kCast) continue;
      if (InputElementType(program, program.ops[i - 1]) == result && IsBlockScaled(result))
        round_trips.insert(ToString(TypePair{input, result}));
    }
  }
  size_t in_catalogue = 0;
  for (const OpInfo& op : AllOps()) in_catalogue += op.block_types.size();
  EXPECT_EQ(tuples.size(), in_catalogue);
  EXPECT_EQ(round_trips.size(), 30u) << "six types by way of five floats";
  EXPECT_GT(constants - of_blocks, 20);
  EXPECT_GT(of_blocks - splats, 20);
  EXPECT_GT(splats, 20);
  for (const char* name : {"block-extent", "block-element-type", "zero-size", "result-of-other-rank", "new-shape"}) {
    EXPECT_TRUE(illegalities.contains(absl::StrCat("intent=block-scaled/", name))) << name;
  }
}

TEST(Blocks, DataAreAtTheEndsOfScalesAndValues) {
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    std::set<uint64_t> scales, values;
    for (uint64_t i = 0; i < 400; ++i) {
      SeededChoices choices(2, i);
      Tensor tensor(info.type, {64});
      FillData(choices, ElementType::kF32, nullptr, tensor);
      for (size_t e = 0; e < 64; ++e) {
        scales.insert(tensor.Bits(e) >> kBlockScaleShift);
        values.insert(tensor.Bits(e) & 0xff);
      }
    }
    for (const uint64_t scale : {0, 1, 127, 254, 255}) EXPECT_TRUE(scales.contains(scale)) << scale;
    EXPECT_EQ(values.size(), size_t{1} << BlockValueBits(info.type)) << "infinities and NaNs included";
  }
}

// A block with an infinity or a NaN may become any block, which compares nothing.
TEST(Blocks, MostFloatsThatBecomeBlocksAreNumbers) {
  int numbers = 0, blocks = 0;
  std::set<int> exponents;
  for (uint64_t i = 0; i < 1000; ++i) {
    SeededChoices choices(2, i);
    Tensor tensor(ElementType::kF32, {32});
    FillData(choices, ElementType::kBlockF8E5M2, nullptr, tensor);
    bool is_finite = true;
    for (size_t e = 0; e < 32; ++e) {
      is_finite &= (tensor.Bits(e) & 0x7f800000) != 0x7f800000;
      exponents.insert(static_cast<int>(tensor.Bits(e) >> 23 & 0xff));
    }
    numbers += is_finite;
    ++blocks;
  }
  EXPECT_GT(numbers, blocks * 4 / 5);
  EXPECT_EQ(exponents.size(), 256u);
}

}  // namespace
}  // namespace tosaic
