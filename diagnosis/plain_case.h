// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the plainest case that shows a finding, so that a defect that many ops, types and routes show is one finding.
#ifndef TOSAIC_DIAGNOSIS_PLAIN_CASE_H_
#define TOSAIC_DIAGNOSIS_PLAIN_CASE_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "checking/check_case.h"
#include "checking/known_divergences.h"
#include "model/program.h"
#include "oracle/judge.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct PlainCase {
  Case test_case;
  CheckedCase checked;  // alone, in a fresh process
};

// Looks for a case that shows the same defect (equal DefectKind) on an earlier one of `routes`, then with i32 or f32,
// then, if `any_op`, in the first op of the catalogue that takes the same operands. A wrong value keeps its op, because
// values are an op's own. Only cases that `is_same` accepts as of one cause with the reduced one are taken; without
// any, the reduced case is the answer.
PlainCase PlainestCase(Toolchain& toolchain, PlainCase reduced, const std::vector<std::string>& routes, bool any_op,
                       absl::FunctionRef<bool(const PlainCase&)> is_same, const WorkerLimits& limits,
                       const JudgeOptions& judge);

// The name of its divergence: that of its signature, after the reduced program.
FindingSignature NameOf(const PlainCase& shown);

// The same with the list of known causes to tell whether two cases are of one: both have one known cause, or neither
// has any. The op changes only if the cause is known, or a defect of one op would be reported as another's that looks
// like it. `routes` are in the order of the toolchain's table.
PlainCase PlainestCase(Toolchain& toolchain, const KnownDivergences& known, PlainCase reduced,
                       const std::vector<std::string>& routes, const WorkerLimits& limits, const JudgeOptions& judge);

// Whether a divergence is known once its case is reduced: known causes name the ops of reduced cases, and an unreduced
// program may have others. `divergent`: the case that shows `signature`, or its twin if that shows it. `budget`: for
// reducing it.
bool IsKnownReduced(Toolchain& toolchain, const KnownDivergences& known, const Case& divergent,
                    const FindingSignature& signature, const WorkerLimits& limits, const JudgeOptions& judge,
                    absl::Duration budget);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_PLAIN_CASE_H_
