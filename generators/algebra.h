// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebra: what the rules of algebra that compilers know would rewrite, right or wrong: De Morgan's laws, absorption, a
// factor taken out, a sign moved, a comparison with a difference; and every two ops, with the constants that a folder
// would make one of. A table of expressions; which of them are identities on tensors is not the generator's to say.
#ifndef TOSAIC_GENERATORS_ALGEBRA_H_
#define TOSAIC_GENERATORS_ALGEBRA_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"

namespace tosaic {

// In prefix notation, of names of ops and of leaves: `a`, `b`, `d` are values, the same throughout, `p`, `q`
// conditions, `c` a constant of its own each time, `0` and `1` themselves. `U` and `V` stand for any ops of one
// operand, `F` and `G` of two, `K` for any comparison: the same op throughout.
absl::Span<const absl::string_view> AlgebraicExpressions();

// Draws one that the options allow, with element types that all of its ops have, and builds it: false if there is none.
bool Algebra(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ALGEBRA_H_
