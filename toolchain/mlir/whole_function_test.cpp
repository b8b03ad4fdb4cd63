// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the IR between passes as a program.
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "toolchain/mlir/mlir_import.h"

namespace tosaic {
namespace {

// The function @main of x: tensor<?xf32> with this body.
absl::StatusOr<Program> WholeOf(absl::string_view body) {
  return ReadWholeFunction(
      absl::StrCat("module {\n func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n", body, "\n }\n}\n"));
}

TEST(WholeFunction, MayHaveNoOpLeft) {
  const absl::StatusOr<Program> passed_on = WholeOf("return %x : tensor<?xf32>");
  ASSERT_TRUE(passed_on.ok()) << passed_on.status();
  EXPECT_TRUE(passed_on->ops.empty());
  EXPECT_EQ(passed_on->results, (std::vector<ValueRef>{{ValueRef::Kind::kArgument, 0}}));
  const absl::StatusOr<Program> folded = WholeOf(
      "%c = arith.constant dense<2.0> : tensor<3xf32>\n%d = tensor.cast %c : tensor<3xf32> to tensor<?xf32>\n"
      "return %d : tensor<?xf32>");
  ASSERT_TRUE(folded.ok()) << folded.status();
  EXPECT_EQ(folded->results, (std::vector<ValueRef>{{ValueRef::Kind::kConstant, 0}}));
  EXPECT_EQ(folded->constants.front().sizes(), std::vector<int64_t>{3});
}

TEST(WholeFunction, ReturnsAValueAsOftenAsItDoes) {
  const absl::StatusOr<Program> twice = ReadWholeFunction(
      "func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
      "  %0 = \"tosa.abs\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  return %0, %0 : tensor<2xf32>, tensor<2xf32>\n}");
  ASSERT_TRUE(twice.ok()) << twice.status();
  EXPECT_EQ(twice->results.size(), 2u);
}

// An op that is left out, or that acts through its types, would change the program; the reader refuses it.
TEST(WholeFunction, HasNothingElse) {
  EXPECT_FALSE(WholeOf("%y = math.absf %x : tensor<?xf32>\nreturn %y : tensor<?xf32>").ok());
  EXPECT_FALSE(WholeOf("%c = arith.constant 0 : index\n%d = tensor.dim %x, %c : tensor<?xf32>\n"
                       "%y = \"tosa.abs\"(%x) : (tensor<?xf32>) -> tensor<?xf32>\nreturn %y : tensor<?xf32>")
                   .ok());
  EXPECT_FALSE(WholeOf("%y = tensor.cast %x : tensor<?xf32> to tensor<2xf32>\n"
                       "%z = \"tosa.abs\"(%y) : (tensor<2xf32>) -> tensor<?xf32>\nreturn %z : tensor<?xf32>")
                   .ok());
  EXPECT_FALSE(WholeOf("return %y : tensor<?xf32>").ok());
  EXPECT_FALSE(ReadWholeFunction("func.func private @f()").ok());
}

}  // namespace
}  // namespace tosaic
