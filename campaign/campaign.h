// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Campaign: it generates cases, observes them in workers, judges them, confirms each divergence alone in a fresh
// process, reduces one case per finding, and leaves a work directory. The verdicts depend only on the seed and the case
// numbers, never on the number of workers. A campaign that was stopped continues from its journal.
#ifndef TOSAIC_CAMPAIGN_CAMPAIGN_H_
#define TOSAIC_CAMPAIGN_CAMPAIGN_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "campaign/case_record.h"
#include "checking/known_divergences.h"
#include "generators/generator.h"
#include "oracle/judge.h"
#include "results/campaign.h"
#include "toolchain/block_watcher.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// The routes of a campaign that names none, with how often each is drawn: the toolchain's routes that have a weight.
std::vector<std::pair<std::string, int>> MixedRoutes(const std::vector<const Route*>& table);

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
  bool swarm = true;                               // each round leaves out a part of ops, types, features and routes
  std::vector<Case> start;                         // the corpus that it begins with
  std::string directory;                           // where to write the cases that it adds; empty: nowhere
  std::function<void(const GuidedOutcome&)> take;  // gets what became of it, if set
};

// The cases that a guided campaign begins with: the case files of a directory, which need not exist. If the campaign in
// the work directory has begun already, the cases that it began with, which are kept there.
absl::StatusOr<std::vector<Case>> StartOf(const std::string& directory, const std::string& out);

// More machines than a campaign will have; a journal that says more was made by hand.
inline constexpr uint64_t kMostShards = 1'000'000;

struct CampaignOptions {
  std::optional<CaseList> list;  // then `seed`, `steer` and what of `generator` is not routes mean nothing
  uint64_t seed = 1;
  uint64_t cases = 2000;                   // case numbers 0 .. cases-1
  std::optional<absl::Duration> duration;  // if set, as many of them as fit; then `cases` is no limit
  uint64_t shard = 0;                      // of `shards`: the case numbers congruent to it
  uint64_t shards = 1;
  int jobs = 1;
  WorkerLimits limits;
  GeneratorOptions generator;
  bool steer = false;            // combinations seen least come first (generators/steering.h); else whatever is drawn
  std::optional<Guided> guided;  // means nothing with a list
  JudgeOptions judge;
  // A second judgement of a case's observation, beside the oracle's (CaseRecord::opinion). Called in workers.
  std::function<std::string(uint64_t number, const Case& test_case, const Observation& observation)> second_judge;
  std::string out = "tosaic-out";  // the work directory
  std::string command_line;        // for the provenance
  KnownDivergences known;
  uint64_t cases_without_known = 3000;  // that may show a known cause, and none does: then it is said to be unseen,
  std::map<std::string, std::vector<Case>> known_cases;  // unless one of these shows it, by cause
  bool reduce = true;
  absl::Duration reduce_budget = absl::Minutes(1);  // per finding; only what hangs takes as long
  bool reproducers = true;                          // wanted if somebody keeps the work directory
};

// Runs the campaign. If *stop is set (Ctrl-C), it ends early with the results so far. An error is about the work
// directory or the workers, never about a case. `records`, if not null, gets the record of each case by its number,
// with the findings' signatures.
absl::StatusOr<CampaignSummary> RunCampaign(Toolchain& toolchain, const CampaignOptions& options,
                                            const std::atomic<bool>* stop,
                                            std::map<uint64_t, CaseRecord>* records = nullptr);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CAMPAIGN_H_
