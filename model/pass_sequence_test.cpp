// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/pass_sequence.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/routes.h"

namespace tosaic {
namespace {

using enum SequenceStage;

TEST(PassSequence, ItsTextReadsBack) {
  const std::string text = "sequence(tosa:cse,tensors:linalg-morph-ops{a=1,2 b=(c)},llvm:canonicalize)";
  const PassSequence expected = {{kTosa, "cse"}, {kTensors, "linalg-morph-ops{a=1,2 b=(c)}"}, {kLlvm, "canonicalize"}};
  const absl::StatusOr<PassSequence> sequence = ParseSequence(text);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(*sequence, expected);
  EXPECT_EQ(SequenceText(*sequence), text);
  EXPECT_EQ(ParseSequence("sequence()").value(), PassSequence());
}

TEST(PassSequence, WithoutAListItIsAllPassesOnce) {
  const absl::StatusOr<PassSequence> all = ParseSequence("sequence");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), PassesOfSequences().size());
  EXPECT_EQ(ParseSequence(SequenceText(*all)).value(), *all);
}

TEST(PassSequence, SaysWhatIsWrong) {
  for (const char* wrong : {"sequence(cse)", "sequence(loops:cse,tosa:cse)", "sequence(nowhere:cse)", "sequence(tosa:)",
                            "sequence(tosa:cse", "sequence(tosa:func.func(cse))", "loops"}) {
    EXPECT_FALSE(ParseSequence(wrong).ok()) << wrong;
    if (absl::StartsWith(wrong, "sequence")) EXPECT_EQ(FindRoute(wrong), nullptr) << wrong;
  }
  EXPECT_TRUE(absl::StrContains(ParseSequence("sequence(cse)").status().message(), "STAGE:PASS"));
}

TEST(PassSequence, IsARouteOfThatNameWithItsPassesInTheirPlaces) {
  const Route* route = FindRoute("sequence(tosa:cse,tosa:sccp,to-loops:x,loops:y,llvm:z)");
  ASSERT_NE(route, nullptr);
  EXPECT_EQ(route->name, "sequence");
  EXPECT_EQ(RouteName("sequence(tosa:cse)"), "sequence");
  EXPECT_EQ(RouteName("loops"), "loops");
  EXPECT_TRUE(absl::StartsWith(route->pipeline, "builtin.module(func.func(cse,sccp),func.func(tosa-infer-shapes,"));
  EXPECT_TRUE(absl::StrContains(route->pipeline, "func.func(x,convert-linalg-to-loops,lower-affine,y,convert-vector"));
  EXPECT_TRUE(absl::EndsWith(route->pipeline, "reconcile-unrealized-casts,z)"));
  EXPECT_FALSE(absl::StrContains(route->pipeline, "@"));
  EXPECT_FALSE(absl::StrContains(FindRoute("sequence()")->pipeline, "@"));
}

TEST(PassSequence, HasThePropertiesOfItsPasses) {
  EXPECT_EQ(Properties(*FindRoute("sequence(tosa:cse)")), std::vector<std::string>());
  EXPECT_EQ(Properties(*FindRoute("sequence(memory:buffer-deallocation-pipeline)")),
            std::vector<std::string>{"deallocates"});
  EXPECT_EQ(Properties(*FindRoute("sequence(scalars:math-expand-ops)")), std::vector<std::string>());
}

TEST(PassSequence, IsThatOfTheMlirWhoseRoutesAreAsked) {
  const std::string text = absl::StrCat("sequence(tensors:", kMorphToCategory, ")");
  for (const Dialect dialect : {Dialect::k22, Dialect::k24}) {
    std::vector<const Route*> routes;
    for (const Route& route : RoutesOf(dialect)) routes.push_back(&route);
    const Route* route = FindRoute(routes, text);
    ASSERT_NE(route, nullptr);
    EXPECT_EQ(absl::StrContains(route->pipeline, kMorphToCategory), dialect == Dialect::k24);
    EXPECT_TRUE(absl::StrContains(route->pipeline, "to-category=true"));
  }
}

}  // namespace
}  // namespace tosaic
