// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reproducer folder of a case: asks toolchain and oracle what reports/reproducer/reproducer.h writes down.
#ifndef TOSAIC_CAMPAIGN_DIAGNOSIS_REPRODUCTION_H_
#define TOSAIC_CAMPAIGN_DIAGNOSIS_REPRODUCTION_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "campaign/checking/check_case.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "reports/reproducer/reproducer.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// What there is to say of a case that was checked; `pipeline`, if not empty, is the shortest part of its route's that
// shows it. Runs MLIR on the case's module, in a process of its own.
Reproduction ReproductionOf(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                            const std::string& pipeline, const WorkerLimits& limits, const JudgeOptions& judge);

// The pass of mlir-opt that does what a pass of Tosaic's own does: text with those replaced for which there is one.
std::string WithStockPasses(const std::string& pipeline);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_DIAGNOSIS_REPRODUCTION_H_
