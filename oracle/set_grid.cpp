// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/set_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tosaic {
namespace {

OrdinalSpan SpanOf(Wide first, Wide last, Wide step) {
  const bool has_stride = 0 < step && step <= INT64_MAX;
  return {static_cast<int64_t>(first), static_cast<int64_t>(last), has_stride ? static_cast<int64_t>(step) : 1};
}

}  // namespace

Wide CommonStep(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

Wide StepShiftedRight(OrdinalSpan span, int64_t amount) {
  const bool is_exact = (span.stride >> amount) << amount == span.stride;
  return is_exact ? span.stride >> amount : 1;
}

AllowedSet IntegersThatFit(ElementType type, Wide first, Wide last, Wide step) {
  if (!Fits(type, first) || !Fits(type, last)) return AllowedSet::Undefined(type);
  return AllowedSet::OfSpan(type, SpanOf(first, last, step));
}

AllowedSet TruncatedIntegers(ElementType type, Wide first, Wide last, Wide step) {
  const Wide least = LeastOrdinal(type), greatest = GreatestOrdinal(type), all = greatest - least + 1;
  if (first >= least && last <= greatest) return IntegersThatFit(type, first, last, step);
  const Wide power = step == 0 ? all : std::min(step & -step, all);
  const Wide above = ((first - least) % power + power) % power;
  return AllowedSet::OfSpan(type, SpanOf(least + above, greatest - (power - 1 - above), power));
}

int LowZeros(OrdinalSpan span) {
  const int64_t magnitude = span.first >= 0 ? span.first : -1 - span.first;
  return std::countr_zero(static_cast<uint64_t>(magnitude) | static_cast<uint64_t>(span.Step()));
}

Wide StepOfNumbers(const Box& box) {
  const ElementType type = box.in.input_type;
  const OrdinalSpan span = box.spans[0];
  const int64_t least = span.first >= 0 ? span.first : -1 - span.last;  // the least magnitude, with the least unit
  if (least < LeastNormalOrdinal(type)) return 1;
  const int mantissa_bits = Info(type).mantissa_bits;
  const int zeros = std::min(LowZeros(span), mantissa_bits);
  const int power = std::ilogb(ValueOfOrdinal(type, least)) - mantissa_bits + zeros;
  return 0 < power && power < 63 ? Wide{1} << power : 1;
}

int64_t StepInWider(const Box& box) {
  const ElementTypeInfo& from = Info(box.in.input_type);
  const ElementTypeInfo& to = Info(box.result_type());
  if (to.exponent_bits < from.exponent_bits || to.mantissa_bits < from.mantissa_bits) return 1;
  // A subnormal has no more significant bits than a normal number. With as many exponent bits it has the same ones in
  // either type; with more, it is normal in the wider type.
  const int zeros = std::min(LowZeros(box.spans[0]), from.mantissa_bits);
  return int64_t{1} << (to.mantissa_bits - from.mantissa_bits + zeros);
}

}  // namespace tosaic
