// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/routes.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/pass_pipeline.h"

namespace tosaic {
namespace {

// Work directories and findings name routes: what one lowers by is not to change unnoticed.
TEST(Routes, LoopsIsThisInEachVersion) {
  const std::string to_linalg =
      "builtin.module(func.func(tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-linalg,"
      "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),";
  const std::string to_loops =
      "func.func(convert-linalg-to-loops,convert-scf-to-cf,arith-expand),"
      "convert-math-to-llvm,convert-math-to-libm,expand-strided-metadata,lower-affine,";
  const std::string end = ",convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";
  EXPECT_EQ(RoutesOf(Dialect::k22)[0].pipeline,
            absl::StrCat(to_linalg,
                         "one-shot-bufferize{bufferize-function-boundaries=true "
                         "function-boundary-type-conversion=identity-layout-map buffer-alignment=0},",
                         to_loops, "convert-to-llvm,reconcile-unrealized-casts)"));
  EXPECT_EQ(RoutesOf(Dialect::k19)[0].pipeline,
            absl::StrCat(to_linalg,
                         "one-shot-bufferize{bufferize-function-boundaries=true "
                         "function-boundary-type-conversion=identity-layout-map},",
                         to_loops, "convert-arith-to-llvm,finalize-memref-to-llvm", end));
  EXPECT_EQ(
      RoutesOf(Dialect::k16)[0].pipeline,
      absl::StrCat(to_linalg,
                   "func.func(empty-tensor-to-alloc-tensor),one-shot-bufferize{bufferize-function-boundaries=true "
                   "allow-return-allocs=true create-deallocs=false "
                   "function-boundary-type-conversion=identity-layout-map},",
                   to_loops, "convert-arith-to-llvm,convert-memref-to-llvm", end));
}

TEST(Routes, EachHasANameAPurposeAndAPipelineOfItsOwn) {
  std::set<absl::string_view> names, purposes;
  std::set<std::string> ways;
  for (const Route& route : AllRoutes()) {
    EXPECT_EQ(FindRoute(route.name), &route);
    EXPECT_TRUE(names.insert(route.name).second) << route.name;
    EXPECT_TRUE(purposes.insert(route.exercises).second) << route.name;
    EXPECT_TRUE(ways.insert(absl::StrCat(route.pipeline, absl::StrJoin(Properties(route), " "))).second) << route.name;
    EXPECT_TRUE(absl::StartsWith(route.pipeline, "builtin.module(")) << route.name;
    EXPECT_EQ(JoinPipeline(SplitPipeline(route.pipeline).value()), route.pipeline);
  }
  EXPECT_EQ(FindRoute("nowhere"), nullptr);
}

TEST(Routes, OlderVersionsHaveSomeAndAlignWhatTheyAllocate) {
  const std::set<std::string> expected = {"loops", "canonicalized", "affine-loops", "parallel-loops",
                                          "fused", "unit-dims",     "optimized"};
  for (const Dialect older : {Dialect::k16, Dialect::k19}) {
    std::set<std::string> names;
    for (const Route* route : RoutesOfTools(older)) {
      names.emplace(route->name);
      EXPECT_EQ(route->alignment, 64u) << route->name;
      EXPECT_EQ(route->weight, FindRoute(route->name)->weight);
    }
    EXPECT_EQ(names, expected);
  }
}

TEST(Routes, WhatTrunkHasOtherwise) {
  constexpr absl::string_view kByNames =
      "linalg-morph-ops{generic-to-named=true},linalg-morph-ops{named-to-category=true}";
  const std::map<absl::string_view, std::pair<absl::string_view, absl::string_view>> kOthers = {
      {"upstream", {"tosa-to-linalg-pipeline", "tosa-to-linalg-pipeline{validation=false}"}},
      {"category", {kByNames, "linalg-morph-ops{generic-to-category=true}"}},
      {"category-loops", {kByNames, "linalg-morph-ops{generic-to-category=true}"}},
      {"category-contract", {kByNames, "linalg-morph-ops{generic-to-category=true}"}},
      {"sequence", {kByNames, "linalg-morph-ops{generic-to-category=true}"}},
  };
  for (const Route& route : RoutesOf(Dialect::k24)) {
    std::string expected(FindRoute(route.name)->pipeline);
    if (const auto other = kOthers.find(route.name); other != kOthers.end()) {
      EXPECT_EQ(absl::StrReplaceAll({{other->second.first, other->second.second}}, &expected), 1) << route.name;
    }
    EXPECT_EQ(std::string(route.pipeline), expected);
  }
  EXPECT_EQ(RoutesOf(Dialect::k24).size(), AllRoutes().size() + 2) << "after-downgrade, to-spirv";
  EXPECT_NE(FindRoute("after-downgrade"), nullptr);
  EXPECT_EQ(FindRoute("to-spirv")->pipeline, "builtin.module(tosa-to-spirv-tosa)");
}

TEST(Routes, ToolsLackThoseWithOurOwnPasses) {
  for (const Route* route : RoutesOfTools(Dialect::k22)) {
    EXPECT_FALSE(absl::StrContains(route->pipeline, "tosaic-")) << route->name;
  }
  EXPECT_LT(RoutesOfTools(Dialect::k22).size(), AllRoutes().size());
}

TEST(Routes, SayTheirProperties) {
  EXPECT_EQ(Properties(*FindRoute("loops")), std::vector<std::string>());
  EXPECT_EQ(Properties(*FindRoute("aligned")), std::vector<std::string>{"alignment=64"});
  EXPECT_EQ(Properties(*FindRoute("contract")), (std::vector<std::string>{"extracts", "in-process"}));
  EXPECT_EQ(Properties(*FindRoute("to-spirv")), (std::vector<std::string>{"makes-graph", "in-process"}));
}

}  // namespace
}  // namespace tosaic
