// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/foreign_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "absl/strings/match.h"

namespace tosaic {
namespace {

std::string GenericForm(absl::string_view text) {
  return InGenericForm(
      text, [](absl::string_view op) { return absl::StartsWith(op, "func.") || absl::StartsWith(op, "tosa."); });
}

TEST(ForeignOps, AreInGenericFormAsFarAsTheirTypesCanBeTold) {
  const struct {
    absl::string_view text, expected;
  } rows[] = {
      {"%0 = tosa.abs %a : (tensor<1xf32>) -> tensor<1xf32>", "%0 = tosa.abs %a : (tensor<1xf32>) -> tensor<1xf32>"},
      {"  %0 = util.unfoldable_constant dense<[1, 2]> : tensor<2xi32>",
       "  %0 = \"util.unfoldable_constant\"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> (tensor<2xi32>)"},
      {"check.expect_eq_const(%r, dense<1> : tensor<i32>) : tensor<i32> // why",
       "\"check.expect_eq_const\"(%r) : (tensor<i32>) -> () // why"},
      {"check.expect_eq(%a, %b#1) : tensor<i32>", "\"check.expect_eq\"(%a, %b#1) : (tensor<i32>, tensor<i32>) -> ()"},
      {"a.b %x, %y : i32, f32", "\"a.b\"(%x, %y) : (i32, f32) -> ()"},
      {"%r:2 = a.b %x \"%no : i1\" : (memref<2xf32, strided<[1]>>) -> (i32, f32)",
       "%r:2 = \"a.b\"(%x) : (memref<2xf32, strided<[1]>>) -> (i32, f32)"},
      {"%r = a.b %x, %y : i32, f32", "\"a.b\"() : () -> ()"},
      {"// a.b %x : i32", "// a.b %x : i32"},
      {"attributes {\n  a.b = \"x\"\n}", "attributes {\n  a.b = \"x\"\n}"},
  };
  for (const auto& row : rows) EXPECT_EQ(GenericForm(row.text), row.expected);
}

TEST(ForeignOps, LinesStayWhatTheyAre) {
  constexpr absl::string_view kText = "func.func @f() {\n  a.b {\n    c.d %x : i1\n  }\n  e.f\n  return\n}\n";
  const std::string generic = GenericForm(kText);
  EXPECT_EQ(std::count(generic.begin(), generic.end(), '\n'), std::count(kText.begin(), kText.end(), '\n'));
  EXPECT_TRUE(absl::StrContains(generic, "\"a.b\"() : () -> ()\n\n\n  \"e.f\"")) << generic;
  EXPECT_FALSE(absl::StrContains(generic, "c.d")) << generic;
}

// One type of several operands is written once for each, and its lines with it.
TEST(ForeignOps, MayHaveMoreLinesThanBefore) {
  EXPECT_EQ(GenericForm("a.b %x, %y, %z : tensor<\n2xi32>\n"),
            "\"a.b\"(%x, %y, %z) : (tensor<\n2xi32>, tensor<\n2xi32>, tensor<\n2xi32>) -> ()\n");
}

TEST(ForeignOps, EachAtTheTopStandsAlone) {
  constexpr absl::string_view kText =
      "#map = affine_map<() -> ()>\n"
      "module attributes {a = \"{\"} {\n"
      "  func.func private @p(i32) -> i32\n"
      "  func.func @f() -> i32\n"
      "      attributes {x} {\n"
      "    return  // }\n"
      "  }\n"
      "}\n";
  const auto ops = OpsAlone(kText);
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].second, 3);
  EXPECT_EQ(ops[1].second, 4);
  EXPECT_TRUE(absl::StartsWith(ops[0].first, "#map = affine_map<() -> ()>\n"));
  EXPECT_TRUE(absl::StrContains(ops[0].first, "@p(i32) -> i32"));
  EXPECT_FALSE(absl::StrContains(ops[0].first, "@f"));
  EXPECT_TRUE(absl::StrContains(ops[1].first, "@f() -> i32\n      attributes {x} {\n    return  // }\n  }"));
  EXPECT_FALSE(absl::StrContains(ops[1].first, "module"));
  EXPECT_EQ(ops[1].first.size(), kText.size());
}

// What is left out with a region is not forgotten: it is not tested, which a user has to know.
TEST(ForeignOps, ElementwiseOpsInTheirRegionsAreNamed) {
  EXPECT_EQ(GenericForm("func.func @f() {\n"
                        "  a.b @f {\n"
                        "    %0 = tosa.abs %x : (i1) -> i1  // not tosa.exp\n"
                        "    %1 = \"tosa.add\"(%0, %0) {a = \"a tosa.exp\"} : (i1, i1) -> i1\n"
                        "    %2 = tosa.reverse %1 : (i1) -> i1\n"
                        "  }\n"
                        "}\n"),
            "func.func @f() {\n"
            "  \"a.b\"() {tosaic.left_out = \"tosa.abs+1 tosa.add+2\"} : () -> ()\n\n\n\n\n"
            "}\n");
}

// A missing bracket costs no more than the function that it is missing in.
TEST(ForeignOps, AMissingBracketSwallowsNoFunction) {
  constexpr absl::string_view kText =
      "module {\n"
      "  func.func @brace() {\n"
      "    return\n"
      "  func.func @parenthesis(%a: i32 {\n"
      "    a.b {\n"
      "    return\n"
      "  }\n"
      "\n"
      "  func.func @f() {\n"
      "    return\n"
      "  }\n"
      "}\n"
      "func.func @g() {\n"
      "  return\n"
      "}\n";
  const auto ops = OpsAlone(GenericForm(kText));
  ASSERT_EQ(ops.size(), 4u);
  const int lines[] = {2, 4, 9, 13};
  for (size_t i = 0; i < ops.size(); ++i) EXPECT_EQ(ops[i].second, lines[i]);
  EXPECT_TRUE(absl::StrContains(ops[2].first, "func.func @f() {\n    return\n  }\n")) << ops[2].first;
  EXPECT_TRUE(absl::StrContains(ops[3].first, "func.func @g() {\n  return\n}\n")) << ops[3].first;
}

// A region of another op may have functions, which are deeper.
TEST(ForeignOps, AFunctionInsideIsNoNextFunction) {
  const auto ops = OpsAlone("\"a.module\"() ({\n  func.func @f() {\n    return\n  }\n}) : () -> ()\n");
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_TRUE(absl::StrContains(ops[0].first, "}) : () -> ()"));
}

}  // namespace
}  // namespace tosaic
