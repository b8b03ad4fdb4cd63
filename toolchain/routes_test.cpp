#include "gtest/gtest.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

TEST(InsertPass, PutsItBehindThePassAndItsOptions) {
  EXPECT_EQ(InsertPass("builtin.module(a,b)", "a", "x").value(), "builtin.module(a,x,b)");
  EXPECT_EQ(InsertPass("builtin.module(a,b)", "b", "x{y=1}").value(), "builtin.module(a,b,x{y=1})");
  EXPECT_EQ(InsertPass("builtin.module(a{o=1 p=2},b)", "a", "x").value(), "builtin.module(a{o=1 p=2},x,b)");
}

TEST(InsertPass, TakesWholeNamesOnly) {
  EXPECT_EQ(InsertPass("m(f(a-b,b-a,a),a)", "a", "x").value(), "m(f(a-b,b-a,a,x),a)");
  EXPECT_FALSE(InsertPass("m(a-b,b-a)", "a", "x").ok());
  EXPECT_FALSE(InsertPass("m(a{b=1})", "b", "x").ok());
  EXPECT_FALSE(InsertPass("a", "a", "x").ok());
  EXPECT_FALSE(InsertPass("", "a", "x").ok());
}

TEST(CustomRoute, IsLikeTheRouteItNames) {
  MlirToolchainOptions options;
  options.pipeline = "builtin.module(func.func(tosa-to-linalg))";
  options.custom_like = "contract";
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = CreateMlirToolchain(options);
  ASSERT_TRUE(toolchain.ok()) << toolchain.status();
  EXPECT_EQ((*toolchain)->PipelineOf(kCustomRoute), options.pipeline);
  Case test_case;
  test_case.program.arguments = {{Shape::OfSizes({1}), ElementType::kF32}};
  test_case.program.ops = {{OpKind::kExp, {{}}, {}, test_case.program.arguments[0]}};
  test_case.program.results = {{ValueRef::Kind::kOp, 0}};
  test_case.runs = {{Tensor(ElementType::kF32, {1})}};
  test_case.route = std::string(kCustomRoute);
  const Observation observation = (*toolchain)->Observe(test_case);
  EXPECT_EQ(observation.outcome, Outcome::kCompleted);
  EXPECT_EQ(observation.stage, Stage::kLower);
  EXPECT_TRUE(observation.lowered.has_value());
}

}  // namespace
}  // namespace tosaic
