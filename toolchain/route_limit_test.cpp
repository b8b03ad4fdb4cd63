// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/route_limit.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

constexpr char kParser[] = "MLIR Textual PassPipeline Parser:1:16: error: ";

TEST(RouteLimit, SaysWhyAPipelineDoesNotParseBeforeThePipelineItself) {
  EXPECT_EQ(DoesNotParse("builtin.module(x)", std::string(kParser) + "'x' does not refer to a registered pass"),
            "the pass pipeline does not parse: 'x' does not refer to a registered pass; the pipeline is "
            "builtin.module(x)");
}

TEST(RouteLimit, NamesThePassThatIsNotThere) {
  const auto why = [](const char* reason) {
    return WhyMissing(DoesNotParse("builtin.module(x)", std::string(kParser) + reason));
  };
  EXPECT_EQ(why("'x' does not refer to a registered pass or pass pipeline"), "not there: pass x");
  EXPECT_EQ(why("failed to add `x` with options `y`"), "not there: failed to add `x` with options `y`");
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
