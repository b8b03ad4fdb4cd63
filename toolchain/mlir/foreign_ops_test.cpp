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

}  // namespace
}  // namespace tosaic
