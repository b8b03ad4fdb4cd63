// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clause that an accepted program breaks of a rule with several: verifiers that forget different clauses are
// different findings.
#ifndef TOSAIC_CHECKING_FALSE_ACCEPTS_H_
#define TOSAIC_CHECKING_FALSE_ACCEPTS_H_

#include "absl/strings/string_view.h"
#include "model/program.h"
#include "model/rules.h"

namespace tosaic {

// The detail of a finding on an op that a verifier accepted against that rule; empty for rules of one clause.
// Of legal.reshape (data_layout.adoc, RESHAPE) the first that is broken, as far as a ranked result and static sizes
// show it: "two-rests", "rank", "sizes" (the result's), "negative", "count" (of elements); empty if the types leave it
// open. Of legal.special-operand.type "width", if a parameter has another number of bits than it must have, and else
// "no-zero-point", if one that is no zero point has another type.
absl::string_view BrokenClause(const Program& program, const OpApplication& op, RuleId rule);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_FALSE_ACCEPTS_H_
