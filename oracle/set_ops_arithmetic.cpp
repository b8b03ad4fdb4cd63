// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of boxes under the ops that take both integers and floats: arithmetic, order, choice, the cast.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "oracle/set_box.h"
#include "oracle/set_range.h"

namespace tosaic {
namespace {

// A range of integers, undefined unless all fit the result's type.
AllowedSet IntegersThatFit(const Box& box, Wide first, Wide last) {
  const ElementType type = box.result_type();
  if (!Fits(type, first) || !Fits(type, last)) return AllowedSet::Undefined(type);
  return AllowedSet::OfSpan(type, {static_cast<int64_t>(first), static_cast<int64_t>(last)});
}

// The same, but values that do not fit lose their high bits.
AllowedSet TruncatedIntegers(const Box& box, Wide first, Wide last) {
  const ElementType type = box.result_type();
  const bool fits = first >= LeastOrdinal(type) && last <= GreatestOrdinal(type);
  return fits ? IntegersThatFit(box, first, last) : AllowedSet::Everything(type);
}

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
Interval Outward(OrdinalSpan integers) {
  const auto below = static_cast<double>(integers.first), above = static_cast<double>(integers.last);
  return {static_cast<Wide>(below) > integers.first ? std::nextafter(below, -HUGE_VAL) : below,
          static_cast<Wide>(above) < integers.last ? std::nextafter(above, HUGE_VAL) : above};
}

AllowedSet TruthValues(const Box& box, bool surely, bool possibly) {
  return AllowedSet::OfSpan(box.result_type(), {surely ? 1 : 0, possibly ? 1 : 0});
}

}  // namespace

AllowedSet ImageAdd(const Box& box) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  if (IsInteger(box.result_type())) return IntegersThatFit(box, Wide{a.first} + b.first, Wide{a.last} + b.last);
  if (IsInfinitePoint(box, 0) || IsInfinitePoint(box, 1)) return SameAsAtFirst(box);
  return WithinUlps(box.result_type(), box.Values(0) + box.Values(1),
                    AccuracyOf(box.in.op, box.result_type(), box.in.policies).ulp);
}

AllowedSet ImageSub(const Box& box) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  if (IsInteger(box.result_type())) return IntegersThatFit(box, Wide{a.first} - b.last, Wide{a.last} - b.first);
  if (IsInfinitePoint(box, 0) || IsInfinitePoint(box, 1)) return SameAsAtFirst(box);
  return WithinUlps(box.result_type(), box.Values(0) - box.Values(1),
                    AccuracyOf(box.in.op, box.result_type(), box.in.policies).ulp);
}

AllowedSet ImageMul(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan shift = box.spans[2];
  if (!shift.IsPoint()) return OverShifts(box);
  if (IsFloat(type)) {
    for (size_t k : {0, 1}) {
      if (IsInfinitePoint(box, k) || IsZeroPoint(box, k)) return SameAsAtFirst(box);
    }
    return WithinUlps(type, box.Values(0) * box.Values(1),
                      AccuracyOf(box.in.op, box.result_type(), box.in.policies).ulp);
  }
  const auto [least, greatest] = AtCorners(box, [](Wide a, Wide b) { return a * b; });
  if (shift.first == 0) return TruncatedIntegers(box, least, greatest);
  const Wide half = Wide{1} << (shift.first - 1);
  if (greatest + half > INT64_MAX) return AllowedSet::Undefined(type);
  const Wide first = (least + half) >> shift.first, last = (greatest + half) >> shift.first;
  const bool fit = Fits(ElementType::kI32, first) && Fits(ElementType::kI32, last);
  return fit ? IntegersThatFit(box, first, last) : AllowedSet::Undefined(type);
}

AllowedSet ImageAbs(const Box& box) {
  const OrdinalSpan a = box.spans[0];
  if (IsFloat(box.result_type())) {  // the box has one sign
    return AllowedSet::OfSpan(box.result_type(), a.first < 0 ? OrdinalSpan{-1 - a.last, -1 - a.first} : a);
  }
  const Wide from_below = -Wide{a.first};
  const Wide least = a.first >= 0 ? Wide{a.first} : a.last <= 0 ? -Wide{a.last} : 0;
  return IntegersThatFit(box, least, std::max(from_below, Wide{a.last}));
}

AllowedSet ImageNegate(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan a = box.spans[0], input_zero = box.spans[1], output_zero = box.spans[2];
  if (IsFloat(type)) {
    if (!input_zero.IsPoint() || !output_zero.IsPoint()) return AllowedSet::Undefined(type);
    return AllowedSet::OfSpan(type, {-1 - a.last, -1 - a.first});
  }
  const bool may_have_zero_points = box.in.input_type == ElementType::kI8;
  if (!may_have_zero_points && !(input_zero.IsPoint() && output_zero.IsPoint())) return AllowedSet::Undefined(type);
  const Wide least = Wide{input_zero.first} - a.last + output_zero.first;
  const Wide greatest = Wide{input_zero.last} - a.first + output_zero.last;
  if (!NegateSaturates(type)) return IntegersThatFit(box, least, greatest);
  const auto saturated = [type](Wide value) {
    return std::clamp(value, Wide{LeastOrdinal(type)}, Wide{GreatestOrdinal(type)});
  };
  return IntegersThatFit(box, saturated(least), saturated(greatest));
}

// Ordinals ascend with the values, except for zeros, whose sign is free.
AllowedSet ImageMaximum(const Box& box) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  return WithFreeZeros(AllowedSet::OfSpan(box.result_type(), {std::max(a.first, b.first), std::max(a.last, b.last)}));
}

AllowedSet ImageMinimum(const Box& box) {
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  return WithFreeZeros(AllowedSet::OfSpan(box.result_type(), {std::min(a.first, b.first), std::min(a.last, b.last)}));
}

AllowedSet ImageClamp(const Box& box) {
  const ElementType type = box.result_type();
  const int64_t low = OrdinalOf(type, box.in.attributes.min_val->bits);
  const int64_t high = std::max(low, OrdinalOf(type, box.in.attributes.max_val->bits));  // 0 and -0 are the same value
  const auto clamped = [&](int64_t ordinal) { return std::clamp(ordinal, low, high); };
  return WithFreeZeros(AllowedSet::OfSpan(type, {clamped(box.spans[0].first), clamped(box.spans[0].last)}));
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
  if (!from_float && IsFloat(type)) return WithinUlps(type, Outward(a), 0.5);
  if (!from_float && type == ElementType::kI1) return TruthValues(box, a.first > 0 || a.last < 0, true);
  if (!from_float) return TruncatedIntegers(box, a.first, a.last);
  Box at_last = box;
  at_last.spans[0].first = a.last;
  AllowedSet ends = SameAsAtFirst(box);
  ends.Unite(AllowedSet::OfExpected(type, at_last.AtFirst()));
  // f8E4M3FN overflows to NaN; smaller values reach up to the greatest number.
  if (ends.has_nan())
    ends.Add(a.first < 0 ? OrdinalSpan{LeastOrdinal(type), LeastOrdinal(type)}
                         : OrdinalSpan{GreatestOrdinal(type), GreatestOrdinal(type)});
  ends.Add({ends.spans().front().first, ends.spans().back().last});
  return ends;
}

}  // namespace tosaic
