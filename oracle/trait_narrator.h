// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the Broadcastable trait, dimension by dimension as in the document's tables, as steps of an explanation
// (explain.h). broadcast.h decides the rows.
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

// Each part returns false if it ends with a refusal.
class TraitNarrator {
 public:
  // Adds to `steps`. The steps and the policies must outlive the narrator.
  TraitNarrator(std::vector<ValueType> operands, ValueType result, const Policies& policies,
                std::vector<std::string>* steps);

  // InferResultShape, pair by pair.
  bool Infer();
  // Compares the declared result with the inferred one. REQUIRES: Infer() was true.
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
