// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named chains: short sequences of ops that canonicalisation, folding and fusion act on. A builder that returns false
// has built nothing, because the options lack an op or type.
#ifndef TOSAIC_GENERATORS_CHAINS_H_
#define TOSAIC_GENERATORS_CHAINS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"

namespace tosaic {

struct Chain {
  absl::string_view name;
  absl::string_view description;
  bool (*build)(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);
  int weight = 1;  // how often it is drawn: more often if it stands for many pairs of ops
};

absl::Span<const Chain> AllChains();

// Draws one to four chains that the options allow and builds them, the later ones mostly in a separate group. Returns
// their names joined by "+"; empty if the options allow none.
std::string BuildChains(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

// ---- What AllChains is made of ----

// Those for folders and for fusions of two or more ops (folding_chains.cpp).
absl::Span<const Chain> FoldingChains();

// Builds one op on the result of another, as its first operand or any other, on types that both take. All pairs of ops
// are equally likely. The other operands are the first value again, a constant, or another value (pairs.cpp).
bool Pair(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

// Builds one op twice on the same operands, in the other order or with other attributes; or two casts of one value. A
// pass merges them by mistake if it does not compare all parts of the ops (siblings.cpp).
bool Siblings(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

// Draws one of AlgebraicExpressions that the options allow, with element types that all of its ops have, and builds it
// (algebra.cpp).
bool Algebra(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

// Expressions that compilers rewrite by rules of algebra, rightly or wrongly: De Morgan's laws, absorption, a common
// factor, a moved sign, a comparison with a difference; and every pair of ops, with constants that a folder would
// combine. The generator does not say which of them are identities on tensors. In prefix notation, of ops' names and
// leaves: `a`, `b`, `d` are values and `p`, `q` conditions, the same throughout; each `c` is another constant; `0` and
// `1` stand for themselves. `U` and `V` stand for any op of one operand, `F` and `G` for any op of two, `K` for any
// comparison: the same op throughout.
std::vector<absl::string_view> AlgebraicExpressions();

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHAINS_H_
