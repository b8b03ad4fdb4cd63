// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judge: case and observation in, judgement out. The order is that of the pipeline: decision, lowering, execution,
// shapes, memory, values; shape inference last, so that it hides nothing behind it.
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
  int mlir_version = 22;  // of the toolchain: what case files expect is said by version
  // If set, the observation is one of tosa-validate for this target: the decision alone is judged.
  std::optional<ValidationTarget> validation;
};

Judgement Judge(const Case& test_case, const Observation& observation, const JudgeOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_JUDGE_H_
