// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/edge_probes/elements.h"

#include <cmath>

#include "tests/dumb_scalar_ops.h"

namespace tosaic::edge_probes {

using E = ElementType;

bool IsNan(E type, uint64_t bits) { return IsFloat(type) && std::isnan(dumb::Decode(type, bits)); }
bool IsSubnormal(E type, uint64_t bits) {
  if (type != E::kF16 && type != E::kBF16 && type != E::kF32) return false;
  const long double magnitude = std::fabs(dumb::Decode(type, bits));
  return magnitude > 0 && magnitude < dumb::FormatOf(type).normal_min;
}
uint64_t ZeroOfSign(E type, uint64_t bits) { return bits & dumb::FormatOf(type).sign(); }

int64_t PlaceOf(E type, uint64_t bits) {
  if (!IsFloat(type)) return static_cast<int64_t>(dumb::Decode(type, bits));
  const uint64_t sign = dumb::FormatOf(type).sign();
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -1 - magnitude : magnitude;
}
uint64_t BitsAt(E type, int64_t place) {
  if (!IsFloat(type)) return static_cast<uint64_t>(place) & BitMask(type);
  return place < 0 ? dumb::FormatOf(type).sign() | static_cast<uint64_t>(-1 - place) : static_cast<uint64_t>(place);
}
int64_t GreatestPlace(E type) {
  if (!IsFloat(type)) return PlaceOf(type, BitMask(type) >> (type == E::kI1 ? 0 : 1));
  const dumb::Format& format = dumb::FormatOf(type);
  return static_cast<int64_t>(format.greatest + (format.has_infinity ? 1 : 0));
}
int64_t LeastPlace(E type) { return type == E::kI1 ? 0 : -1 - GreatestPlace(type); }

uint64_t AnyNan(E type, Dice& dice) {
  const uint64_t sign = dumb::FormatOf(type).sign();
  if (!Info(type).has_infinity) return (sign - 1) | (dice.OneIn(2) ? sign : 0);
  const uint64_t payload = dice.Bits() & (sign - 1) & ~dumb::FormatOf(type).greatest;
  const auto infinity = static_cast<uint64_t>(GreatestPlace(type));
  return infinity | payload | uint64_t{1} << (dumb::FormatOf(type).fraction_bits - 1) | (dice.OneIn(2) ? sign : 0);
}

namespace {

uint64_t DrawFloat(E type, Dice& dice) {
  const dumb::Format& format = dumb::FormatOf(type);
  const uint64_t sign = dice.OneIn(2) ? format.sign() : 0;
  if (dice.OneIn(8)) {
    const auto greatest = static_cast<uint64_t>(GreatestPlace(type));
    const uint64_t one = dumb::Nearest(type, 1);
    return dice.Of<uint64_t>({0, 1, 3, uint64_t{1} << format.fraction_bits, greatest, greatest - 1, one, one + 1,
                              AnyNan(type, dice)}) |
           sign;
  }
  if (dice.OneIn(4)) return dice.Bits() & BitMask(type);
  const long double fraction = 1 + std::ldexp(static_cast<long double>(dice.Bits() >> 12), -52);
  return dumb::Nearest(type, std::ldexp(fraction, static_cast<int>(dice.Below(10)) - 6)) | sign;
}

}  // namespace

uint64_t DrawElement(E type, Dice& dice) {
  if (IsFloat(type)) return DrawFloat(type, dice);
  switch (dice.Below(4)) {
    case 0:
      return dice.Bits() & BitMask(type);
    case 1:
      return ((uint64_t{1} << dice.Below(BitWidth(type))) + dice.Below(3) - 1) & BitMask(type);
    default:
      return (dice.Below(16) - (dice.OneIn(3) ? 8 : 0)) & BitMask(type);
  }
}

}  // namespace tosaic::edge_probes
