// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/pass_sequence.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codec/status.h"
#include "model/pass_pipeline.h"

namespace tosaic {

EnumNames NamesOf(SequenceStage) {
  static constexpr absl::string_view kNames[] = {"tosa",   "tensors", "buffers", "memory", "to-loops",
                                                 "affine", "loops",   "scalars", "llvm"};
  return NamesFor<SequenceStage>(kNames, "a stage of a pass sequence");
}

absl::Span<const PassOfSequences> PassesOfSequences() {
  using enum SequenceStage;
  // The list leaves out passes that change the function's type, that compute with fewer bits or that only mark IR. It
  // also leaves out run-time verification, because folders may remove the code that would have to stop.
  static const auto& passes = *new std::vector<PassOfSequences>{
      {"canonicalize", {kTosa, kTensors, kBuffers, kAffine, kLoops, kScalars, kLlvm}},
      {"cse", {kTosa, kTensors, kBuffers, kAffine, kLoops, kScalars, kLlvm}},
      {"sccp", {kTosa, kTensors, kLoops, kScalars}},
      {"tosa-infer-shapes", {kTosa}},
      {"tosa-make-broadcastable", {kTosa}},
      {"tosa-layerwise-constant-fold", {kTosa}},
      {"tosa-optional-decompositions", {kTosa}},
      {"tosa-reduce-transposes", {kTosa}},
      {"tosa-narrow-i64-to-i32", {kTosa}},
      {"linalg-fuse-elementwise-ops", {kTensors}},
      {"linalg-fold-unit-extent-dims", {kTensors}},
      {"linalg-inline-scalar-operands", {kTensors}},
      {"linalg-specialize-generic-ops", {kTensors}},
      {"linalg-generalize-named-ops", {kTensors, kBuffers}},
      {kMorphToCategory, {kTensors}},
      {"fold-tensor-subset-ops", {kTensors}},
      {"eliminate-empty-tensors", {kTensors}},
      {"empty-tensor-to-alloc-tensor", {kTensors}},
      {"buffer-hoisting", {kBuffers}},
      {"buffer-loop-hoisting", {kBuffers, kLoops}},
      {"promote-buffers-to-stack", {kBuffers}},
      {"buffer-deallocation-pipeline", {kMemory}},
      {"convert-linalg-to-affine-loops", {kToLoops}},
      {"convert-linalg-to-parallel-loops", {kToLoops}},
      {"affine-raise-from-memref", {kAffine}},
      {"affine-loop-fusion", {kAffine}},
      {"affine-loop-tile{tile-size=2}", {kAffine}},
      {"affine-loop-unroll{unroll-factor=2}", {kAffine}},
      {"affine-loop-unroll-jam{unroll-jam-factor=2}", {kAffine}},
      {"affine-loop-coalescing", {kAffine}},
      {"affine-loop-normalize", {kAffine}},
      {"affine-loop-invariant-code-motion", {kAffine}},
      {"affine-scalrep", {kAffine}},
      {"affine-simplify-structures", {kAffine}},
      {"affine-simplify-min-max", {kAffine}},
      {"affine-parallelize", {kAffine}},
      {"affine-super-vectorize{virtual-vector-size=4}", {kAffine}},
      {"loop-invariant-code-motion", {kAffine, kLoops}},
      {"fold-memref-alias-ops", {kLoops, kBuffers}},
      {"scf-parallel-loop-fusion", {kLoops}},
      {"scf-parallel-loop-tiling{parallel-loop-tile-sizes=2}", {kLoops}},
      {"scf-parallel-loop-specialization", {kLoops}},
      {"scf-parallel-for-to-nested-fors", {kLoops}},
      {"scf-for-loop-canonicalization", {kLoops}},
      {"scf-for-loop-peeling", {kLoops}},
      {"scf-for-loop-range-folding", {kLoops}},
      {"scf-for-loop-specialization", {kLoops}},
      {"scf-for-to-while", {kLoops}},
      {"control-flow-sink", {kLoops}},
      {"math-expand-ops", {kScalars}},
      {"int-range-optimizations", {kLoops, kScalars}},
      {"arith-int-range-narrowing{int-bitwidths-supported=8,16,32}", {kLoops, kScalars}},
      {"arith-unsigned-when-equivalent", {kLoops, kScalars}},
      {"remove-dead-values", {kMemory}},
      {"topological-sort", {kTosa, kScalars}},
  };
  return passes;
}

absl::string_view RouteName(absl::string_view route) {
  absl::string_view rest = route;
  return absl::ConsumePrefix(&rest, kSequenceRoute) && absl::StartsWith(rest, "(") ? kSequenceRoute : route;
}

absl::StatusOr<PassSequence> ParseSequence(absl::string_view route) {
  PassSequence sequence;
  if (route == kSequenceRoute) {
    for (const SequenceStage stage : All<SequenceStage>()) {
      for (const PassOfSequences& pass : PassesOfSequences()) {
        if (pass.stages.front() == stage) sequence.push_back({stage, std::string(pass.text)});
      }
    }
    return sequence;
  }
  if (RouteName(route) != kSequenceRoute) return absl::InvalidArgumentError("the route is no sequence of passes");
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<PipelinePass> passes, SplitPipeline(route));
  for (const PipelinePass& pass : passes) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(pass.text, absl::MaxSplits(':', 1));
    const std::optional<SequenceStage> stage = Find<SequenceStage>(parts.first);
    const bool is_in_order = stage && (sequence.empty() || sequence.back().stage <= *stage);
    if (!is_in_order || parts.second.empty() || pass.anchors.size() != 1) {
      const auto stages = NamesOf(SequenceStage()).names;
      return absl::InvalidArgumentError(
          absl::StrCat("'", pass.text, "' in '", route,
                       "': a pass is STAGE:PASS, with the stages in this order: ", absl::StrJoin(stages, ", ")));
    }
    sequence.push_back({*stage, std::string(parts.second)});
  }
  return sequence;
}

std::string SequenceText(const PassSequence& sequence) {
  const auto write = [](std::string* out, const SequencedPass& pass) {
    absl::StrAppend(out, Name(pass.stage), ":", pass.text);
  };
  return absl::StrCat(kSequenceRoute, "(", absl::StrJoin(sequence, ",", write), ")");
}

std::string FilledTemplate(absl::string_view pipeline, const PassSequence& sequence) {
  const absl::StatusOr<std::vector<PipelinePass>> places = SplitPipeline(pipeline);
  if (!places.ok()) return "";
  std::vector<PipelinePass> filled;
  for (PipelinePass place : *places) {
    absl::string_view name = place.name;
    if (!absl::ConsumePrefix(&name, "@")) {
      filled.push_back(std::move(place));
      continue;
    }
    for (const SequencedPass& pass : sequence) {
      if (Name(pass.stage) == name) filled.push_back({.name = pass.text, .text = pass.text, .anchors = place.anchors});
    }
  }
  return JoinPipeline(filled);
}

}  // namespace tosaic
