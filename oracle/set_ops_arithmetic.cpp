// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of boxes under the ops that take both integers and floats: arithmetic, order, choice, the cast.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "oracle/set_box.h"
#include "oracle/set_grid.h"
#include "oracle/set_range.h"

namespace tosaic {
namespace {

// The union of mul's images for each shift; undefined if there is none for some shift.
AllowedSet OverShifts(Box box) {
  const OrdinalSpan shifts = box.spans[2];
  const bool are_defined = box.in.input_type == ElementType::kI32 && shifts.first >= 0 && shifts.last <= 63;
  if (!are_defined) return AllowedSet::Undefined(box.result_type());
  AllowedSet set(box.result_type());
  for (int64_t shift = shifts.first; shift <= shifts.last; shift += shifts.stride) {
    box.spans[2] = {shift, shift};
    set.Unite(ImageMul(box));
  }
  return set;
}

// The least and greatest of a function that is monotone in each of two operands.
template <typename Function>
std::pair<Wide, Wide> AtCorners(const Box& box, Function function) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  return std::minmax({static_cast<Wide>(function(Wide{a.first}, Wide{b.first})),
                      static_cast<Wide>(function(Wide{a.first}, Wide{b.last})),
                      static_cast<Wide>(function(Wide{a.last}, Wide{b.first})),
                      static_cast<Wide>(function(Wide{a.last}, Wide{b.last}))});
}

bool IsInfinitePoint(const Box& box, size_t operand) {
  return box.spans[operand].IsPoint() && std::isinf(box.Least(operand));
}
bool IsZeroPoint(const Box& box, size_t operand) { return box.spans[operand].IsPoint() && box.Least(operand) == 0; }

// The same for every member of the box, so that the first tells.
AllowedSet SameAsAtFirst(const Box& box) { return AllowedSet::OfExpected(box.result_type(), box.AtFirst()); }

AllowedSet WithFreeZeros(AllowedSet set) {
  set.AddFlushedZeros();
  const bool has_zero =
      absl::c_any_of(set.spans(), [](OrdinalSpan span) { return span.first <= 0 && span.last >= -1; });
  if (IsFloat(set.type()) && has_zero) set.AddBothZeros();
  return set;
}

// Whether every value of operand `a` is less than, or at most, every value of `b`. (The ordinals of the zeros differ
// although their values are equal, and doubles cannot hold every i64.)
bool IsLess(const Box& box, size_t a, size_t b) {
  return IsFloat(box.in.input_type) ? box.Greatest(a) < box.Least(b) : box.spans[a].last < box.spans[b].first;
}
bool IsAtMost(const Box& box, size_t a, size_t b) {
  return IsFloat(box.in.input_type) ? box.Greatest(a) <= box.Least(b) : box.spans[a].last <= box.spans[b].first;
}

// Two doubles that enclose integers.
Interval Outward(Wide first, Wide last) {
  const auto below = static_cast<double>(first), above = static_cast<double>(last);
  return {static_cast<Wide>(below) > first ? std::nextafter(below, -HUGE_VAL) : below,
          static_cast<Wide>(above) < last ? std::nextafter(above, HUGE_VAL) : above};
}

// Integers that are read as unsigned: the negative patterns are the upper half.
AllowedSet ImageOfUnsigned(const Box& box) {
  const ElementType type = box.result_type();
  const Wide above = Wide{1} << BitWidth(box.in.input_type);
  AllowedSet set(type);
  for (const bool is_upper : {false, true}) {
    const OrdinalSpan part = is_upper ? box.spans[0].Within(INT64_MIN, -1) : box.spans[0].Within(0, INT64_MAX);
    if (part.first > part.last) continue;
    const Wide first = part.first + (is_upper ? above : 0), last = part.last + (is_upper ? above : 0);
    set.Unite(IsFloat(type) ? WithinUlps(type, Outward(first, last), 0.5)
                            : TruncatedIntegers(type, first, last, part.Step()));
  }
  return set;
}

AllowedSet WithNan(AllowedSet set, bool nan) {
  if (nan) set.AddNan();
  return set;
}

AllowedSet TruthValues(const Box& box, bool surely, bool possibly) {
  return AllowedSet::OfSpan(box.result_type(), {surely ? 1 : 0, possibly ? 1 : 0});
}

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

AllowedSet ImageAdd(const Box& box) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  if (IsInteger(box.result_type())) {
    const Wide step = CommonStep(a.Step(), b.Step());
    return IntegersThatFit(box.result_type(), Wide{a.first} + b.first, Wide{a.last} + b.last, step);
  }
  if (IsInfinitePoint(box, 0) || IsInfinitePoint(box, 1)) return SameAsAtFirst(box);
  return WithinUlps(box.result_type(), box.Values(0) + box.Values(1),
                    AccuracyOf(box.in.op, box.result_type(), box.in.policies).ulp);
}

AllowedSet ImageSub(const Box& box) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  if (IsInteger(box.result_type())) {
    const Wide step = CommonStep(a.Step(), b.Step());
    return IntegersThatFit(box.result_type(), Wide{a.first} - b.last, Wide{a.last} - b.first, step);
  }
  if (IsInfinitePoint(box, 0) || IsInfinitePoint(box, 1)) return SameAsAtFirst(box);
  return WithinUlps(box.result_type(), box.Values(0) - box.Values(1),
                    AccuracyOf(box.in.op, box.result_type(), box.in.policies).ulp);
}

AllowedSet ShiftedProducts(const Box& box, Wide least, Wide greatest, Wide step) {
  const ElementType type = box.result_type();
  const int64_t shift = box.spans[2].first;
  if (shift == 0) return TruncatedIntegers(type, least, greatest, step);
  const Wide half = Wide{1} << (shift - 1);
  if (greatest + half > INT64_MAX) return AllowedSet::Undefined(type);
  const Wide first = (least + half) >> shift, last = (greatest + half) >> shift;
  const bool fit = Fits(ElementType::kI32, first) && Fits(ElementType::kI32, last);
  const Wide shifted = step % (Wide{1} << shift) == 0 ? step >> shift : 1;
  return fit ? IntegersThatFit(type, first, last, shifted) : AllowedSet::Undefined(type);
}

AllowedSet ImageMul(const Box& box) {
  const ElementType type = box.result_type();
  if (!box.spans[2].IsPoint()) return OverShifts(box);
  if (IsFloat(type)) {
    for (size_t k : {0, 1}) {
      if (IsInfinitePoint(box, k) || IsZeroPoint(box, k)) return SameAsAtFirst(box);
    }
    if (const std::optional<AllowedSet> exact = ExactProductsOf(box)) return *exact;
    return WithinUlps(type, box.Values(0) * box.Values(1),
                      AccuracyOf(box.in.op, box.result_type(), box.in.policies).ulp);
  }
  const auto [least, greatest] = AtCorners(box, [](Wide a, Wide b) { return a * b; });
  // (a + i s) (b + j t) = a b + i s b + j t a + i j s t
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  const Wide of_one = CommonStep(Wide{a.Step()} * b.first, Wide{b.Step()} * a.first);
  return ShiftedProducts(box, least, greatest, CommonStep(of_one, Wide{a.Step()} * b.Step()));
}

AllowedSet ImageAbs(const Box& box) {
  const OrdinalSpan a = box.spans[0];
  const ElementType type = box.result_type();
  if (IsFloat(type)) {  // the box has one sign
    return AllowedSet::OfSpan(type, a.first < 0 ? OrdinalSpan{-1 - a.last, -1 - a.first, a.stride} : a);
  }
  AllowedSet set(type);
  const OrdinalSpan below = a.Within(a.first, -1), above = a.Within(0, a.last);
  if (below.first <= below.last) {
    set.Unite(IntegersThatFit(type, -Wide{below.last}, -Wide{below.first}, below.Step()));
  }
  if (above.first <= above.last) set.Add(above);
  return set.IsUndefined() ? AllowedSet::Undefined(type) : set;
}

AllowedSet ImageNegate(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan a = box.spans[0], input_zero = box.spans[1], output_zero = box.spans[2];
  if (IsFloat(type)) {
    if (!input_zero.IsPoint() || !output_zero.IsPoint()) return AllowedSet::Undefined(type);
    return AllowedSet::OfSpan(type, {-1 - a.last, -1 - a.first, a.stride});
  }
  const bool may_have_zero_points = box.in.input_type == ElementType::kI8;
  if (!may_have_zero_points && !(input_zero.IsPoint() && output_zero.IsPoint())) return AllowedSet::Undefined(type);
  const Wide least = Wide{input_zero.first} - a.last + output_zero.first;
  const Wide greatest = Wide{input_zero.last} - a.first + output_zero.last;
  const Wide step = CommonStep(CommonStep(a.Step(), input_zero.Step()), output_zero.Step());
  const bool fit = Fits(type, least) && Fits(type, greatest);
  if (fit || !NegateSaturates(type)) return IntegersThatFit(type, least, greatest, step);
  const auto saturated = [type](Wide value) {
    return std::clamp(value, Wide{LeastOrdinal(type)}, Wide{GreatestOrdinal(type)});
  };
  return IntegersThatFit(type, saturated(least), saturated(greatest), 1);
}

// The members of both operands between two ordinals.
AllowedSet EitherWithin(const Box& box, int64_t least, int64_t greatest) {
  AllowedSet set(box.result_type());
  for (const size_t k : {0, 1}) {
    const OrdinalSpan part = box.spans[k].Within(least, greatest);
    if (part.first <= part.last) set.Add(part);
  }
  return WithFreeZeros(set);
}

// Ordinals ascend with the values, except for zeros, whose sign is free.
AllowedSet ImageMaximum(const Box& box) {
  return EitherWithin(box, std::max(box.spans[0].first, box.spans[1].first), INT64_MAX);
}

AllowedSet ImageMinimum(const Box& box) {
  return EitherWithin(box, INT64_MIN, std::min(box.spans[0].last, box.spans[1].last));
}

AllowedSet ImageClamp(const Box& box) {
  const ElementType type = box.result_type();
  const int64_t low = OrdinalOf(type, box.in.attributes.min_val->bits);
  const int64_t high = std::max(low, OrdinalOf(type, box.in.attributes.max_val->bits));  // 0 and -0 are the same value
  AllowedSet set(type);
  const OrdinalSpan kept = box.spans[0].Within(low, high);
  if (kept.first <= kept.last) set.Add(kept);
  if (box.spans[0].first < low) set.Add({low, low});
  if (box.spans[0].last > high) set.Add({high, high});
  return WithFreeZeros(set);
}

// Decided where sets are, before there are boxes.
AllowedSet ImageReshape(const Box& box) { return AllowedSet::Everything(box.result_type()); }

AllowedSet ImageSelect(const Box& box) { return AllowedSet::Everything(box.result_type()); }

AllowedSet ImageIdentity(const Box& box) { return AllowedSet::OfSpan(box.result_type(), box.spans[0]); }

AllowedSet ImageEqual(const Box& box) { return TruthValues(box, false, !(IsLess(box, 0, 1) || IsLess(box, 1, 0))); }

AllowedSet ImageGreater(const Box& box) { return TruthValues(box, IsLess(box, 1, 0), !IsAtMost(box, 0, 1)); }

AllowedSet ImageGreaterEqual(const Box& box) { return TruthValues(box, IsAtMost(box, 1, 0), !IsLess(box, 0, 1)); }

// Every cast but truncation is increasing, so the image lies between the results of both ends.
AllowedSet ImageCast(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan a = box.spans[0];
  const bool from_float = IsFloat(box.in.input_type);
  if (!from_float && type == ElementType::kI1) return TruthValues(box, !a.Has(0), true);
  const bool is_unsigned = box.in.attributes.input_unsigned.value_or(false) && box.in.input_type != ElementType::kI1;
  if (!from_float && is_unsigned) return ImageOfUnsigned(box);
  if (!from_float && IsFloat(type)) {
    return ExactFloatsOf(box).value_or(WithinUlps(type, Outward(a.first, a.last), 0.5));
  }
  if (!from_float) return TruncatedIntegers(type, a.first, a.last, a.Step());
  Box at_last = box;
  at_last.spans[0].first = a.last;
  AllowedSet ends = SameAsAtFirst(box);
  ends.Unite(AllowedSet::OfExpected(type, at_last.AtFirst()));
  // f8E4M3FN overflows to NaN; smaller values reach up to the greatest number.
  if (ends.has_nan())
    ends.Add(a.first < 0 ? OrdinalSpan{LeastOrdinal(type), LeastOrdinal(type)}
                         : OrdinalSpan{GreatestOrdinal(type), GreatestOrdinal(type)});
  const int64_t first = ends.spans().front().first, last = ends.spans().back().last;
  if (IsFloat(type)) return WithNan(AllowedSet::OfSpan(type, {first, last, StepInWider(box)}), ends.has_nan());
  const Wide step = StepOfNumbers(box);
  const bool is_on_grid = first % step == 0 && last % step == 0;  // unless the end is one that does not fit
  return IntegersThatFit(type, first, last, is_on_grid ? step : 1);
}

// For two operands that are one value: sub(x, x), equal(x, x), mul(x, x). For the ops that are not named here the image
// of two operands that may differ is as tight as is cheap: where they are monotone in both, the least and greatest
// results are those of both ends.
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
