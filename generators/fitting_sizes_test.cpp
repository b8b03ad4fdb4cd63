// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/fitting_sizes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "generators/choice_source.h"
#include "model/program.h"
#include "model/shape.h"

namespace tosaic {
namespace {

OpApplication Reshape(ValueRef operand, std::vector<int64_t> new_shape, absl::string_view result) {
  OpApplication op;
  op.op = OpKind::kReshape;
  op.operands = {operand};
  op.attributes.new_shape = std::move(new_shape);
  op.result = *ParseTensorType(result);
  return op;
}

Program OneReshape(absl::string_view operand, std::vector<int64_t> new_shape, absl::string_view result) {
  Program program;
  program.arguments = {*ParseTensorType(operand)};
  program.ops = {Reshape({ValueRef::Kind::kArgument, 0}, std::move(new_shape), result)};
  program.results = {{ValueRef::Kind::kOp, 0}};
  return program;
}

// The sizes of the first argument in all attempts that fit.
std::set<std::string> Fitting(const Program& program) {
  const SizesByTypes by_types(program);
  SeededChoices choices(1, 1);
  std::set<std::string> sizes;
  for (int attempt = 0; attempt < 64; ++attempt) {
    const std::vector<std::vector<int64_t>> drawn = by_types.Draw(choices, attempt);
    if (SizesFit(program, drawn)) sizes.insert(SizesToString(drawn[0]));
    EXPECT_TRUE(attempt > 0 || SizesFit(program, drawn)) << SizesToString(drawn[0]);
  }
  return sizes;
}

TEST(FittingSizes, AReshapesOperandHasTheElementsOfTheNewShape) {
  EXPECT_EQ(Fitting(OneReshape("tensor<?xf32>", {3, 2}, "tensor<3x2xf32>")), std::set<std::string>{"6"});
  EXPECT_EQ(Fitting(OneReshape("tensor<?x?xf32>", {5, 7}, "tensor<5x7xf32>")),
            (std::set<std::string>{"5x7", "7x5", "1x35"}));
  EXPECT_EQ(Fitting(OneReshape("tensor<?x5xf32>", {5, 7}, "tensor<5x7xf32>")), std::set<std::string>{"7x5"});
  EXPECT_EQ(Fitting(OneReshape("tensor<*xf32>", {1, 1}, "tensor<1x1xf32>")), std::set<std::string>{"1x1"});
}

TEST(FittingSizes, OneSizeOfTheNewShapeMayBeOpen) {
  EXPECT_TRUE(Fitting(OneReshape("tensor<?x3xf32>", {-1, 7}, "tensor<?x7xf32>")).contains("14x3"));
  EXPECT_GT(Fitting(OneReshape("tensor<?x?xf32>", {-1}, "tensor<?xf32>")).size(), 16u);
  EXPECT_EQ(Fitting(OneReshape("tensor<?x?xf32>", {-1, 3}, "tensor<2x3xf32>")),
            (std::set<std::string>{"2x3", "3x2", "1x6"}));
}

TEST(FittingSizes, AReshapeOfAReshapeSaysHowManyThereAre) {
  Program program = OneReshape("tensor<?x?xf32>", {-1}, "tensor<?xf32>");
  program.ops.push_back(Reshape({ValueRef::Kind::kOp, 0}, {11}, "tensor<11xf32>"));
  EXPECT_EQ(Fitting(program), std::set<std::string>{"1x11"});
}

TEST(FittingSizes, HugeShapesAreLeftAsTheyAre) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  const Program program = OneReshape("tensor<?x?xf32>", {kHuge, kHuge, kHuge}, "tensor<?x?x?xf32>");
  SeededChoices choices(1, 1);
  EXPECT_EQ(SizesByTypes(program).Draw(choices, 0), (std::vector<std::vector<int64_t>>{{4, 3}}));
}

TEST(FittingSizes, WithoutSizesThatFitNoneAreDrawn) {
  const Program program = OneReshape("tensor<?x4xf32>", {3, 2}, "tensor<3x2xf32>");
  SeededChoices choices(1, 1);
  for (int attempt = SizesByTypes::kWide; attempt < 64; ++attempt) {
    EXPECT_FALSE(SizesFit(program, SizesByTypes(program).Draw(choices, attempt)));
  }
}

}  // namespace
}  // namespace tosaic
