// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass sequences: the passes that a case on the route `sequence` runs in addition to those that every lowering needs.
// The case's route lists them, each with the stage at which it runs: "sequence(tensors:cse,affine:affine-loop-fusion)".
// So a case is complete, and replaying it needs no table.
#ifndef TOSAIC_MODEL_PASS_SEQUENCE_H_
#define TOSAIC_MODEL_PASS_SEQUENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codec/names.h"

namespace tosaic {

inline constexpr absl::string_view kSequenceRoute = "sequence";

// An older MLIR needs two passes for this (model/route_rows.h).
inline constexpr absl::string_view kMorphToCategory = "linalg-morph-ops{generic-to-category=true}";

// Where a pass may run, in the order of lowering. One of kToLoops replaces convert-linalg-to-loops.
enum class SequenceStage : uint8_t { kTosa, kTensors, kBuffers, kMemory, kToLoops, kAffine, kLoops, kScalars, kLlvm };
EnumNames NamesOf(SequenceStage stage);

struct SequencedPass {
  SequenceStage stage = SequenceStage::kTosa;
  std::string text;  // the pass with its options

  friend bool operator==(const SequencedPass& a, const SequencedPass& b) = default;
};
using PassSequence = std::vector<SequencedPass>;  // stages in order

// A pass that a sequence may contain: those of the routes, and those that people combine.
struct PassOfSequences {
  absl::string_view text;
  std::vector<SequenceStage> stages;  // where it may run
};
absl::Span<const PassOfSequences> PassesOfSequences();

// The route's name without a list of passes: "sequence" of "sequence(tosa:cse)".
absl::string_view RouteName(absl::string_view route);

// The passes that the text of a route of that name lists; without a list, all there are, each at its first stage.
// Errors: a list that cannot be read, a stage that does not exist, a stage after a later one.
absl::StatusOr<PassSequence> ParseSequence(absl::string_view route);
std::string SequenceText(const PassSequence& sequence);

// The text of a template with the sequence's passes: in the template, a pass called "@STAGE" stands for the passes of
// that stage.
std::string FilledTemplate(absl::string_view pipeline, const PassSequence& sequence);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_PASS_SEQUENCE_H_
