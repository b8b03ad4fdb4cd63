// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/jit.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "toolchain/execution/ir_testing.h"

namespace tosaic {
namespace {

class JitTest : public testing::Test {
 protected:
  void SetUp() override {
    auto jit = Jit::Create();
    ASSERT_TRUE(jit.ok()) << jit.status();
    jit_ = *std::move(jit);
  }

  std::string CompileError(absl::string_view ir) {
    auto compiled = jit_->Compile(ParseIr(*jit_, ir));
    return compiled.ok() ? "" : std::string(compiled.status().message());
  }

  std::unique_ptr<Jit> jit_;
};

constexpr absl::string_view kNothing = "define void @_mlir_ciface_main(ptr %result) { ret void }";

TEST_F(JitTest, NamesTheSymbolThatDoesNotResolve) {
  const std::string error = CompileError(
      "declare void @no_such_function()\n"
      "define void @_mlir_ciface_main(ptr %r) { call void @no_such_function() ret void }");
  EXPECT_TRUE(absl::StrContains(error, "no_such_function")) << error;
  EXPECT_EQ(CompileError(kNothing), "");
}

TEST_F(JitTest, DoesNotResolveSymbolsOfTheProcess) {
  const std::string error = CompileError(
      "declare i32 @getpid()\n"
      "define void @_mlir_ciface_main(ptr %r) { %p = call i32 @getpid() ret void }");
  EXPECT_TRUE(absl::StrContains(error, "getpid")) << error;
}

// LLVM makes one call of sincosf of a sine and a cosine of one value; __divti3 divides what no instruction does.
TEST_F(JitTest, ResolvesWhatTheCompilerCallsOnItsOwnAccount) {
  for (absl::string_view function : {"sincosf", "sincos", "ldexpf", "exp10f", "__divti3", "__floattisf"}) {
    EXPECT_EQ(
        CompileError(absl::StrCat("declare void @", function, "()\n",
                                  "define void @_mlir_ciface_main(ptr %r) { call void @", function, "() ret void }")),
        "")
        << function;
  }
}

TEST_F(JitTest, RefusesAModuleWithoutEntry) {
  const std::string error = CompileError("define void @other() { ret void }");
  EXPECT_TRUE(absl::StrContains(error, "_mlir_ciface_main")) << error;
}

// LLVM's own handler would print the error and end the process.
TEST_F(JitTest, ReportsAnErrorOfTheCodeGenerator) {
  const std::string error = CompileError(
      "define float @f(float %x) \"target-features\"=\"-sse,-sse2\" { ret float %x }\n"
      "define void @_mlir_ciface_main(ptr %r) { %x = call float @f(float 1.0) ret void }");
  EXPECT_TRUE(absl::StrContains(error, "SSE register")) << error;
  EXPECT_EQ(CompileError(kNothing), "");
}

TEST_F(JitTest, KeepsModulesOfTheSameNamesApart) {
  auto one = jit_->Compile(ParseIr(*jit_, kNothing));
  auto two = jit_->Compile(ParseIr(*jit_, kNothing));
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_NE(one->entry(), two->entry());
}

// Struct values are split into their fields: loaded, through a phi and an insertvalue, extracted and stored, each
// field ends where it was to end.
TEST_F(JitTest, KeepsTheFieldsOfStructs) {
  struct Descriptor {
    void* base;
    int64_t offset, sizes[2];
  };
  auto compiled = jit_->Compile(ParseIr(*jit_, R"(
    define void @_mlir_ciface_main(ptr %result, ptr %one, ptr %two) {
      %a = load { ptr, i64, [2 x i64] }, ptr %one
      %offset = extractvalue { ptr, i64, [2 x i64] } %a, 1
      %is_seven = icmp eq i64 %offset, 7
      br i1 %is_seven, label %other, label %end
    other:
      %b = load { ptr, i64, [2 x i64] }, ptr %two
      %c = insertvalue { ptr, i64, [2 x i64] } %b, i64 5, 2, 1
      br label %end
    end:
      %d = phi { ptr, i64, [2 x i64] } [ %a, %0 ], [ %c, %other ]
      %sizes = extractvalue { ptr, i64, [2 x i64] } %d, 2
      %size = extractvalue [2 x i64] %sizes, 0
      %sum = add i64 %size, 100
      %e = insertvalue { ptr, i64, [2 x i64] } %d, i64 %sum, 1
      store { ptr, i64, [2 x i64] } %e, ptr %result
      ret void
    })"));
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const auto entry = reinterpret_cast<void (*)(Descriptor*, Descriptor*, Descriptor*)>(compiled->entry());
  Descriptor result, one = {&one, 6, {2, 3}}, two = {&two, 8, {20, 30}};
  entry(&result, &one, &two);
  EXPECT_EQ(result.base, &one);
  EXPECT_EQ(std::vector<int64_t>(result.sizes, result.sizes + 2), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(result.offset, 102);
  one.offset = 7;
  entry(&result, &one, &two);
  EXPECT_EQ(result.base, &two);
  EXPECT_EQ(std::vector<int64_t>(result.sizes, result.sizes + 2), (std::vector<int64_t>{20, 5}));
  EXPECT_EQ(result.offset, 120);
}

}  // namespace
}  // namespace tosaic
