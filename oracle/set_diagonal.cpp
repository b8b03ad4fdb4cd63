// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of ops whose first two operands are one value: sub(x, x), equal(x, x), mul(x, x).
#include <algorithm>

#include "absl/algorithm/container.h"
#include "oracle/set_box.h"
#include "oracle/set_grid.h"

namespace tosaic {
namespace {

// The squares of integers of a span, before mul's shift: (f + i s)^2 = f^2 + 2 f i s + i^2 s^2.
AllowedSet ImageOfSquares(const Box& box) {
  AllowedSet set(box.result_type());
  const OrdinalSpan all = box.spans[0];
  for (const OrdinalSpan part : {all.Within(all.first, -1), all.Within(0, all.last)}) {
    if (part.first > part.last) continue;
    const Wide first = Wide{part.first} * part.first, last = Wide{part.last} * part.last;
    const Wide step = CommonStep(2 * Wide{part.first} * part.Step(), Wide{part.Step()} * part.Step());
    set.Unite(ShiftedProducts(box, std::min(first, last), std::max(first, last), step));
  }
  return set.IsUndefined() ? AllowedSet::Undefined(box.result_type()) : set;
}

// Ops whose result is a constant if both operands are the same value, whichever that is.
constexpr OpKind kConstantOnOneValue[] = {OpKind::kSub, OpKind::kEqual, OpKind::kGreater, OpKind::kGreaterEqual,
                                          OpKind::kBitwiseXor};

}  // namespace

// For the other ops the image of two operands that may differ is as tight as is cheap: where they are monotone in both,
// the least and greatest results are those of both ends.
AllowedSet ImageOfOneValue(const Box& box) {
  const ElementType type = box.result_type();
  const OpKind op = box.in.op.kind;
  const OrdinalSpan x = box.spans[0];
  if (absl::c_linear_search(kConstantOnOneValue, op)) return AllowedSet::OfExpected(type, box.AtFirst());
  if (op == OpKind::kIntdiv) return x.Has(0) ? AllowedSet::Undefined(type) : AllowedSet::OfSpan(type, {1, 1});
  if (op == OpKind::kBitwiseAnd || op == OpKind::kBitwiseOr) return AllowedSet::OfSpan(type, x);
  if (op == OpKind::kMul && IsInteger(type) && box.spans[2].IsPoint()) return ImageOfSquares(box);
  if (op == OpKind::kAdd && IsInteger(type)) {
    return IntegersThatFit(type, 2 * Wide{x.first}, 2 * Wide{x.last}, 2 * Wide{x.Step()});
  }
  return ImageOf(box);
}

}  // namespace tosaic
