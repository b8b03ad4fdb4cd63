// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/llvm_ir_text.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr char kAdd[] = "define i32 @f(i32 %a, i32 %b) { %c = add i32 %a, %b ret i32 %c }\n";

TEST(CodeBytesOf, CountsTheCodeOfAllFunctions) {
  const absl::StatusOr<uint64_t> one = CodeBytesOf(kAdd, {});
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_GT(*one, 2u);
  EXPECT_LT(*one, 64u);
  const std::string two = std::string(kAdd) + "define i32 @g(i32 %a) { %c = mul i32 %a, 12345 ret i32 %c }\n";
  EXPECT_GT(CodeBytesOf(two, {}).value(), *one);
  EXPECT_EQ(CodeBytesOf(std::string(kAdd) + "@data = global [1000 x i8] zeroinitializer\n", {}).value(), *one);
}

TEST(CodeBytesOf, OptimizesWhereTheRouteDoes) {
  const std::string in_memory =
      "define i32 @f(i32 %a) { %p = alloca i32 store i32 %a, ptr %p %b = load i32, ptr %p ret i32 %b }\n";
  EXPECT_LT(CodeBytesOf(in_memory, {.optimized = true}).value(), CodeBytesOf(in_memory, {}).value());
}

TEST(CodeBytesOf, SaysThatItDoesNotReadATextOfOthers) {
  const absl::StatusOr<uint64_t> none = CodeBytesOf("define i32 @f() { %a = newer_instruction ret i32 %a }", {});
  EXPECT_TRUE(absl::StrContains(none.status().message(), "does not read the LLVM IR")) << none.status();
}

// As LLVM 24 writes it.
TEST(CodeBytesOf, ReadsTheFloatsOfNewerVersions) {
  const std::string before = "define float @f(float %a) { %b = fadd float %a, ", after = "\n ret float %b }\n";
  EXPECT_EQ(CodeBytesOf(before + "1.000000e-01" + after, {}).value(),
            CodeBytesOf(before + "0x3FB99999A0000000" + after, {}).value());
  EXPECT_TRUE(CodeBytesOf(before + "+qnan" + after, {}).ok());
}

}  // namespace
}  // namespace tosaic
