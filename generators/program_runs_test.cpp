// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/program_runs.h"

#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "generators/choice_source.h"
#include "generators/generator.h"
#include "generators/program_edits.h"
#include "generators/special_values.h"

namespace tosaic {
namespace {

TensorType Type(absl::string_view text) { return *ParseTensorType(text); }

Program OneAdd(absl::string_view a, absl::string_view b, absl::string_view result) {
  Program program;
  program.arguments = {Type(a), Type(b)};
  OpApplication add;
  add.operands = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}};
  add.result = Type(result);
  program.ops = {add};
  program.results = {{ValueRef::Kind::kOp, 0}};
  return program;
}

std::set<std::string> SizesDrawn(Program program) {
  SeededChoices choices(1, 1);
  std::set<std::string> sizes;
  for (const Run& run : DrawProgramRuns(choices, 16, 4096, program)) {
    Case test_case;
    test_case.program = program;
    test_case.runs = {run};
    EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
    sizes.insert(absl::StrCat(SizesToString(run[0].sizes()), " ", SizesToString(run[1].sizes())));
  }
  return sizes;
}

TEST(ProgramRuns, DynamicDimensionsFollowTheTypesAroundThemAndStretch) {
  const std::set<std::string> sizes = SizesDrawn(OneAdd("tensor<?x3xf32>", "tensor<2x?xf32>", "tensor<2x3xf32>"));
  EXPECT_EQ(sizes, (std::set<std::string>{"2x3 2x3", "1x3 2x3", "2x3 2x1", "1x3 2x1"}));
  EXPECT_GT(SizesDrawn(OneAdd("tensor<?xf32>", "tensor<?xf32>", "tensor<?xf32>")).size(), 4u);
  EXPECT_GT(SizesDrawn(OneAdd("tensor<*xf32>", "tensor<*xf32>", "tensor<*xf32>")).size(), 4u);
}

TEST(ProgramRuns, AResultsStaticSizeIsRespected) {
  for (const std::string& sizes : SizesDrawn(OneAdd("tensor<?xf32>", "tensor<?xf32>", "tensor<7xf32>"))) {
    EXPECT_NE(sizes, "1 1");
  }
}

TEST(ProgramRuns, NoneWhereNothingFits) {
  EXPECT_TRUE(SizesDrawn(OneAdd("tensor<2xf32>", "tensor<3xf32>", "tensor<3xf32>")).empty());
  EXPECT_TRUE(SizesDrawn(OneAdd("tensor<3xf32>", "tensor<2x2xf32>", "tensor<2x2xf32>")).empty());
  EXPECT_TRUE(SizesDrawn(OneAdd("tensor<9999999xf32>", "tensor<1xf32>", "tensor<9999999xf32>")).empty());
}

// By argument the bit patterns that the runs have, and the pairs of the first two arguments that meet.
TEST(ProgramRuns, SpecialRunsHaveEveryValueAndEveryPairOfCoreOnes) {
  const SpecialValues& special = Specials(ElementType::kF32);
  const std::pair<const char*, const char*> shapes[] = {
      {"", ""}, {"3x", "3x"}, {"40x", "40x"}, {"4x5x", "1x5x"}, {"1x1x", "6x7x"}};
  for (const auto& [a, b] : shapes) {
    const std::string types[] = {absl::StrCat("tensor<", a, "f32>"), absl::StrCat("tensor<", b, "f32>")};
    const Program program = OneAdd(types[0], types[1], types[0]);
    const tosaic::Run first = {Tensor(ElementType::kF32, StaticSizes(Type(types[0]).shape)),
                               Tensor(ElementType::kF32, StaticSizes(Type(types[1]).shape))};
    std::set<uint64_t> seen[2];
    std::set<std::pair<uint64_t, uint64_t>> pairs;
    const std::vector<tosaic::Run> runs = SpecialProgramRuns(program, first);
    for (const tosaic::Run& run : runs) {
      std::vector<int64_t> sizes = run[0].sizes();
      for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::max(sizes[d], run[1].sizes()[d]);
      for (size_t i = 0; i < static_cast<size_t>(ElementCount(sizes)); ++i) {
        const uint64_t x = run[0].Bits(BroadcastIndex(i, sizes, run[0].sizes()));
        const uint64_t y = run[1].Bits(BroadcastIndex(i, sizes, run[1].sizes()));
        seen[0].insert(x);
        seen[1].insert(y);
        pairs.insert({x, y});
      }
    }
    for (const std::vector<uint64_t>* values : {&special.core, &special.more}) {
      for (uint64_t bits : *values) {
        EXPECT_TRUE(seen[0].contains(bits) && seen[1].contains(bits)) << types[0] << types[1] << " " << bits;
      }
    }
    for (uint64_t x : special.core) {
      for (uint64_t y : special.core)
        EXPECT_TRUE(pairs.contains({x, y})) << types[0] << types[1] << " " << x << " " << y;
    }
    EXPECT_LE(runs.size(), 500u) << types[0] << types[1];
  }
}

TEST(ProgramRuns, AWideRunIsOfOpenDimensionsAlone) {
  SeededChoices choices(1, 1);
  const auto sizes = [&](absl::string_view type) {
    const std::optional<tosaic::Run> run = DrawWideRun(choices, 4096, OneAdd(type, type, type));
    return run ? SizesToString((*run)[0].sizes()) : "none";
  };
  EXPECT_EQ(sizes("tensor<?xf32>"), "67");
  EXPECT_EQ(sizes("tensor<5x?xf32>"), "5x67");
  EXPECT_EQ(sizes("tensor<*xf32>"), "4x67");
  EXPECT_EQ(sizes("tensor<?x3xf32>"), "none");
  EXPECT_EQ(sizes("tensor<3xf32>"), "none");
  EXPECT_EQ(sizes("tensor<99x?xf32>"), "none") << "too many elements";
}

// 0x1010001 is nearer to the greater of two bf16, and as an f32 as near to one as to the other.
TEST(ProgramRuns, SpecialRunsHaveIntegersThatAnF32RoundsFirst) {
  const Program program = OneAdd("tensor<1xi32>", "tensor<1xi32>", "tensor<1xi32>");
  const Tensor one(ElementType::kI32, {1});
  std::set<uint64_t> seen;
  for (const tosaic::Run& run : SpecialProgramRuns(program, {one, one})) seen.insert(run[0].Bits(0));
  for (const uint64_t bits : {0x01010001u, 0xfefeffffu, 0x0102ffffu, 0xfefd0001u}) EXPECT_TRUE(seen.contains(bits));
}

TEST(ProgramRuns, WithoutElementsThereAreNoSpecialRuns) {
  const Program program = OneAdd("tensor<2x0xi32>", "tensor<2x0xi32>", "tensor<2x0xi32>");
  const Tensor none(ElementType::kI32, {2, 0}), one(ElementType::kI32, {2, 1});
  EXPECT_TRUE(SpecialProgramRuns(program, {none, none}).empty());
  EXPECT_FALSE(SpecialProgramRuns(program, {one, none}).empty());
}

// Legal in older dialects: no value is defined, but it is to be lowered and run.
// A dimension of 0 against a 1: no element of the one meets any of the other. What is illegal may stand in a file.
TEST(ProgramRuns, WhatHasNoElementsIsNotMended) {
  Program program = OneAdd("tensor<0xf32>", "tensor<1xf32>", "tensor<?xf32>");
  program.ops[0].op = OpKind::kPow;
  SeededChoices choices(1, 1);
  for (const auto& run : DrawProgramRuns(choices, 4, 64, program)) EXPECT_EQ(run[0].element_count(), 0u);
}

TEST(ProgramRuns, RanksMayDiffer) {
  EXPECT_EQ(SizesDrawn(OneAdd("tensor<2xf32>", "tensor<3x2xf32>", "tensor<3x2xf32>")),
            (std::set<std::string>{"2 3x2"}));
  Program program = OneAdd("tensor<2xi32>", "tensor<3x2xi32>", "tensor<3x2xi32>");
  SeededChoices choices(1, 1);
  const std::vector<tosaic::Run> runs = DrawProgramRuns(choices, 1, 4096, program);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_FALSE(SpecialProgramRuns(program, runs.front()).empty());
}

TEST(ProgramRuns, AsManyAsAreAskedFor) {
  Program program = OneAdd("tensor<2xf32>", "tensor<2xf32>", "tensor<2xf32>");
  SeededChoices choices(1, 1);
  EXPECT_EQ(DrawProgramRuns(choices, 300, 4096, program).size(), 300u) << "and not 64";
}

TEST(ProgramRuns, GroupsThatNoOpBringsTogetherHaveSizesOfTheirOwn) {
  Program program = OneAdd("tensor<?x7xf32>", "tensor<5x?xf32>", "tensor<5x7xf32>");
  program.arguments.push_back(Type("tensor<?x3x?xf32>"));
  OpApplication abs;
  abs.op = OpKind::kAbs;
  abs.operands = {{ValueRef::Kind::kArgument, 2}};
  abs.result = Type("tensor<2x3x9xf32>");
  program.ops.push_back(abs);
  SeededChoices choices(1, 1);
  const std::vector<tosaic::Run> runs = DrawProgramRuns(choices, 1, 4096, program);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0][0].sizes(), (std::vector<int64_t>{5, 7}));
  EXPECT_EQ(runs[0][2].sizes(), (std::vector<int64_t>{2, 3, 9}));
}

TEST(ProgramRuns, AProgramsConstantsStay) {
  Program program = OneAdd("tensor<4xi32>", "tensor<4xi32>", "tensor<4xi32>");
  program.arguments.pop_back();
  program.constants = {Tensor(ElementType::kI32, {4})};
  program.ops[0].op = OpKind::kIntdiv;
  program.ops[0].operands[1] = {ValueRef::Kind::kConstant, 0};
  const Program before = program;
  SeededChoices choices(1, 1);
  const std::vector<tosaic::Run> runs = DrawProgramRuns(choices, 4, 4096, program);
  ASSERT_FALSE(runs.empty());
  SpecialProgramRuns(program, runs.front());
  EXPECT_EQ(program, before);
}

// The generator's own legal programs have runs; so they must have here.
TEST(ProgramRuns, EveryLegalProgramOfTheGeneratorHasRuns) {
  GeneratorOptions options;
  options.illegal_percent = 0;
  int programs = 0, without = 0;
  for (uint64_t number = 0; number < 1000; ++number) {
    Case generated = GenerateCase(3, number, options);
    if (generated.runs.empty()) continue;
    ++programs;
    SeededChoices choices(1, number);
    without += DrawProgramRuns(choices, 4, 4096, generated.program).empty() ? 1 : 0;
  }
  EXPECT_GT(programs, 900);
  // Graphs whose dynamic sizes depend on each other in more ways than there are attempts.
  EXPECT_LT(without, programs / 50);
}

}  // namespace
}  // namespace tosaic
