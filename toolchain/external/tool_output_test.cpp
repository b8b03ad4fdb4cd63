// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts as mlir-opt and mlir-translate of 16, 19, 22 and 24 print them.
#include "toolchain/external/tool_output.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Strings = std::vector<std::string>;

TEST(ToolOutput, ModulesGoTogetherAndComeApart) {
  EXPECT_EQ(JoinModules({"a\n"}), "a\n");
  EXPECT_EQ(JoinModules({"a\n", "b\nc\n"}), "a\n// -----\nb\nc\n");
  EXPECT_EQ(SplitModules("module {\n}\n\n\n// -----\n\n\n// -----\nmodule {\n}\n"),
            (Strings{"module {\n}\n", "", "module {\n}\n"}));
  EXPECT_EQ(SplitModules(""), Strings{""});
}

TEST(ToolOutput, LlvmModulesBeginWithTheirName) {
  EXPECT_EQ(SplitLlvmModules("; ModuleID = 'a'\nx\n\n; ModuleID = 'a'\ny"),
            (Strings{"; ModuleID = 'a'\nx\n\n", "; ModuleID = 'a'\ny\n"}));
  EXPECT_EQ(SplitLlvmModules("; ModuleID = 'a'\nx\n// -----\n; ModuleID = 'a'\ny").size(), 2u);
  EXPECT_TRUE(SplitLlvmModules("garbage\n").empty());
}

TEST(ToolOutput, AnErrorIsAboutTheModuleOfItsLine) {
  const Strings modules = {"one\n", "two\nthree\n"};  // the second begins on line 3
  const auto error = [&](const char* text) { return ErrorsIn(text, modules); };
  EXPECT_EQ(error("<stdin>:1:40: error: 'tosa.exp' op no: error: really\nfunc.func\n   ^\n"),
            (std::vector<ToolError>{{"'tosa.exp' op no: error: really", 0}}));
  EXPECT_EQ(error("<stdin>:4:6: error: b"), (std::vector<ToolError>{{"b", 1}}));
  EXPECT_EQ(error("within split at <stdin>:2 offset :3:6: error: b"), (std::vector<ToolError>{{"b", 1}}));
  EXPECT_EQ(error("within split at <stdin>:1 offset :1:6: error: a"), (std::vector<ToolError>{{"a", 0}}));
  EXPECT_EQ(error("<unknown>:0: error: c"), (std::vector<ToolError>{{"c", std::nullopt}}));
  EXPECT_EQ(error("<stdin>:9:1: error: d"), (std::vector<ToolError>{{"d", std::nullopt}})) << "no such line";
  EXPECT_TRUE(error("<stdin>:1:40: note: see current operation\nwarning: x\n").empty());
}

constexpr char kDumps[] =
    R"(// -----// IR Dump Before TosaInferShapes (tosa-infer-shapes) ('func.func' operation: @main) //----- //
func
// -----// IR Dump Before TosaToLinalg (tosa-to-linalg) ('func.func' operation: @main) //----- //
func
<stdin>:1:1: error: no
// -----// IR Dump After TosaToLinalg Failed (tosa-to-linalg) ('func.func' operation: @main) //----- //
module {
  arith.constant dense<1> : tensor<2xi32>
}
// -----// IR Dump After Outer Failed (outer) //----- //
module {
}
)";

TEST(ToolOutput, TellsTheFirstPassThatFailedAndTheLastThatWasBegun) {
  const std::optional<IrDump> dump = FailedPass(kDumps);
  ASSERT_TRUE(dump.has_value());
  EXPECT_EQ(dump->pass, "tosa-to-linalg");
  EXPECT_EQ(dump->ir, "module {\n  arith.constant dense<1> : tensor<2xi32>\n}\n");
  EXPECT_EQ(LastPass(kDumps), "tosa-to-linalg");
  EXPECT_FALSE(FailedPass("error\n").has_value());
  EXPECT_EQ(LastPass(""), "");
}

// As LLVM 24 prints it: the pass as in a pipeline, with all of its options.
TEST(ToolOutput, TellsThePassThatFailedByItsTextInAPipeline) {
  constexpr char kOptions[] =
      R"(// -----// IR Dump Before mlir::detail::A: a{size=1 other=false} ('func.func' operation: @main) //----- //
func
// -----// IR Dump Before CSEPass: cse //----- //
func
// -----// IR Dump After B Failed: b{size=1} ('func.func' operation: @main) //----- //
module {
}
// -----// IR Dump After Outer Failed: outer //----- //
)";
  const std::optional<IrDump> dump = FailedPass(kOptions);
  ASSERT_TRUE(dump.has_value());
  EXPECT_EQ(dump->pass, "b");
  EXPECT_EQ(dump->ir, "module {\n}\n");
  EXPECT_EQ(LastPass(kOptions), "cse");
  const auto pass_of = [](absl::string_view header) { return LastPass(absl::StrCat("// -----// IR Dump ", header)); };
  EXPECT_EQ(pass_of("Before mlir::detail::A: a{size=1 other=false} ('func.func' operation: @main) //----- //"), "a");
  EXPECT_EQ(pass_of("Before mlir::detail::A (a) ('func.func' operation: @main) //----- //"), "a");
  EXPECT_FALSE(FailedPass("// -----// IR Dump After B: b{size=1} //----- //\n").has_value());
}

TEST(ToolOutput, FindsAConstantThatCannotBeReadBack) {
  EXPECT_EQ(PassWithLooseConstant(kDumps), "");
  EXPECT_EQ(PassWithLooseConstant("// -----// IR Dump After A (a) //----- //\n%0 = tosa.const : tensor<2xf32>\n"
                                  "// -----// IR Dump After B (b) //----- //\n"
                                  "%c = arith.constant dense<1.0> : tensor<?xf32>\n"
                                  "// -----// IR Dump After C (c) //----- //\n"
                                  "%c = arith.constant dense<1.0> : tensor<?xf32>\n"),
            "b");
  EXPECT_EQ(PassWithLooseConstant("%c = arith.constant 1.0 : f32\n%d = tensor.empty(%s) : tensor<?xf32>\n"), "");
}

TEST(ToolOutput, KeepsOfADeathWhatIsTheSameEveryTime) {
  EXPECT_EQ(LastWords("PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: mlir-opt /tmp/x\n"
                      " #0 0x00007f7c04e1f2a8 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) "
                      "(/usr/lib/libLLVM.so.19.1+0xc1f2a8)\n #1 0x000055 (/usr/bin/mlir-opt+0x1)\n"
                      " #2 0x00007f7c04e1f2a8 mlir::verify(mlir::Operation*, bool) (/usr/lib/libMLIR.so.19+0x8)\n"),
            Strings{"mlir::verify(mlir::Operation*, bool)"});
  EXPECT_EQ(LastWords("LLVM ERROR: cannot\n"), Strings{"LLVM ERROR: cannot"});
}

TEST(ToolOutput, ReadsOneResultTypePerFunction) {
  EXPECT_EQ(ResultTypes(R"("builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: tensor<1x3xf32>):
    %0 = "tosa.const"() {value = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
    %2 = "tosa.const_shape"() {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = "tosa.add"(%arg0, %arg0) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    %2 = "tosa.cast"(%1) : (tensor<1x3xf32>) -> tensor<*xf32>
  }) {sym_name = "op0"} : () -> ()
  "func.func"() <{sym_name = "op1"}> ({
    %0 = "tosa.cast"(%arg0) : (tensor<2xf32>) -> tensor<*xi32>
  }) : () -> ()
}) : () -> ()
)"),
            (Strings{"tensor<1x3xf32>", "tensor<*xi32>"}));
}

}  // namespace
}  // namespace tosaic
