#include "generators/program_runs.h"

#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "generators/choice_source.h"
#include "generators/generator.h"

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
    Case one;
    one.program = program;
    one.runs = {run};
    EXPECT_TRUE(CheckWellFormed(one).ok()) << CheckWellFormed(one);
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
  EXPECT_TRUE(SizesDrawn(OneAdd("tensor<2xf32>", "tensor<2x2xf32>", "tensor<2x2xf32>")).empty());
  EXPECT_TRUE(SizesDrawn(OneAdd("tensor<9999999xf32>", "tensor<1xf32>", "tensor<9999999xf32>")).empty());
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
