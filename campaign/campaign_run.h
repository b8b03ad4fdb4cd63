// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CampaignRun: the options and shared state of one start of a campaign, which all of its stages use.
#ifndef TOSAIC_CAMPAIGN_CAMPAIGN_RUN_H_
#define TOSAIC_CAMPAIGN_CAMPAIGN_RUN_H_

#include <atomic>

#include "campaign/campaign_options.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct CampaignRun {
  Toolchain& toolchain;
  const CampaignOptions& options;
  const std::atomic<bool>* stop = nullptr;  // set (Ctrl-C): stages end early with what there is

  bool stopped() const { return stop != nullptr && *stop; }
  PoolOptions Workers() const { return {.jobs = options.jobs, .limits = options.limits}; }
  // Workers that observe nothing themselves: the processes that they start have the deadlines.
  PoolOptions Supervisors() const {
    PoolOptions supervisors = Workers();
    supervisors.limits.cpu_seconds *= 100;
    supervisors.limits.wall_seconds *= 100;
    return supervisors;
  }
};

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CAMPAIGN_RUN_H_
