// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/lowered_ir_extraction.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "codec/codec.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/program_testing.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

class LoweredIrExtractionTest : public testing::Test {
 protected:
  LoweredIrExtractionTest() {
    context_.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                         mlir::scf::SCFDialect, mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  }

  LoweredIr Extract(absl::string_view text) {
    const mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text.data(), text.size()), &context_);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    return ExtractLoweredIr(*module);
  }

  mlir::MLIRContext context_;
};

std::vector<Kind> KindsOf(const LoweredIr& ir) {
  std::vector<Kind> kinds;
  for (const LoweredValue& value : ir.values) kinds.push_back(value.kind);
  return kinds;
}

TEST_F(LoweredIrExtractionTest, EveryKindOfValue) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<2x?xf32>, %b: tensor<?xi8>) -> (tensor<?xf32>, tensor<?xf32>) {
      %c1 = arith.constant 1 : index
      %k = "tosa.const"() {values = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
      %n = tensor.dim %a, %c1 : tensor<2x?xf32>
      %max = arith.maxui %n, %c1 : index
      %is_one = arith.cmpi eq, %n, %c1 : index
      %is_more = arith.cmpi ugt, %n, %c1 : index
      %flat = tensor.collapse_shape %a [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
      %x = scf.if %is_one -> (tensor<?xf32>) {
        %e = tensor.empty(%max) : tensor<?xf32>
        scf.yield %e : tensor<?xf32>
      } else {
        scf.yield %flat : tensor<?xf32>
      }
      %wide = tensor.expand_shape %b [[0, 1]] output_shape [1, %n] : tensor<?xi8> into tensor<1x?xi8>
      %cast = tensor.cast %k : tensor<2xf32> to tensor<?xf32>
      %left = tosa.abs %cast : (tensor<?xf32>) -> tensor<?xf32>
      return %x, %left : tensor<?xf32>, tensor<?xf32>
    })");
  EXPECT_EQ(KindsOf(ir), (std::vector<Kind>{Kind::kArgument, Kind::kArgument, Kind::kIndex, Kind::kConstant, Kind::kDim,
                                            Kind::kMax, Kind::kEqual, Kind::kOther, Kind::kCollapseShape, Kind::kEmpty,
                                            Kind::kIf, Kind::kExpandShape, Kind::kCast, Kind::kOther}));
  EXPECT_EQ(ir.returned, (std::vector<int>{10, 13}));
  EXPECT_EQ(ir.values[1].number, 1);
  EXPECT_EQ(ToString(*ir.values[1].type), "tensor<?xi8>");
  EXPECT_EQ(ir.values[2].number, 1);
  EXPECT_EQ(ir.values[2].type, std::nullopt);
  EXPECT_EQ(ToString(*ir.values[3].type), "tensor<2xf32>");
  EXPECT_EQ(ir.values[4].operands, (std::vector<int>{0, 2}));
  EXPECT_EQ(ir.values[7].name, "arith.cmpi") << "another predicate than eq";
  EXPECT_EQ(ir.values[8].groups, (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(ir.values[9].operands, (std::vector<int>{5}));
  EXPECT_EQ(ir.values[10].operands, (std::vector<int>{6, 9, 8}));
  EXPECT_EQ(ir.values[11].operands, (std::vector<int>{1}));
  EXPECT_EQ(ir.values[13].name, "tosa.abs");
}

TEST_F(LoweredIrExtractionTest, WhatAGenericHas) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<1x4x4xi32>, %b: tensor<7xi32>, %o: tensor<4xi32>, %s: i32) -> tensor<4xi32> {
      %c = arith.constant 5 : i32
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d0, d1)>, affine_map<(d0, d1) -> (d0 + d1)>,
                                            affine_map<(d0, d1) -> (d0)>],
                           iterator_types = ["parallel", "reduction"]}
        ins(%a, %b : tensor<1x4x4xi32>, tensor<7xi32>) outs(%o : tensor<4xi32>) {
      ^bb0(%x: i32, %y: i32, %z: i32):
        %0 = arith.addi %x, %s : i32
        %1 = arith.addi %0, %c : i32
        %2 = arith.constant 3 : i8
        %3 = tosa.apply_scale %z, %1, %2 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
        linalg.yield %1 : i32
      } -> tensor<4xi32>
      return %r : tensor<4xi32>
    })");
  ASSERT_EQ(KindsOf(ir).back(), Kind::kGeneric);
  const Generic& generic = *ir.values.back().generic;
  EXPECT_EQ(generic.inputs, 2);
  EXPECT_EQ(generic.iterators, (std::vector<std::string>{"parallel", "reduction"}));
  EXPECT_EQ(ToString(generic.maps[0]), "(0, d0, d1)");
  EXPECT_EQ(ToString(generic.maps[1]), "(?)");
  EXPECT_EQ(ToString(generic.maps[2]), "(d0)");
  EXPECT_EQ(generic.payload.arguments, (std::vector<std::string>{"i32", "i32", "i32"}));
  EXPECT_EQ(generic.payload.yields, (std::vector<std::string>{"i32"}));
  EXPECT_EQ(generic.payload.ops,
            (std::vector<std::string>{"arith.addi", "arith.addi", "arith.constant", "tosa.apply_scale"}));
  EXPECT_EQ(generic.payload.captures, (std::vector<std::string>{"argument", "arith.constant"}));
  EXPECT_TRUE(generic.payload.reads_output);
  EXPECT_FALSE(generic.payload.nested);
}

TEST_F(LoweredIrExtractionTest, ARegionWithinTheRegionIsNested) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<4xi32>, %o: tensor<4xi32>, %p: i1) -> tensor<4xi32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                           iterator_types = ["parallel"]} ins(%a : tensor<4xi32>) outs(%o : tensor<4xi32>) {
      ^bb0(%x: i32, %z: i32):
        %0 = scf.if %p -> (i32) { scf.yield %x : i32 } else { scf.yield %x : i32 }
        linalg.yield %0 : i32
      } -> tensor<4xi32>
      return %r : tensor<4xi32>
    })");
  EXPECT_TRUE(ir.values.back().generic->payload.nested);
  EXPECT_FALSE(ir.values.back().generic->payload.reads_output);
}

// Category ops and named ops are read as the linalg.generic that each stands for.
TEST_F(LoweredIrExtractionTest, OpsThatAreShortForAGeneric) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<2x1xf32>, %b: tensor<3x2xf32>, %c: tensor<3xf32>, %o: tensor<2x3xf32>)
        -> tensor<2x3xf32> {
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<add>
          indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1, d0)>,
                           affine_map<(d0, d1) -> (d0, d1)>]
          ins(%a, %b : tensor<2x1xf32>, tensor<3x2xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
      %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp>
          ins(%0 : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
      %2 = linalg.map { arith.mulf } ins(%0, %1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>)
      %3 = linalg.broadcast ins(%c : tensor<3xf32>) outs(%o : tensor<2x3xf32>) dimensions = [0]
      %4 = linalg.transpose ins(%b : tensor<3x2xf32>) outs(%o : tensor<2x3xf32>) permutation = [1, 0]
      %5 = linalg.sub ins(%3, %4 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %5 : tensor<2x3xf32>
    })");
  const struct {
    size_t value;
    std::vector<std::string> maps, ops;
  } kRows[] = {
      {4, {"(d0, 0)", "(d1, d0)", "(d0, d1)"}, {"arith.addf"}},
      {5, {"(d0, d1)", "(d0, d1)"}, {"math.exp"}},
      {6, {"(d0, d1)", "(d0, d1)", "(d0, d1)"}, {"arith.mulf"}},
      {7, {"(d1)", "(d0, d1)"}, {}},
      {8, {"(d1, d0)", "(d0, d1)"}, {}},
      {9, {"(d0, d1)", "(d0, d1)", "(d0, d1)"}, {"arith.subf"}},
  };
  for (const auto& row : kRows) {
    ASSERT_EQ(ir.values[row.value].kind, Kind::kGeneric) << row.value;
    const Generic& generic = *ir.values[row.value].generic;
    std::vector<std::string> maps;
    for (const IndexingMap& map : generic.maps) maps.push_back(ToString(map));
    EXPECT_EQ(maps, row.maps) << row.value;
    EXPECT_EQ(generic.payload.ops, row.ops) << row.value;
    EXPECT_EQ(generic.iterators, (std::vector<std::string>{"parallel", "parallel"}));
    EXPECT_EQ(generic.inputs + 1, static_cast<int>(maps.size()));
    EXPECT_EQ(generic.payload.arguments, std::vector<std::string>(maps.size(), "f32"));
    EXPECT_EQ(generic.payload.yields, std::vector<std::string>{"f32"});
    EXPECT_FALSE(generic.payload.reads_output);
  }
}

// An input that is no tensor is as a value that the region of a linalg.generic captures.
TEST_F(LoweredIrExtractionTest, AScalarOperandIsCaptured) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<3xf32>, %o: tensor<3xf32>, %s: f32) -> tensor<3xf32> {
      %c = arith.constant 2.0 : f32
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul>
          indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
          ins(%c, %a : f32, tensor<3xf32>) outs(%o : tensor<3xf32>) -> tensor<3xf32>
      %1 = linalg.fill ins(%s : f32) outs(%o : tensor<3xf32>) -> tensor<3xf32>
      return %1 : tensor<3xf32>
    })");
  const LoweredValue& product = ir.values[4];
  ASSERT_EQ(product.kind, Kind::kGeneric);
  EXPECT_EQ(product.operands, (std::vector<int>{0, 1}));
  EXPECT_EQ(product.generic->inputs, 1);
  EXPECT_EQ(product.generic->maps.size(), 2u);
  EXPECT_EQ(product.generic->payload.arguments, (std::vector<std::string>{"f32", "f32"}));
  EXPECT_EQ(product.generic->payload.captures, std::vector<std::string>{"arith.constant"});
  const LoweredValue& filled = ir.values[5];
  ASSERT_EQ(filled.kind, Kind::kGeneric);
  EXPECT_EQ(filled.operands, std::vector<int>{1});
  EXPECT_EQ(filled.generic->inputs, 0);
  EXPECT_EQ(filled.generic->payload.captures, std::vector<std::string>{"argument"});
}

TEST_F(LoweredIrExtractionTest, AConditionThatWasFoldedIsANumber) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<1xf32>) -> tensor<1xf32> {
      %true = arith.constant true
      %no = arith.constant false
      %one = arith.constant 1 : i8
      %r = scf.if %true -> (tensor<1xf32>) { scf.yield %a : tensor<1xf32> } else { scf.yield %a : tensor<1xf32> }
      return %r : tensor<1xf32>
    })");
  EXPECT_EQ(KindsOf(ir), (std::vector<Kind>{Kind::kArgument, Kind::kIndex, Kind::kIndex, Kind::kOther, Kind::kIf}));
  EXPECT_EQ(ir.values[1].number, 1);
  EXPECT_EQ(ir.values[2].number, 0);
}

// A pass may leave a tensor that no case can have: it is whatever makes it, without a type.
TEST_F(LoweredIrExtractionTest, ATensorOfAnotherElementTypeIsAnythingElse) {
  const LoweredIr ir = Extract(R"(
    func.func @f(%a: tensor<2xindex>, %b: tensor<2xf32>) -> tensor<?xf32> {
      %c1 = arith.constant 1 : index
      %k = arith.constant dense<1> : tensor<2xindex>
      %e = tensor.empty() : tensor<2xindex>
      %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                           iterator_types = ["parallel"]} ins(%a : tensor<2xindex>) outs(%e : tensor<2xindex>) {
      ^bb0(%x: index, %y: index):
        linalg.yield %x : index
      } -> tensor<2xindex>
      %n = tensor.dim %g, %c1 : tensor<2xindex>
      %cast = tensor.cast %b : tensor<2xf32> to tensor<?xf32>
      return %cast : tensor<?xf32>
    })");
  EXPECT_EQ(KindsOf(ir), (std::vector<Kind>{Kind::kArgument, Kind::kArgument, Kind::kIndex, Kind::kOther, Kind::kOther,
                                            Kind::kOther, Kind::kOther, Kind::kCast}));
  EXPECT_EQ(ir.values[0].type, std::nullopt);
  EXPECT_EQ(ir.values[4].name, "tensor.empty");
  EXPECT_EQ(ir.values[5].name, "linalg.generic");
  EXPECT_EQ(ir.values[5].operands, (std::vector<int>{0, 4}));
}

// The RFC's "Dynamic-to-static broadcasting", as MLIR lowers it, and as it travels from a worker.
TEST_F(LoweredIrExtractionTest, TheRouteEndsWithTheIr) {
  const TensorType five{Shape({Dim::Static(5)}), ElementType::kF32}, open{Dynamic(1), ElementType::kF32};
  Case test_case =
      CaseOf(OpKind::kAdd, {five, open}, five, {Filled(ElementType::kF32, {5}, 0), Filled(ElementType::kF32, {1}, 0)});
  test_case.route = "contract";
  const Observation observation = (*CreateMlirToolchain())->Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_TRUE(observation.runs.empty());
  ASSERT_TRUE(observation.lowered.has_value());
  const std::vector<Kind> kinds = KindsOf(*observation.lowered);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), Kind::kIf), 1);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), Kind::kGeneric), 2);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), Kind::kCast), 1);
  EXPECT_EQ(kinds[observation.lowered->returned[0]], Kind::kGeneric);
  EXPECT_EQ(FromJson<Observation>(ToJson(observation)).value(), observation);
}

}  // namespace
}  // namespace tosaic
