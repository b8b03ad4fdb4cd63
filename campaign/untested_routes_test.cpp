// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/untested_routes.h"

#include <gtest/gtest.h>

#include "campaign/campaign.h"
#include "campaign/merging.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "tests/adder_campaign.h"
#include "tests/fake_toolchain.h"
#include "tests/temporary_directory.h"

namespace tosaic {
namespace {

// A toolchain that lost a pass of two routes, and another pass of one.
ToolchainDescription Poor() {
  ToolchainDescription poor{.name = "adder", .version = "1", .only_pipeline = "builtin.module()"};
  for (const Route& route : AllRoutes()) {
    if (route.name != "fused" && route.name != "canonicalized" && route.name != "contract")
      poor.routes.push_back(&route);
  }
  poor.limits = {{.route = "fused", .is_missing = true, .why = "not there: pass x"},
                 {.route = "canonicalized", .is_missing = true, .why = "not there: pass x"},
                 {.route = "loops", .is_missing = false, .why = "static shapes"}};
  return poor;
}

std::vector<UntestedRoute> PoorLacks() {
  return {{"canonicalized", "not there: pass x"},
          {"contract", "needs MLIR in Tosaic's own process"},
          {"fused", "not there: pass x"}};
}

TEST(UntestedRoutesTest, AreThoseOfAMixThatTheToolchainLacks) {
  const ToolchainDescription poor = Poor();
  EXPECT_EQ(UntestedRoutes(MixedRoutes(poor.routes), poor), PoorLacks());
  std::vector<std::pair<std::string, int>> all;
  for (const Route* route : poor.routes) all.emplace_back(route->name, 1);
  EXPECT_EQ(UntestedRoutes(all, poor), PoorLacks());
  EXPECT_TRUE(UntestedRoutes({{"loops", 1}}, poor).empty()) << "it was asked for";
  EXPECT_EQ(RoutesInWords(PoorLacks()),
            "routes canonicalized, fused (not there: pass x), contract (needs MLIR in Tosaic's own process)");
  EXPECT_EQ(RoutesInWords({PoorLacks()[2]}), "route fused (not there: pass x)");
}

TEST(UntestedRoutesTest, ThereAreNoneOfAToolchainThatHasAllOrOne) {
  ToolchainDescription rich = Poor();
  rich.routes.clear(), rich.limits.clear();
  for (const Route& route : AllRoutes()) rich.routes.push_back(&route);
  EXPECT_TRUE(UntestedRoutes(MixedRoutes(rich.routes), rich).empty());
  rich.routes = {FindRoute("loops")};
  EXPECT_TRUE(UntestedRoutes(MixedRoutes(rich.routes), rich).empty()) << "an adapter";
}

TEST(UntestedRoutesTest, ASummaryNamesThemAndSoDoesThatOfItsShards) {
  TemporaryDirectory temporary;
  AdderToolchain toolchain({}, Poor());
  CampaignOptions options = AdditionsInto(temporary / "whole");
  options.cases = 30;
  options.generator.routes = MixedRoutes(toolchain.description().routes);
  EXPECT_EQ(RunCampaign(toolchain, options, nullptr)->untested_routes, PoorLacks());
  const auto in_file = [](const std::string& out) {
    return FromText<CampaignSummary>(*ReadFile(out + "/summary.json"))->untested_routes;
  };
  EXPECT_EQ(in_file(options.out), PoorLacks());
  std::vector<std::string> shards;
  options.shards = 2;
  for (options.shard = 0; options.shard < 2; ++options.shard) {
    options.out = shards.emplace_back(temporary / (options.shard == 0 ? "first" : "second"));
    ASSERT_TRUE(RunCampaign(toolchain, options, nullptr).ok());
  }
  options.out = temporary / "merged";
  const absl::StatusOr<Merged> merged = MergeCampaigns(toolchain, options, Naming::kByShards, shards, nullptr);
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(merged->summary.untested_routes, PoorLacks());
  EXPECT_EQ(in_file(options.out), PoorLacks());
}

}  // namespace
}  // namespace tosaic
