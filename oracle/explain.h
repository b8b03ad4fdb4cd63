// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explain: describes the legality decision for one op, rule by rule, for `tosaic explain`. It decides nothing itself:
// answer and rule come from legality.h, the table's rows from broadcast.h.
#ifndef TOSAIC_ORACLE_EXPLAIN_H_
#define TOSAIC_ORACLE_EXPLAIN_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/signature_program.h"
#include "oracle/broadcast.h"
#include "oracle/lowering_prediction.h"
#include "oracle/policy.h"

namespace tosaic {

struct Explanation {
  bool legal = true;  // not refused; see `answer` for what the documents leave open
  Answer answer = Answer::kAccept;
  RuleId rule = RuleId::kNone;        // the rule that decided
  std::optional<ValueType> inferred;  // null if inference failed, was not reached, or has no ranked operand
  bool beyond_spec = false;
  // In the order of the rules, ending with the decision; each names its label:
  // "dimension 1: ? and 3 -> 3 [bcast.infer.dyn-n]".
  std::vector<std::string> steps;
  // The broadcasts at run time in the lowering of a TOSA op that is not refused (lowering_prediction.h).
  std::vector<RuntimeBroadcast> runtime_broadcasts = {};
};

// Explains the decision on one op, of block-scaled types by the first dialect that has them. REQUIRES: the same as for
// JudgeLegality.
Explanation Explain(const Program& program, const OpApplication& op, const Policies& policies);

// Explains the decision on the op that has the trait alone (probe_legality.h).
Explanation ExplainProbe(const OpSignature& probe, const Policies& policies);

// Explains one or the other, given as text. Errors: those of ParseSignature (model/signature_program.h).
absl::StatusOr<Explanation> Explain(absl::string_view text, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_EXPLAIN_H_
