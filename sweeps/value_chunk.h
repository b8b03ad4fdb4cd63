// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValueChunk: a worker's answer about a part of a value sweep's inputs, which it observed as one program.
#ifndef TOSAIC_SWEEPS_VALUE_CHUNK_H_
#define TOSAIC_SWEEPS_VALUE_CHUNK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "codec/visitor.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/signature.h"
#include "oracle/judge.h"
#include "results/input_stretches.h"
#include "results/value_sweep.h"

namespace tosaic {

// How many disagreements under one signature are listed.
inline constexpr size_t kListedDisagreements = 16;

// The numbers of a program's elements among the sweep's inputs: those from `first` on, or a list of them.
class InputNumbers {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  InputNumbers(uint64_t first) : first_(first) {}
  // Ascending. The list must outlive it.
  explicit InputNumbers(absl::Span<const uint64_t> listed) : first_(0), listed_(listed) {}
  uint64_t At(size_t i) const { return listed_.empty() ? first_ + i : listed_[i]; }

 private:
  uint64_t first_;
  absl::Span<const uint64_t> listed_;
};

struct ValueChunk {
  struct Finding {
    FindingSignature signature;
    uint64_t count = 0;        // inputs
    bool base_agrees = false;  // they are the patch's (OtherResults)
    std::vector<ValueDisagreement> listed;
  };
  // As in CurvePoint.
  struct Part {
    double error = 0;
    double allowed = 0;
    bool is_wrong = false;
  };
  Verdict verdict = Verdict::kAgree;
  std::string note;               // why nothing was compared
  std::string harness_fault;      // the verdict harness-fault: what happened
  AccuracyProfile profile;        // empty unless there was a result of the right shape, every element written
  std::vector<Finding> findings;  // in the order in which they appear
  InputStretches wrong;           // by the numbers of the inputs
  std::vector<Part> parts;        // of a sweep of all inputs: of as many inputs each, in order
};

// The other results of a program of one run, by which an element that is wrong is the patch's: the base has it right,
// and no way behind the patch's passes (diagnosis/blame_of_base.h) has.
struct OtherResults {
  const ResultObservation* base = nullptr;
  std::vector<const ResultObservation*> ways;
};

// Judges a program of one op and one run, whose elements are these inputs: as a whole and, if values are compared,
// element by element, measuring errors. `also_wrong` (ascending): inputs among these that are known to be wrong, which
// are added to the stretches and to nothing else. `others`: what is the patch's is a finding of its own.
ValueChunk JudgeChunk(const Case& test_case, const Observation& observation, InputNumbers numbers,
                      const JudgeOptions& options, absl::Span<const uint64_t> also_wrong = {},
                      const OtherResults* others = nullptr);

// The finding of a signature, which is added if it is not there.
ValueChunk::Finding& FindingOf(ValueChunk* chunk, const FindingSignature& signature, bool base_agrees = false);

// Adds the findings of later inputs.
void AddFindings(std::vector<ValueChunk::Finding> next, ValueChunk* chunk);

// A worker's answer.
void Fields(Visitor& v, ValueChunk::Finding& finding);
void Fields(Visitor& v, ValueChunk::Part& part);
void Fields(Visitor& v, ValueChunk& chunk);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_VALUE_CHUNK_H_
