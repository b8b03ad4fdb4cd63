// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/kept_compiler.h"

#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/SourceMgr.h"
#include "toolchain/execution/target.h"

namespace tosaic {
namespace {

// With a constant in memory, a loop, a call, and a type that the fast instruction selector does not know.
constexpr absl::string_view kFull = R"(
  @table = private constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
  declare float @expf(float)
  define void @main(ptr %to, half %h) {
    br label %loop
  loop:
    %i = phi i64 [ 0, %0 ], [ %next, %loop ]
    %from = getelementptr float, ptr @table, i64 %i
    %x = load float, ptr %from
    %e = call float @expf(float %x)
    %f = fpext half %h to float
    %sum = fadd float %e, %f
    store float %sum, ptr %to
    %next = add i64 %i, 1
    %ends = icmp eq i64 %next, 4
    br i1 %ends, label %end, label %loop
  end:
    ret void
  })";
constexpr absl::string_view kOther = "define i64 @other(i64 %x) { %y = mul i64 %x, 7 ret i64 %y }";
// The code generator refuses it.
constexpr absl::string_view kRefused = R"(define float @f(float %x) "target-features"="-sse,-sse2" { ret float %x })";

void NoteError(const llvm::DiagnosticInfo* diagnostic, void* errors) {
  if (diagnostic->getSeverity() == llvm::DS_Error) *static_cast<std::string*>(errors) += "error";
}

class KeptCompilerTest : public testing::TestWithParam<bool> {
 protected:
  KeptCompilerTest() { context_.setDiagnosticHandlerCallBack(NoteError, &errors_); }

  KeptCompiler Create() {
    return KeptCompiler(cantFail(cantFail(MachineOf({.optimized = GetParam()})).createTargetMachine()), &errors_);
  }

  std::string Compile(KeptCompiler& compiler, absl::string_view ir) {
    llvm::SMDiagnostic error;
    auto machine = cantFail(cantFail(MachineOf({.optimized = GetParam()})).createTargetMachine());
    const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString({ir.data(), ir.size()}, error, context_);
    EXPECT_NE(module, nullptr) << error.getMessage().str();
    module->setDataLayout(machine->createDataLayout());
    return cantFail(compiler(*module))->getBuffer().str();
  }

  std::string errors_;
  llvm::LLVMContext context_;
};

TEST_P(KeptCompilerTest, MakesOfEachModuleWhatAPipelineOfItsOwnMakes) {
  KeptCompiler fresh = Create(), fresh_for_other = Create(), kept = Create();
  const std::string full = Compile(fresh, kFull), other = Compile(fresh_for_other, kOther);
  EXPECT_NE(full, other);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Compile(kept, kFull), full);
    EXPECT_EQ(Compile(kept, kOther), other);
  }
  EXPECT_EQ(errors_, "");
}

#if defined(__x86_64__)
TEST_P(KeptCompilerTest, GoesOnAfterAnError) {
  KeptCompiler fresh = Create(), kept = Create();
  const std::string full = Compile(fresh, kFull);
  EXPECT_EQ(Compile(kept, kFull), full);
  Compile(kept, kRefused);
  EXPECT_NE(errors_, "");
  errors_.clear();
  EXPECT_EQ(Compile(kept, kFull), full);
  EXPECT_EQ(errors_, "");
}
#endif

INSTANTIATE_TEST_SUITE_P(Levels, KeptCompilerTest, testing::Bool());

}  // namespace
}  // namespace tosaic
