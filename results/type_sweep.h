// SweepSummary: what a sweep over types decided, as a plain value for reports/.
#ifndef TOSAIC_RESULTS_TYPE_SWEEP_H_
#define TOSAIC_RESULTS_TYPE_SWEEP_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/json.h"
#include "model/verdict.h"

namespace tosaic {

// Decisions on which MLIR and the documents differ, under one signature.
struct SweepDisagreement {
  std::string signature;  // as of a campaign's findings
  Verdict verdict = Verdict::kAgree;
  std::string op;
  bool beyond_spec = false;
  std::string known_reason;        // not empty: listed as known
  std::vector<std::string> cases;  // every one, as `explain` takes it: the op with its types
  std::string expected, actual;    // what was said of the first
};
inline bool IsNew(const SweepDisagreement& disagreement) {
  return disagreement.known_reason.empty() && !disagreement.beyond_spec;
}

// Counts of decisions.
struct SweepCounts {
  uint64_t decisions = 0;
  uint64_t accepted = 0;                       // by MLIR
  std::map<std::string, uint64_t> rules;       // by the rule that decided in the oracle
  std::map<std::string, uint64_t> categories;  // refusals, by what the diagnostic is about (model/category.h)
  std::map<std::string, uint64_t> notes;       // "infer.less-precise", ...
  std::map<std::string, SweepDisagreement> disagreements;  // by signature

  void Add(const SweepCounts& other);
};
Json ToJson(const SweepCounts& counts);
absl::StatusOr<SweepCounts> SweepCountsFromJson(const Json& json);  // what a worker sent; an internal error otherwise

struct SweepSummary {
  Json provenance;
  Json options;  // what was swept: max_rank, dims, ops
  std::map<std::string, SweepCounts> by_op;
  SweepCounts total;
  bool interrupted = false;
  double elapsed_seconds = 0;
  int jobs = 1;
};

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_TYPE_SWEEP_H_
