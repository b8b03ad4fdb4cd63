// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/pass_pipeline.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

std::vector<PipelinePass> Split(absl::string_view pipeline) {
  absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  EXPECT_TRUE(passes.ok()) << passes.status();
  return passes.ok() ? *passes : std::vector<PipelinePass>();
}

TEST(PassPipeline, PassesComeInOrderWithOptionsAndAnchors) {
  const std::vector<PipelinePass> passes = Split("builtin.module(func.func(a,b{x=1 y=2}),c,func.func(d))");
  ASSERT_EQ(passes.size(), 4u);
  EXPECT_EQ(passes[1].name, "b");
  EXPECT_EQ(passes[1].text, "b{x=1 y=2}");
  ASSERT_EQ(passes[1].anchors.size(), 2u);
  EXPECT_EQ(passes[1].anchors[1].op, "func.func");
  EXPECT_EQ(passes[0].anchors, passes[1].anchors);
  EXPECT_EQ(passes[2].anchors.size(), 1u);
  EXPECT_NE(passes[3].anchors, passes[1].anchors);  // another nest of the same op
}

TEST(PassPipeline, OptionsMayHoldBracketsAndCommas) {
  const std::vector<PipelinePass> passes = Split("builtin.module(inline{p={a,b} q=func.func(c,d)},e)");
  ASSERT_EQ(passes.size(), 2u);
  EXPECT_EQ(passes[0].text, "inline{p={a,b} q=func.func(c,d)}");
  EXPECT_EQ(passes[1].text, "e");
}

TEST(PassPipeline, JoiningIsTheReverseOfSplitting) {
  for (const char* pipeline :
       {"builtin.module()", "builtin.module(a)", "builtin.module(func.func(a,b{x=1}),c,func.func(d),func.func(e))",
        "builtin.module(a,func.func(b,scf.for(c),d),e)"}) {
    EXPECT_EQ(JoinPipeline(Split(pipeline)), pipeline);
  }
  EXPECT_EQ(JoinPipeline(Split(" builtin.module( a , func.func( b ) ) ")), "builtin.module(a,func.func(b))");
}

TEST(PassPipeline, AnyNeighboursArePipelines) {
  const std::vector<PipelinePass> passes = Split("builtin.module(func.func(a,b),c,func.func(d,e))");
  const absl::Span<const PipelinePass> all(passes);
  EXPECT_EQ(JoinPipeline(all.first(1)), "builtin.module(func.func(a))");
  EXPECT_EQ(JoinPipeline(all.subspan(1)), "builtin.module(func.func(b),c,func.func(d,e))");
  EXPECT_EQ(JoinPipeline(all.subspan(1, 3)), "builtin.module(func.func(b),c,func.func(d))");
}

TEST(PassPipeline, OneRunsAfterTheOther) {
  EXPECT_EQ(ChainPipelines({"builtin.module(a,func.func(b))", "c", " builtin.module(d) "}),
            "builtin.module(a,func.func(b),c,d)");
  EXPECT_EQ(ChainPipelines({"builtin.module()", "", "func.func(a)"}), "builtin.module(func.func(a))");
  EXPECT_EQ(ChainPipelines({}), "builtin.module()");
}

TEST(PassPipeline, WhatIsNoPipelineIsAnError) {
  for (const char* text : {"", "a", "builtin.module", "builtin.module(", "builtin.module(a", "builtin.module(a))",
                           "builtin.module(a,)", "builtin.module(,a)", "builtin.module(a{x)", "(a)", "m(a)b"}) {
    EXPECT_FALSE(SplitPipeline(text).ok()) << text;
  }
}

TEST(PassPipeline, AnAnchorWithinItselfWouldRunOnNothing) {
  const absl::Status status = SplitPipeline("builtin.module(func.func(a,func.func(b)))").status();
  EXPECT_TRUE(absl::StrContains(status.message(), "'func.func(' stands within 'func.func(' already")) << status;
  EXPECT_FALSE(SplitPipeline("builtin.module(func.func(a,builtin.module(b)))").ok());
  EXPECT_TRUE(SplitPipeline("builtin.module(func.func(a),func.func(b))").ok());
  EXPECT_TRUE(SplitPipeline("builtin.module(any(any(a)))").ok());
}

TEST(InsertPass, PutsItBehindThePassAndItsOptions) {
  EXPECT_EQ(InsertPass("builtin.module(a,b)", PassPlace::kAfter, "a", "x").value(), "builtin.module(a,x,b)");
  EXPECT_EQ(InsertPass("builtin.module(a,b)", PassPlace::kAfter, "b", "x{y=1}").value(), "builtin.module(a,b,x{y=1})");
  EXPECT_EQ(InsertPass("builtin.module(a{o=1 p=2},b)", PassPlace::kAfter, "a", "x").value(),
            "builtin.module(a{o=1 p=2},x,b)");
}

TEST(InsertPass, OptionsMayHoldBracesAndPasses) {
  constexpr absl::string_view kNested = "m(a{list={1,2} x=3},b)", kPipeline = "m(a{p=f(b,c)},f(b))";
  EXPECT_EQ(InsertPass(kNested, PassPlace::kAfter, "a", "x").value(), "m(a{list={1,2} x=3},x,b)");
  EXPECT_EQ(InsertPass(kNested, PassPlace::kInstead, "a", "x").value(), "m(x,b)");
  EXPECT_EQ(InsertPass(kPipeline, PassPlace::kAfter, "b", "x").value(), "m(a{p=f(b,c)},f(b,x))");
  EXPECT_FALSE(InsertPass("m(a{x=1,b)", PassPlace::kAfter, "a", "x").ok()) << "the brace is never closed";
}

TEST(InsertPass, PutsItBeforeOrInsteadOfThePass) {
  EXPECT_EQ(InsertPass("m(a{o=1},b)", PassPlace::kBefore, "a", "x").value(), "m(x,a{o=1},b)");
  EXPECT_EQ(InsertPass("m(f(a),b)", PassPlace::kBefore, "b", "x").value(), "m(f(a),x,b)");
  EXPECT_EQ(InsertPass("m(a{o=1},b)", PassPlace::kInstead, "a", "x,y").value(), "m(x,y,b)");
  EXPECT_FALSE(InsertPass("m(a)", PassPlace::kInstead, "b", "x").ok());
}

TEST(InsertPass, WhatIsThenNoPipelineIsAnError) {
  const std::string pipeline = "builtin.module(func.func(a),b)";
  EXPECT_EQ(InsertPass(pipeline, PassPlace::kAfter, "a", "func.func(x)").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(InsertPass(pipeline, PassPlace::kAfter, "a", "x)").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(InsertPass(pipeline, PassPlace::kAfter, "b", "func.func(x)").value(),
            "builtin.module(func.func(a),b,func.func(x))");
  EXPECT_TRUE(absl::IsNotFound(InsertPass(pipeline, PassPlace::kAfter, "c", "x").status()));
}

TEST(InsertPass, TakesWholeNamesOnly) {
  EXPECT_EQ(InsertPass("m(f(a-b,b-a,a),a)", PassPlace::kAfter, "a", "x").value(), "m(f(a-b,b-a,a,x),a)");
  EXPECT_FALSE(InsertPass("m(a-b,b-a)", PassPlace::kAfter, "a", "x").ok());
  EXPECT_FALSE(InsertPass("m(a{b=1})", PassPlace::kAfter, "b", "x").ok());
  EXPECT_FALSE(InsertPass("a", PassPlace::kAfter, "a", "x").ok());
  EXPECT_FALSE(InsertPass("", PassPlace::kAfter, "a", "x").ok());
}

TEST(ComparePipelines, SaysWhatStandsBetweenWhatIsShared) {
  const PipelineChange inserted = ComparePipelines("m(f(a,b),c)", "m(f(a,b,x{y=1}),c)");
  EXPECT_EQ(inserted.behind, "b");
  EXPECT_EQ(inserted.before, "");
  EXPECT_EQ(inserted.after, "x{y=1}");
  EXPECT_EQ(inserted.before_through, "m(f(a,b))");
  EXPECT_EQ(inserted.after_through, "m(f(a,b,x{y=1}))");
  const PipelineChange replaced = ComparePipelines("m(f(a,b),c)", "m(f(x,y,b),c)");
  EXPECT_EQ(replaced.behind, "");
  EXPECT_EQ(replaced.before, "a");
  EXPECT_EQ(replaced.after, "x,y");
  EXPECT_EQ(replaced.before_through, "m(f(a))");
  EXPECT_EQ(replaced.after_through, "m(f(x,y))");
  const PipelineChange doubled = ComparePipelines("m(a,a)", "m(a,a,a)");
  EXPECT_EQ(doubled.before, "");
  EXPECT_EQ(doubled.after, "a");
  for (const PipelineChange& same : {ComparePipelines("m(a)", "m(a)"), ComparePipelines("", "m(a)")}) {
    EXPECT_EQ(same.before, "");
    EXPECT_EQ(same.after, "");
  }
}

}  // namespace
}  // namespace tosaic
