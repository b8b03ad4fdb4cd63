// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judge: turns a case and its observation into a judgement, in the order of the pipeline: decision, lowering,
// execution, shapes, memory, values. Shape inference comes last, so that a wrong inference does not hide anything else.
#ifndef TOSAIC_ORACLE_JUDGE_H_
#define TOSAIC_ORACLE_JUDGE_H_

#include <optional>

#include "model/observation.h"
#include "model/program.h"
#include "model/validation_target.h"
#include "model/verdict.h"
#include "oracle/policy.h"

namespace tosaic {

struct JudgeOptions {
  Policies policies;
  int mlir_version = 22;  // of the toolchain: case files state what they expect by version
  // If set, the observation is one of tosa-validate for this target: the decision alone is judged.
  std::optional<ValidationTarget> validation;
};

Judgement Judge(const Case& test_case, const Observation& observation, const JudgeOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_JUDGE_H_
