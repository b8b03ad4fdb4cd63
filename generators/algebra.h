// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebra: a table of expressions that compilers rewrite by rules of algebra, rightly or wrongly: De Morgan's laws,
// absorption, a common factor, a moved sign, a comparison with a difference; and every pair of ops, with constants that
// a folder would combine. The generator does not say which of them are identities on tensors.
#ifndef TOSAIC_GENERATORS_ALGEBRA_H_
#define TOSAIC_GENERATORS_ALGEBRA_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"

namespace tosaic {

// An expression in prefix notation, of ops' names and leaves: `a`, `b`, `d` are values and `p`, `q` conditions, the
// same throughout; each `c` is another constant; `0` and `1` stand for themselves. `U` and `V` stand for any op of one
// operand, `F` and `G` for any op of two, `K` for any comparison: the same op throughout.
absl::Span<const absl::string_view> AlgebraicExpressions();

// Draws an expression that the options allow, with element types that all of its ops have, and builds it; false if
// there is none.
bool Algebra(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ALGEBRA_H_
