// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CampaignOptions: the cases of a campaign, how they are observed and judged, and where the results go.
#ifndef TOSAIC_CAMPAIGN_CAMPAIGN_OPTIONS_H_
#define TOSAIC_CAMPAIGN_CAMPAIGN_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "checking/changed_programs.h"
#include "checking/known_divergences.h"
#include "checking/patch_base.h"
#include "diagnosis/rewritten_program.h"
#include "generators/generator.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/block_watcher.h"
#include "workers/worker_pool.h"

namespace tosaic {

// The cases of a campaign that are not generated from its seed.
struct CaseList {
  std::string identity;                     // names the list in the work directory: another list, another campaign
  std::function<Case(uint64_t number)> at;  // the same case each time, also in another process
};

// The numbers of a guided campaign.
struct GuidedOutcome {
  uint64_t blocks_reached = 0;
  uint64_t blocks = 0;  // that are watched
  uint64_t corpus = 0;  // cases that reached something new, without those that it began with
};

// The options of a guided campaign (campaign/guidance.h).
struct Guided {
  BlockWatcher* blocks = nullptr;                  // null: rules and categories of refusals guide it alone
  int mutant_percent = 40;                         // of the cases behind the first round
  std::vector<Case> start;                         // the corpus that it begins with
  std::string directory;                           // where to write the cases that it adds; empty: nowhere
  std::function<void(const GuidedOutcome&)> take;  // called at the end, if set
};

// More machines than a campaign will have; a journal that says more was made by hand.
inline constexpr uint64_t kMostShards = 1'000'000;

struct CampaignOptions {
  std::optional<CaseList> list;  // if set, `seed` and `steer` are ignored, and `generator` but for its routes
  uint64_t seed = 1;
  uint64_t cases = 2000;                   // case numbers 0 .. cases-1
  std::optional<absl::Duration> duration;  // if set, as many of them as fit; then `cases` is no limit
  uint64_t shard = 0;                      // of `shards`: the case numbers congruent to it
  uint64_t shards = 1;
  int jobs = 1;
  WorkerLimits limits;
  GeneratorOptions generator;
  // The MLIR without the patch under review, if there is one: no known cause of MLIR explains a case that it has
  // right.
  std::optional<PatchBase> base;
  // With a base: programs whose IR the patch does not change are not run, and what the base shows too is known.
  std::optional<ChangedPrograms> changed;
  bool steer = false;            // combinations seen least come first (generators/steering.h); else in the order drawn
  std::optional<Guided> guided;  // means nothing with a list
  JudgeOptions judge;
  // A second judgement of a case's observation, beside the oracle's (CaseRecord::opinion). Called in workers.
  std::function<std::string(uint64_t number, const Case& test_case, const Observation& observation)> second_judge;
  std::string out = "tosaic-out";  // the work directory
  std::string command_line;        // for the provenance
  KnownDivergences known;
  // A known cause is reported as unseen if this many cases could have shown it and none did, unless one of its
  // `known_cases` shows it. Asked at the end, and only then; null if there are none.
  uint64_t cases_without_known = 3000;
  std::function<std::vector<Case>(const std::string& cause)> known_cases;
  bool reduce = true;
  absl::Duration reduce_budget = absl::Minutes(1);  // per finding; only a case that hangs takes as long
  ProgramReader read;                               // for reproducers of one pass; may be null
  bool reproducers = true;                          // written only if somebody keeps the work directory
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CAMPAIGN_OPTIONS_H_
