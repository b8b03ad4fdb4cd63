// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/identity.h"
#include "codec/codec.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using Change = std::function<void(CampaignOptions&)>;

Provenance Versions(const std::string& toolchain, const std::string& pipeline) {
  return {.toolchain = toolchain, .pipeline = pipeline, .other_pipelines = {{"fused", "builtin.module(f)"}}};
}

TEST(DifferenceInWords, SaysWhatIsThereAndWhatIsAskedFor) {
  const std::vector<std::pair<Change, std::string>> rows = {
      {[](CampaignOptions& o) { o.seed = 2; }, "seed 1, not 2"},
      {[](CampaignOptions& o) { o.shards = 2; }, "shards 1, not 2"},
      {[](CampaignOptions& o) { o.generator.ops = {OpKind::kAdd}; }, "ops all, not add"},
      {[](CampaignOptions& o) { o.generator.types = {ElementType::kF32}; }, "types all, not f32"},
      {[](CampaignOptions& o) { o.generator.max_elements = 7; }, "max elements 65536, not 7"},
      {[](CampaignOptions& o) { o.judge.policies.spec_version = SpecVersion::k1_1; }, "spec 1.0.2, not 1.1"},
      {[](CampaignOptions& o) { o.judge.policies.strict_values = true; }, "strict values false, not true"},
      {[](CampaignOptions& o) { o.judge.validation.emplace(); }, "other options"},
      {[](CampaignOptions& o) { o.generator.routes = {{"fused", 1}}; }, "routes loops, not fused"},
      {[](CampaignOptions& o) { o.generator.routes = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}; },
       "routes loops, not 4"},
      {[](CampaignOptions& o) {
         o.seed = 3;
         o.generator.runs = 9;
       },
       "seed 1, not 3; runs 8, not 9"},
  };
  CampaignOptions options;
  options.generator.runs = 8;
  options.generator.max_elements = 65536;
  options.generator.routes = {{"loops", 1}};
  const Provenance versions = Versions("mlir-22", "builtin.module(a)");
  for (const auto& [change, words] : rows) {
    CampaignOptions asked_for = options;
    change(asked_for);
    EXPECT_EQ(DifferenceInWords(IdentityOf(options, versions), IdentityOf(asked_for, versions)), words);
  }
}

TEST(DifferenceInWords, DoesNotPrintPipelines) {
  CampaignOptions options;
  const Identity there = IdentityOf(options, Versions("mlir-22", "builtin.module(a)"));
  EXPECT_EQ(DifferenceInWords(there, IdentityOf(options, Versions("mlir-19", "builtin.module(b)"))),
            "toolchain mlir-22, not mlir-19; other pass pipelines");
  CampaignOptions other_routes = options;
  other_routes.generator.routes = {{"fused", 1}};
  EXPECT_EQ(DifferenceInWords(there, IdentityOf(other_routes, Versions("mlir-22", "builtin.module(b)"))),
            "routes loops, not fused");
}

TEST(DifferenceInWords, OfWhatAnotherVersionLeft) {
  EXPECT_EQ(
      DifferenceInWords(FromText<Identity>(R"({"tosaic_campaign":1,"versions":{}})").value(),
                        {.seed = 2, .routes = {{"loops", 1}}, .versions = {.cpu = "aarch64"}, .asked_for = AskedFor()}),
      "seed unset, not 2; routes none, not loops; cpu unset, not aarch64");
}

}  // namespace
}  // namespace tosaic
