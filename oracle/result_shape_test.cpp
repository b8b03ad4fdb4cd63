// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/result_shape.h"

#include <optional>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "oracle/broadcast.h"
#include "oracle/explain.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;
constexpr Dim kDynamic = Dim::Dynamic();

Shape AllDynamic(size_t rank) { return Shape(std::vector<Dim>(rank, kDynamic)); }
RuntimeShape Defined(Sizes sizes, RuleId rule, int dim) { return {true, std::move(sizes), rule, dim}; }
RuntimeShape Undefined(RuleId rule, int dim) { return {false, {}, rule, dim}; }

// The four scenarios of the RFC, "Fully dynamic broadcasting".
TEST(ResultSizesTest, runtime_equal) {
  EXPECT_EQ(ResultSizes({{4}, {4}}, AllDynamic(1)), Defined({4}, RuleId::kRuntimeEqual, -1));
  EXPECT_EQ(ResultSizes({{1}, {1}}, AllDynamic(1)), Defined({1}, RuleId::kRuntimeEqual, -1));
  EXPECT_EQ(ResultSizes({{2, 3}}, AllDynamic(2)), Defined({2, 3}, RuleId::kRuntimeEqual, -1));
}

TEST(ResultSizesTest, runtime_broadcast) {
  EXPECT_EQ(ResultSizes({{1}, {4}}, AllDynamic(1)), Defined({4}, RuleId::kRuntimeBroadcast, 0));
  EXPECT_EQ(ResultSizes({{4}, {1}}, AllDynamic(1)), Defined({4}, RuleId::kRuntimeBroadcast, 0));
  EXPECT_EQ(ResultSizes({{2, 1}, {2, 3}}, AllDynamic(2)), Defined({2, 3}, RuleId::kRuntimeBroadcast, 1));
  EXPECT_EQ(ResultSizes({{1, 3}, {2, 1}}, AllDynamic(2)), Defined({2, 3}, RuleId::kRuntimeBroadcast, 0));
}

TEST(ResultSizesTest, runtime_broadcast_OfThreeOperands) {
  EXPECT_EQ(ResultSizes({{1, 1, 1}, {2, 1, 1}, {1, 3, 1}}, AllDynamic(3)),
            Defined({2, 3, 1}, RuleId::kRuntimeBroadcast, 0));
  EXPECT_EQ(ResultSizes({{1}, {1}, {5}}, AllDynamic(1)), Defined({5}, RuleId::kRuntimeBroadcast, 0));
}

TEST(ResultSizesTest, runtime_conflict) {
  EXPECT_EQ(ResultSizes({{4}, {3}}, AllDynamic(1)), Undefined(RuleId::kRuntimeConflict, 0));
  EXPECT_EQ(ResultSizes({{2, 4}, {1, 3}}, AllDynamic(2)), Undefined(RuleId::kRuntimeConflict, 1));
  EXPECT_EQ(ResultSizes({{1}, {3}, {2}}, AllDynamic(1)), Undefined(RuleId::kRuntimeConflict, 0));
}

TEST(ResultSizesTest, runtime_static_result) {
  const Shape five({Dim::Static(5)});
  EXPECT_EQ(ResultSizes({{5}, {1}}, five), Defined({5}, RuleId::kRuntimeBroadcast, 0));
  EXPECT_EQ(ResultSizes({{1}, {1}}, five), Undefined(RuleId::kRuntimeStaticResult, 0));
  EXPECT_EQ(ResultSizes({{4}, {4}}, five), Undefined(RuleId::kRuntimeStaticResult, 0));
  EXPECT_EQ(ResultSizes({{2, 4}}, Shape({kDynamic, Dim::Static(5)})), Undefined(RuleId::kRuntimeStaticResult, 1));
}

TEST(ResultSizesTest, runtime_rank) {
  EXPECT_EQ(ResultSizes({{4}, {1, 4}}, Shape::Unranked()), Undefined(RuleId::kRuntimeRank, -1));
  EXPECT_EQ(ResultSizes({{4}, {4}}, AllDynamic(2)), Undefined(RuleId::kRuntimeRank, -1));
  EXPECT_EQ(ResultSizes({{4}, {4}}, Shape::Unranked()), Defined({4}, RuleId::kRuntimeEqual, -1));
}

TEST(ResultSizesTest, runtime_dimension) {
  EXPECT_EQ(ResultSizes({{0}, {1}}, AllDynamic(1)), Undefined(RuleId::kRuntimeDimension, 0));
  EXPECT_EQ(ResultSizes({{2, 0}}, AllDynamic(2)), Undefined(RuleId::kRuntimeDimension, 1));
}

TEST(ResultSizesTest, RanksFrom0To6) {
  for (size_t rank = 0; rank <= 6; ++rank) {
    Sizes ones(rank, 1), twos(rank, 2);
    const RuntimeShape shape = ResultSizes({ones, twos}, AllDynamic(rank));
    EXPECT_EQ(shape.sizes, twos);
    EXPECT_EQ(shape.rule, rank == 0 ? RuleId::kRuntimeEqual : RuleId::kRuntimeBroadcast);
  }
}

// The inference on types and the broadcast of run-time sizes agree: a conflict leaves no defined size, a static
// dimension exactly that one, and `?` several.
TEST(ResultSizesTest, AgreesWithDimensionInference) {
  const Dim dims[] = {kDynamic, Dim::Static(1), Dim::Static(2), Dim::Static(3)};
  auto sizes_of = [](Dim dim) { return dim.IsDynamic() ? Sizes{1, 2, 3} : Sizes{dim.size()}; };
  for (Dim dim0 : dims) {
    for (Dim dim1 : dims) {
      std::set<int64_t> results;
      for (int64_t size0 : sizes_of(dim0)) {
        for (int64_t size1 : sizes_of(dim1)) {
          const RuntimeShape shape = ResultSizes({{size0}, {size1}}, AllDynamic(1));
          if (shape.defined) results.insert(shape.sizes[0]);
        }
      }
      const std::optional<Dim> inferred = InferDim(dim0, dim1).dim;
      std::set<int64_t> expected;
      if (inferred) {
        const Sizes sizes = sizes_of(*inferred);
        expected.insert(sizes.begin(), sizes.end());
      }
      EXPECT_EQ(results, expected) << ToString(dim0) << " and " << ToString(dim1);
    }
  }
}

TEST(SizesOfAllOpsTest, LeaveNoPartOfABlock) {
  const Program program =
      *ParseSignature("cast(tensor<?xf32>) -> tensor<?x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E4M3FN>>");
  const auto run = [](int64_t size) { return tosaic::Run{Tensor(ElementType::kF32, {size})}; };
  EXPECT_EQ(SizesOfAllOps(program, run(64)), (std::vector<Sizes>{{64}}));
  UndefinedSizes why;
  for (const int64_t size : {1, 31, 33}) {
    EXPECT_EQ(SizesOfAllOps(program, run(size), &why), std::nullopt);
    EXPECT_EQ(why.rule, RuleId::kLegalBlockScaled);
    EXPECT_EQ(why.dim, 0);
  }
}

TEST(SizesOfAllOpsTest, WalksTheProgramAndLeavesOutSpecialOperands) {
  // %0 = mul(%arg0, %arg1, shift); %1 = add(%0, %cst)
  Program program = *ParseSignature("mul(tensor<?x1xi32>, tensor<1x?xi32>) -> tensor<?x?xi32>");
  program.constants.push_back(Tensor(ElementType::kI32, {1, 3}));
  OpApplication add;
  add.op = OpKind::kAdd;
  add.operands = {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kConstant, 1}};
  add.result = *ParseTensorType("tensor<?x3xi32>");
  program.ops.push_back(add);
  auto run = [](Sizes a, Sizes b) { return tosaic::Run{Tensor(ElementType::kI32, a), Tensor(ElementType::kI32, b)}; };

  EXPECT_EQ(SizesOfAllOps(program, run({2, 1}, {1, 1})), (std::vector<Sizes>{{2, 1}, {2, 3}}));
  EXPECT_EQ(SizesOfAllOps(program, run({2, 1}, {1, 3})), (std::vector<Sizes>{{2, 3}, {2, 3}}));
  UndefinedSizes why;
  EXPECT_EQ(SizesOfAllOps(program, run({2, 1}, {1, 4}), &why), std::nullopt);
  EXPECT_EQ(why.op_index, 1);
  EXPECT_EQ(why.rule, RuleId::kRuntimeConflict);
  EXPECT_EQ(why.dim, 1);
  EXPECT_EQ(SizesOfAllOps(program, run({2, 1}, {1, 4})), std::nullopt);
}

}  // namespace
}  // namespace tosaic
