// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValueChunk: a worker's answer about a part of a value sweep's inputs, which it observed as one program.
#ifndef TOSAIC_SWEEPS_VALUE_CHUNK_H_
#define TOSAIC_SWEEPS_VALUE_CHUNK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codec/visitor.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/signature.h"
#include "oracle/judge.h"
#include "results/value_sweep.h"

namespace tosaic {

// How many disagreements under one signature are listed.
inline constexpr size_t kListedDisagreements = 16;

struct ValueChunk {
  struct Finding {
    FindingSignature signature;
    uint64_t count = 0;  // inputs
    std::vector<ValueDisagreement> listed;
  };
  Verdict verdict = Verdict::kAgree;
  std::string note;               // what the counts do not show
  std::string harness_fault;      // the verdict harness-fault: what happened
  AccuracyProfile profile;        // empty unless there was a result of the right shape, every element written
  std::vector<Finding> findings;  // in the order in which they appear
};

// Judges a program of one op and one run, whose elements are the sweep's inputs from `first` on: as a whole and, if
// values are compared, element by element, measuring errors.
ValueChunk JudgeChunk(const Case& test_case, const Observation& observation, uint64_t first,
                      const JudgeOptions& options);

// What a worker sends.
void Fields(Visitor& v, ValueChunk& chunk);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_VALUE_CHUNK_H_
