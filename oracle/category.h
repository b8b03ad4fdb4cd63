// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reasons of refusal that the broken rules of a program give.
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

// The note on a refusal that is right, but names none of the rules that are broken, and so is right by accident:
// "refused.wrong-reason: rank, expected element-type", by the rule that decided. Empty if it names one.
std::string WrongReason(Category got, absl::Span<const Category> broken, RuleId rule);

// Adds the categories of refusing rules, each once.
void AddCategories(absl::Span<const RuleId> rules, std::vector<Category>* categories);

// The categories of all rules that some op of the program breaks, without repetition, the deciding one first: whatever
// of these a verifier names, it refuses for a right reason. REQUIRES: the program is well formed.
std::vector<Category> BrokenCategories(const Program& program, const Policies& policies);
// The same of the Broadcastable trait alone; one may be named twice.
std::vector<Category> BrokenCategories(const OpSignature& probe, const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_CATEGORY_H_
