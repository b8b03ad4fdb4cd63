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

// These rules are asked after those of legality.h, which apply here as well, in this order:
//   validate.element-type      the op has the element types in some version of the specification
//   validate.version           ... in the target's
//   validate.profile           the target has a profile or extension that lists them, and the constant operands' types,
//                              and for an extension a profile that it extends
//                                                                     (tosa.xml, profile_supported)
//                              1.1: arithmetic_right_shift rounds with pro_int alone
//   validate.constant-operand  shift and zero points are compile-time constants, unless the target has "dynamic"
//   validate.new-shape         no size of a new shape is -1, which the specification does not have (strict; else
//   either) validate.unranked          operands and result have a rank validate.dynamic           1.0: every dimension
//   is static validate.level.rank        rank <= 6 (8k), 32 (none) (tosa-semantics.md, Frame) validate.level.size a
//   tensor of static shape has less than 2^31 (8k), 2^63 (none) bytes
//                                                             (TargetEnv.h, TOSA_LEVEL_*: MAX_LOG2_SIZE)
//   legal.shift                with strict-op-spec-alignment, a REQUIRE that can be seen is no longer "either"
//
// REQUIRES: the program is well formed. Legality::inferred and beyond_spec stay empty.
Legality JudgeValidity(const Program& program, const ValidationTarget& target, const Policies& policies);

// The categories of all rules that the program breaks, including the op verifier's, without repetition.
std::vector<Category> BrokenCategories(const Program& program, const ValidationTarget& target,
                                       const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_VALIDATION_H_
