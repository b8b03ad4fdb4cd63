// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/reduction_steps.h"

#include <algorithm>
#include <utility>

#include "reducer/case_size.h"

namespace tosaic {
namespace {

constexpr ReductionStep kSteps[] = {
    {"fewer-passes", "halves, quarters, ... single passes less of a sequence", ProposeFewerPasses},
    {"fewer-runs", "no run, each run alone, half of them, all but one", ProposeFewerRuns},
    {"single-op", "one op, what others computed for it becoming arguments", ProposeSingleOp},
    {"ops-as-arguments", "an op less, what it computed becoming an argument", ProposeOpsAsArguments},
    {"bypassed-ops", "an op less, one of its operands standing for it", ProposeBypassedOps},
    {"fewer-results", "one result, all but one", ProposeFewerResults},
    {"nothing-unused", "no ops, constants and arguments that nothing uses", ProposeNothingUnused},
    {"zero-data", "all data of all runs 0, or 1", ProposeZeroData},
    {"roles-in-place", "broadcast operands arguments, shifts and zero points constants", ProposeRolesInPlace},
    {"ranked", "unranked types ranked", ProposeRanked},
    {"lower-rank", "a dimension less, of all values or of one", ProposeLowerRank},
    {"static-dims", "dynamic dimensions static, with the sizes of the runs", ProposeStaticDims},
    {"smaller-sizes", "one block of 32; sizes to 1, 2, 3, half, one less, of all values or of one",
     ProposeSmallerSizes},
    {"exact-result", "result types as the operands' broadcast has them", ProposeExactResult},
    {"simpler-types", "f32 or i32 instead of another element type", ProposeSimplerTypes},
    {"simpler-attributes", "no attribute that may be absent, the simplest values of the others",
     ProposeSimplerAttributes},
    {"simpler-tensors", "all elements of an operand 0, or 1", ProposeSimplerTensors},
    {"fewer-nonzero-elements", "halves, quarters, ... single elements of an operand 0", ProposeFewerNonzeroElements},
    {"simpler-elements", "single elements 0, 1, -1, fewer bits", ProposeSimplerElements},
};

// Records candidates and accepts none.
class Listing : public Proposals {
 public:
  explicit Listing(const Case& test_case) : current_(test_case) {}
  const Case& current() const override { return current_; }
  bool Try(Case candidate) override {
    const bool known = std::find(candidates_.begin(), candidates_.end(), candidate) != candidates_.end();
    if (!known && IsAdmissible(candidate, current_)) candidates_.push_back(std::move(candidate));
    return false;
  }
  std::vector<Case> Take() { return std::move(candidates_); }

 private:
  const Case& current_;
  std::vector<Case> candidates_;
};

}  // namespace

absl::Span<const ReductionStep> ReductionSteps() { return kSteps; }

std::vector<Case> Candidates(const ReductionStep& step, const Case& test_case) {
  Listing listing(test_case);
  step.propose(listing);
  return listing.Take();
}

bool IsAdmissible(const Case& candidate, const Case& current) {
  return CheckWellFormed(candidate).ok() && SizeOf(candidate) < SizeOf(current);
}

}  // namespace tosaic
