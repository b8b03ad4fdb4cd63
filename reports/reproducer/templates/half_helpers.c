// Conversions of f16 and bf16 that compiled code calls where the CPU has no instruction for them: compiler-rt has them,
// which Debian has for the machine's own CPU alone, and libgcc lacks most. Each rounds once, to nearest even; a NaN
// stays one, quiet. Part of Tosaic, whose server for --cpu has the same.
#include <stdint.h>
#include <string.h>

typedef struct {
  int mantissa_bits;
  int exponent_bits;
} Format;
static const Format f16 = {10, 5};
static const Format bf16 = {7, 8};

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The value, exactly. `narrow`: two bytes.
static double widen(const void *narrow, Format from) {
  uint16_t bits;
  memcpy(&bits, narrow, sizeof bits);
  const int exponent_mask = (1 << from.exponent_bits) - 1;
  const uint64_t sign = (uint64_t)(bits >> 15) << 63;
  const int exponent = (bits >> from.mantissa_bits) & exponent_mask;
  const uint64_t mantissa = bits & ((1u << from.mantissa_bits) - 1);
  const int bias = exponent_mask >> 1;
  if (exponent == exponent_mask) {
    const uint64_t quiet = mantissa != 0 ? (uint64_t)1 << 51 : 0;
    return double_of(sign | (uint64_t)0x7ff << 52 | quiet | mantissa << (52 - from.mantissa_bits));
  }
  // Both factors are exact: the one of a subnormal has fewer bits, and no power of two is out of a double's range.
  const uint64_t significand = exponent == 0 ? mantissa : mantissa | (uint64_t)1 << from.mantissa_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - bias - from.mantissa_bits;
  const double magnitude = (double)significand * double_of((uint64_t)(scale + 1023) << 52);
  return double_of(bits_of(magnitude) | sign);
}

static uint16_t narrow_bits(double value, Format to) {
  const uint64_t bits = bits_of(value);
  const uint16_t sign = (uint16_t)(bits >> 63 << 15);
  const int exponent_mask = (1 << to.exponent_bits) - 1;
  const uint16_t infinity = (uint16_t)(exponent_mask << to.mantissa_bits);
  const uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
  const int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    if (mantissa == 0) return sign | infinity;
    const uint16_t payload = (uint16_t)(mantissa >> (52 - to.mantissa_bits));
    return (uint16_t)(sign | infinity | 1u << (to.mantissa_bits - 1) | payload);
  }
  const int biased = exponent - 1023 + (exponent_mask >> 1);  // in the narrow format
  if (biased >= exponent_mask) return sign | infinity;
  // A subnormal keeps fewer bits; from 54 on all that is left is below half of the least one.
  const int dropped = 52 - to.mantissa_bits + (biased <= 0 ? 1 - biased : 0);
  if (exponent == 0 || dropped > 53) return sign;
  const uint64_t significand = mantissa | (uint64_t)1 << 52;
  uint64_t kept = significand >> dropped;
  const uint64_t rest = significand & (((uint64_t)1 << dropped) - 1);
  const uint64_t half = (uint64_t)1 << (dropped - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  // The hidden bit counts into the exponent, and so does a carry: beyond the greatest number is infinity.
  const uint64_t below = biased > 0 ? (uint64_t)(biased - 1) << to.mantissa_bits : 0;
  return (uint16_t)(sign | (below + kept));
}

static _Float16 to_f16(double value) {
  const uint16_t bits = narrow_bits(value, f16);
  _Float16 narrow;
  memcpy(&narrow, &bits, sizeof narrow);
  return narrow;
}

static __bf16 to_bf16(double value) {
  const uint16_t bits = narrow_bits(value, bf16);
  __bf16 narrow;
  memcpy(&narrow, &bits, sizeof narrow);
  return narrow;
}

float __extendhfsf2(_Float16 value) { return (float)widen(&value, f16); }
double __extendhfdf2(_Float16 value) { return widen(&value, f16); }
_Float16 __truncsfhf2(float value) { return to_f16(value); }
_Float16 __truncdfhf2(double value) { return to_f16(value); }
float __extendbfsf2(__bf16 value) { return (float)widen(&value, bf16); }
__bf16 __truncsfbf2(float value) { return to_bf16(value); }
__bf16 __truncdfbf2(double value) { return to_bf16(value); }
