// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ChangedPrograms on two toolchains of the real MLIR.
#include "checking/changed_programs.h"

#include <memory>
#include <string>
#include <vector>

#include "generators/generator.h"
#include "gtest/gtest.h"
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

}  // namespace
}  // namespace tosaic
