// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/pattern_hook.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

Case AddOfTwoVectors() {
  const TensorType type = {Shape({Dim::Dynamic()}), ElementType::kF32};
  Case test_case;
  test_case.program.arguments = {type, type};
  test_case.program.ops = {{.op = OpKind::kAdd,
                            .operands = {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}},
                            .attributes = {},
                            .result = type}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {3}), Tensor(ElementType::kF32, {3})}};
  return test_case;
}

bool AnyNameContains(const std::vector<std::string>& names, const std::string& part) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return absl::StrContains(name, part); });
}

TEST(PatternHook, NamesThePatternsThatLowerAnAdd) {
  std::vector<std::string> names;
  auto toolchain = CreateMlirToolchain();
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  (*toolchain)->patterns()->Watch([&](absl::string_view name) { names.push_back(std::string(name)); });
  EXPECT_EQ((*toolchain)->Observe(AddOfTwoVectors()).outcome, Outcome::kCompleted);
  EXPECT_TRUE(AnyNameContains(names, "PointwiseConverter<mlir::tosa::AddOp>")) << absl::StrJoin(names, "\n");
  EXPECT_FALSE(AnyNameContains(names, "MulOp")) << absl::StrJoin(names, "\n");
  EXPECT_FALSE(AnyNameContains(names, "apply-pattern"));
}

TEST(PatternHook, LeavesTheObservationAsItIs) {
  auto with = CreateMlirToolchain();
  auto without = CreateMlirToolchain();
  ASSERT_TRUE(with.ok() && without.ok());
  (*with)->patterns()->Watch([](absl::string_view) {});
  EXPECT_EQ((*with)->Observe(AddOfTwoVectors()), (*without)->Observe(AddOfTwoVectors()));
}

TEST(PatternHook, IsSilentWhereNothingIsLowered) {
  int calls = 0;
  auto toolchain = CreateMlirToolchain();
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  (*toolchain)->patterns()->Watch([&](absl::string_view) { ++calls; });
  EXPECT_EQ((*toolchain)->verifier()->ObserveDecision(AddOfTwoVectors().program).outcome, Outcome::kCompleted);
  EXPECT_EQ(calls, 0);
  (*toolchain)->Observe(AddOfTwoVectors());
  const int of_one_case = calls;
  EXPECT_GT(of_one_case, 0);
  (*toolchain)->patterns()->Watch(nullptr);
  (*toolchain)->Observe(AddOfTwoVectors());
  EXPECT_EQ(calls, of_one_case);
}

TEST(PatternHook, TheListHasWhatLowersEachOpAndWhatFiresIsSpelledAsThere) {
  std::set<std::string> fired;
  auto toolchain = CreateMlirToolchain();
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  (*toolchain)->patterns()->Watch([&](absl::string_view name) { fired.insert(std::string(name)); });
  const std::vector<std::string> listed = (*toolchain)->patterns()->Patterns();
  EXPECT_GE(listed.size(), AllOps().size());
  EXPECT_TRUE(AnyNameContains(listed, "PointwiseConverter<mlir::tosa::TanhOp>"));
  EXPECT_FALSE(AnyNameContains(listed, "MatMul"));
  for (const std::string& name : listed) EXPECT_FALSE(name.empty());
  (*toolchain)->Observe(AddOfTwoVectors());
  EXPECT_TRUE(std::any_of(listed.begin(), listed.end(), [&](const std::string& name) { return fired.contains(name); }));
}

}  // namespace
}  // namespace tosaic
