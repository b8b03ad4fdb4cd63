// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds one pass that by itself makes a case's program wrong, so that mlir-opt alone shows it and nothing has to run.
#ifndef TOSAIC_DIAGNOSIS_ONE_PASS_H_
#define TOSAIC_DIAGNOSIS_ONE_PASS_H_

#include <string>

#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "reports/reproducer/reproducer.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// canonicalize, which everybody knows, or else the first stock pass of the pipeline that leaves TOSA which is wrong for
// the case's data. `mlir`: the case's program as one function. Without a pass, `pipeline` is empty.
OnePass FindOnePass(Toolchain& toolchain, const Case& test_case, const std::string& mlir, const std::string& pipeline,
                    const ProgramReader& read, const WorkerLimits& limits, const JudgeOptions& judge);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_ONE_PASS_H_
