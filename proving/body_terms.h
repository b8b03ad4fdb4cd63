// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a body as a Z3 term, by the documents of the arith and math dialects, with its poison and undefined
// behaviour.
#ifndef TOSAIC_PROVING_BODY_TERMS_H_
#define TOSAIC_PROVING_BODY_TERMS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proving/scalar_body.h"
#include "z3++.h"

namespace tosaic {

struct BodyTerm {
  z3::expr value;
  z3::expr poison;     // whether the value is poison
  z3::expr undefined;  // whether computing it is undefined behaviour, as a division by 0 is
  z3::expr facts;      // constrains the variables that stand for a choice of the implementation
};

// By a constant's elements, as the words of a BodyOp have them: the element of a constant with an element for each
// channel, to which a lowering may give a wider type, or a table, which is an array with indices of 64 bits.
using ChannelTerms = std::map<std::string, z3::expr>;

// `arguments`: terms of the body's arguments, of the sorts of their types. A choice of the implementation, as the sign
// of maxnumf(-0, +0), is a variable. Errors: an op, a flag or a type has no formula, which the message names.
absl::StatusOr<BodyTerm> TermOf(const ScalarBody& body, const std::vector<z3::expr>& arguments,
                                const ChannelTerms& channels = {});

}  // namespace tosaic

#endif  // TOSAIC_PROVING_BODY_TERMS_H_
