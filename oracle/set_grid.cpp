// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/set_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "oracle/accuracy.h"
#include "oracle/float_format.h"

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

std::optional<AllowedSet> ExactInOneBinade(ElementType type, double lo, double hi, int zeros) {
  const FloatFormat& format = Format(type);
  const double least = std::min(std::abs(lo), std::abs(hi)), greatest = std::max(std::abs(lo), std::abs(hi));
  const bool is_inside = least > 2 * format.normal_min && greatest < format.normal_max / 2;
  if (zeros < 1 || !is_inside || std::ilogb(least) != std::ilogb(greatest)) return std::nullopt;
  const int64_t first = OrdinalOf(type, NearestBits(type, least)), last = OrdinalOf(type, NearestBits(type, greatest));
  const int64_t stride = int64_t{1} << zeros;
  const bool is_power = least == std::ldexp(1.0, std::ilogb(least));
  AllowedSet set =
      AllowedSet::OfSpan(type, lo < 0 ? OrdinalSpan{-1 - last, -1 - first, stride} : OrdinalSpan{first, last, stride});
  const int64_t below = lo < 0 ? -first : first - 1;
  if (is_power) set.Add({below, below});
  return set;
}

std::optional<AllowedSet> ExactFloatsOf(const Box& box) {
  const OrdinalSpan a = box.spans[0];
  constexpr int64_t kExactInDouble = int64_t{1} << 53;
  const bool has_one_sign = (a.first > 0 && a.last <= kExactInDouble) || (a.last < 0 && a.first >= -kExactInDouble);
  if (!has_one_sign) return std::nullopt;
  const auto first = static_cast<double>(a.first), last = static_cast<double>(a.last);
  const int low_zeros = std::countr_zero(static_cast<uint64_t>(a.first) | static_cast<uint64_t>(a.Step()));
  const int zeros = Info(box.result_type()).mantissa_bits - std::ilogb(first) + low_zeros;
  return ExactInOneBinade(box.result_type(), first, last, zeros);
}

// Numbers of p and q significant bits have a product of at most p + q.
std::optional<AllowedSet> ExactProductsOf(const Box& box) {
  const ElementType type = box.result_type();
  const int mantissa_bits = Info(type).mantissa_bits;
  constexpr int kExactInDouble = 23;
  if (mantissa_bits > kExactInDouble || AccuracyOf(box.in.op, type, box.in.policies).ulp != 0.5) return std::nullopt;
  const int of_both = std::min(LowZeros(box.spans[0]), mantissa_bits) + std::min(LowZeros(box.spans[1]), mantissa_bits);
  const auto [lo, hi] = std::minmax({box.Least(0) * box.Least(1), box.Least(0) * box.Greatest(1),
                                     box.Greatest(0) * box.Least(1), box.Greatest(0) * box.Greatest(1)});
  return ExactInOneBinade(type, lo, hi, of_both - (mantissa_bits + 1));
}

}  // namespace tosaic
