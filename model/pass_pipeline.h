// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the text of a pass pipeline: "builtin.module(func.func(a,b{x=1}),c)" -> its passes in order, each with the
// anchors around it. It does not know which passes exist.
#ifndef TOSAIC_MODEL_PASS_PIPELINE_H_
#define TOSAIC_MODEL_PASS_PIPELINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

struct PipelinePass {
  std::string name;  // "one-shot-bufferize"
  std::string text;  // the same with its options
  // From the outermost in: the op that an anchor names, and the anchor's number in the text. Passes of one anchor run
  // op by op: all of them on the first function, then all of them on the second.
  struct Anchor {
    std::string op;
    int number = 0;

    friend bool operator==(const Anchor& a, const Anchor& b) = default;
  };
  std::vector<Anchor> anchors;

  friend bool operator==(const PipelinePass& a, const PipelinePass& b) = default;
};

// The passes of a pipeline in order. Errors: unbalanced brackets, a missing pass name, no anchor around the whole, an
// anchor within one of the same op (no function has functions in it, so the passes would run on nothing).
absl::StatusOr<std::vector<PipelinePass>> SplitPipeline(absl::string_view pipeline);

// Their names in order; none if the text is no pipeline.
std::vector<std::string> PassesIn(absl::string_view pipeline);

// The pipeline that has only these passes; without any, "builtin.module()". REQUIRES: they are consecutive in the
// result of SplitPipeline.
std::string JoinPipeline(absl::Span<const PipelinePass> passes);

// The pipeline that runs these one after the other: "builtin.module(a,b)" of "builtin.module(a)" and
// "builtin.module(b)" or "b". Empty ones are left out.
std::string ChainPipelines(absl::Span<const absl::string_view> pipelines);

// Where a new pass goes, relative to an existing pass of the pipeline.
enum class PassPlace : uint8_t { kBefore, kAfter, kInstead };

// A pass pipeline with `pass` (or several, or an anchor with passes) before, after or instead of the first pass named
// `there`. Errors: NOT_FOUND if there is no such pass; the text is no pipeline, or is none with `pass` in it.
absl::StatusOr<std::string> InsertPass(absl::string_view pipeline, PassPlace place, absl::string_view there,
                                       absl::string_view pass);

// The passes in which two pipelines differ, as text: all from the first to the last that they do not share.
struct PipelineChange {
  std::string behind;  // the last pass that they share before they differ; empty: they differ from the first pass on
  std::string before_through, after_through;  // the pipelines up to and with those passes
  std::string before, after;  // separated by commas; both empty: the pipelines are equal, or one of them is no pipeline
};
PipelineChange ComparePipelines(absl::string_view before, absl::string_view after);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_PASS_PIPELINE_H_
