// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/pass_sequences.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"

namespace tosaic {
namespace {

constexpr int kMostPasses = 8;

// The kinds of loops to which linalg is lowered.
struct Loops {
  bool is_affine = false;
  bool is_parallel = false;
};

Loops LoopsOf(const PassSequence& sequence) {
  Loops loops;
  for (const SequencedPass& pass : sequence) {
    loops.is_affine |= pass.text == "convert-linalg-to-affine-loops";
    loops.is_parallel |= pass.text == "convert-linalg-to-parallel-loops" || pass.text == "affine-parallelize";
  }
  return loops;
}

bool FindsSomething(const SequencedPass& pass, const PassSequence& sequence, Loops loops) {
  if (pass.stage == SequenceStage::kToLoops) return !loops.is_affine && !loops.is_parallel;
  if (pass.stage == SequenceStage::kMemory) return !absl::c_linear_search(sequence, pass);  // no buffer is freed twice
  if (pass.stage == SequenceStage::kAffine) return loops.is_affine;
  return loops.is_parallel || !absl::StrContains(pass.text, "parallel");
}

}  // namespace

void AddDrawnPass(ChoiceSource& choices, PassSequence& sequence) {
  const Loops loops = LoopsOf(sequence);
  std::vector<SequencedPass> possible;
  for (const PassOfSequences& row : PassesOfSequences()) {
    const SequencedPass pass{choices.Pick(absl::MakeConstSpan(row.stages)), std::string(row.text)};
    if (FindsSomething(pass, sequence, loops)) possible.push_back(pass);
  }
  SequencedPass drawn = choices.Pick(absl::MakeConstSpan(possible));
  const auto is_later = [&](const SequencedPass& pass) { return pass.stage > drawn.stage; };
  sequence.insert(absl::c_find_if(sequence, is_later), std::move(drawn));
}

std::string WithDrawnPasses(ChoiceSource& choices, std::string route) {
  if (route != kSequenceRoute) return route;
  PassSequence sequence;
  // Two thirds have loops of a kind that other passes are about.
  constexpr absl::string_view kLoops[] = {"", "convert-linalg-to-affine-loops", "convert-linalg-to-parallel-loops"};
  const absl::string_view loops = choices.Pick(absl::MakeConstSpan(kLoops));
  if (!loops.empty()) sequence.push_back({SequenceStage::kToLoops, std::string(loops)});
  for (int64_t left = choices.Between(1, kMostPasses); left > 0; --left) AddDrawnPass(choices, sequence);
  return SequenceText(sequence);
}

}  // namespace tosaic
