// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validation: whether `tosa-validate` must accept a program for a target. It checks the specification where the op
// verifier (legality.h) checks the dialect: tosa-semantics.md, "Where the two verifiers stand".
#ifndef TOSAIC_ORACLE_VALIDATION_H_
#define TOSAIC_ORACLE_VALIDATION_H_

#include <vector>

#include "model/category.h"
#include "model/program.h"
#include "model/validation_target.h"
#include "oracle/legality.h"
#include "oracle/policy.h"

namespace tosaic {

// The rules are RuleFamily::kValidate (model/rules.def), after those of legality.h, which apply here as well.
// The extension "dynamic" lifts validate.constant-operand. The limits of validate.level.size are TargetEnv.h's,
// TOSA_LEVEL_*: MAX_LOG2_SIZE. With strict-op-spec-alignment, a REQUIRE that can be seen
// (legal.shift, legal.rescale) is no longer "either".
//
// REQUIRES: the program is well formed. Legality::inferred and beyond_spec stay empty.
Legality JudgeValidity(const Program& program, const ValidationTarget& target, const Policies& policies);

// The categories of all rules that the program breaks, including the op verifier's, without repetition.
std::vector<Category> BrokenCategories(const Program& program, const ValidationTarget& target,
                                       const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_VALIDATION_H_
