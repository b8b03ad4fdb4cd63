// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selftest: tests Tosaic itself. It runs campaigns against each of a list of broken lowerings, and measures whether
// they find the mistake, and after how many cases and how much CPU time.
#ifndef TOSAIC_MUTANTS_SELFTEST_H_
#define TOSAIC_MUTANTS_SELFTEST_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generators/generator_options.h"
#include "model/verdict.h"
#include "mutants/broken_lowering.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct SelftestOptions {
  std::string plugin;      // the file that the broken lowerings come from
  uint64_t seeds = 5;      // campaigns of the seeds 1 .. seeds
  uint64_t cases = 10000;  // of each at most; a minute of CPU time is about as many
  int jobs = 1;
  bool broken_ops_only = false;  // generate only the ops that the row names: much fewer cases lead to the mistake
  // Draw the routes of `generator` as a campaign does; only cases of the broken one are run. Else all are of that.
  bool mixed = false;
  bool changed_only = false;  // run only what the mistake changes, as a campaign about a patch does
  WorkerLimits limits;
  GeneratorOptions generator;  // its routes count if they are mixed
  JudgeOptions judge;
};

// The result of one campaign.
struct SelftestCampaign {
  uint64_t seed = 0;
  bool found = false;
  uint64_t cases = 0;      // up to and with the one that shows it; if none does, all
  uint64_t ran = 0;        // of them, those with a broken op that the toolchain took through the route
  double cpu_seconds = 0;  // of the workers, all that they did
  Verdict verdict = Verdict::kAgree;
  std::string rule;

  friend bool operator==(const SelftestCampaign& a, const SelftestCampaign& b) = default;
};

struct SelftestResult {
  BrokenLowering broken;
  std::vector<SelftestCampaign> campaigns;  // by seed

  uint64_t FoundBy() const;
  // The median campaign by the number of cases; campaigns that found nothing come last. For an even number, the later
  // of the two.
  const SelftestCampaign& Median() const;
  double MedianCpuSeconds() const;
  // Whether the median campaign finds it, and the median of CPU time is at most that.
  bool FoundWithin(double cpu_seconds) const;
};

// Campaigns against one broken lowering, with the same choice of cases as `tosaic fuzz`. A case shows the mistake if it
// diverges, diverges again alone in a fresh process, and on the route without the mistake does not diverge there, or
// has other wrong values. Twins on other routes do not count. Cases without the ops that it breaks cannot show it: they
// are counted, but not run. Cases and verdicts do not depend on the number of jobs. Errors: the plugin or a pipeline
// does not load; workers cannot be created. If *stop is set, it returns the results so far.
absl::StatusOr<SelftestResult> RunSelftest(const BrokenLowering& broken, const SelftestOptions& options,
                                           const std::atomic<bool>* stop);

// One campaign of it, on a toolchain whose custom route is the broken one.
absl::StatusOr<SelftestCampaign> RunSelftestCampaign(Toolchain& toolchain, const BrokenLowering& broken, uint64_t seed,
                                                     const SelftestOptions& options, const std::atomic<bool>* stop);

}  // namespace tosaic

#endif  // TOSAIC_MUTANTS_SELFTEST_H_
