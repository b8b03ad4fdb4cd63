// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All comparisons here are of the magnitude of the true value, m, with the result along its sign. What is said of an
// element must hold for every m within kFunctionError, and for the roundings of the exact way, which are smaller.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracle/accuracy.h"
#include "oracle/filter_values.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

// Relative to the sum of true value and bound: four times the error of the function, which the bound takes over.
constexpr double kMargin = 4 * kFunctionError;
constexpr double kNormalMin = std::numeric_limits<float>::min();
constexpr double kNormalMax = std::numeric_limits<float>::max();
constexpr double kPastTheEnd = 0x1p128;     // what lies beyond counts as this (UlpDistance)
constexpr double kHuge = 0x1p200;           // only exp gets there, and its bound is a small part of the true value
constexpr int64_t kHalfOfAll = 0x7f800001;  // IsMostOf
constexpr size_t kBlock = 512;

// A rule of the catalogue with its constants worked out for f32.
struct F32Rule {
  bool is_ulp = false;
  double ulp = 0;
  double b_const = 0, b_abs_x = 0;
  double scale = 1, l = 0, least = 0;
  double from_input = 0, from_one = 0;  // the magnitude is from_one + from_input * |x|, if not the true value
  bool of_reference = true;
  bool is_strict = false;  // what is implausible is wrong by another rule
};

F32Rule RuleFor(const Accuracy& accuracy) {
  F32Rule rule;
  rule.is_ulp = accuracy.kind == Accuracy::Kind::kUlp;
  rule.ulp = accuracy.ulp;
  rule.b_const = accuracy.b_const + accuracy.b_base * AccuracyBase(ElementType::kF32);
  rule.b_abs_x = accuracy.b_abs_x;
  rule.scale = std::exp2(-23.0 / accuracy.d);
  rule.l = accuracy.l;
  rule.least = accuracy.least_in_normal_min * kNormalMin;
  rule.of_reference = accuracy.m == Accuracy::Magnitude::kReference;
  rule.from_input = rule.of_reference ? 0 : 1;
  rule.from_one = accuracy.m == Accuracy::Magnitude::kOnePlusAbsInput ? 1 : 0;
  return rule;
}

// The unit in the last place at a normal magnitude, and its inverse: only the exponent counts.
double UnitAt(double magnitude) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(magnitude) & 0x7ff0000000000000) * 0x1p-23;
}

double BoundAt(const F32Rule& rule, double m, double abs_x) {
  if (rule.is_ulp) return m < std::numeric_limits<double>::min() ? 0 : rule.ulp * UnitAt(std::max(m, kNormalMin));
  const double b = rule.b_const + rule.b_abs_x * abs_x;
  const double magnitude = rule.of_reference ? m : rule.from_one + rule.from_input * abs_x;
  const double v = std::max({magnitude, kNormalMin, rule.l / b});
  return std::max(v * rule.scale * b, rule.least);
}

int64_t OrdinalOfF32(double value) {
  const auto bits = std::bit_cast<int32_t>(static_cast<float>(value));
  return bits < 0 ? -1 - int64_t{bits & 0x7fffffff} : bits;
}

// Whether the range between these ends, each known within s, surely has more than half of all values, or surely fewer.
enum class Width : uint8_t { kLess, kMore, kUnknown };
Width WidthBetween(double lo, double hi, double s) {
  if (lo - s > 0 && hi + s < 4 * (lo - s)) return Width::kLess;
  constexpr int64_t kRoundings = 8;  // and the zeros
  if (OrdinalOfF32(hi + s) - OrdinalOfF32(lo - s) < kHalfOfAll - kRoundings) return Width::kLess;
  return OrdinalOfF32(hi - s) - OrdinalOfF32(lo + s) > kHalfOfAll + kRoundings ? Width::kMore : Width::kUnknown;
}

// A sufficient condition for FindImplausibility (plausible.cpp) to find nothing, by the shape of the op's curve.
enum class Course : uint8_t { kAnything, kInteger, kCurve, kOscillates };
bool IsSurelyPlausible(Course shape, double greatest, double m, double along) {
  if (shape == Course::kAnything) return true;
  if (shape == Course::kInteger) return along == m;
  if (std::fabs(along - m) < 0.249 * m && std::fabs(along) <= greatest) return true;
  if (0 <= along && along < 0x1p-30 && m < 0.249) return true;
  if (std::isinf(along)) return greatest == kInfinity && along > 0 && m > (1 + 0x1p-20) * kNormalMax;
  return shape == Course::kOscillates && std::fabs(along) <= 1 && (m < 0.499 || along > 0);
}

// And one for it to find something, of normal numbers and zeros.
bool IsSurelyImplausible(Course shape, double m, double along) {
  return shape == Course::kOscillates && (std::fabs(along) > 1.001 || (along <= 0 && m > 0.501));
}

// Whether a zero as the result passes, and whether by flushing. `lo`: the least magnitude allowed, within s.
uint8_t FlagsOfZero(double lo, double m, double bound, double s) {
  if (lo + s <= 0 || (m == 0 && bound == 0)) return kIsDecided | kIsMeasured;
  return lo - s > 0 && lo + s < kNormalMin ? kIsDecided | kIsFlushed : 0;
}

// Whether nothing is, or could be, flushed.
bool AreNormal(double abs_x, double m, double y) {
  return abs_x >= kNormalMin && m > (1 + 0x1p-20) * kNormalMin && (y == 0 || std::fabs(y) >= kNormalMin);
}

Filtered Decide(const F32Rule& rule, Course shape, double greatest, double abs_x, double reference, double y) {
  const double m = std::fabs(reference);
  const double along = std::signbit(reference) ? -y : y;
  if (m >= kHuge) return {.flags = static_cast<uint8_t>(along == kInfinity ? kIsDecided | kIsMeasured : 0)};
  const double bound = BoundAt(rule, m, abs_x);
  const double s = kMargin * (m + bound) + kTiny;
  const double lo = m - bound, hi = m + bound;
  const Width width = WidthBetween(lo, hi, s);
  const bool is_normal = AreNormal(abs_x, m, y);
  const bool is_wrong = is_normal && y != 0 && bound > 0 && hi + s < kNormalMax && (along < lo - s || hi + s < along);
  const bool is_implausible =
      is_normal && !is_wrong && !rule.is_strict && std::isfinite(y) && IsSurelyImplausible(shape, m, along);
  const bool is_judged = is_wrong || is_implausible || IsSurelyPlausible(shape, greatest, m, along);
  if (width == Width::kUnknown || !is_judged) return {};
  uint8_t flags = 0;
  if (is_wrong) {
    flags = kIsDecided | kIsMeasured | kIsWrong;
  } else if (along == 0) {
    flags = FlagsOfZero(lo, m, bound, s);
  } else if (along == kInfinity) {
    flags = hi - s > kNormalMax ? kIsDecided | kIsMeasured : 0;
  } else if (lo + s <= along && along <= hi - s) {
    flags = kIsDecided | kIsMeasured;
  }
  if (flags != 0 && width == Width::kMore) flags |= kIsOpen;
  if (flags != 0 && is_implausible) flags |= kIsImplausible;
  if ((flags & kIsMeasured) == 0) return {.flags = flags};
  const double from = std::min(m, kPastTheEnd);
  const double distance = std::fabs(std::clamp(along, -kPastTheEnd, kPastTheEnd) - from);
  const double error = distance / UnitAt(std::max(from, kNormalMin));
  if (error > kNearlyNoError && m > kNormalMin / 2 && IsNearPowerOfTwo(m)) return {};
  return {.flags = flags, .error = error, .bound_used = distance == 0 ? 0 : distance / bound};
}

// Functions. `IsNan`: whether the result must be a NaN.
struct Function {
  static constexpr Course kShape = Course::kCurve;
  static constexpr double kGreatest = 1;
  static bool IsNan(float x) { return std::isnan(x); }
};
struct CosOf : Function {
  static constexpr Course kShape = Course::kOscillates;
  static bool IsNan(float x) { return !std::isfinite(x); }
  static double At(double x) { return std::cos(x); }
};
struct SinOf : CosOf {
  static double At(double x) { return std::sin(x); }
};
struct ErfOf : Function {
  static double At(double x) { return std::erf(x); }
};
struct TanhOf : Function {
  static double At(double x) { return std::tanh(x); }
};
struct ExpOf : Function {
  static constexpr double kGreatest = kInfinity;
  static double At(double x) { return std::exp(x); }
};
struct SigmoidOf : Function {
  static double At(double x) { return 1 / (1 + std::exp(-x)); }
};
struct LogOf : Function {
  static constexpr double kGreatest = kInfinity;
  static bool IsNan(float x) { return std::isnan(x) || x < 0; }
  static double At(double x) { return std::log(x); }
};
struct RsqrtOf : LogOf {
  static constexpr Course kShape = Course::kAnything;
  static double At(double x) { return 1 / std::sqrt(x); }
};
struct ReciprocalOf : Function {
  static constexpr Course kShape = Course::kAnything;
  static double At(double x) { return 1 / x; }
};
struct CeilOf : Function {
  static constexpr Course kShape = Course::kInteger;
  static double At(double x) { return std::ceil(x); }
};
struct FloorOf : CeilOf {
  static double At(double x) { return std::floor(x); }
};

// Calls with(F()) for the function of an op; false if it has none here.
template <typename With>
bool WithFunction(OpKind op, With with) {
  if (op == OpKind::kCeil) return with(CeilOf()), true;
  if (op == OpKind::kCos) return with(CosOf()), true;
  if (op == OpKind::kErf) return with(ErfOf()), true;
  if (op == OpKind::kExp) return with(ExpOf()), true;
  if (op == OpKind::kFloor) return with(FloorOf()), true;
  if (op == OpKind::kLog) return with(LogOf()), true;
  if (op == OpKind::kReciprocal) return with(ReciprocalOf()), true;
  if (op == OpKind::kRsqrt) return with(RsqrtOf()), true;
  if (op == OpKind::kSigmoid) return with(SigmoidOf()), true;
  if (op == OpKind::kSin) return with(SinOf()), true;
  if (op == OpKind::kTanh) return with(TanhOf()), true;
  return false;
}

float InputAt(uint32_t bits) { return std::bit_cast<float>(bits); }

template <typename F>
void References(uint32_t first, size_t count, double* values) {
  for (size_t i = 0; i < count; ++i) values[i] = F::At(InputAt(first + static_cast<uint32_t>(i)));
}

template <typename F>
Filtered DecideAt(const F32Rule& rule, float x, double reference, float y) {
  if (F::IsNan(x)) return {.flags = static_cast<uint8_t>(std::isnan(y) ? kIsDecided : 0)};
  if (x == 0 || std::isinf(x) || std::isnan(reference)) return {};  // the specification names those values
  return Decide(rule, F::kShape, F::kGreatest, std::fabs(static_cast<double>(x)), reference, y);
}

template <typename F>
void Filter(const F32Rule& rule, uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements) {
  double references[kBlock];
  for (size_t begin = 0; begin < count; begin += kBlock) {
    const size_t end = std::min(count, begin + kBlock);
    References<F>(first + static_cast<uint32_t>(begin), end - begin, references);
    for (size_t i = begin; i < end; ++i) {
      float y;
      std::memcpy(&y, results + i * sizeof(y), sizeof(y));
      Set(i, DecideAt<F>(rule, InputAt(first + static_cast<uint32_t>(i)), references[i - begin], y), elements);
    }
  }
}

}  // namespace

ElementFilter::Kernel RuleFilter(const ScalarInput& in) {
  ElementFilter::Kernel kernel;
  F32Rule rule = RuleFor(AccuracyOf(in.op, in.result_type, in.policies));
  rule.is_strict = in.policies.strict_values;
  WithFunction(in.op.kind, [&]<typename F>(F) {
    kernel = [rule](uint32_t first, size_t count, const uint8_t* results, FilteredElements* elements) {
      Filter<F>(rule, first, count, results, elements);
    };
  });
  return kernel;
}

bool FilterReferences(OpKind op, uint32_t first, size_t count, double* values) {
  return WithFunction(op, [&]<typename F>(F) { References<F>(first, count, values); });
}

}  // namespace tosaic
