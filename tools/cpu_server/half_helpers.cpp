// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of f16 and bf16 that compiled code calls where the CPU has no instruction for them: compiler-rt's for
// x86-64, ours here, because Debian has no compiler-rt for other CPUs. Each rounds once, to nearest even; a NaN stays
// one, quiet. They take and return bits where C++ has no such type.
#include <bit>
#include <cstdint>

namespace {

struct Format {
  int mantissa_bits;
  int exponent_bits;
};
constexpr Format kF16 = {10, 5};
constexpr Format kBf16 = {7, 8};

// The value of `bits`, exactly.
double Widen(uint16_t bits, Format from) {
  const int exponent_mask = (1 << from.exponent_bits) - 1;
  const uint64_t sign = static_cast<uint64_t>(bits >> 15) << 63;
  const int exponent = (bits >> from.mantissa_bits) & exponent_mask;
  const uint64_t mantissa = bits & ((1u << from.mantissa_bits) - 1);
  const int bias = exponent_mask >> 1;
  if (exponent == exponent_mask) {
    const uint64_t quiet = mantissa != 0 ? uint64_t{1} << 51 : 0;
    return std::bit_cast<double>(sign | uint64_t{0x7ff} << 52 | quiet | mantissa << (52 - from.mantissa_bits));
  }
  // Both factors are exact: the one of a subnormal has fewer bits, and no power of two is out of a double's range.
  const uint64_t significand = exponent == 0 ? mantissa : mantissa | uint64_t{1} << from.mantissa_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - bias - from.mantissa_bits;
  const double power = std::bit_cast<double>(static_cast<uint64_t>(scale + 1023) << 52);
  const double magnitude = static_cast<double>(significand) * power;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(magnitude) | sign);
}

uint16_t Narrow(double value, Format to) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 63 << 15);
  const int exponent_mask = (1 << to.exponent_bits) - 1;
  const auto infinity = static_cast<uint16_t>(exponent_mask << to.mantissa_bits);
  const uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    if (mantissa == 0) return sign | infinity;
    const auto payload = static_cast<uint16_t>(mantissa >> (52 - to.mantissa_bits));
    return static_cast<uint16_t>(sign | infinity | 1u << (to.mantissa_bits - 1) | payload);
  }
  const int biased = exponent - 1023 + (exponent_mask >> 1);  // in the narrow format
  if (biased >= exponent_mask) return sign | infinity;
  // A subnormal keeps fewer bits; from 54 on all that is left is below half of the least one.
  const int dropped = 52 - to.mantissa_bits + (biased <= 0 ? 1 - biased : 0);
  if (exponent == 0 || dropped > 53) return sign;
  const uint64_t significand = mantissa | uint64_t{1} << 52;
  uint64_t kept = significand >> dropped;
  const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
  const uint64_t half = uint64_t{1} << (dropped - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  // The hidden bit counts into the exponent, and so does a carry: beyond the greatest number is infinity.
  const uint64_t below = biased > 0 ? static_cast<uint64_t>(biased - 1) << to.mantissa_bits : 0;
  return static_cast<uint16_t>(sign | (below + kept));
}

float ToFloat(uint16_t bits, Format from) { return static_cast<float>(Widen(bits, from)); }

}  // namespace

extern "C" {
float __extendhfsf2(_Float16 value) { return ToFloat(std::bit_cast<uint16_t>(value), kF16); }
double __extendhfdf2(_Float16 value) { return Widen(std::bit_cast<uint16_t>(value), kF16); }
_Float16 __truncsfhf2(float value) { return std::bit_cast<_Float16>(Narrow(value, kF16)); }
_Float16 __truncdfhf2(double value) { return std::bit_cast<_Float16>(Narrow(value, kF16)); }
float __extendbfsf2(__bf16 value) { return ToFloat(std::bit_cast<uint16_t>(value), kBf16); }
__bf16 __truncsfbf2(float value) { return std::bit_cast<__bf16>(Narrow(value, kBf16)); }
__bf16 __truncdfbf2(double value) { return std::bit_cast<__bf16>(Narrow(value, kBf16)); }
}
