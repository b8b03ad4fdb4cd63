// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/reshapes.h"

#include <algorithm>
#include <vector>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/op_catalogue.h"

namespace tosaic {
namespace {

constexpr int kCases = 2000;

// The program's ops without its reshapes.
std::vector<OpKind> OthersOf(const Program& program) {
  std::vector<OpKind> others;
  for (const OpApplication& op : program.ops) {
    if (op.op != OpKind::kReshape) others.push_back(op.op);
  }
  return others;
}

bool IsReshape(const Program& program, ValueRef value) {
  return value.kind == ValueRef::Kind::kOp && program.ops[static_cast<size_t>(value.index)].op == OpKind::kReshape;
}

TEST(Reshapes, AProgramKeepsItsOpsAndItsData) {
  GeneratorOptions with;
  with.reshape_percent = 100;
  int reshaped = 0;
  for (uint64_t number = 0; number < kCases; ++number) {
    const Case test_case = GenerateCase(7, number, with);
    const Case other = GenerateCase(7, number, {});
    ASSERT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
    if (test_case == other) continue;
    ++reshaped;
    EXPECT_GT(test_case.program.ops.size(), other.program.ops.size());
    EXPECT_EQ(OthersOf(test_case.program), OthersOf(other.program));
    ASSERT_EQ(test_case.runs.size(), other.runs.size());
    for (size_t run = 0; run < test_case.runs.size(); ++run) {
      ASSERT_EQ(test_case.runs[run].size(), other.runs[run].size());
      for (size_t k = 0; k < test_case.runs[run].size(); ++k) {
        EXPECT_EQ(test_case.runs[run][k].bytes(), other.runs[run][k].bytes());
      }
    }
  }
  EXPECT_GT(reshaped, kCases * 7 / 10);
}

// Whether it has rows and columns, more than one of both.
bool IsMatrix(const Shape& shape) {
  return shape.IsStatic() && shape.rank() == 2 && shape[0].size() > 1 && shape[1].size() > 1;
}

// Equal types of these are no equal sizes.
bool SaysNoSizes(const Shape& shape) {
  return shape.IsRanked() && shape.rank() > 1 &&
         std::all_of(shape.dims().begin(), shape.dims().end(), [](Dim dim) { return dim.IsDynamic(); });
}

// Each is a way in which folders and lowerings meet them.
TEST(Reshapes, StandEverywhere) {
  GeneratorOptions options;
  options.reshape_percent = 100;
  int first = 0, between = 0, twice = 0, of_constants = 0, of_results = 0, of_squares = 0, turned = 0, silent = 0;
  for (uint64_t number = 0; number < kCases; ++number) {
    const Program program = GenerateCase(7, number, options).program;
    if (program.ops.empty()) continue;
    first += program.ops.front().op == OpKind::kReshape ? 1 : 0;
    for (const ValueRef result : program.results) of_results += IsReshape(program, result) ? 1 : 0;
    for (const OpApplication& op : program.ops) {
      const TensorType from = TypeOf(program, op.operands[0]);
      if (op.op != OpKind::kReshape) {
        if (!IsReshape(program, op.operands[0])) continue;
        const OpApplication& reshape = program.ops[static_cast<size_t>(op.operands[0].index)];
        between += reshape.operands[0].kind == ValueRef::Kind::kOp ? 1 : 0;
        continue;
      }
      twice += IsReshape(program, op.operands[0]) ? 1 : 0;
      of_constants += op.operands[0].kind == ValueRef::Kind::kConstant ? 1 : 0;
      const bool is_square = IsMatrix(from.shape) && from.shape[0] == from.shape[1];
      turned += IsMatrix(from.shape) && op.result.shape == Shape({from.shape[1], from.shape[0]}) ? 1 : 0;
      of_squares += is_square ? 1 : 0;
      silent += SaysNoSizes(from.shape) && from.shape == op.result.shape ? 1 : 0;
    }
  }
  EXPECT_GT(first, kCases / 5);
  EXPECT_GT(between, kCases / 10);
  EXPECT_GT(twice, kCases / 10);
  EXPECT_GT(of_constants, kCases / 50);
  EXPECT_GT(of_results, kCases / 10);
  EXPECT_GT(of_squares, kCases / 100);
  EXPECT_GT(turned, kCases / 100);
  EXPECT_GT(silent, 15);
}

TEST(Reshapes, AreDrawnAsOftenAsIsAsked) {
  GeneratorOptions options;
  options.reshape_percent = 3;
  int reshaped = 0;
  for (uint64_t number = 0; number < kCases; ++number) {
    reshaped += (GenerateCase(7, number, options) != GenerateCase(7, number, {})) ? 1 : 0;
  }
  EXPECT_GT(reshaped, kCases / 100);
  EXPECT_LT(reshaped, kCases * 3 / 100);
}

}  // namespace
}  // namespace tosaic
