// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reasons for refusal that follow from the rules that a program breaks.
#ifndef TOSAIC_ORACLE_CATEGORY_H_
#define TOSAIC_ORACLE_CATEGORY_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "model/category.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/rules.h"
#include "oracle/policy.h"

namespace tosaic {

// The note for a refusal that is right only by accident, because it names none of the broken rules:
// "refused.wrong-reason: rank, expected element-type", by the rule that decided. Empty if it names one.
std::string WrongReason(Category got, absl::Span<const Category> broken, RuleId rule);

// Adds the categories of refusing rules, each once.
void AddCategories(absl::Span<const RuleId> rules, std::vector<Category>* categories);

// The categories of all rules that some op of the program breaks, without repetition, the deciding one first. A
// verifier that names any of these refuses for a right reason. REQUIRES: the program is well formed.
std::vector<Category> BrokenCategories(const Program& program, const Policies& policies);
// The same for the Broadcastable trait alone; a category may occur twice.
std::vector<Category> BrokenCategories(const OpSignature& probe, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_CATEGORY_H_
