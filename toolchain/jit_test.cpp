#include "toolchain/jit.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "toolchain/ir_testing.h"

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

}  // namespace
}  // namespace tosaic
