// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/identity.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

std::string Line(const CampaignOptions& options) { return ToLine(IdentityOf(options, Provenance())); }

using Change = std::function<void(CampaignOptions&)>;

TEST(IdentityTest, EveryOptionThatDecidesVerdictsMakesAnotherCampaign) {
  const std::vector<Change> changes = {
      [](CampaignOptions&) {},
      [](CampaignOptions& o) { o.seed = 2; },
      [](CampaignOptions& o) { o.shard = 1; },
      [](CampaignOptions& o) { o.shards = 2; },
      [](CampaignOptions& o) { o.steer = true; },
      [](CampaignOptions& o) { o.list = {"list", nullptr}; },
      [](CampaignOptions& o) { o.generator.ops = {OpKind::kAdd}; },
      [](CampaignOptions& o) { o.generator.types = {ElementType::kF32}; },
      [](CampaignOptions& o) { o.generator.runs = 7; },
      [](CampaignOptions& o) { o.generator.max_elements = 7; },
      [](CampaignOptions& o) { o.generator.routes = {{"fused", 1}}; },
      [](CampaignOptions& o) { o.generator.routes = {{"loops", 2}}; },
      [](CampaignOptions& o) { o.generator.illegal_percent = 7; },
      [](CampaignOptions& o) { o.generator.beyond_spec_percent = 7; },
      [](CampaignOptions& o) { o.generator.chain_percent = 7; },
      [](CampaignOptions& o) { o.generator.graph_percent = 7; },
      [](CampaignOptions& o) { o.generator.identity_percent = 7; },
      [](CampaignOptions& o) { o.generator.misfit_percent = 7; },
      [](CampaignOptions& o) { o.generator.twin_percent = 7; },
      [](CampaignOptions& o) { o.generator.reshape_percent = 7; },
      [](CampaignOptions& o) { o.generator.spec_version = SpecVersion::k1_1; },
      [](CampaignOptions& o) { o.generator.for_validator = true; },
      [](CampaignOptions& o) { o.judge.mlir_version = 19; },
      [](CampaignOptions& o) { o.judge.validation.emplace(); },
      [](CampaignOptions& o) { o.judge.validation.emplace().strict = true; },
      [](CampaignOptions& o) { o.judge.policies.dialect = Dialect::k19; },
      [](CampaignOptions& o) { o.judge.policies.spec_version = SpecVersion::k1_0_0; },
      [](CampaignOptions& o) { o.judge.policies.spec_version = SpecVersion::k1_1; },
      [](CampaignOptions& o) { o.judge.policies.refuse_static_result_of_dynamic_inference = true; },
      [](CampaignOptions& o) { o.judge.policies.strict_values = true; },
  };
  std::set<std::string> lines;
  for (const Change& change : changes) {
    CampaignOptions options;
    change(options);
    EXPECT_TRUE(lines.insert(Line(options)).second) << Line(options);
  }
}

TEST(IdentityTest, ACampaignMayGrowAndGoOnElsewhere) {
  const std::vector<Change> changes = {
      [](CampaignOptions& o) { o.cases = 7; },         [](CampaignOptions& o) { o.duration = absl::Seconds(7); },
      [](CampaignOptions& o) { o.jobs = 7; },          [](CampaignOptions& o) { o.limits.wall_seconds = 7; },
      [](CampaignOptions& o) { o.out = "elsewhere"; }, [](CampaignOptions& o) { o.command_line = "tosaic"; },
      [](CampaignOptions& o) { o.reduce = false; },
  };
  for (const Change& change : changes) {
    CampaignOptions options;
    change(options);
    EXPECT_EQ(Line(options), Line(CampaignOptions()));
  }
}

TEST(IdentityTest, PeopleReadWhichCampaignItIs) {
  const Json generated = ToJson(IdentityOf(CampaignOptions(), {.toolchain = "mlir-22"}));
  EXPECT_EQ(generated["seed"], 1);
  EXPECT_EQ(generated["versions"]["toolchain"], "mlir-22");
  EXPECT_EQ(generated["policies"], "strict_static_result=0 spec=1.0.2");
  EXPECT_EQ(generated["asked_for"]["spec"], "1.0.2");
  CampaignOptions options;
  options.list = {"list", nullptr};
  EXPECT_EQ(IdentityOf(options, {}).list, "list");
  EXPECT_FALSE(IdentityOf(options, {}).seed.has_value());
}

}  // namespace
}  // namespace tosaic
