// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/program.h"

#include <functional>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

// add(%arg0, %cst0), then abs of it, with one run.
Case Chain() {
  Case test_case;
  Program& program = test_case.program;
  program.arguments = {{Shape({Dim::Dynamic(), Dim::Static(3)}), ElementType::kF32}};
  program.constants = {Tensor(ElementType::kF32, {1, 3})};
  const TensorType result{Shape({Dim::Dynamic(), Dim::Dynamic()}), ElementType::kF32};
  program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kConstant, 0}}, {}, result},
                 {OpKind::kAbs, {{Kind::kOp, 0}}, {}, result}};
  program.results = {{Kind::kOp, 1}, {Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {2, 3})}};
  return test_case;
}

TEST(CheckWellFormed, AcceptsAChain) { EXPECT_TRUE(CheckWellFormed(Chain()).ok()) << CheckWellFormed(Chain()); }

TEST(CheckWellFormed, AcceptsACaseWithoutRuns) {
  Case test_case = Chain();
  test_case.runs.clear();
  EXPECT_TRUE(CheckWellFormed(test_case).ok());
}

TEST(CheckWellFormed, SaysWhereAndWhat) {
  struct Row {
    std::function<void(Case&)> spoil;
    const char* message;
  };
  for (const Row& row : {
           Row{[](Case& c) { c.program.ops.clear(); }, "program.ops: at least one op is needed"},
           Row{[](Case& c) { c.program.results.clear(); }, "program.results: at least one result is needed"},
           Row{[](Case& c) { c.program.ops[1].operands.clear(); },
               "program.ops[1].operands: 0 operands, but abs has 1"},
           Row{[](Case& c) { c.program.ops[0].operands[0] = {Kind::kOp, 0}; },
               "program.ops[0].operands: %0 is not defined before its use"},
           Row{[](Case& c) { c.program.ops[0].operands[0] = {Kind::kArgument, 1}; },
               "program.ops[0].operands: %arg1 is not defined before its use"},
           Row{[](Case& c) { c.program.ops[0].operands[0] = {Kind::kConstant, -1}; },
               "program.ops[0].operands: %cst-1 is not defined before its use"},
           Row{[](Case& c) { c.program.ops[0].attributes.new_shape = {2, 3}; },
               "program.ops[0].attributes: add has no new_shape"},
           Row{[](Case& c) { c.program.ops[1].op = OpKind::kReshape; },
               "program.ops[1].attributes: reshape has a new_shape"},
           Row{[](Case& c) { c.program.results[0] = {Kind::kOp, 2}; },
               "program.results: %2 is not defined before its use"},
           Row{[](Case& c) { c.runs[0].clear(); }, "runs[0]: 0 tensors, but the program has 1 argument"},
           Row{[](Case& c) { c.runs[0][0] = Tensor(ElementType::kF32, {2, 4}); },
               "runs[0][0]: 2x4 of f32 does not fit the argument's type tensor<?x3xf32>"},
           Row{[](Case& c) { c.runs[0][0] = Tensor(ElementType::kF16, {2, 3}); },
               "runs[0][0]: 2x3 of f16 does not fit the argument's type tensor<?x3xf32>"},
           Row{[](Case& c) { c.runs[0][0] = Tensor(ElementType::kF32, {}); },
               "runs[0][0]: scalar of f32 does not fit the argument's type tensor<?x3xf32>"},
       }) {
    Case test_case = Chain();
    row.spoil(test_case);
    EXPECT_EQ(CheckWellFormed(test_case).message(), row.message);
  }
}

TEST(CheckWellFormed, AnAttributeThatTheOpDoesNotHaveIsRefused) {
  Case test_case = Chain();
  test_case.program.ops[1].attributes.nan_mode = NanMode::kIgnore;
  EXPECT_EQ(CheckWellFormed(test_case).message(), "program.ops[1].attributes: abs has no nan_mode");
  test_case.program.ops[1].op = OpKind::kClamp;
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << "one that is missing makes it illegal, not malformed";
}

TEST(Program, KnowsTheOpsWhoseValuesReachNoResult) {
  Program program = Chain().program;
  EXPECT_TRUE(OpsWithoutEffect(program).empty());
  program.results = {{Kind::kOp, 1}};
  EXPECT_TRUE(OpsWithoutEffect(program).empty());
  program.results = {{Kind::kOp, 0}};
  EXPECT_EQ(OpsWithoutEffect(program), (std::vector<size_t>{1}));
  program.results = {{Kind::kArgument, 0}};
  EXPECT_EQ(OpsWithoutEffect(program), (std::vector<size_t>{0, 1}));
}

TEST(Program, KnowsItsTypes) {
  const Program program = Chain().program;
  EXPECT_EQ(ToString(TypeOf(program, {Kind::kConstant, 0})), "tensor<1x3xf32>");
  EXPECT_EQ(ToString(TypeOf(program, {Kind::kOp, 0})), "tensor<?x?xf32>");
  EXPECT_EQ(Signature(program, program.ops[0]), "add(tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x?xf32>");
  EXPECT_EQ(AsConstant(program, {Kind::kConstant, 0}), &program.constants[0]);
  EXPECT_EQ(AsConstant(program, {Kind::kArgument, 0}), nullptr);
}

TEST(Program, TheInputsTypeOfSelectIsNotTheConditions) {
  Program program;
  program.arguments = {{Shape(), ElementType::kI1}, {Shape(), ElementType::kBF16}};
  program.ops = {{OpKind::kSelect,
                  {{Kind::kArgument, 0}, {Kind::kArgument, 1}, {Kind::kArgument, 1}},
                  {},
                  {Shape(), ElementType::kBF16}}};
  EXPECT_EQ(InputElementType(program, program.ops[0]), ElementType::kBF16);
}

TEST(ValueRef, Names) {
  EXPECT_EQ(ToString(ValueRef{Kind::kArgument, 2}), "%arg2");
  EXPECT_EQ(ToString(ValueRef{Kind::kConstant, 0}), "%cst0");
  EXPECT_EQ(ToString(ValueRef{Kind::kOp, 1}), "%1");
  EXPECT_EQ(Name(NanMode::kIgnore), "IGNORE");
  for (const ValueRef ref : {ValueRef{Kind::kArgument, 10}, ValueRef{Kind::kConstant, 0}, ValueRef{Kind::kOp, 7}}) {
    ValueRef read;
    EXPECT_TRUE(ReadText(ToString(ref), read).ok()) << ToString(ref);
    EXPECT_EQ(read, ref);
  }
  for (const char* text : {"", "%", "arg0", "%arg", "%arg 0", "%arg0 ", "%+1", "%cst+0", "%01", "%x", "%99999999999"}) {
    ValueRef read;
    EXPECT_EQ(ReadText(text, read).message(), absl::StrCat("'", text, "' names no value (%arg0, %cst0 and %0 do)"));
  }
}

TEST(CheckWellFormed, TakesBlocksThatAreWholeAndHaveOneScale) {
  Case test_case;
  const TensorType type = {Shape({Dim::Dynamic()}), ElementType::kBlockF6E2M3FN};
  test_case.program = {{type}, {}, {{OpKind::kIdentity, {{}}, {}, type}}, {{ValueRef::Kind::kOp, 0}}};
  EXPECT_TRUE(HasBlocks(test_case.program));
  Tensor blocks(ElementType::kBlockF6E2M3FN, {64});
  for (size_t i = 0; i < 64; ++i) blocks.SetBits(i, (i < 32 ? 0x7f00 : 0x8000) + i % 64);
  test_case.runs = {{blocks}};
  EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
  Tensor other = blocks;
  other.SetBits(33, 0x7f00);
  test_case.runs = {{blocks}, {other}};
  EXPECT_EQ(CheckWellFormed(test_case).message(), "runs[1][0]: element 33: another scale than its block's");
  other.SetBits(33, 0x8040);
  test_case.runs = {{other}};
  EXPECT_EQ(CheckWellFormed(test_case).message(), "runs[0][0]: element 33: more bits than a value");
  test_case.runs = {{Tensor(ElementType::kBlockF6E2M3FN, {48})}};
  EXPECT_EQ(CheckWellFormed(test_case).message(),
            "runs[0][0]: the last dimension of a block-scaled tensor is a multiple of 32");
  test_case.program.constants = {std::move(other)};
  EXPECT_EQ(CheckWellFormed(test_case).message(), "program.constants[0]: element 33: more bits than a value");
}

}  // namespace
}  // namespace tosaic
