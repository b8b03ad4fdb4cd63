// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the reproducer folder of a case: gets from toolchain and oracle what reports/reproducer/reproducer.h writes.
#ifndef TOSAIC_DIAGNOSIS_REPRODUCTION_H_
#define TOSAIC_DIAGNOSIS_REPRODUCTION_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "checking/check_case.h"
#include "diagnosis/pass_bisection.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "reports/reproducer/reproducer.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// The reproduction of a checked case; `pipeline`, if not empty, is the shortest part of its route's pipeline that shows
// it. Runs MLIR on the case's module, in a separate process.
// With `read`, it also looks for one pass that is enough.
Reproduction ReproductionOf(Toolchain& toolchain, const Case& test_case, const CheckedCase& checked,
                            const std::string& pipeline, const WorkerLimits& limits, const JudgeOptions& judge,
                            const ProgramReader& read = nullptr);

// Puts the pass that a bisection blames into a reproduction of its case, and what that pass does by itself.
void BlamePass(Toolchain& toolchain, const PassBisection& bisection, const WorkerLimits& limits, Reproduction* r);

// A pipeline in which Tosaic's own passes are replaced by passes of mlir-opt that do the same, where they exist.
std::string WithStockPasses(const std::string& pipeline);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_REPRODUCTION_H_
