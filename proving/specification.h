// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The specification's formulas as terms: what an op makes of its elements, for all values at once. Written from the
// specification, as the scalar functions are (oracle/scalar_ops.h); a test holds the two together. Where it allows a
// set of values, as of a sum of floats, the term is the one in the middle, the correctly rounded value: a body that
// computes it is right, and one that does not may be.
#ifndef TOSAIC_PROVING_SPECIFICATION_H_
#define TOSAIC_PROVING_SPECIFICATION_H_

#include <optional>
#include <vector>

#include "model/attributes.h"
#include "model/op_catalogue.h"
#include "z3++.h"

namespace tosaic {

// The elements that an element of the result is computed from: variables for data, numbers for shift and zero points.
struct SpecifiedInput {
  const OpInfo& op;
  ElementType input_type;
  ElementType result_type;
  const Attributes& attributes;
  // Of the sorts of their types, in the op's order; a table is an array of them with indices of 64 bits.
  std::vector<z3::expr> operands;
};

struct Specified {
  z3::expr defined;                              // whether the specification defines the value
  z3::expr value;                                // of the result's sort
  bool zero_sign_free = false;                   // a zero may have either sign
  bool is_exact = true;                          // false: other values are right, too
  std::optional<z3::expr> other = std::nullopt;  // one of them, if it has a formula
};

// Nullopt: the op, or an element type of it, has no formula here.
std::optional<Specified> Specification(const SpecifiedInput& in);

// Whether the specification allows this value, of which only sufficient conditions are stated unless it is exact.
z3::expr Allows(const Specified& specified, const z3::expr& actual);

}  // namespace tosaic

#endif  // TOSAIC_PROVING_SPECIFICATION_H_
