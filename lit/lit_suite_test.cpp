// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/lit_suite.h"

#include <map>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "lit/lowering_checks.h"
#include "lit/payload.h"
#include "lit/program_text.h"
#include "lit/shown_cases.h"

namespace tosaic {
namespace {

std::map<std::string, std::string> Files(const LitOptions& options) {
  std::map<std::string, std::string> files;
  for (const LitFile& file : LitSuite(options)) files[file.name] = file.content;
  return files;
}

ShownCase Shown(OpKind op, absl::string_view function) {
  for (ShownCase& shown : ShownLowerings(op)) {
    if (shown.function == function) return shown;
  }
  ADD_FAILURE() << "no " << function;
  return ShownLowerings(op).front();
}

// The RFC's "Dynamic-to-static broadcasting", line by line.
TEST(LitSuite, ARunTimeBroadcastIsFollowedFromItsComparisonToItsUse) {
  EXPECT_EQ(LoweringChecks(Shown(OpKind::kAdd, "add_f32_dynamic_against_static"), LitForm::kGeneric),
            R"(// CHECK-DAG: #[[$MAP0:.+]] = affine_map<(d0) -> (0)>
// CHECK-DAG: #[[$MAP1:.+]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @add_f32_dynamic_against_static(
// CHECK-SAME:     %[[ARG0:[a-zA-Z0-9_]+]]: tensor<?xf32>
// CHECK-SAME:     %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xf32>
// CHECK-DAG:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:    %[[ARG0_DIM0:.*]] = tensor.dim %[[ARG0]], %[[C0]]
// CHECK-DAG:    %[[ARG0_BCAST0_COND:.*]] = arith.cmpi eq, %[[ARG0_DIM0]], %[[C1]] : index
// CHECK-DAG:    %[[ARG0_BCAST0:.*]] = scf.if %[[ARG0_BCAST0_COND]] -> (tensor<?xf32>)
// CHECK-DAG:    linalg.generic {indexing_maps = [#[[$MAP0]], #[[$MAP1]]]{{.*}} ins(%[[ARG0]] : tensor<?xf32>)
// CHECK-DAG:    scf.yield %[[ARG0]] : tensor<?xf32>
// CHECK:        %[[INIT:.*]] = tensor.empty() : tensor<3xf32>
// CHECK:        %[[RESULT:.*]] = linalg.generic
// CHECK-SAME:     {indexing_maps = [#[[$MAP1]], #[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel"]}
// CHECK-SAME:     ins(%[[ARG0_BCAST0]], %[[ARG1]] : tensor<?xf32>, tensor<3xf32>) outs(%[[INIT]] : tensor<3xf32>)
// CHECK-NEXT:   ^bb0(%[[IN0:.*]]: f32, %[[IN1:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:     %[[VALUE:.*]] = arith.addf %[[IN0]], %[[IN1]] :
// CHECK-NEXT:     linalg.yield %[[VALUE]] : f32
// CHECK:        return %[[RESULT]] : tensor<3xf32>
)");
}

TEST(LitSuite, AResultOfAnotherTypeIsCast) {
  const std::string checks = LoweringChecks(Shown(OpKind::kAbs, "abs_f32_result_more_general"), LitForm::kGeneric);
  EXPECT_TRUE(absl::StrContains(checks, "%[[CAST:.*]] = tensor.cast %[[RESULT]] : tensor<2x3xf32> to tensor<?x3xf32>"));
  EXPECT_TRUE(absl::StrContains(checks, "return %[[CAST]] : tensor<?x3xf32>")) << checks;
}

TEST(LitSuite, TheElementwiseFormHasTheKindAndTheMapsThatAreNotTheIdentity) {
  const std::string broadcast =
      LoweringChecks(Shown(OpKind::kAdd, "add_f32_static_broadcast_of_both"), LitForm::kElementwise);
  EXPECT_TRUE(absl::StrContains(broadcast, "linalg.elementwise {{.*}}<add>\n")) << broadcast;
  EXPECT_TRUE(absl::StrContains(broadcast, "indexing_maps = [#[[$MAP0]], #[[$MAP1]], #[[$MAP2]]]")) << broadcast;
  EXPECT_FALSE(absl::StrContains(broadcast, "linalg.generic")) << broadcast;
  const std::string equal = LoweringChecks(Shown(OpKind::kAdd, "add_f32_static"), LitForm::kElementwise);
  EXPECT_FALSE(absl::StrContains(equal, "MAP")) << equal;
  // Of what has no kind nothing changes.
  const ShownCase no_kind = Shown(OpKind::kBitwiseAnd, "bitwise_and_i32_static");
  EXPECT_EQ(LoweringChecks(no_kind, LitForm::kElementwise), LoweringChecks(no_kind, LitForm::kGeneric));
}

TEST(LitSuite, OneScalarOpIsNamedWhereThePseudoCodeIsOne) {
  const auto payload = [](OpKind op, absl::string_view function) { return PayloadOf(Shown(op, function).program); };
  EXPECT_EQ(payload(OpKind::kMul, "mul_f32_static"), "arith.mulf");
  EXPECT_EQ(payload(OpKind::kMul, "mul_i8_i32_static"), std::nullopt) << "the operands are widened first";
  EXPECT_EQ(payload(OpKind::kGreater, "greater_i32_i1_static"), "arith.cmpi sgt,");
  EXPECT_EQ(payload(OpKind::kCast, "cast_i8_i32_static"), "arith.extsi");
  EXPECT_EQ(payload(OpKind::kCast, "cast_i1_i8_static"), "arith.extui");
  EXPECT_EQ(payload(OpKind::kCast, "cast_f32_i8_static"), std::nullopt) << "rounded and saturated";
  ShownCase shift = Shown(OpKind::kArithmeticRightShift, "arithmetic_right_shift_i32_static");
  EXPECT_EQ(PayloadOf(shift.program), "arith.shrsi");
  shift.program.ops[0].attributes.round = true;
  EXPECT_EQ(PayloadOf(shift.program), std::nullopt);
  ShownCase maximum = Shown(OpKind::kMaximum, "maximum_f32_static");
  EXPECT_EQ(PayloadOf(maximum.program), "arith.maximumf");
  maximum.program.ops[0].attributes.nan_mode = NanMode::kIgnore;
  EXPECT_EQ(PayloadOf(maximum.program), std::nullopt);
  EXPECT_EQ(ElementwiseKindOf(maximum.program), "");
}

TEST(LitSuite, EveryOpHasItsFilesAndNoFunctionTwice) {
  const std::map<std::string, std::string> files = Files({});
  EXPECT_TRUE(files.contains("lit.cfg.py"));
  for (const OpInfo& op : AllOps()) {
    const bool broadcasts = op.result_shape == ResultShape::kBroadcast;
    EXPECT_EQ(files.contains(absl::StrCat(op.name, ".mlir")), broadcasts) << op.name;
    if (!broadcasts) continue;
    for (const char* end : {".mlir", "-invalid.mlir", "-run.mlir"}) {
      EXPECT_TRUE(files.contains(absl::StrCat(op.name, end))) << op.name << end;
    }
    std::set<std::string> names;
    for (const ShownCase& shown : ShownLowerings(op.kind))
      EXPECT_TRUE(names.insert(shown.function).second) << shown.function;
    for (const ShownCase& shown : ShownIllegal(op.kind))
      EXPECT_TRUE(names.insert(shown.function).second) << shown.function;
    EXPECT_GE(names.size(), 8u) << op.name;
  }
}

TEST(LitSuite, OpsPassAndFormAreAskedFor) {
  const std::map<std::string, std::string> files =
      Files({.ops = {OpKind::kSelect}, .pass = "my-lowering", .form = LitForm::kElementwise});
  EXPECT_EQ(files.size(), 4u);
  EXPECT_TRUE(absl::StrContains(files.at("select.mlir"), "func.func(my-lowering,cse)"));
  EXPECT_TRUE(absl::StrContains(files.at("select.mlir"), "<select>"));
  EXPECT_TRUE(
      absl::StrContains(files.at("select-run.mlir"), "func.func(tosa-to-linalg-named,my-lowering,tosa-to-arith"));
}

TEST(LitSuite, AnIllegalProgramSaysWhichRuleItBreaks) {
  const std::string invalid = Files({.ops = {OpKind::kAdd}}).at("add-invalid.mlir");
  EXPECT_TRUE(absl::StrContains(invalid, "// Ranks differ.\nfunc.func @add_")) << invalid;
  EXPECT_TRUE(absl::StrContains(invalid, "  // expected-error@+1 {{'tosa.add' op}}\n  %0 = tosa.add"));
}

// 6 >> 1, rounded; and what is printed of numbers that a bound allows.
TEST(LitSuite, ValuesAreThoseThatTheDocumentsAllow) {
  const std::string exact = Files({.ops = {OpKind::kIntdiv}}).at("intdiv-run.mlir");
  EXPECT_FALSE(absl::StrContains(exact, "{{")) << exact;
  const std::string bounded = Files({.ops = {OpKind::kExp}}).at("exp-run.mlir");
  EXPECT_TRUE(absl::StrContains(bounded, "1.6487")) << bounded;
  EXPECT_FALSE(absl::StrContains(bounded, "[^,]")) << bounded;
}

// The values of a program stay what they are if its first operand comes transposed.
TEST(LitSuite, AnOperandIsTransposedAndBack) {
  const std::string runs = Files({.ops = {OpKind::kSub}}).at("sub-run.mlir");
  EXPECT_TRUE(absl::StrContains(
      runs, R"(func.func @sub_f32_static_transposed(%arg0: tensor<3x2xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %swapped = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %0 = tosa.sub %swapped, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
)")) << runs;
  EXPECT_TRUE(absl::StrContains(runs, "func.func @sub_f32_dynamic_2d_transposed(%arg0: tensor<?x?xf32>")) << runs;
  const auto after = [&](const std::string& text) { return runs.substr(runs.find(text) + text.size(), 65); };
  EXPECT_EQ(after("// sub_f32_static\n"), after("// sub_f32_static_transposed\n"));
  EXPECT_TRUE(absl::StrContains(runs, "%in0_0 = arith.constant dense<[[0.5, -1.0, 2.0], [1.5, -3.0, 4.0]]>")) << runs;
  EXPECT_TRUE(absl::StrContains(runs, "%in1_0 = arith.constant dense<[[0.5, 1.5], [-1.0, -3.0], [2.0, 4.0]]>")) << runs;
}

TEST(LitSuite, NumbersAreWrittenAsPeopleDo) {
  EXPECT_EQ(LiteralOf(ElementType::kF32, 0x3fc00000), "1.5");
  EXPECT_EQ(LiteralOf(ElementType::kF32, 0x40000000), "2.0");
  EXPECT_EQ(LiteralOf(ElementType::kF32, 0x80000000), "0x80000000");
  EXPECT_EQ(LiteralOf(ElementType::kF32, 0x7f800000), "0x7f800000");
  EXPECT_EQ(LiteralOf(ElementType::kI8, 0xff), "-1");
  EXPECT_EQ(LiteralOf(ElementType::kI1, 1), "true");
}

}  // namespace
}  // namespace tosaic
