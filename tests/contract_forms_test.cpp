// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract on lowerings that make other ops than linalg.generic, as MLIR's text: each form of op right, and wrong
// in each way that verifies.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "model/spec_case.h"
#include "oracle/contract.h"
#include "oracle/explain.h"
#include "toolchain/mlir/lowered_ir_extraction.h"

namespace tosaic {
namespace {

// The arguments are %a, %b and so on, their types !a, !b; !r is the result's type. The maps #id, #t, #rows and #columns
// have two loops: the identity, its transpose, and those of n x 1 and 1 x n.
class ContractFormsTest : public testing::Test {
 protected:
  ContractFormsTest() {
    context_.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                         mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  }

  // The rules that a lowering of the op breaks, the one to report first.
  std::vector<RuleId> Rules(absl::string_view signature, absl::string_view body) {
    Case test_case;
    test_case.program = ParseSignature(signature).value();
    std::string aliases = R"(
      #id = affine_map<(d0, d1) -> (d0, d1)>
      #t = affine_map<(d0, d1) -> (d1, d0)>
      #rows = affine_map<(d0, d1) -> (d0, 0)>
      #columns = affine_map<(d0, d1) -> (0, d1)>
      #scalar = affine_map<(d0, d1) -> ()>
    )";
    std::string arguments;
    for (size_t i = 0; i < test_case.program.arguments.size(); ++i) {
      const char name = static_cast<char>('a' + i);
      absl::StrAppend(&aliases, "!", std::string(1, name), " = ", ToString(test_case.program.arguments[i]), "\n");
      absl::StrAppend(&arguments, i == 0 ? "" : ", ", "%", std::string(1, name), ": !", std::string(1, name));
    }
    absl::StrAppend(&aliases, "!r = ", ToString(test_case.program.ops[0].result), "\n");
    const std::string text = absl::StrCat(aliases, "func.func @f(", arguments, ") -> !r {\n", body, "\n}");
    const mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    if (!module) {
      ADD_FAILURE() << "does not parse: " << text;
      return {};
    }
    std::vector<RuleId> rules;
    for (const Breach& breach : CheckContract(test_case, ExtractLoweredIr(*module)).breaches) {
      rules.push_back(breach.rule);
    }
    return rules;
  }

  // The first of them, or kNone.
  RuleId Rule(absl::string_view signature, absl::string_view body) {
    const std::vector<RuleId> rules = Rules(signature, body);
    return rules.empty() ? RuleId::kNone : rules[0];
  }

  mlir::MLIRContext context_;
};

constexpr absl::string_view kSquares = "add(tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>";

TEST_F(ContractFormsTest, ElementwiseByItsMaps) {
  const auto add = [&](absl::string_view signature, absl::string_view maps,
                       absl::string_view inputs = "%a, %b : !a, !b") {
    return Rule(signature, absl::StrCat("%e = tensor.empty() : !r\n%0 = linalg.elementwise "
                                        "kind=#linalg.elementwise_kind<add> indexing_maps = [",
                                        maps, "] ins(", inputs, ") outs(%e : !r) -> !r\nreturn %0 : !r"));
  };
  EXPECT_EQ(add(kSquares, "#id, #id, #id"), RuleId::kNone);
  EXPECT_EQ(add(kSquares, "#t, #id, #id"), RuleId::kContractMap);
  EXPECT_EQ(add(kSquares, "#id, #t, #id"), RuleId::kContractMap);
  EXPECT_EQ(add(kSquares, "#id, #id, #t"), RuleId::kContractMap) << "the result";
  EXPECT_EQ(add(kSquares, "#t, #t, #t"), RuleId::kContractMap) << "the same values, by other loops";
  EXPECT_EQ(add(kSquares, "#id, #id, #id", "%a, %a : !a, !a"), RuleId::kContractOperands);
  EXPECT_EQ(add(kSquares, "#id, #rows, #id"), RuleId::kContractMap) << "one column is read";

  constexpr absl::string_view kColumn = "add(tensor<3x1xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>";
  EXPECT_EQ(add(kColumn, "#rows, #id, #id"), RuleId::kNone);
  EXPECT_EQ(add(kColumn, "affine_map<(d0, d1) -> (d1, 0)>, #id, #id"), RuleId::kContractMap) << "repeated as a row";
  constexpr absl::string_view kRow = "add(tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>";
  EXPECT_EQ(add(kRow, "#columns, #id, #id"), RuleId::kNone);
  EXPECT_EQ(add(kRow, "affine_map<(d0, d1) -> (0, d0)>, #id, #id"), RuleId::kContractMap) << "repeated as a column";

  // No run tells these apart.
  constexpr absl::string_view kOne = "add(tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>";
  EXPECT_EQ(add(kOne, "#id, #id, #id"), RuleId::kNone);
  EXPECT_EQ(add(kOne, "#rows, #columns, #id"), RuleId::kNone) << "policy 'map of a 1'";
  EXPECT_EQ(add(kOne, "#t, #id, #id"), RuleId::kContractMap);
}

TEST_F(ContractFormsTest, ElementwiseBroadcastsAtRunTime) {
  const auto add = [&](absl::string_view then_map, absl::string_view dim, absl::string_view inputs) {
    return Rules("add(tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>",
                 absl::StrCat(R"(
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, )",
                              dim, R"( : !a
      %is_one = arith.cmpi eq, %n, %c1 : index
      %x = scf.if %is_one -> (!a) {
        %e = tensor.empty() : !r
        %w = linalg.generic {indexing_maps = [)",
                              then_map, R"(, #id], iterator_types = ["parallel", "parallel"]}
            ins(%a : !a) outs(%e : !r) {
        ^bb0(%in: f32, %out: f32):
          linalg.yield %in : f32
        } -> !r
        %back = tensor.cast %w : !r to !a
        scf.yield %back : !a
      } else {
        scf.yield %a : !a
      }
      %e = tensor.empty() : !r
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins()",
                              inputs, ") outs(%e : !r) -> !r\nreturn %0 : !r"));
  };
  EXPECT_EQ(add("#columns", "%c0", "%x, %b : !a, !b"), std::vector<RuleId>());
  EXPECT_EQ(add("#columns", "%c0", "%a, %b : !a, !b"), std::vector<RuleId>{RuleId::kContractRuntimeBroadcastMissing});
  EXPECT_EQ(add("affine_map<(d0, d1) -> (0, d0)>", "%c0", "%x, %b : !a, !b")[0], RuleId::kContractMap)
      << "transposed on the way";
  EXPECT_EQ(add("#columns", "%c1", "%x, %b : !a, !b")[0], RuleId::kContractRuntimeBroadcastMissing)
      << "asks for another dimension, of 3";
}

TEST_F(ContractFormsTest, AScalarOperandMustBeAConstant) {
  const auto clamp = [&](absl::string_view scalar) {
    return Rules("clamp(tensor<3x3xi8>) -> tensor<3x3xi8>", absl::StrCat(scalar, R"(
      %e = tensor.empty() : !r
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> indexing_maps = [#scalar, #id, #id]
          ins(%s, %a : i8, !a) outs(%e : !r) -> !r
      return %0 : !r)"));
  };
  EXPECT_EQ(clamp("%s = arith.constant 0 : i8"), std::vector<RuleId>());
  EXPECT_EQ(clamp("%i = arith.constant 0 : index\n%s = tensor.extract %a[%i, %i] : !a"),
            std::vector<RuleId>{RuleId::kLinalgRegion});
}

TEST_F(ContractFormsTest, MapAndItsRegion) {
  const auto map = [&](absl::string_view op, absl::string_view init = "tensor.empty() : !r") {
    return Rule(kSquares, absl::StrCat("%c = arith.constant 1.0 : f32\n%e = ", init, "\n%0 = linalg.map ", op,
                                       "\nreturn %0 : !r"));
  };
  const auto region = [](absl::string_view inputs, absl::string_view body) {
    return absl::StrCat("ins(", inputs, " : !a, !b) outs(%e : !r) (%x : f32, %y : f32, %z : f32) { ", body, " }");
  };
  EXPECT_EQ(map("{ arith.addf } ins(%a, %b : !a, !b) outs(%e : !r)"), RuleId::kNone);
  EXPECT_EQ(map("{ arith.addf } ins(%b, %b : !b, !b) outs(%e : !r)"), RuleId::kContractOperands);
  EXPECT_EQ(map("{ math.absf } ins(%a : !a) outs(%e : !r)"), RuleId::kContractOperands) << "one input";
  EXPECT_EQ(map("{ arith.addf } ins(%a, %b : !a, !b) outs(%a : !a)"), RuleId::kContractExtent) << "no new tensor";
  EXPECT_EQ(map(region("%a, %b", "%s = arith.addf %x, %y : f32\nlinalg.yield %s : f32")), RuleId::kNone);
  EXPECT_EQ(map(region("%a, %b", "%s = arith.addf %x, %c : f32\nlinalg.yield %s : f32")), RuleId::kNone)
      << "constants are captured";
  EXPECT_EQ(map(region("%a, %b", "%s = arith.addf %x, %z : f32\nlinalg.yield %s : f32")), RuleId::kLinalgWholeOutput)
      << "the old element is read";
  EXPECT_EQ(map(region("%a, %b",
                       "%i = linalg.index 0 : index\n%s = tensor.extract %a[%i, %i] : !a\n"
                       "linalg.yield %s : f32")),
            RuleId::kLinalgRegion)
      << "another element is read";
}

TEST_F(ContractFormsTest, NamedOps) {
  const auto add = [&](absl::string_view op) {
    return Rule(kSquares, absl::StrCat("%e = tensor.empty() : !r\n%0 = ", op, "\nreturn %0 : !r"));
  };
  EXPECT_EQ(add("linalg.add ins(%a, %b : !a, !b) outs(%e : !r) -> !r"), RuleId::kNone);
  EXPECT_EQ(add("linalg.add ins(%a, %a : !a, !a) outs(%e : !r) -> !r"), RuleId::kContractOperands);
  EXPECT_EQ(add("linalg.exp ins(%a : !a) outs(%e : !r) -> !r"), RuleId::kContractOperands);
  EXPECT_EQ(add("linalg.matmul ins(%a, %b : !a, !b) outs(%e : !r) -> !r"), RuleId::kContractFoldedValue)
      << "a reduction is no lowering";
}

// An operand that linalg.broadcast or linalg.transpose changes first: a tensor too many, though the values are right.
TEST_F(ContractFormsTest, AnOperandIsReadAsItIs) {
  const auto add = [&](absl::string_view signature, absl::string_view operand, absl::string_view map) {
    return Rule(signature, absl::StrCat("%e = tensor.empty() : !r\n%x = ", operand, R"(
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [)",
                                        map, R"(, #id, #id] ins(%x, %b : !r, !b) outs(%e : !r) -> !r
      return %0 : !r)"));
  };
  EXPECT_EQ(add(kSquares, "linalg.transpose ins(%a : !a) outs(%e : !r) permutation = [1, 0]", "#t"),
            RuleId::kContractMaterialised);
  EXPECT_EQ(add(kSquares, "linalg.transpose ins(%a : !a) outs(%e : !r) permutation = [1, 0]", "#id"),
            RuleId::kContractMaterialised);
  EXPECT_EQ(add(kSquares, "linalg.transpose ins(%a : !a) outs(%e : !r) permutation = [0, 1]", "#id"),
            RuleId::kContractMaterialised);
  constexpr absl::string_view kLower = "add(tensor<3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>";
  for (const absl::string_view dimensions : {"[0]", "[1]"}) {
    EXPECT_EQ(add(kLower, absl::StrCat("linalg.broadcast ins(%a : !a) outs(%e : !r) dimensions = ", dimensions), "#id"),
              RuleId::kContractMaterialised);
  }
}

// The transposes that tosaic-transpose-operands puts before an op are not of its lowering: the op may read the tensor
// that comes from there, or read through them by another map.
TEST_F(ContractFormsTest, ANeighboursTransposesAreReadThrough) {
  constexpr absl::string_view kThere = "permutation = [1, 2, 0]", kBack = "permutation = [2, 0, 1]";
  const auto add = [&](absl::string_view operand, absl::string_view map, absl::string_view back,
                       absl::string_view location = "tosaic-neighbour") {
    const std::string text =
        absl::StrCat(R"(
      %e = tensor.empty() : !r
      %there = linalg.transpose ins(%a : !a) outs(%e : !r) )",
                     kThere, " loc(\"", location, "\")\n", "%back = linalg.transpose ins(%there : !r) outs(%e : !r) ",
                     back, " loc(\"", location, R"(")
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2) -> )",
                     map, R"(>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
          affine_map<(d0, d1, d2) -> (d0, d1, d2)>] ins()",
                     operand, R"(, %b : !r, !b) outs(%e : !r) -> !r
      return %0 : !r)");
    return Rule("add(tensor<3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<3x3x3xf32>", text);
  };
  EXPECT_EQ(add("%back", "(d0, d1, d2)", kBack), RuleId::kNone);
  EXPECT_EQ(add("%there", "(d1, d2, d0)", kBack), RuleId::kNone) << "the transposition is part of the map";
  EXPECT_EQ(add("%a", "(d0, d1, d2)", kBack), RuleId::kNone);
  EXPECT_EQ(add("%there", "(d0, d1, d2)", kBack), RuleId::kContractMap) << "the transposition is lost";
  EXPECT_EQ(add("%there", "(d2, d0, d1)", kBack), RuleId::kContractMap) << "the other way round";
  EXPECT_EQ(add("%back", "(d1, d2, d0)", kBack), RuleId::kContractMap) << "transposed once more";
  EXPECT_EQ(add("%back", "(d0, d1, d2)", kThere), RuleId::kContractMap) << "not back, but on";
  EXPECT_EQ(add("%back", "(d0, d1, d2)", kBack, "another"), RuleId::kContractOperands) << "of the lowering";
}

// The sizes of a tensor that goes to a neighbour are those of what went there.
TEST_F(ContractFormsTest, SizesAreReadThroughANeighbour) {
  const auto abs = [&](absl::string_view rows, absl::string_view columns) {
    return Rule("abs(tensor<?x?xf32>) -> tensor<?x?xf32>", absl::StrCat(R"(
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n0 = tensor.dim %a, %c0 : !a
      %n1 = tensor.dim %a, %c1 : !a
      %t = tensor.empty(%n1, %n0) : !r
      %there = linalg.transpose ins(%a : !a) outs(%t : !r) permutation = [1, 0] loc("tosaic-neighbour")
      %rows = tensor.dim %there, )",
                                                                        rows, R"( : !r
      %columns = tensor.dim %there, )",
                                                                        columns, R"( : !r
      %e = tensor.empty(%rows, %columns) : !r
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<abs> indexing_maps = [#t, #id] ins(%there : !r) outs(%e : !r) -> !r
      return %0 : !r)"));
  };
  EXPECT_EQ(abs("%c1", "%c0"), RuleId::kNone);
  EXPECT_EQ(abs("%c0", "%c1"), RuleId::kContractExtent);
}

// Both dimensions of %a are broadcast at run time by linalg.broadcast: the first if it equals `one`, as `made_one`.
TEST_F(ContractFormsTest, BroadcastAtRunTime) {
  const auto add = [&](absl::string_view one, absl::string_view made_one) {
    return Rules("add(tensor<?x?xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>",
                 absl::StrCat(R"(
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n0 = tensor.dim %a, %c0 : !a
      %one0 = arith.cmpi eq, %n0, )",
                              one, R"( : index
      %x = scf.if %one0 -> (!a) {
        %n1 = tensor.dim %a, %c1 : !a
        %e = tensor.empty(%n1) : tensor<3x?xf32>
        %flat = tensor.cast %a : !a to )",
                              made_one, R"(
        %row = tensor.collapse_shape %flat [[0, 1]] : )",
                              made_one, R"( into tensor<?xf32>
        %w = linalg.broadcast ins(%row : tensor<?xf32>) outs(%e : tensor<3x?xf32>) dimensions = [0]
        %back = tensor.cast %w : tensor<3x?xf32> to !a
        scf.yield %back : !a
      } else {
        scf.yield %a : !a
      }
      %m1 = tensor.dim %x, %c1 : !a
      %one1 = arith.cmpi eq, %m1, %c1 : index
      %y = scf.if %one1 -> (!a) {
        %m0 = tensor.dim %x, %c0 : !a
        %e = tensor.empty(%m0) : tensor<?x3xf32>
        %flat = tensor.cast %x : !a to tensor<?x1xf32>
        %column = tensor.collapse_shape %flat [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
        %w = linalg.broadcast ins(%column : tensor<?xf32>) outs(%e : tensor<?x3xf32>) dimensions = [1]
        %back = tensor.cast %w : tensor<?x3xf32> to !a
        scf.yield %back : !a
      } else {
        scf.yield %x : !a
      }
      %e = tensor.empty() : !r
      %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%y, %b : !a, !b) outs(%e : !r) -> !r
      return %0 : !r)"));
  };
  EXPECT_EQ(add("%c1", "tensor<1x?xf32>"), std::vector<RuleId>());
  EXPECT_EQ(add("%c0", "tensor<1x?xf32>")[0], RuleId::kContractRuntimeBroadcastForm) << "asks for 0";
  EXPECT_EQ(add("%c1", "tensor<?x1xf32>")[0], RuleId::kContractMap) << "the other dimension is said to be 1";
  EXPECT_EQ(add("%c1", "tensor<?x?xf32>")[0], RuleId::kContractRuntimeBroadcastForm) << "both are kept, as one";
}

}  // namespace
}  // namespace tosaic
