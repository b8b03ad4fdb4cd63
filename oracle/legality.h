// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legality: whether the op verifier must accept an op, from the TOSA specification (tosa-semantics.md) and the
// Broadcastable trait, which the RFC applies to all elementwise ops ("List of operations"), including `cast`, `mul` and
// `negate`. tosa-validate checks the specification's profiles, levels and compile-time constants: validation.h.
#ifndef TOSAIC_ORACLE_LEGALITY_H_
#define TOSAIC_ORACLE_LEGALITY_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "model/program.h"
#include "oracle/broadcast.h"
#include "oracle/policy.h"

namespace tosaic {

// An acceptance names a bcast.verify row, or legal.result-shape.
struct Legality : Decision {
  int op_index = 0;               // the op that decided (JudgeLegality of a whole program)
  std::optional<Shape> inferred;  // what the trait infers for that op, if it got so far and an operand is ranked
  // The specification lacks the element types, but the dialect accepts them.
  bool beyond_spec = false;

  friend bool operator==(const Legality& a, const Legality& b) = default;
};

// The rules are RuleFamily::kLegal (model/rules.def) and, behind legal.rank, the trait's (broadcast.h); legality.cpp
// has the order in which they are asked. The first that refuses decides; if none does, the first that says "either"; if
// none does, the op is accepted. legal.rank is asked in the dialects that have it: it came after the rest (dialect.h).
//
// Judges one op. REQUIRES: the program is well formed (CheckWellFormed) and `op` is one of its ops.
Legality JudgeLegality(const Program& program, const OpApplication& op, const Policies& policies);

// "refuse [legal.rank]".
std::string ToString(const Legality& legality);

// Judges a whole program. The first op that must be refused decides; otherwise the first that is "either"; otherwise
// the last op, and beyond_spec is true if any op is. An empty constant is refused at last (legal.dimension).
Legality JudgeLegality(const Program& program, const Policies& policies);

// All rules that the op breaks, in the order in which they are asked, including those that say "either". Each rule is
// asked by itself: a wrong rank can also break the trait's verification. REQUIRES: as above.
std::vector<RuleId> BrokenRules(const Program& program, const OpApplication& op, const Policies& policies);

// Whether a constant has a size of 0, though no op may use it: a constant is an op of the dialect itself.
bool HasEmptyConstant(const Program& program);

// Whether all ranked shapes have the same rank.
bool RanksAgree(absl::Span<const Shape* const> shapes);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LEGALITY_H_
