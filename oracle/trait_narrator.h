// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Broadcastable trait in words, dimension by dimension as in the document's tables: steps of an explanation
// (explain.h). The rows are broadcast.h's.
#ifndef TOSAIC_ORACLE_TRAIT_NARRATOR_H_
#define TOSAIC_ORACLE_TRAIT_NARRATOR_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/op_signature.h"
#include "model/rules.h"
#include "oracle/broadcast.h"
#include "oracle/policy.h"

namespace tosaic {

// "text [rule.label]".
std::string Step(RuleId rule, absl::string_view text);

// Each part is false if it ends with a refusal.
class TraitNarrator {
 public:
  // Adds to `steps`, which outlive the narrator, as do the policies.
  TraitNarrator(std::vector<ValueType> operands, ValueType result, const Policies& policies,
                std::vector<std::string>* steps);

  // InferResultShape, pair by pair.
  bool Infer();
  // The declared result against what was inferred. REQUIRES: Infer() was true.
  bool Verify();

 private:
  bool Say(RuleId rule, absl::string_view text);
  bool InferPair(size_t operand_index, const Shape& operand);
  absl::string_view Remark(const Decision& row, Dim inferred) const;

  const std::vector<ValueType> operands_;
  const ValueType result_;
  const Policies& policies_;
  std::vector<std::string>& steps_;
  std::optional<Shape> inferred_;
};

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_TRAIT_NARRATOR_H_
