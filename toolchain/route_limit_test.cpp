// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/route_limit.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(RouteLimit, NamesThePassThatIsNotThere) {
  constexpr char kPipeline[] = "the pass pipeline 'builtin.module(x)' does not parse: MLIR Textual PassPipeline Parser";
  EXPECT_EQ(
      WhyMissing(std::string(kPipeline) + ":1:16: error: 'x' does not refer to a registered pass or pass pipeline"),
      "not there: pass x");
  EXPECT_EQ(WhyMissing(std::string(kPipeline) + ":1:16: error: failed to add `x` with options `y`"),
            "not there: failed to add `x` with options `y`");
  EXPECT_EQ(WhyMissing("signal 11"), "signal 11");
}

TEST(RouteLimit, ACaseIsToldWhyItsRouteIsMissing) {
  const std::vector<RouteLimit> limits = {{.route = "fused", .is_missing = false, .why = "static"},
                                          {.route = "named", .why = "not there: pass x"}};
  EXPECT_EQ(NoRoute("mlir-24", "named", limits), "mlir-24 has no route 'named': not there: pass x");
  EXPECT_EQ(NoRoute("mlir-24", "fused", limits), "mlir-24 has no route 'fused'");
}

}  // namespace
}  // namespace tosaic
