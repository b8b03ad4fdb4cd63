#include "toolchain/pattern_hook.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
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

bool AnyContains(const std::vector<std::string>& names, const std::string& part) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return absl::StrContains(name, part); });
}

TEST(PatternHook, NamesThePatternsThatLowerAnAdd) {
  std::vector<std::string> names;
  MlirToolchainOptions options;
  options.on_pattern = [&](absl::string_view name) { names.push_back(std::string(name)); };
  auto toolchain = CreateMlirToolchain(options);
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  EXPECT_EQ((*toolchain)->Observe(AddOfTwoVectors()).outcome, Outcome::kCompleted);
  EXPECT_TRUE(AnyContains(names, "PointwiseConverter<mlir::tosa::AddOp>")) << absl::StrJoin(names, "\n");
  EXPECT_FALSE(AnyContains(names, "MulOp")) << absl::StrJoin(names, "\n");
  EXPECT_FALSE(AnyContains(names, "apply-pattern"));
}

TEST(PatternHook, LeavesTheObservationAsItIs) {
  MlirToolchainOptions options;
  options.on_pattern = [](absl::string_view) {};
  auto with = CreateMlirToolchain(options);
  auto without = CreateMlirToolchain();
  ASSERT_TRUE(with.ok() && without.ok());
  EXPECT_EQ((*with)->Observe(AddOfTwoVectors()), (*without)->Observe(AddOfTwoVectors()));
}

TEST(PatternHook, IsSilentWhereNothingIsLowered) {
  int calls = 0;
  MlirToolchainOptions options;
  options.on_pattern = [&](absl::string_view) { ++calls; };
  auto toolchain = CreateMlirToolchain(options);
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  EXPECT_EQ((*toolchain)->ObserveDecision(AddOfTwoVectors().program).outcome, Outcome::kCompleted);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace tosaic
