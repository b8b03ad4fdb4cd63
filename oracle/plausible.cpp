// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/plausible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"
#include "oracle/flushing.h"

namespace tosaic {
namespace {

constexpr absl::string_view kZeroSign = "the sign of the zero is wrong";
constexpr absl::string_view kNoInteger = "it is no integer";
constexpr absl::string_view kNearer = "another number is nearer to the true value";

// A function whose bound allows implausible values. The other functions have bounds of a few units in the last place.
struct Curve {
  OpKind op;
  double least, greatest;           // its range
  bool oscillates = false;          // near its many roots, noise of the argument may turn the sign
  bool reaches_the_limits = false;  // the ends of its range are limits that it approaches monotonically
};
constexpr Curve kCurves[] = {
    {OpKind::kCos, -1, 1, true},
    {OpKind::kErf, -1, 1, false, true},
    {OpKind::kExp, 0, kInfinity, false, true},
    {OpKind::kLog, -kInfinity, kInfinity},
    {OpKind::kPow, 0, kInfinity, false, true},
    {OpKind::kSigmoid, 0, 1, false, true},
    {OpKind::kSin, -1, 1, true},
    {OpKind::kTanh, -1, 1, false, true},
};

const Curve* FindCurve(OpKind op) {
  for (const Curve& curve : kCurves) {
    if (curve.op == op) return &curve;
  }
  return nullptr;
}

bool IsArithmetic(const OpInfo& op) {
  return op.kind == OpKind::kAdd || op.kind == OpKind::kSub || op.kind == OpKind::kMul;
}

// The sign that IEEE 754 gives to a zero result when rounding to nearest; nullopt for ops that are not arithmetic. In
// doubles no sum or product of elements rounds to zero.
std::optional<bool> ZeroIsNegative(const ScalarInput& in) {
  const double x = in.Value(0), y = in.op.operands.size() > 1 ? in.Value(1) : 0;
  if (in.op.kind == OpKind::kAdd) return std::signbit(x + y);
  if (in.op.kind == OpKind::kSub) return std::signbit(x - y);
  if (in.op.kind == OpKind::kMul) return std::signbit(x) != std::signbit(y);
  return std::nullopt;
}

bool MakesIntegers(const OpInfo& op) { return op.kind == OpKind::kCeil || op.kind == OpKind::kFloor; }

// Whether the op rounds its result, and this one is not the nearest number. Below a power of two the bound of half a
// unit includes the neighbour even if the power itself is the true value.
bool IsRoundedAway(const ScalarInput& in, double reference, double actual) {
  const Accuracy& accuracy = AccuracyOf(in.op, in.result_type, in.policies);
  if (accuracy.kind != Accuracy::Kind::kUlp || accuracy.ulp > 0.5 || actual == 0) return false;
  const double nearest = RoundToGrid(in.result_type, reference, Rounding::kHalfEven);
  if (std::abs(nearest) > Format(in.result_type).normal_max) return false;
  return std::abs(actual - reference) > std::abs(nearest - reference);
}

bool HasLostTheLimit(const Curve& curve, ElementType type, double reference, double actual) {
  const FloatFormat& format = Format(type);
  const double magnitude = std::abs(RoundToGrid(type, reference, Rounding::kHalfEven));
  if (magnitude > format.normal_max) return actual < format.normal_max / 2;
  if (curve.greatest == 1 && magnitude == 1) return std::abs(actual) <= 0.5;
  return curve.least == 0 && reference < format.normal_min && actual > Ulp(type, 1);
}

absl::string_view FindIn(const Curve& curve, ElementType type, double reference, double actual) {
  const auto beyond = [&](double limit) { return limit == 0 ? 0 : Ulp(type, 1); };
  const bool is_in_range =
      curve.least - beyond(curve.least) <= actual && actual <= curve.greatest + beyond(curve.greatest);
  if (!is_in_range) return "it is beyond the function's range";
  const bool other_side = reference < 0 ? actual > 0 : reference > 0 && actual < 0;
  if (std::abs(reference) >= 0.5 && actual == 0) return "the true value is far from zero";
  if (other_side && (!curve.oscillates || std::abs(reference) >= 0.5)) return "the sign is wrong";
  if (curve.reaches_the_limits && HasLostTheLimit(curve, type, reference, actual)) return "the limit is lost";
  return "";
}

// Checks the operands as they are.
absl::string_view FindUnflushed(ScalarInput in, ScalarFunction function, uint64_t actual_bits) {
  const double actual = ElementToDouble(in.result_type, actual_bits & BitMask(in.result_type));
  if (const std::optional<bool> negative = ZeroIsNegative(in); negative && actual == 0) {
    return std::signbit(actual) != *negative ? kZeroSign : "";
  }
  const Curve* curve = FindCurve(in.op.kind);
  in.mode = Mode::kDecide;
  const Expected expected = function(in);
  if (expected.kind != Expected::Kind::kRange) return "";
  if (MakesIntegers(in.op) && actual != std::floor(actual)) return kNoInteger;
  if (curve == nullptr) return IsRoundedAway(in, expected.reference, actual) ? kNearer : "";
  return FindIn(*curve, in.result_type, expected.reference, actual);
}

// The least and the greatest possible value of each operand.
using Ends = absl::InlinedVector<std::array<uint64_t, 2>, 3>;

// nullopt if some operand cannot be a number.
std::optional<Ends> EndsOf(absl::Span<const AllowedSet> operands) {
  Ends ends;
  for (AllowedSet operand : operands) {
    operand.AddFlushedZeros();
    if (operand.IsUndefined() || operand.spans().empty()) return std::nullopt;
    ends.push_back({BitsOfOrdinal(operand.type(), operand.spans().front().first),
                    BitsOfOrdinal(operand.type(), operand.spans().back().last)});
  }
  return ends;
}

void ForEachCorner(ScalarInput in, const Ends& ends, absl::FunctionRef<void(const ScalarInput&)> visit) {
  for (size_t corner = 0; corner < size_t{1} << ends.size(); ++corner) {
    for (size_t k = 0; k < ends.size(); ++k) in.bits[k] = ends[k][corner >> k & 1];
    visit(in);
  }
}

// Whether some operands between these ends make a zero of that sign. If any do, the operands of a corner do. A corner
// with an infinite operand decides nothing, so either sign is possible.
bool ZeroMayBe(bool negative, const ScalarInput& in, const Ends& ends) {
  bool may_be = false;
  ForEachCorner(in, ends, [&](const ScalarInput& corner) {
    const bool is_finite = std::isfinite(corner.Value(0)) && std::isfinite(corner.Value(1));
    may_be |= !is_finite || ZeroIsNegative(corner) == negative;
  });
  return may_be;
}

// The function's value for operands between these ends that is nearest to the actual number. The function is monotone
// in each operand, so its least and greatest values are at the corners. nullopt if its value at a corner is not a
// number.
std::optional<double> NearestTo(double actual, const ScalarInput& in, ScalarFunction function, const Ends& ends) {
  double least = kInfinity, greatest = -kInfinity;
  bool are_numbers = true;
  ForEachCorner(in, ends, [&](const ScalarInput& corner) {
    const Expected expected = function(corner);
    are_numbers &= expected.kind == Expected::Kind::kRange && !std::isnan(expected.reference);
    least = std::min(least, expected.reference);
    greatest = std::max(greatest, expected.reference);
  });
  if (!are_numbers) return std::nullopt;
  return std::clamp(actual, least, greatest);
}

bool MatchesDecided(ScalarInput in, ScalarFunction function, uint64_t actual_bits) {
  in.mode = Mode::kDecide;
  return Matches(function(in), in.result_type, actual_bits);
}

}  // namespace

absl::string_view FindImplausibility(const ScalarInput& in, ScalarFunction function, uint64_t actual_bits) {
  const absl::string_view why = FindUnflushed(in, function, actual_bits);
  ScalarInput flushed = in;
  if (why.empty() || !FlushOperands(&flushed)) return why;
  const bool excused =
      MatchesDecided(flushed, function, actual_bits) && FindUnflushed(flushed, function, actual_bits).empty();
  return excused ? "" : why;
}

// If an element is wrong for some true value, it is wrong for all true values farther away. So only the nearest is
// checked.
absl::string_view FindImplausibility(ScalarInput in, ScalarFunction function, absl::Span<const AllowedSet> operands,
                                     uint64_t actual_bits) {
  const double actual = ElementToDouble(in.result_type, actual_bits & BitMask(in.result_type));
  if (MakesIntegers(in.op) && IsFloat(in.result_type) && actual != std::floor(actual) && !std::isnan(actual)) {
    return kNoInteger;
  }
  const Curve* curve = FindCurve(in.op.kind);
  const bool has_rule =
      curve != nullptr ? !std::isnan(actual) : IsArithmetic(in.op) && IsFloat(in.result_type) && actual == 0;
  const std::optional<Ends> ends = has_rule ? EndsOf(operands) : std::nullopt;
  if (!ends) return "";
  if (curve == nullptr) return ZeroMayBe(std::signbit(actual), in, *ends) ? "" : kZeroSign;
  if (curve->oscillates) return FindIn(*curve, in.result_type, actual, actual);
  absl::string_view why;
  for (const Mode mode : {Mode::kEnclose, Mode::kDecide}) {
    in.mode = mode;
    const std::optional<double> nearest = NearestTo(actual, in, function, *ends);
    why = nearest ? FindIn(*curve, in.result_type, *nearest, actual) : "";
    if (why.empty()) break;
  }
  return why;
}

namespace {

// The ordinals of plausible results where true values are between two: an interval around these.
OrdinalSpan PlausibleBetween(const Curve& curve, ElementType type, double least, double greatest) {
  const auto is_plausible = [&](double reference, int64_t ordinal) {
    return FindIn(curve, type, reference, ValueOfOrdinal(type, ordinal)).empty();
  };
  // Searched from the true value outward.
  const auto farthest = [&](double reference, int64_t end) {
    const double most = Info(type).has_infinity ? kInfinity : Format(type).normal_max;
    int64_t in = OrdinalOf(type, NearestBits(type, std::clamp(reference, -most, most))), out = end;
    if (is_plausible(reference, end)) return end;
    while (out - in > 1 || in - out > 1) {
      const int64_t middle = in + (out - in) / 2;
      (is_plausible(reference, middle) ? in : out) = middle;
    }
    return in;
  };
  return {farthest(least, LeastOrdinal(type)), farthest(greatest, GreatestOrdinal(type))};
}

// The least and the greatest true value of operands between these ends, if they are known.
std::optional<std::array<double, 2>> TrueValues(const Curve& curve, const ScalarInput& in, ScalarFunction function,
                                                const Ends& ends) {
  const bool is_point = absl::c_all_of(ends, [](const auto& end) { return end[0] == end[1]; });
  if (curve.oscillates && !is_point) return std::nullopt;
  const std::optional<double> least = NearestTo(-kInfinity, in, function, ends);
  const std::optional<double> greatest = NearestTo(kInfinity, in, function, ends);
  if (!least || !greatest) return std::nullopt;
  return std::array<double, 2>{*least, *greatest};
}

}  // namespace

bool HasImplausibleValues(OpKind op) { return FindCurve(op) != nullptr; }

AllowedSet PlausibleOf(ScalarInput in, ScalarFunction function, absl::Span<const AllowedSet> operands,
                       const AllowedSet& image) {
  const Curve* curve = FindCurve(in.op.kind);
  const ElementType type = in.result_type;
  if (curve == nullptr || !IsFloat(type) || image.IsUndefined()) return image;
  const std::optional<Ends> ends = EndsOf(operands);
  if (!ends) return image;
  in.mode = Mode::kDecide;
  const std::optional<std::array<double, 2>> values = TrueValues(*curve, in, function, *ends);
  // Without a true value only the range is known: each value in it is its own.
  const OrdinalSpan plausible =
      values ? PlausibleBetween(*curve, type, (*values)[0], (*values)[1])
             : PlausibleBetween({curve->op, curve->least, curve->greatest, true}, type, 0.25, 0.25);
  AllowedSet narrowed(type);
  if (image.has_nan()) narrowed.AddNan();
  for (const OrdinalSpan span : image.spans()) {
    const OrdinalSpan both = {std::max(span.first, plausible.first), std::min(span.last, plausible.last)};
    if (both.first <= both.last) narrowed.Add(both);
  }
  return narrowed.spans().empty() ? image : narrowed;
}

bool MayBeImplausible(const OpInfo& op, ElementType type, const Expected& expected, uint64_t actual_bits) {
  if (expected.kind != Expected::Kind::kRange) return false;
  const double actual = ElementToDouble(type, actual_bits & BitMask(type));
  if (IsArithmetic(op) && actual == 0) return true;
  if (IsArithmetic(op) || MakesIntegers(op))
    return actual != RoundToGrid(type, expected.reference, Rounding::kHalfEven);
  const Curve* curve = FindCurve(op.kind);
  const bool is_exact = expected.lo == expected.hi;
  if (curve == nullptr || is_exact || actual == expected.reference) return false;
  // A value near the true value is on the same side of zero, and is near a limit only if the true value is.
  const bool is_near = std::abs(actual - expected.reference) < std::abs(expected.reference) / 4;
  return !is_near || std::abs(actual) > curve->greatest;
}

}  // namespace tosaic
