// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of reduction steps, from coarse to fine. A step only proposes candidates; its caller decides whether a
// candidate is well-formed, smaller (case_size.h), new and interesting.
#ifndef TOSAIC_REDUCER_REDUCTION_STEPS_H_
#define TOSAIC_REDUCER_REDUCTION_STEPS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/program.h"

namespace tosaic {

// Receives a step's candidates one by one.
class Proposals {
 public:
  virtual ~Proposals() = default;
  // The case to make smaller, which is the last accepted candidate.
  virtual const Case& current() const = 0;
  // Proposes a candidate; returns true if it was accepted and is now current().
  virtual bool Try(Case candidate) = 0;
};

// Proposes candidates. May stop after one was accepted: an accepted candidate makes the step run again.
using ReductionFunction = void(Proposals& proposals);

struct ReductionStep {
  absl::string_view name;
  absl::string_view description;  // one line for people
  ReductionFunction* propose;
};

absl::Span<const ReductionStep> ReductionSteps();

// The candidates of a step for a case if none is accepted: those that are well-formed and strictly smaller.
std::vector<Case> Candidates(const ReductionStep& step, const Case& test_case);

// Whether the candidate may replace the current case: it is well-formed and strictly smaller.
bool IsAdmissible(const Case& candidate, const Case& current);

// ---- The steps, for the table ----

ReductionFunction ProposeFewerPasses, ProposeFewerRuns, ProposeSingleOp, ProposeBypassedOps, ProposeOpsAsArguments,
    ProposeFewerResults, ProposeNothingUnused, ProposeZeroData, ProposeRolesInPlace, ProposeRanked, ProposeLowerRank,
    ProposeStaticDims, ProposeSmallerSizes, ProposeExactResult, ProposeSimplerTypes, ProposeSimplerAttributes,
    ProposeSimplerTensors, ProposeFewerNonzeroElements, ProposeSimplerElements;

}  // namespace tosaic

#endif  // TOSAIC_REDUCER_REDUCTION_STEPS_H_
