// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SweepSummary: the decisions of a sweep over types, as a plain value for reports/.
#ifndef TOSAIC_RESULTS_TYPE_SWEEP_H_
#define TOSAIC_RESULTS_TYPE_SWEEP_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/provenance.h"
#include "results/finding.h"

namespace tosaic {

// Counts of decisions.
struct SweepTally {
  uint64_t decisions = 0;
  uint64_t accepted = 0;                       // by MLIR
  std::map<std::string, uint64_t> rules;       // by the rule that decided in the oracle
  std::map<std::string, uint64_t> categories;  // refusals, by what the diagnostic is about (model/category.h)
  std::map<std::string, uint64_t> notes;       // "infer.less-precise", ...
};

// These have the decisions on which MLIR and the documents differ, too.
struct SweepCounts : SweepTally {
  std::map<FindingSignature, Finding> disagreements;

  void Add(const SweepCounts& other);
};
// A worker sends these.
void Fields(Visitor& v, SweepCounts& counts);

// The combinations that were asked for.
struct SweptTypes {
  int max_rank = 0;
  std::vector<std::string> dims, ops;  // no op: all
  bool one_order_per_multiset = false;
};
void Fields(Visitor& v, SweptTypes& types);

struct SweepSummary {
  Provenance provenance;
  SweptTypes options;
  std::map<std::string, SweepCounts> by_op;
  SweepCounts total;
  bool interrupted = false;
  double elapsed_seconds = 0;
  int jobs = 1;

  double decisions_per_second() const {
    return elapsed_seconds > 0 ? static_cast<double>(total.decisions) / elapsed_seconds : 0;
  }
};
// The result file.
void Fields(Visitor& v, SweepSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_TYPE_SWEEP_H_
