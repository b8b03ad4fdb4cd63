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

struct Legality {
  Answer answer = Answer::kAccept;
  RuleId rule = RuleId::kNone;  // the rule that decided; an acceptance names a bcast.verify row, or legal.result-shape
  int dim = -1;                 // the dimension it decided at; -1: none in particular
  int op_index = 0;             // the op that decided (JudgeLegality of a whole program)
  std::optional<Shape> inferred;  // what the trait infers for that op, if it got so far and an operand is ranked
  // The specification lacks the element types, but the dialect accepts them.
  bool beyond_spec = false;

  friend bool operator==(const Legality& a, const Legality& b) = default;
};

// The rules in the order in which they are asked. The first that refuses decides; if none does, the first that says
// "either"; if none does, the op is accepted.
//   legal.element-type       the dialect's column; equal types of the inputs, unless it lets them differ; i1 condition
//                                                                               (op_catalogue.h, DialectAccepts)
//   legal.special-operand.type  an i8 shift, zero points of the input's element type
//   legal.dimension          every static dimension is at least 1               (tosa-semantics.md, Frame)
//   legal.special-operand    shift and zero points have shape [1]; either if the type leaves it open
//   legal.rank               ranked broadcast operands and result have one rank (RFC, Enforcement of rank equality),
//                            in the dialects that ask for it: it came after the rest (dialect.h)
//   bcast.*                  Broadcastable                                      (broadcast.h)
//   legal.result-shape       of an op that the RFC does not list: the result's shape is the input's; either if a static
//                            size stands for a dynamic one (identity)
//   legal.attribute.missing  the attributes that are mandatory                  (attributes.def)
//   legal.attribute.bounds   of the input's type, no NaN, the lower one first   (tosa-semantics.md, clamp)
//   legal.zero-point         a constant zero point is zero, unless i8           (negate)
//   legal.shift              a constant shift is in 0..63, and 0 unless i32: a REQUIRE, so either (mul)
//
// Judges one op. REQUIRES: the program is well formed (CheckWellFormed) and `op` is one of its ops.
Legality JudgeLegality(const Program& program, const OpApplication& op, const Policies& policies);

// "refuse [legal.rank]".
std::string ToString(const Legality& legality);

// Judges a whole program. The first op that must be refused decides; otherwise the first that is "either"; otherwise
// the last op, and beyond_spec is true if any op is. An empty constant is refused at last (legal.dimension).
Legality JudgeLegality(const Program& program, const Policies& policies);

// All rules that the op breaks, in the order above, including those that say "either". Each rule is asked by itself: a
// wrong rank can also break the trait's verification. REQUIRES: as above.
std::vector<RuleId> BrokenRules(const Program& program, const OpApplication& op, const Policies& policies);

// Whether a constant has a size of 0, though no op may use it: a constant is an op of the dialect itself.
bool HasEmptyConstant(const Program& program);

// Whether all ranked shapes have the same rank.
bool RanksAgree(absl::Span<const Shape* const> shapes);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LEGALITY_H_
