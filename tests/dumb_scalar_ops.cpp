// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/dumb_scalar_ops.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace tosaic::dumb {
namespace {

using LongDouble = long double;
using Int = __int128;
using Kind = Answer::Kind;

constexpr LongDouble kInfinity = std::numeric_limits<LongDouble>::infinity();
constexpr LongDouble kPi = 3.14159265358979323846264338327950288L;
// One rounding of a long double is off by 2^-64 of the value; this is a generous handful of them.
constexpr LongDouble kRoundings = 0x1p-58L;

// REQUIRES: |exponent| < 2048, more than any element's.
LongDouble PowerOfTwo(int exponent) {
  static const auto powers = [] {
    std::array<LongDouble, 4096> table;
    for (int i = 0; i < 4096; ++i) table[i] = std::ldexp(LongDouble{1}, i - 2048);
    return table;
  }();
  return powers[exponent + 2048];
}
LongDouble NormalMin(ElementType type) { return FormatOf(type).normal_min; }
LongDouble NormalMax(ElementType type) { return FormatOf(type).normal_max; }
int Fraction(ElementType type) { return FormatOf(type).fraction_bits; }
// Whose accuracy functions have, beyond the specification.
ElementType Like(ElementType type) {
  if (type == ElementType::kF64) return ElementType::kF32;
  if (type == ElementType::kF8E4M3FN || type == ElementType::kF8E5M2) return ElementType::kF16;
  return type;
}
int Base(ElementType type) { return Like(type) == ElementType::kF32 ? 3 : 1; }

// --- Integers ---

Int Width(ElementType type) { return BitWidth(type); }
bool HasSign(ElementType type) {
  return type != ElementType::kI1 && type != ElementType::kUi8 && type != ElementType::kUi16 &&
         type != ElementType::kUi32;
}
Int Min(ElementType type) { return HasSign(type) ? -(Int{1} << (BitWidth(type) - 1)) : 0; }
Int Max(ElementType type) { return HasSign(type) ? -Min(type) - 1 : (Int{1} << BitWidth(type)) - 1; }
bool Fits(ElementType type, Int value) { return Min(type) <= value && value <= Max(type); }

Int Unsigned(ElementType type, uint64_t bits) { return static_cast<Int>(bits) % (Int{1} << BitWidth(type)); }
Int Signed(ElementType type, uint64_t bits) {
  const Int value = Unsigned(type, bits);
  return value <= Max(type) ? value : value - (Int{1} << BitWidth(type));
}

uint64_t BitsOf(ElementType type, Int value) {
  const Int modulus = Int{1} << BitWidth(type);
  return static_cast<uint64_t>(((value % modulus) + modulus) % modulus);
}
Answer Integer(ElementType type, Int value) { return Answer::Listed({BitsOf(type, value)}); }
Answer IntegerIfItFits(ElementType type, Int value) {
  return Fits(type, value) ? Integer(type, value) : Answer::Undefined();
}
Answer Bool(bool value) { return Answer::Listed({value ? 1u : 0u}); }

// --- Floats ---

bool IsNan(ElementType type, uint64_t bits) {
  const Format& format = FormatOf(type);
  return (bits & (format.sign() - 1)) > format.greatest + (format.has_infinity ? 1 : 0);
}
bool IsNan(const Input& in, int operand) { return IsNan(in.input, in.bits[operand]); }

bool IsSubnormal(ElementType type, uint64_t bits) {
  const LongDouble value = Decode(type, bits);
  return value != 0 && std::fabs(value) < NormalMin(type);
}

// Exactly this float; a subnormal may be flushed to the zero of its sign, of fp8 apart.
Answer ExactFloat(ElementType type, uint64_t bits) {
  if (IsNan(type, bits)) return Answer::Nan();
  if (IsSubnormal(type, bits) && !IsFp8(type)) return Answer::Listed({bits, bits & FormatOf(type).sign()});
  return Answer::Listed({bits});
}
// The same, but a zero may have either sign: a flushed one too, "the sign of a zero result is free".
Answer ExactFloatFreeZero(ElementType type, uint64_t bits) {
  if (IsNan(type, bits)) return Answer::Nan();
  const LongDouble value = Decode(type, bits);
  const bool may_be_zero = value == 0 || (IsSubnormal(type, bits) && !IsFp8(type));
  if (may_be_zero) return Answer::Listed({bits, 0, FormatOf(type).sign()});
  return Answer::Listed({bits});
}
Answer ExactNearest(ElementType type, LongDouble value) { return ExactFloat(type, Nearest(type, value)); }

// ulp(T, r). `of`: what the op computes; the results of f64 that are no normal doubles have a unit, also T's.
LongDouble Ulp(ElementType type, LongDouble r, ElementType of) {
  const auto rounded = static_cast<double>(r);
  if (of == ElementType::kF64 ? rounded == 0 || std::isinf(rounded) : !std::isnormal(rounded)) return 0;
  const Format& format = FormatOf(type);
  return PowerOfTwo(std::max(std::ilogb(rounded), format.least_exponent()) - format.fraction_bits);
}
LongDouble Ulp(ElementType type, LongDouble r) { return Ulp(type, r, type); }

// AEB(T, m, b, l, d). `Float` is double, the specification's fp64_t, or LongDouble.
template <typename Float>
Float AbsoluteErrorBound(ElementType type, Float m, Float b, Float l, int d) {
  if (std::isinf(b) && m == 0) return 0;
  type = Like(type);
  Float v = std::max<Float>(std::fabs(m), NormalMin(type));
  if (l > 0) v = std::max(l / b, v);
  const Float unit = static_cast<Float>(std::exp2(-static_cast<LongDouble>(Fraction(type)) / d)) * v;
  return unit * b;
}

// within(T, test, ref, bound)
template <typename Float>
bool Within(ElementType type, Float test, Float ref, Float bound) {
  if (std::isnan(ref)) return std::isnan(test);
  if (!std::isfinite(bound)) return true;
  const bool is_fp8 = BitWidth(type) == 8;
  if (ref < 0) {
    test = -test;
    ref = -ref;
  }
  Float hi = ref + bound, lo = ref - bound;
  if (hi > NormalMax(type)) hi = kInfinity;
  if (lo > NormalMax(type)) lo = kInfinity;
  if (lo < -NormalMax(type)) lo = -kInfinity;
  if (std::isnan(test)) return !FormatOf(type).has_infinity && std::isinf(hi);
  if (test == 0 && !is_fp8) return lo < NormalMin(type);
  return lo <= test && test <= hi;
}

// Whether a long double's sum of a and b is their sum (Knuth's two-sum).
bool SumIsExact(LongDouble a, LongDouble b) {
  const LongDouble sum = a + b, part = sum - a;
  return (a - (sum - part)) + (b - part) == 0;
}

Answer WithinBound(LongDouble reference, LongDouble bound, LongDouble slack) {
  return {.kind = Kind::kWithin, .reference = reference, .bound = bound, .slack = slack};
}
// Whether a long double of this error, rounded to double, surely is what the true value rounds to.
bool RoundsSurely(LongDouble value, LongDouble error) {
  return static_cast<double>(value - error) == static_cast<double>(value + error);
}
// On doubles. `sure`: reference and bound are the specification's; else each may be a unit or two off.
Answer WithinFp64(double reference, double bound, bool sure) {
  Answer answer = WithinBound(reference, bound, sure ? 0 : 0x1p-50L * (std::fabs(reference) + bound));
  answer.fp64 = true;
  return answer;
}

// Of f64, and of casts of i64. `reference` is one rounding away from the true value, unless `is_exact`.
Answer WithinUlpOfTheTrueValue(ElementType type, LongDouble reference, LongDouble n, bool is_exact) {
  LongDouble bound = n * Ulp(type, reference);
  if (n != 0.5L && Like(type) != type) bound = n * Ulp(Like(type), reference, type) + 0.5L * Ulp(type, reference);
  const bool ends_are_exact = is_exact && SumIsExact(reference, bound) && SumIsExact(reference, -bound);
  return WithinBound(reference, bound, ends_are_exact ? 0 : kRoundings * (std::fabs(reference) + bound));
}
Answer WithinUlp(ElementType type, LongDouble reference, LongDouble n, bool is_exact) {
  if (type == ElementType::kF64) return WithinUlpOfTheTrueValue(type, reference, n, is_exact);
  const auto rounded = static_cast<double>(reference);
  double bound = static_cast<double>(n * Ulp(type, rounded));
  if (n != 0.5L && Like(type) != type) bound = n * Ulp(Like(type), rounded, type) + 0.5L * Ulp(type, rounded);
  return WithinFp64(rounded, bound, is_exact || RoundsSurely(reference, kRoundings * std::fabs(reference)));
}
// Reference and bound come out of the C library, `amplified` times as inexact as one rounding. `bound_of` computes the
// bound from the reference, in doubles or in long doubles.
template <typename BoundOf>
Answer WithinInexact(ElementType type, LongDouble reference, BoundOf bound_of, LongDouble amplified = 1) {
  if (type != ElementType::kF64) {
    const auto rounded = static_cast<double>(reference);
    double bound = bound_of(rounded);
    if (Like(type) != type) bound += static_cast<double>(0.5L * Ulp(type, rounded));
    const bool sure = amplified <= 1 && RoundsSurely(reference, kRoundings * std::fabs(reference));
    if (std::isfinite(bound)) return WithinFp64(rounded, bound, sure);
  }
  LongDouble bound = bound_of(reference);
  if (Like(type) != type) bound += 0.5L * Ulp(type, reference);
  return WithinBound(reference, bound, kRoundings * amplified * (std::fabs(reference) + bound));
}
// Everything but a NaN.
Answer AnyNumber() { return WithinBound(0, LDBL_MAX, 0); }
// The specification's reference is a double: beyond it is an infinity. No element's reference is near the last double.
bool OverflowsDouble(LongDouble reference) { return std::isinf(static_cast<double>(reference)); }

// --- Ops with one operand ---

LongDouble X(const Input& in) { return Decode(in.input, in.bits[0]); }
LongDouble Y(const Input& in) { return Decode(in.input, in.bits[1]); }
Int SignedX(const Input& in) { return Signed(in.input, in.bits[0]); }
Int SignedY(const Input& in) { return Signed(in.input, in.bits[1]); }

Answer Abs(const Input& in) {
  if (IsFloat(in.input)) return ExactFloat(in.result, in.bits[0] & ~FormatOf(in.input).sign());
  return IntegerIfItFits(in.result, SignedX(in) < 0 ? -SignedX(in) : SignedX(in));
}

Answer BitwiseNot(const Input& in) { return Integer(in.result, -SignedX(in) - 1); }

Answer Ceil(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  if (x == 0 || std::isinf(x)) return ExactFloat(in.result, in.bits[0]);
  return WithinUlp(in.result, std::ceil(x), 0.5, true);
}

Answer Floor(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  if (x == 0 || std::isinf(x)) return ExactFloat(in.result, in.bits[0]);
  return WithinUlp(in.result, std::floor(x), 0.5, true);
}

Answer Clamp(const Input& in) {
  const uint64_t min_bits = in.attributes.min_val->bits, max_bits = in.attributes.max_val->bits;
  if (IsInteger(in.input)) {
    return Integer(in.result, std::min(std::max(SignedX(in), Signed(in.input, min_bits)), Signed(in.input, max_bits)));
  }
  if (IsNan(in, 0)) {
    const bool ignore = in.attributes.nan_mode == NanMode::kIgnore;
    return ignore ? ExactFloatFreeZero(in.result, min_bits) : Answer::Nan();
  }
  if (X(in) < Decode(in.input, min_bits)) return ExactFloatFreeZero(in.result, min_bits);
  if (X(in) > Decode(in.input, max_bits)) return ExactFloatFreeZero(in.result, max_bits);
  return ExactFloatFreeZero(in.result, in.bits[0]);
}

Answer Clz(const Input& in) {
  Int count = Width(in.input);
  for (Int rest = Unsigned(in.input, in.bits[0]); rest > 0; rest /= 2) --count;
  return Integer(in.result, count);
}

Answer Cos(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x) || std::isinf(x)) return Answer::Nan();
  if (x == 0) return ExactNearest(in.result, 1);
  return WithinInexact(in.result, std::cos(x), [&](auto reference) {
    using Float = decltype(reference);
    return AbsoluteErrorBound<Float>(in.result, 1 + std::fabs(static_cast<Float>(x)), 1, 0, 2);
  });
}

Answer Sin(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x) || std::isinf(x)) return Answer::Nan();
  if (x == 0) return ExactFloat(in.result, in.bits[0]);
  const auto bound_of = [&](auto reference) {
    using Float = decltype(reference);
    const Float least = static_cast<Float>(kPi) * static_cast<Float>(NormalMin(Like(in.result)));
    return std::max(AbsoluteErrorBound<Float>(in.result, x, 2, 0, 2), least);
  };
  // For f64, pi to a double's precision will do.
  return WithinInexact(in.result, std::sin(x), bound_of, in.result == ElementType::kF64 ? 64 : 1);
}

Answer Erf(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  const LongDouble reference = std::erf(x);
  return WithinUlp(in.result, reference, 5, x == 0 || std::isinf(x));
}

Answer Exp(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  if (x == 0) return ExactNearest(in.result, 1);
  if (std::isinf(x)) return ExactNearest(in.result, x < 0 ? 0 : kInfinity);
  const LongDouble reference = std::exp(x);
  if (OverflowsDouble(reference)) return ExactNearest(in.result, kInfinity);
  return WithinInexact(in.result, reference, [&](auto reference) {
    using Float = decltype(reference);
    const Float b = Base(in.result) + 2 * std::fabs(static_cast<Float>(x));
    return AbsoluteErrorBound<Float>(in.result, reference, b, 0, 1);
  });
}

Answer Log(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x) || x < 0) return Answer::Nan();
  if (x == 0) return ExactNearest(in.result, -kInfinity);
  if (std::isinf(x)) return ExactNearest(in.result, kInfinity);
  return WithinInexact(in.result, std::log(x), [&](auto reference) {
    return AbsoluteErrorBound<decltype(reference)>(in.result, reference, 5, 0.5, 1);
  });
}

Answer LogicalNot(const Input& in) { return Bool(in.bits[0] == 0); }

Answer Negate(const Input& in) {
  if (IsFloat(in.input)) return ExactFloat(in.result, in.bits[0] ^ FormatOf(in.input).sign());
  const Int value = 0 - (SignedX(in) - SignedY(in)) + Signed(in.input, in.bits[2]);
  const bool saturates = in.input == ElementType::kI4 || in.input == ElementType::kI8 || in.input == ElementType::kI16;
  if (!saturates) return IntegerIfItFits(in.result, value);
  return Integer(in.result, std::min(std::max(value, Min(in.result)), Max(in.result)));
}

bool IsPowerOfTwo(LongDouble value) {
  int exponent;
  return std::frexp(value, &exponent) == 0.5L;
}

Answer Reciprocal(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  if (x == 0 || std::isinf(x)) return ExactNearest(in.result, 1 / x);
  if (in.result != ElementType::kF64) return WithinUlp(in.result, 1 / static_cast<double>(x), 1, true);
  return WithinUlp(in.result, 1 / x, 1, IsPowerOfTwo(std::fabs(x)));
}

Answer Rsqrt(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x) || x < 0) return Answer::Nan();
  if (x == 0 || std::isinf(x)) return ExactNearest(in.result, 1 / x);
  const LongDouble root = std::sqrt(x);
  // Two operations of doubles, which the hardware rounds as IEEE 754 asks.
  if (in.result != ElementType::kF64) return WithinUlp(in.result, 1 / std::sqrt(static_cast<double>(x)), 2, true);
  return WithinUlp(in.result, 1 / root, 2, IsPowerOfTwo(root) && root * root == x);
}

Answer Sigmoid(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  if (std::isinf(x)) return ExactFloatFreeZero(in.result, Nearest(in.result, x < 0 ? 0 : 1));  // "0", not "+0"
  if (x == 0) return ExactNearest(in.result, 0.5L);
  const LongDouble power = std::exp(-x);
  LongDouble reference = 1 / (1 + power), amplified = 1;
  if (in.result != ElementType::kF64) {  // three operations of doubles
    reference = 1 / (1 + static_cast<double>(power));
    if (!RoundsSurely(power, kRoundings * power)) amplified = 2;
  }
  return WithinInexact(
      in.result, reference,
      [&](auto reference) {
        using Float = decltype(reference);
        const Float b = 2 * (1 + std::fabs(static_cast<Float>(x)));
        return AbsoluteErrorBound<Float>(in.result, reference, b, 0, 1);
      },
      amplified);
}

Answer Tanh(const Input& in) {
  const LongDouble x = X(in);
  if (std::isnan(x)) return Answer::Nan();
  if (x == 0) return ExactFloat(in.result, in.bits[0]);
  if (std::isinf(x)) return ExactNearest(in.result, x < 0 ? -1 : 1);
  return WithinInexact(in.result, std::tanh(x), [&](auto reference) {
    using Float = decltype(reference);
    const Float b = 4 * (Base(in.result) + 2 * std::fabs(static_cast<Float>(x)));
    return AbsoluteErrorBound<Float>(in.result, reference, b, 0.5, 1);
  });
}

// --- Ops with two operands ---

Answer FloatSum(const Input& in, LongDouble x, LongDouble y) {
  const ElementType type = in.result;
  const LongDouble n = in.release == Release::k1_1 && type == ElementType::kBF16 ? 1 : 0.5L;
  const LongDouble sum = x + y;
  if (std::isnan(sum)) return Answer::Nan();
  if (std::isinf(sum)) return ExactNearest(type, sum);
  return WithinUlp(type, static_cast<double>(x) + static_cast<double>(y), n, true);  // one operation of doubles
}

// Of f64: a sum or product of quadruple precision (of a product exact, of a sum close enough to show on which side of a
// tie it is), rounded to nearest by the compiler's own software.
Answer Double(__float128 result) {
  const auto rounded = static_cast<double>(result);
  if (std::isnan(rounded)) return Answer::Nan();
  uint64_t bits;
  std::memcpy(&bits, &rounded, sizeof(bits));
  return ExactFloatFreeZero(ElementType::kF64, bits);
}
bool IsDouble(const Input& in) { return in.input == ElementType::kF64; }
__float128 Quadruple(LongDouble x) { return x; }

Answer Add(const Input& in) {
  if (IsDouble(in)) return Double(Quadruple(X(in)) + Quadruple(Y(in)));
  if (IsFloat(in.input)) return FloatSum(in, X(in), Y(in));
  return IntegerIfItFits(in.result, SignedX(in) + SignedY(in));
}

Answer Sub(const Input& in) {
  if (IsDouble(in)) return Double(Quadruple(X(in)) - Quadruple(Y(in)));
  if (IsFloat(in.input)) return FloatSum(in, X(in), -Y(in));
  return IntegerIfItFits(in.result, SignedX(in) - SignedY(in));
}

Answer Mul(const Input& in) {
  const Int shift = Signed(ElementType::kI8, in.bits[2]);
  if (shift < 0 || shift > 63) return Answer::Undefined();
  if (shift != 0 && in.input != ElementType::kI32) return Answer::Undefined();
  if (IsDouble(in)) return Double(Quadruple(X(in)) * Quadruple(Y(in)));
  if (IsFloat(in.input)) {
    const LongDouble product = X(in) * Y(in);  // exact: twice 24 bits
    if (std::isnan(product)) return Answer::Nan();
    if (std::isinf(product)) return ExactNearest(in.result, product);
    const LongDouble n = in.release == Release::k1_1 && in.input == ElementType::kBF16 ? 1 : 0.5L;
    return WithinUlp(in.result, product, n, true);
  }
  const Int product = SignedX(in) * SignedY(in);
  if (shift == 0) return Integer(in.result, product);
  const Int power = Int{1} << shift;
  const Int sum = product + power / 2;
  if (sum < -(Int{1} << 63) || sum >= Int{1} << 63) return Answer::Undefined();  // "on 64 bits"
  Int shifted = sum / power;
  if (shifted * power > sum) --shifted;  // toward minus infinity
  return Fits(ElementType::kI32, shifted) ? IntegerIfItFits(in.result, shifted) : Answer::Undefined();
}

Answer Intdiv(const Input& in) {
  if (SignedY(in) == 0) return Answer::Undefined();
  return IntegerIfItFits(in.result, SignedX(in) / SignedY(in));
}

bool IsShiftAmount(const Input& in) { return 0 <= SignedY(in) && SignedY(in) < Width(in.input); }

Answer ArithmeticRightShift(const Input& in) {
  if (!IsShiftAmount(in)) return Answer::Undefined();
  Int value = SignedX(in), last_out = 0;
  for (Int i = 0; i < SignedY(in); ++i) {
    last_out = ((value % 2) + 2) % 2;
    value = (value - last_out) / 2;
  }
  return Integer(in.result, value + (in.attributes.round.value_or(false) ? last_out : 0));
}

Answer LogicalLeftShift(const Input& in) {
  if (!IsShiftAmount(in)) return Answer::Undefined();
  return Integer(in.result, Unsigned(in.input, in.bits[0]) << static_cast<int>(SignedY(in)));
}

Answer LogicalRightShift(const Input& in) {
  if (!IsShiftAmount(in)) return Answer::Undefined();
  return Integer(in.result, Unsigned(in.input, in.bits[0]) >> static_cast<int>(SignedY(in)));
}

// Bit by bit: `truth` holds the result for (a, b) at bit 2a + b.
Answer Bitwise(const Input& in, unsigned truth) {
  uint64_t bits = 0;
  for (int i = 0; i < BitWidth(in.input); ++i) {
    const uint64_t a = in.bits[0] >> i & 1, b = in.bits[1] >> i & 1;
    bits |= static_cast<uint64_t>(truth >> (2 * a + b) & 1) << i;
  }
  return Answer::Listed({bits});
}
Answer And(const Input& in) { return Bitwise(in, 0b1000); }
Answer Or(const Input& in) { return Bitwise(in, 0b1110); }
Answer Xor(const Input& in) { return Bitwise(in, 0b0110); }

// The operand that is greater (sign 1) or less (sign -1).
Answer Extremum(const Input& in, int sign) {
  if (IsInteger(in.input)) {
    return Integer(in.result, sign * (SignedX(in) - SignedY(in)) > 0 ? SignedX(in) : SignedY(in));
  }
  if (IsNan(in, 0) || IsNan(in, 1)) {
    const bool ignore = in.attributes.nan_mode == NanMode::kIgnore;
    return ignore ? ExactFloatFreeZero(in.result, in.bits[IsNan(in, 0) ? 1 : 0]) : Answer::Nan();
  }
  return ExactFloatFreeZero(in.result, in.bits[sign * X(in) > sign * Y(in) ? 0 : 1]);
}
Answer Maximum(const Input& in) { return Extremum(in, 1); }
Answer Minimum(const Input& in) { return Extremum(in, -1); }

Answer Pow(const Input& in) {
  const LongDouble x = X(in), y = Y(in);
  if (!std::isfinite(x) || !std::isfinite(y) || x < 0 || (x == 0 && y <= 0)) return Answer::Undefined();
  if (x == 0) return ExactFloatFreeZero(in.result, 0);  // "0", not "+0"
  if (y == 0) return ExactNearest(in.result, 1);
  const LongDouble exponent = y * std::log(x);  // the reference is e to this power
  const LongDouble reference = std::pow(x, y);
  if (OverflowsDouble(reference)) return ExactNearest(in.result, kInfinity);

  if (in.release == Release::k1_0_0) {
    if (x == 1 && Like(in.result) == in.result) {
      return WithinBound(1, PowerOfTwo(-Fraction(in.result)) * Base(in.result), 0);
    }
    return WithinInexact(
        in.result, reference,
        [&](auto reference) {
          using Float = decltype(reference);
          const Float b = Base(in.result) + 7.5L * std::fabs(exponent);
          return AbsoluteErrorBound<Float>(in.result, reference, b, 0, 1);
        },
        2 + std::fabs(exponent));
  }

  const LongDouble me = AbsoluteErrorBound<LongDouble>(in.result, exponent, 5.5L, std::fabs(0.55L * y), 1);
  const LongDouble b = Base(in.result) + 2 * std::fabs(exponent + me);
  const auto bound_of = [&](auto reference) {
    using Float = decltype(reference);
    // ref * expm1(me); of long doubles also where one factor is beyond their range.
    const bool is_beyond = sizeof(Float) > sizeof(double) && (me > 1 || reference == 0);
    const Float model = is_beyond ? static_cast<Float>(std::exp(exponent + me) - std::exp(exponent))
                                  : reference * std::expm1(static_cast<Float>(me));
    return model + AbsoluteErrorBound<Float>(in.result, reference, b, 0, 1);
  };
  if (std::isinf(bound_of(reference))) return AnyNumber();
  return WithinInexact(in.result, reference, bound_of, 2 + std::fabs(exponent) + me);
}

// --- Comparisons, select, cast ---

Answer Equal(const Input& in) { return Bool(X(in) == Y(in)); }
Answer Greater(const Input& in) { return Bool(X(in) > Y(in)); }
Answer GreaterEqual(const Input& in) { return Bool(X(in) >= Y(in)); }

Answer Select(const Input& in) {
  const uint64_t bits = in.bits[0] != 0 ? in.bits[1] : in.bits[2];
  return IsFloat(in.result) ? ExactFloat(in.result, bits) : Answer::Listed({bits});
}

Answer Identity(const Input& in) {
  return IsFloat(in.result) ? ExactFloat(in.result, in.bits[0]) : Answer::Listed({in.bits[0]});
}

// RESHAPE: "No data conversion happens during a reshape operation", so that not even a NaN's payload may change.
Answer Reshape(const Input& in) { return Answer::Listed({in.bits[0]}); }

// The greatest finite float of the type that is no greater than a magnitude, by its bits.
uint64_t Truncated(ElementType type, LongDouble magnitude) {
  const Format& format = FormatOf(type);
  if (magnitude >= NormalMax(type)) return format.greatest;
  if (magnitude == 0) return 0;
  const int exponent = std::max(std::ilogb(magnitude), format.least_exponent());
  const LongDouble units = std::floor(magnitude * PowerOfTwo(format.fraction_bits - exponent));
  return static_cast<uint64_t>(units) +
         (static_cast<uint64_t>(exponent - format.least_exponent()) << format.fraction_bits);
}

// The pattern for a magnitude beyond the range: the one after normal_max(T), which is the NaN in f8E4M3FN.
uint64_t Overflow(ElementType type) { return FormatOf(type).greatest + 1; }

// The distance from normal_max(T) to the number below it.
LongDouble UnitAtTop(ElementType type) { return NormalMax(type) - Decode(type, FormatOf(type).greatest - 1); }

Answer CastFloat(ElementType type, LongDouble x) {
  if (std::isnan(x)) return Answer::Nan();
  const uint64_t sign = std::signbit(x) ? FormatOf(type).sign() : 0;
  const LongDouble magnitude = std::fabs(x);
  const uint64_t below = Truncated(type, magnitude);
  const LongDouble rest = magnitude - Decode(type, below);  // exact
  // The two results: rounded toward zero, and to nearest (either way on ties).
  uint64_t toward_zero = below, nearest = below;
  if (below == FormatOf(type).greatest) {
    if (rest >= UnitAtTop(type)) toward_zero = Overflow(type);
    if (rest >= UnitAtTop(type) / 2) nearest = Overflow(type);
  } else if (rest > 0 && rest >= Decode(type, below + 1) - magnitude) {
    nearest = below + 1;
  }
  Answer answer = Answer::Listed({toward_zero | sign, nearest | sign});
  answer.any_nan = !FormatOf(type).has_infinity && nearest == Overflow(type);
  // Flushing.
  if (IsSubnormal(type, toward_zero) && !IsFp8(type)) answer.listed[answer.listed_count++] = sign;
  return answer;
}

Answer Cast(const Input& in) {
  const bool has_integer = !IsFloat(in.input) && in.input != ElementType::kI1;
  if (has_integer && in.attributes.input_unsigned.value_or(false) && in.result != ElementType::kI1) {
    const Int number = Unsigned(in.input, in.bits[0]);
    if (!IsFloat(in.result)) return Integer(in.result, number);
    return WithinUlpOfTheTrueValue(in.result, static_cast<LongDouble>(number), 0.5, true);
  }
  if (IsFloat(in.input) && IsFloat(in.result)) return CastFloat(in.result, X(in));
  if (in.result == ElementType::kI1) return Bool(X(in) != 0);  // of a NaN too
  if (in.input == ElementType::kI1 && IsFloat(in.result)) return ExactNearest(in.result, X(in));
  // X is an integer of 64 bits at most, exact.
  if (in.input == ElementType::kI64 && IsFloat(in.result)) return WithinUlpOfTheTrueValue(in.result, X(in), 0.5, true);
  if (IsFloat(in.result)) return WithinUlp(in.result, X(in), 0.5, true);
  if (IsFloat(in.input)) {
    if (IsNan(in, 0)) return Answer::Undefined();
    LongDouble rounded = std::floor(X(in));
    const LongDouble rest = X(in) - rounded;
    if (rest > 0.5L || (rest == 0.5L && std::fmod(rounded, 2.0L) != 0)) rounded += 1;
    if (rounded <= static_cast<LongDouble>(Min(in.result))) return Integer(in.result, Min(in.result));
    if (rounded >= static_cast<LongDouble>(Max(in.result))) return Integer(in.result, Max(in.result));
    return Integer(in.result, static_cast<Int>(rounded));
  }
  return Integer(in.result, SignedX(in));
}

// --- Table, rescale ---

// TABLE.tosac, apply_lookup_s.
Answer Table(const Input& in) {
  if (in.input == ElementType::kI8) return Answer::Listed({in.bits[1]});
  const Int fraction = in.bits[0] & 0x7f;
  const Int base = Signed(ElementType::kI16, in.bits[1]), next = Signed(ElementType::kI16, in.bits[2]);
  const Int slope = next - base;
  if (!Fits(ElementType::kI16, slope)) return Answer::Undefined();
  return Integer(in.result, base * 128 + slope * fraction);
}

Int RescaledPart(ElementType type, bool is_unsigned, uint64_t bits) {
  return is_unsigned ? Unsigned(type, bits) : Signed(type, bits);
}

// The ERROR_IFs about one side's zero point.
bool IsZeroPointError(ElementType type, bool is_unsigned, uint64_t bits) {
  const Int zero_point = Unsigned(type, bits);
  if (type == ElementType::kI8) return false;
  if (type == ElementType::kI16 && is_unsigned) return zero_point != 0 && zero_point != 32768;
  return zero_point != 0;
}

// The other ERROR_IFs of RESCALE.tosac, but for that about the rank.
bool IsRescaleError(const Input& in) {
  const bool scale32 = in.attributes.scale32.value_or(false);
  const bool input_unsigned = in.attributes.input_unsigned.value_or(false);
  const bool output_unsigned = in.attributes.output_unsigned.value_or(false);
  const bool wide_input = in.input == ElementType::kI32 || in.input == ElementType::kI48;
  if (scale32 && in.input == ElementType::kI48) return true;
  if (!scale32 && in.attributes.rounding_mode == RoundingMode::kDoubleRound) return true;
  if (input_unsigned && output_unsigned) return true;
  if (input_unsigned && (in.result == ElementType::kI32 || wide_input)) return true;
  return output_unsigned && (wide_input || in.result == ElementType::kI32);
}

// INEXACT_ROUND's bound, in doubles. "minimum_s" and "maximum_s" of an unsigned result are those of its own type.
Answer InexactlyRounded(const Input& in, bool is_unsigned, Int value, Int multiplier, Int shift, Int zero_point) {
  const double reference =
      static_cast<double>(value) * static_cast<double>(multiplier) * std::exp2(-static_cast<double>(shift));
  const auto output_zp = static_cast<double>(zero_point);
  const double error = 0.5 + (3 * std::fabs(reference) + std::fabs(reference + output_zp)) * std::exp2(-23.0 - 1.0);
  const double modulus = std::ldexp(1.0, BitWidth(in.result));
  const double least = is_unsigned ? 0 : -modulus / 2, greatest = is_unsigned ? modulus - 1 : modulus / 2 - 1;
  const double first = std::min(std::max(std::ceil(reference - error + output_zp), least), greatest);
  const double last = std::min(std::max(std::floor(reference + error + output_zp), least), greatest);
  return {.kind = Kind::kIntegers,
          .first = BitsOf(in.result, static_cast<Int>(first)),
          .last = BitsOf(in.result, static_cast<Int>(last))};
}

// RESCALE.tosac, apply_scale_32 and apply_scale_16. "sign_extend<int48_t>(value)" means in_value, and an unsigned
// result below 0 is clipped to 0.
Answer Rescale(const Input& in) {
  const bool scale32 = in.attributes.scale32.value_or(false);
  const bool input_unsigned = in.attributes.input_unsigned.value_or(false);
  const bool output_unsigned = in.attributes.output_unsigned.value_or(false);
  if (IsRescaleError(in) || IsZeroPointError(in.input, input_unsigned, in.bits[3]) ||
      IsZeroPointError(in.result, output_unsigned, in.bits[4]))
    return Answer::Undefined();
  const Int value =
      RescaledPart(in.input, input_unsigned, in.bits[0]) - RescaledPart(in.input, input_unsigned, in.bits[3]);
  const Int multiplier = Signed(scale32 ? ElementType::kI32 : ElementType::kI16, in.bits[1]);
  const Int shift = Signed(ElementType::kI8, in.bits[2]);
  const Int output_zp = RescaledPart(in.result, output_unsigned, in.bits[4]);

  if (multiplier < 0 || shift < 2 || shift > 62) return Answer::Undefined();
  const Int half = Int{1} << (shift - 1);
  if (scale32 && (value < -half || value >= half)) return Answer::Undefined();
  Int round = half;
  if (in.attributes.rounding_mode == RoundingMode::kDoubleRound && shift > 31)
    round += value >= 0 ? Int{1} << 30 : -(Int{1} << 30);
  const Int sum = value * multiplier + round;
  Int scaled = sum / (2 * half);
  if (scaled * 2 * half > sum) --scaled;  // toward minus infinity
  if (!Fits(ElementType::kI32, scaled) || !Fits(ElementType::kI32, scaled + output_zp)) return Answer::Undefined();

  if (in.attributes.rounding_mode == RoundingMode::kInexactRound)
    return InexactlyRounded(in, output_unsigned, value, multiplier, shift, output_zp);
  const Int modulus = Int{1} << BitWidth(in.result);
  const Int least = output_unsigned ? 0 : -modulus / 2, greatest = output_unsigned ? modulus - 1 : modulus / 2 - 1;
  return Integer(in.result, std::min(std::max(scaled + output_zp, least), greatest));
}

struct Row {
  absl::string_view op_name;
  Function function;
};

constexpr Row kRows[] = {
    {"abs", Abs},
    {"add", Add},
    {"arithmetic_right_shift", ArithmeticRightShift},
    {"bitwise_and", And},
    {"bitwise_not", BitwiseNot},
    {"bitwise_or", Or},
    {"bitwise_xor", Xor},
    {"cast", Cast},
    {"ceil", Ceil},
    {"clamp", Clamp},
    {"clz", Clz},
    {"cos", Cos},
    {"equal", Equal},
    {"erf", Erf},
    {"exp", Exp},
    {"floor", Floor},
    {"greater", Greater},
    {"greater_equal", GreaterEqual},
    {"identity", Identity},
    {"reshape", Reshape},
    {"intdiv", Intdiv},
    {"log", Log},
    {"logical_and", And},
    {"logical_left_shift", LogicalLeftShift},
    {"logical_not", LogicalNot},
    {"logical_or", Or},
    {"logical_right_shift", LogicalRightShift},
    {"logical_xor", Xor},
    {"maximum", Maximum},
    {"minimum", Minimum},
    {"mul", Mul},
    {"negate", Negate},
    {"pow", Pow},
    {"reciprocal", Reciprocal},
    {"rescale", Rescale},
    {"rsqrt", Rsqrt},
    {"select", Select},
    {"sigmoid", Sigmoid},
    {"sin", Sin},
    {"sub", Sub},
    {"table", Table},
    {"tanh", Tanh},
};

}  // namespace

Answer Answer::Listed(std::initializer_list<uint64_t> bits) {
  Answer answer = {.kind = Kind::kListed};
  for (uint64_t pattern : bits) answer.listed[answer.listed_count++] = pattern;
  return answer;
}

Fit Judge(const Answer& answer, ElementType type, uint64_t bits) {
  if (answer.kind == Kind::kUndefined) return Fit::kAllowed;
  const bool is_nan = IsFloat(type) && IsNan(type, bits);
  if (answer.kind == Kind::kListed) {
    const auto* end = answer.listed.begin() + answer.listed_count;
    if (is_nan && answer.any_nan) return Fit::kAllowed;
    return std::find(answer.listed.begin(), end, bits) != end ? Fit::kAllowed : Fit::kRefused;
  }
  if (answer.kind == Kind::kIntegers) {
    const bool is_between = Unsigned(type, bits - answer.first) <= Unsigned(type, answer.last - answer.first);
    return is_between ? Fit::kAllowed : Fit::kRefused;
  }
  if (is_nan && FormatOf(type).has_infinity) return Fit::kRefused;
  const LongDouble test = Decode(type, bits);
  if (answer.fp64 && answer.slack == 0) {
    const bool is_within = Within<double>(type, test, answer.reference, answer.bound);
    return is_within ? Fit::kAllowed : Fit::kRefused;
  }
  const LongDouble least_bound = std::max(answer.bound - answer.slack, -LDBL_MAX);  // finite
  if (Within<LongDouble>(type, test, answer.reference, least_bound)) return Fit::kAllowed;
  if (answer.slack == 0) return Fit::kRefused;
  return Within<LongDouble>(type, test, answer.reference, answer.bound + answer.slack) ? Fit::kUnsure : Fit::kRefused;
}

Function FindFunction(absl::string_view op_name) {
  for (const Row& row : kRows) {
    if (row.op_name == op_name) return row.function;
  }
  return nullptr;
}

const Format& FormatOf(ElementType type) {
  static constexpr Format kF32 = {8, 23, 0x1p-126L, 0x1p128L - 0x1p104L, 0x7f7fffff, true};
  static constexpr Format kF16 = {5, 10, 0x1p-14L, 0x1p16L - 0x1p5L, 0x7bff, true};
  static constexpr Format kBF16 = {8, 7, 0x1p-126L, 0x1p128L - 0x1p120L, 0x7f7f, true};
  static constexpr Format kF64 = {11, 52, 0x1p-1022L, DBL_MAX, 0x7fefffffffffffff, true};
  static constexpr Format kF8E4M3FN = {4, 3, 0x1p-6L, 448, 0x7e, false};
  static constexpr Format kF8E5M2 = {5, 2, 0x1p-14L, 57344, 0x7b, true};
  switch (type) {
    case ElementType::kF32:
      return kF32;
    case ElementType::kF16:
      return kF16;
    case ElementType::kBF16:
      return kBF16;
    case ElementType::kF64:
      return kF64;
    case ElementType::kF8E4M3FN:
      return kF8E4M3FN;
    case ElementType::kF8E5M2:
      return kF8E5M2;
    case ElementType::kI1:
    case ElementType::kI4:
    case ElementType::kI8:
    case ElementType::kI16:
    case ElementType::kI32:
    case ElementType::kI48:
    case ElementType::kI64:
    case ElementType::kUi8:
    case ElementType::kUi16:
    case ElementType::kUi32:
    case ElementType::kSi32:
    case ElementType::kBlockF8E4M3FN:
    case ElementType::kBlockF8E5M2:
    case ElementType::kBlockF6E3M2FN:
    case ElementType::kBlockF6E2M3FN:
    case ElementType::kBlockF4E2M1FN:
    case ElementType::kBlockMxint8:
      break;
  }
  std::abort();  // no float
}

long double Decode(ElementType type, uint64_t bits) {
  if (IsInteger(type)) return static_cast<LongDouble>(Signed(type, bits));
  const Format& format = FormatOf(type);
  const uint64_t magnitude = bits & (format.sign() - 1);
  const int field = static_cast<int>(magnitude >> format.fraction_bits);
  const auto fraction = static_cast<LongDouble>(magnitude & ((uint64_t{1} << format.fraction_bits) - 1));
  LongDouble value;
  if (magnitude > format.greatest) {
    value = format.has_infinity && fraction == 0 ? kInfinity : std::numeric_limits<LongDouble>::quiet_NaN();
  } else if (field == 0) {
    value = fraction * PowerOfTwo(format.least_exponent() - format.fraction_bits);
  } else {
    value = (fraction + PowerOfTwo(format.fraction_bits)) * PowerOfTwo(field - format.bias() - format.fraction_bits);
  }
  return (bits & format.sign()) != 0 ? -value : value;
}

uint64_t Nearest(ElementType type, long double value) {
  const Format& format = FormatOf(type);
  const uint64_t sign = std::signbit(value) ? format.sign() : 0;
  if (std::isnan(value)) return format.sign() - 1;
  const LongDouble magnitude = std::fabs(value);
  const uint64_t below = Truncated(type, magnitude);
  const LongDouble rest = magnitude - Decode(type, below);
  const LongDouble gap = below == format.greatest ? UnitAtTop(type) : Decode(type, below + 1) - Decode(type, below);
  const bool up = rest > gap / 2 || (rest == gap / 2 && below % 2 == 1);
  return sign | (below + (up ? 1 : 0));
}

}  // namespace tosaic::dumb
