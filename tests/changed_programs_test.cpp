// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ChangedPrograms on two toolchains of the real MLIR.
#include "checking/changed_programs.h"

#include <memory>
#include <string>
#include <vector>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/shape.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

TEST(ChangedPrograms, TheCountsOfAProcessAreNoPartOfAProgram) {
  EXPECT_EQ(WithoutCounts("a @assert_msg_12 b @assert_msg_7, @assert_msg_12(@assert_msg_123"),
            "a @assert_msg_0 b @assert_msg_1, @assert_msg_0(@assert_msg_2");
  EXPECT_EQ(WithoutCounts("@assert_msg_7 @msg_8 @assert_msg_"), "@assert_msg_0 @msg_8 @assert_msg_1");
  EXPECT_EQ(WithoutCounts("@f"), "@f");
}

// On `verified`, MLIR counts the messages of its checks as long as the process lives.
TEST(ChangedPrograms, NoProgramIsChangedBetweenTwoOfOneMlir) {
  const std::unique_ptr<Toolchain> base = CreateMlirToolchain({}).value(), patch = CreateMlirToolchain({}).value();
  const ChangedPrograms changed = ChangedPrograms::ByPatch(*base, *patch).value();
  GeneratorOptions options;
  options.routes = {{"verified", 1}};
  options.illegal_percent = 0;
  std::vector<Case> cases;
  for (uint64_t number = 0; number < 12; ++number) cases.push_back(GenerateCase(1, number, options));
  for (const ProgramChange& change : changed.Among(cases)) EXPECT_FALSE(change.is_changed);
}

// MLIR has no conversion for either result, and names one of them by chance.
TEST(ChangedPrograms, WhichValueARefusalNamesIsNoChange) {
  const std::unique_ptr<Toolchain> base = CreateMlirToolchain({}).value(), patch = CreateMlirToolchain({}).value();
  const ChangedPrograms changed = ChangedPrograms::ByPatch(*base, *patch).value();
  Case test_case;
  Program& program = test_case.program;
  for (const char* type : {"tensor<?x?xi8>", "tensor<?x?xi48>", "tensor<?x?xi16>", "tensor<?x?xi32>"}) {
    const int index = static_cast<int>(program.arguments.size());
    program.arguments.push_back(ParseTensorType(type).value());
    TensorType result = program.arguments.back();
    result.shape = Shape::OfSizes({1, 3});
    program.ops.push_back({OpKind::kIdentity, {{ValueRef::Kind::kArgument, index}}, {}, result});
    program.results.push_back({ValueRef::Kind::kOp, index});
  }
  test_case.route = "loops";
  test_case.runs.resize(1);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(changed.Of(test_case).is_changed) << i;
}

}  // namespace
}  // namespace tosaic
