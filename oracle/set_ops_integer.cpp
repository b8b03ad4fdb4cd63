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
