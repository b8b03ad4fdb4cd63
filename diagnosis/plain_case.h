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

// A reduced case of another route, op or element types, of which MLIR does the very same wrong (DefectKind): the first
// of `routes` that shows it, then i32 or f32, then the first op of the catalogue with the same operands. Evidence, not
// a rule: what only the op itself shows stays that op's. Values are an op's own, so of a wrong value the op stays, and
// so it does unless `any_op`. No case is taken that is not the same cause (`is_same`) as the reduced one.
PlainCase PlainestCase(Toolchain& toolchain, PlainCase reduced, const std::vector<std::string>& routes, bool any_op,
                       absl::FunctionRef<bool(const PlainCase&)> is_same, const WorkerLimits& limits,
                       const JudgeOptions& judge);

// The name of its divergence: that of its signature, after the reduced program.
FindingSignature NameOf(const PlainCase& shown);

// The plainest case instead of a reduced one, unless that is another cause: one of them is known and the other is not,
// or as something else. Another op's case takes its place only if both are known as the same: else a defect of one op,
// in the likeness of another's, would be reported as that one's. `routes` are in the order of the toolchain's table.
PlainCase PlainestCase(Toolchain& toolchain, const KnownDivergences& known, PlainCase reduced,
                       const std::vector<std::string>& routes, const WorkerLimits& limits, const JudgeOptions& judge);

// Whether a divergence is known once its case is small, as a campaign names its findings: in a program of several ops
// a known cause may have another name. `divergent`: the case that shows `signature`, the twin if it is the twin that
// does. `budget`: of reducing it.
bool IsKnownReduced(Toolchain& toolchain, const KnownDivergences& known, const Case& divergent,
                    const FindingSignature& signature, const WorkerLimits& limits, const JudgeOptions& judge,
                    absl::Duration budget);

}  // namespace tosaic

#endif  // TOSAIC_DIAGNOSIS_PLAIN_CASE_H_
