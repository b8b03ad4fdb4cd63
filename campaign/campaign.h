// Campaign: generate, observe in workers, judge, confirm each divergence alone in a fresh process, reduce one case per
// finding, and leave a work directory. The verdicts depend on the seed and the case numbers only, never on the number
// of workers; a campaign that stopped goes on from its journal.
#ifndef TOSAIC_CAMPAIGN_CAMPAIGN_H_
#define TOSAIC_CAMPAIGN_CAMPAIGN_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "campaign/known_divergences.h"
#include "generators/generator.h"
#include "model/spec_case.h"
#include "model/summary.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "toolchain/worker_pool.h"

namespace tosaic {

struct CampaignOptions {
  uint64_t seed = 1;
  uint64_t cases = 2000;                   // case numbers 0 .. cases-1
  std::optional<absl::Duration> duration;  // if set, as many of them as fit; then `cases` is no limit
  uint64_t shard = 0;                      // of `shards`: the case numbers congruent to it
  uint64_t shards = 1;
  int jobs = 1;
  WorkerLimits limits;
  GeneratorOptions generator;
  JudgeOptions judge;
  std::string out = "tosaic-out";  // the work directory
  std::string command_line;        // for the provenance
  KnownDivergences known;
  bool reduce = true;
};

// Runs the campaign. *stop set (Ctrl-C): ends early with what there is. The error is about the work directory or the
// workers, never about a case.
absl::StatusOr<CampaignSummary> RunCampaign(Toolchain& toolchain, const CampaignOptions& options,
                                            const std::atomic<bool>* stop);

// A case observed alone in a fresh process, and judged.
struct CheckedCase {
  Observation observation;
  Judgement judgement;
  std::string signature;  // empty unless the verdict is a divergence
};
CheckedCase CheckCase(Toolchain& toolchain, const Case& test_case, const WorkerLimits& limits,
                      const JudgeOptions& judge);

// The same of a case or a probe of the trait, and before it: whether the oracle says what the file expects. If not,
// that is a harness-fault, harness.expected.
CheckedCase CheckCase(Toolchain& toolchain, const SpecCase& spec_case, const WorkerLimits& limits,
                      const JudgeOptions& judge);

// Reduces a divergent case while verdict and signature stay. Runs candidates in worker processes; falls back from
// one worker for all to one process per candidate if a candidate kills it, or if what it led to does not show alone.
absl::StatusOr<Case> ReduceCase(Toolchain& toolchain, const Case& original, const std::string& signature,
                                const WorkerLimits& limits, const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CAMPAIGN_H_
