// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of boxes under the ops that take only integers and truth values. Wide sets of these are rare (casts of
// uncertain floats), so bitwise ops may give up.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "oracle/set_box.h"
#include "oracle/set_grid.h"

namespace tosaic {
namespace {

AllowedSet Everything(const Box& box) { return AllowedSet::Everything(box.result_type()); }

// How many low bits are the same in all members.
int SameBits(OrdinalSpan span) { return span.IsPoint() ? 64 : std::countr_zero(static_cast<uint64_t>(span.stride)); }
// How many of these are 0.
int LowZeroBits(OrdinalSpan span) {
  return std::min(SameBits(span), std::countr_zero(static_cast<uint64_t>(span.first)));
}

// Every value that has this many low bits of `bits`.
AllowedSet WithLowBits(const Box& box, int64_t bits, int count) {
  const Wide step = Wide{1} << count;
  return TruncatedIntegers(box.result_type(), bits, bits + (Wide{1} << 66), step);
}

int SameBitsOfBoth(const Box& box) { return std::min(SameBits(box.spans[0]), SameBits(box.spans[1])); }

// The union over all shift amounts of `shifted(amount)`; undefined if some amount is.
template <typename Shifted>
AllowedSet OverAmounts(const Box& box, Shifted shifted) {
  const ElementType type = box.result_type();
  const OrdinalSpan amounts = box.spans[1];
  if (amounts.first < 0 || amounts.last >= BitWidth(type)) return AllowedSet::Undefined(type);
  AllowedSet set(type);
  for (int64_t amount = amounts.first; amount <= amounts.last; amount += amounts.stride) set.Unite(shifted(amount));
  return set;
}

}  // namespace

AllowedSet ImageBitwiseAnd(const Box& box) {
  const int zeros = std::max(LowZeroBits(box.spans[0]), LowZeroBits(box.spans[1]));
  return WithLowBits(box, box.spans[0].first & box.spans[1].first, std::max(zeros, SameBitsOfBoth(box)));
}
AllowedSet ImageBitwiseOr(const Box& box) {
  return WithLowBits(box, box.spans[0].first | box.spans[1].first, SameBitsOfBoth(box));
}
AllowedSet ImageBitwiseXor(const Box& box) {
  return WithLowBits(box, box.spans[0].first ^ box.spans[1].first, SameBitsOfBoth(box));
}
AllowedSet ImageBitwiseNot(const Box& box) {
  const ElementType type = box.result_type();
  const int64_t both_ends = LeastOrdinal(type) + GreatestOrdinal(type);  // -1 for signed types
  const OrdinalSpan a = box.spans[0];
  return AllowedSet::OfSpan(type, {both_ends - a.last, both_ends - a.first, a.stride});
}

// Truth values have so few combinations that all are evaluated: there are no boxes.
AllowedSet ImageLogicalAnd(const Box& box) { return Everything(box); }
AllowedSet ImageLogicalOr(const Box& box) { return Everything(box); }
AllowedSet ImageLogicalXor(const Box& box) { return Everything(box); }
AllowedSet ImageLogicalNot(const Box& box) { return Everything(box); }

AllowedSet ImageArithmeticRightShift(const Box& box) {
  return OverAmounts(box, [&](int64_t amount) {
    const bool round = box.in.attributes.round.value_or(false) && amount > 0;
    const auto shifted = [&](int64_t x) { return (x >> amount) + (round ? (x >> (amount - 1)) & 1 : 0); };
    const OrdinalSpan a = box.spans[0];
    return IntegersThatFit(box.result_type(), shifted(a.first), shifted(a.last), StepShiftedRight(a, amount));
  });
}

AllowedSet ImageLogicalLeftShift(const Box& box) {
  return OverAmounts(box, [&](int64_t amount) {
    const Wide factor = Wide{1} << amount;
    const OrdinalSpan a = box.spans[0];
    return TruncatedIntegers(box.result_type(), a.first * factor, a.last * factor, a.Step() * factor);
  });
}

AllowedSet ImageLogicalRightShift(const Box& box) {
  const ElementType type = box.result_type();
  return OverAmounts(box, [&](int64_t amount) {
    const OrdinalSpan a = box.spans[0];
    if (amount == 0) return AllowedSet::OfSpan(type, a);
    // Among values of one sign, the bits grow with the values.
    const auto shifted = [&](int64_t x) { return static_cast<int64_t>(BitsOfOrdinal(type, x) >> amount); };
    AllowedSet set(type);
    for (const OrdinalSpan part : {a.Within(a.first, -1), a.Within(0, a.last)}) {
      if (part.first > part.last) continue;
      set.Unite(IntegersThatFit(type, shifted(part.first), shifted(part.last), StepShiftedRight(part, amount)));
    }
    return set;
  });
}

AllowedSet ImageIntdiv(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan a = box.spans[0], b = box.spans[1];
  const bool overflows = a.first == LeastOrdinal(type) && b.Has(-1);
  if (b.Has(0) || overflows) return AllowedSet::Undefined(type);
  if (b.first < 0 && b.last > 0) {  // monotone on either side of 0
    Box below = box, above = box;
    below.spans[1] = b.Within(b.first, -1);
    above.spans[1] = b.Within(1, b.last);
    AllowedSet set = ImageIntdiv(below);
    set.Unite(ImageIntdiv(above));
    return set;
  }
  const auto [least, greatest] = std::minmax({a.first / b.first, a.first / b.last, a.last / b.first, a.last / b.last});
  // 0 lies between quotients of both signs, and is the quotient of small dividends.
  const bool leaves_no_rest = b.IsPoint() && a.first % b.first == 0 && a.stride % b.first == 0;
  return IntegersThatFit(type, least, greatest, leaves_no_rest ? std::abs(a.stride / b.first) : 1);
}

// Interpolation is monotone: it grows with both entries, and between two given entries it grows or falls with the
// operand. So the ends of the operand's range and of the entries' ranges bound the image.
AllowedSet ImageTable(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan x = box.spans[0], base = box.spans[1], next = box.spans[2];
  if (box.in.input_type == ElementType::kI8) return AllowedSet::OfSpan(type, base);
  const auto fits = [](int64_t step) { return Fits(ElementType::kI16, step); };
  if (!fits(next.last - base.first) || !fits(next.first - base.last)) return AllowedSet::Undefined(type);
  const bool is_one_entry = x.first >> 7 == x.last >> 7;
  const auto between = [](int64_t a, int64_t b, int64_t part) { return a * (128 - part) + b * part; };
  const int64_t parts[] = {is_one_entry ? x.first & 127 : 0, is_one_entry ? x.last & 127 : 127};
  const auto least = std::min(between(base.first, next.first, parts[0]), between(base.first, next.first, parts[1]));
  const auto greatest = std::max(between(base.last, next.last, parts[0]), between(base.last, next.last, parts[1]));
  const bool is_line = is_one_entry && base.IsPoint() && next.IsPoint();
  const int64_t step = is_line ? std::abs(next.first - base.first) * x.stride : 1;
  return IntegersThatFit(type, least, greatest, std::max<int64_t>(step, 1));
}

// It does not fall where the input grows, be it read as signed or, on each side of 0, as unsigned. Other parameters
// than constants are not followed.
AllowedSet ImageRescale(const Box& box) {
  const ElementType type = box.result_type();
  const bool are_points =
      std::all_of(box.spans.begin() + 1, box.spans.end(), [](OrdinalSpan s) { return s.IsPoint(); });
  if (!are_points) return AllowedSet::Undefined(type);
  const OrdinalSpan x = box.spans[0];
  if (box.in.attributes.input_unsigned.value_or(false) && x.first < 0 && x.last >= 0) {
    Box below = box, above = box;
    below.spans[0] = x.Within(x.first, -1);
    above.spans[0] = x.Within(0, x.last);
    AllowedSet set = ImageOf(below);
    set.Unite(ImageOf(above));
    return set;
  }
  Box at_last = box;
  at_last.spans[0] = {x.last, x.last};
  const Expected least = box.AtFirst(), greatest = at_last.AtFirst();
  if (least.kind == Expected::Kind::kUndefined || greatest.kind == Expected::Kind::kUndefined) {
    return AllowedSet::Undefined(type);
  }
  Expected all = least;
  all.kind = Expected::Kind::kIntegers;
  all.last_bits = greatest.kind == Expected::Kind::kIntegers ? greatest.last_bits : greatest.bits;
  return AllowedSet::OfExpected(type, all);
}

AllowedSet ImageClz(const Box& box) {
  const ElementType type = box.result_type();
  const OrdinalSpan a = box.spans[0];
  const auto zeros = [&](int64_t x) {
    return static_cast<int64_t>(std::countl_zero(BitsOfOrdinal(type, x))) - (64 - BitWidth(type));
  };
  AllowedSet set(type);
  if (a.first < 0) set.Add({0, 0});
  if (a.last >= 0) set.Add({zeros(a.last), zeros(std::max<int64_t>(a.first, 0))});
  return set;
}

}  // namespace tosaic
