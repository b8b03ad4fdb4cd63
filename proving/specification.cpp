// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/specification.h"

#include "proving/terms.h"

namespace tosaic {
namespace {

using Term = z3::expr;

class Formula {
 public:
  explicit Formula(const SpecifiedInput& in)
      : in_(in), context_(in.operands[0].ctx()), result_(SortOf(context_, in.result_type)) {}

  std::optional<Specified> Of(OpKind op);

 private:
  const Term& X(size_t operand) const { return in_.operands[operand]; }
  bool IsOnFloats() const { return IsFloat(in_.input_type); }
  unsigned Width() const { return static_cast<unsigned>(BitWidth(in_.input_type)); }
  Specified Always(const Term& value) const { return {context_.bool_val(true), value}; }
  Specified Nearest(const Term& value) const { return {context_.bool_val(true), value, true, false}; }
  // An exact integer of more bits, which is unpredictable if the type does not hold it.
  Specified ThatFits(const Term& wide) const {
    const Term value = Truncated(wide, result_.bv_size());
    return {SignExtended(value, WidthOf(wide)) == wide, value};
  }
  static Term Saturated(const Term& wide, unsigned width) {
    const Term low = SignExtended(LeastOf(Truncated(wide, width)), WidthOf(wide));
    const Term high = SignExtended(GreatestOf(Truncated(wide, width)), WidthOf(wide));
    return Truncated(z3::ite(wide < low, low, z3::ite(wide > high, high, wide)), width);
  }
  Term Nan() const { return context_.fpa_nan(result_); }

  Specified Sum(bool difference) const;
  std::optional<Specified> Product() const;
  Specified Shift(OpKind op) const;
  Specified Negation() const;
  Specified Extremum(bool greatest) const;
  std::optional<Specified> Clamp() const;
  Specified Comparison(OpKind op) const;
  Specified LookedUp() const;
  std::optional<Specified> Cast() const;
  Specified FloatToInteger() const;
  std::optional<Specified> Rescaled() const;
  Term Extended(size_t operand, bool is_unsigned, unsigned width) const {
    const Term& x = X(operand);
    return WidthOf(x) >= width ? x : (is_unsigned ? ZeroExtended(x, width) : SignExtended(x, width)).simplify();
  }

  const SpecifiedInput& in_;
  z3::context& context_;
  z3::sort result_;
};

Specified Formula::Sum(bool difference) const {
  if (IsOnFloats()) return Nearest(difference ? X(0) - X(1) : X(0) + X(1));
  const Term a = SignExtended(X(0), Width() + 1), b = SignExtended(X(1), Width() + 1);
  return ThatFits(difference ? a - b : a + b);
}

// tosa-semantics.md, mul: with a shift, (p + 2^(s-1)) >> s on 64 bits, undefined unless it fits i32.
std::optional<Specified> Formula::Product() const {
  const std::optional<uint64_t> bits = BitsOf(X(2));
  if (!bits) return std::nullopt;
  const uint64_t shift = *bits;
  if (shift > 63 || (shift != 0 && in_.input_type != ElementType::kI32)) {
    return Specified{context_.bool_val(false), Constant(result_, 0)};
  }
  if (IsOnFloats()) return Nearest(X(0) * X(1));
  if (shift == 0) {
    const unsigned width = result_.bv_size();
    return Always(SignExtended(X(0), width) * SignExtended(X(1), width));
  }
  const Term product = SignExtended(X(0), 64) * SignExtended(X(1), 64);
  const Term rounded = product + context_.bv_val(uint64_t{1} << (shift - 1), 64);
  const Term overflows = product >= 0 && rounded < 0;
  Specified fits = ThatFits(z3::ashr(rounded, context_.bv_val(shift, 64)));
  fits.defined = fits.defined && !overflows;
  return fits;
}

Specified Formula::Shift(OpKind op) const {
  const Term in_range = X(1) >= 0 && X(1) < Number(X(1), static_cast<int64_t>(Width()));
  if (op == OpKind::kLogicalLeftShift) return {in_range, z3::shl(X(0), X(1))};
  if (op == OpKind::kLogicalRightShift) return {in_range, z3::lshr(X(0), X(1))};
  const Term shifted = z3::ashr(X(0), X(1));
  if (!in_.attributes.round.value_or(false)) return {in_range, shifted};
  const Term last_out = z3::ashr(X(0), X(1) - 1) & Number(X(0), 1);
  return {in_range, z3::ite(X(1) > 0, shifted + last_out, shifted)};
}

Specified Formula::Negation() const {
  if (IsOnFloats()) return Always(-X(0));
  // Wide enough for 0 - (x - zp1) + zp2; i32 has no zero points.
  const unsigned width = Width() + 3;
  const Term wide = SignExtended(X(2), width) - (SignExtended(X(0), width) - SignExtended(X(1), width));
  if (in_.input_type == ElementType::kI32 || in_.input_type == ElementType::kI64) return ThatFits(wide);
  return Always(Saturated(wide, Width()));
}

Specified Formula::Extremum(bool greatest) const {
  const Term first_wins = greatest ? X(0) >= X(1) : X(0) <= X(1);
  const Term chosen = z3::ite(first_wins, X(0), X(1));
  if (!IsOnFloats()) return Always(chosen);
  const Term nan0 = X(0).mk_is_nan(), nan1 = X(1).mk_is_nan();
  Specified specified = Always(z3::ite(nan0 || nan1, Nan(), chosen));
  if (IgnoresNan(in_.attributes)) specified.value = z3::ite(nan0, X(1), z3::ite(nan1, X(0), chosen));
  specified.zero_sign_free = true;
  return specified;
}

std::optional<Specified> Formula::Clamp() const {
  if (!in_.attributes.min_val || !in_.attributes.max_val) return std::nullopt;
  const Term low = Constant(result_, in_.attributes.min_val->bits);
  const Term high = Constant(result_, in_.attributes.max_val->bits);
  const Term chosen = z3::ite(X(0) < low, low, z3::ite(X(0) > high, high, X(0)));
  if (!IsOnFloats()) return Specified{low <= high, chosen};
  Specified specified{low <= high, z3::ite(X(0).mk_is_nan(), IgnoresNan(in_.attributes) ? low : Nan(), chosen)};
  specified.zero_sign_free = true;
  return specified;
}

Specified Formula::Comparison(OpKind op) const {
  if (op == OpKind::kEqual) return Always(AsBit(IsOnFloats() ? FloatEqual(X(0), X(1)) : X(0) == X(1)));
  return Always(AsBit(op == OpKind::kGreater ? X(0) > X(1) : X(0) >= X(1)));
}

// TABLE: the entry of an i8; of an i16, apply_lookup_s, 128 steps from one entry to the next, on 32 bits, which hold
// it.
Specified Formula::LookedUp() const {
  const Term place = X(0) ^ LeastOf(X(0));  // from 0 on
  const auto entry = [&](const Term& index) { return z3::select(X(1), index); };
  if (in_.input_type == ElementType::kI8) return Always(entry(ZeroExtended(place, 64)));
  const Term index = ZeroExtended(z3::lshr(place, 7), 64);
  const Term base = SignExtended(entry(index), 32), slope = SignExtended(entry(index + 1), 32) - base;
  const Term fraction = SignExtended(X(0) & Number(X(0), 0x7f), 32);
  return {SignExtended(Truncated(slope, 16), 32) == slope, base * 128 + slope * fraction};
}

// Round to nearest, ties to even, then saturate; a NaN is unpredictable.
Specified Formula::FloatToInteger() const {
  const unsigned width = result_.bv_size();
  const Term rounded = ToIntegral(X(0), RoundTo::kNearestEven);
  const Term limit = PowerOfTwo(X(0).get_sort(), width - 1);
  const Term inside = ToWhole(rounded, width);
  return {!X(0).mk_is_nan(),
          z3::ite(rounded >= limit, GreatestOf(inside), z3::ite(rounded <= -limit, LeastOf(inside), inside))};
}

std::optional<Specified> Formula::Cast() const {
  const bool to_float = IsFloat(in_.result_type);
  if (IsOnFloats() && in_.result_type == ElementType::kI1) return Always(AsBit(!X(0).mk_is_zero()));
  if (IsOnFloats()) {
    if (!to_float) return FloatToInteger();
    Specified specified = Always(ToFloat(X(0), result_));
    specified.is_exact = false;  // anything between this and rounding toward zero
    return specified;
  }
  const bool is_bool = in_.input_type == ElementType::kI1;
  if (to_float) return Always(ToFloat(X(0), result_, !is_bool));
  if (in_.result_type == ElementType::kI1) return Always(AsBit(X(0) != Number(X(0), 0)));
  const unsigned width = result_.bv_size();
  if (width <= Width()) return Always(Truncated(X(0), width));
  return Always(is_bool ? ZeroExtended(X(0), width) : SignExtended(X(0), width));
}

// RESCALE with apply_scale_32 or apply_scale_16, on 64 bits, which hold every product and sum. INEXACT_ROUND allows any
// integer within 0.5 of what is scaled, and some more; in the middle of two, that is either.
std::optional<Specified> Formula::Rescaled() const {
  const Attributes& attributes = in_.attributes;
  const bool scale32 = HasScale32(attributes), from_unsigned = attributes.input_unsigned.value_or(false);
  const bool to_unsigned = attributes.output_unsigned.value_or(false);
  const RoundingMode mode = attributes.rounding_mode.value_or(RoundingMode::kSingleRound);
  const std::optional<uint64_t> amount = BitsOf(X(2));
  if (!amount || X(4).get_sort().bv_size() > 32) return std::nullopt;
  if (*amount < 2 || *amount > 62) return Specified{context_.bool_val(false), Constant(result_, 0)};
  const Term value = Extended(0, from_unsigned, 32) - Extended(3, from_unsigned, 32);
  const Term product = SignExtended(value, 64) * SignExtended(Extended(1, false, 32), 64);
  const Term half = context_.bv_val(uint64_t{1} << (*amount - 1), 64);
  Term round = half, defined = X(1) >= 0;
  if (scale32) {
    defined = defined && SignExtended(value, 64) >= -half && SignExtended(value, 64) < half;
    const Term more = context_.bv_val(int64_t{1} << 30, 64);
    if (mode == RoundingMode::kDoubleRound && *amount > 31) round = half + z3::ite(value >= 0, more, -more);
  }
  const auto rounded = [&](const Term& by) { return z3::ashr(product + by, context_.bv_val(*amount, 64)); };
  const Term zero_point = SignExtended(Extended(4, to_unsigned, 32), 64);
  const auto fits = [](const Term& x) { return SignExtended(Truncated(x, 32), 64) == x; };
  const auto clipped = [&](const Term& sum) {
    if (!to_unsigned) return Saturated(sum, result_.bv_size());
    const Term greatest = context_.bv_val((uint64_t{1} << result_.bv_size()) - 1, 64);
    return Truncated(z3::ite(sum < 0, Number(sum, 0), z3::ite(sum > greatest, greatest, sum)), result_.bv_size());
  };
  const Term scaled = rounded(round), sum = scaled + zero_point;
  Specified specified{defined && fits(scaled) && fits(sum), clipped(sum)};
  if (mode == RoundingMode::kInexactRound) {
    specified.is_exact = false;
    specified.other = clipped(rounded(half - 1) + zero_point);
  }
  return specified;
}

std::optional<Specified> Formula::Of(OpKind op) {
  switch (op) {
    case OpKind::kAdd:
    case OpKind::kSub:
      return Sum(op == OpKind::kSub);
    case OpKind::kMul:
      return Product();
    case OpKind::kIntdiv: {
      const Term overflows = X(0) == LeastOf(X(0)) && X(1) == Number(X(1), -1);
      return Specified{X(1) != Number(X(1), 0) && !overflows, X(0) / X(1)};
    }
    case OpKind::kArithmeticRightShift:
    case OpKind::kLogicalLeftShift:
    case OpKind::kLogicalRightShift:
      return Shift(op);
    case OpKind::kBitwiseAnd:
    case OpKind::kLogicalAnd:
      return Always(X(0) & X(1));
    case OpKind::kBitwiseOr:
    case OpKind::kLogicalOr:
      return Always(X(0) | X(1));
    case OpKind::kBitwiseXor:
    case OpKind::kLogicalXor:
      return Always(X(0) ^ X(1));
    case OpKind::kBitwiseNot:
    case OpKind::kLogicalNot:
      return Always(~X(0));
    case OpKind::kClz:
      return Always(LeadingZeros(X(0)));
    case OpKind::kAbs:
      if (IsOnFloats()) return Always(z3::abs(X(0)));
      return Specified{X(0) != LeastOf(X(0)), z3::ite(X(0) < 0, -X(0), X(0))};
    case OpKind::kNegate:
      return Negation();
    case OpKind::kMaximum:
    case OpKind::kMinimum:
      return Extremum(op == OpKind::kMaximum);
    case OpKind::kClamp:
      return Clamp();
    case OpKind::kEqual:
    case OpKind::kGreater:
    case OpKind::kGreaterEqual:
      return Comparison(op);
    case OpKind::kSelect:
      return Always(z3::ite(IsTrue(X(0)), X(1), X(2)));
    case OpKind::kIdentity:
      return Always(X(0));
    case OpKind::kCast:
      return Cast();
    case OpKind::kTable:
      return LookedUp();
    case OpKind::kRescale:
      return Rescaled();
    case OpKind::kCeil:
      return Always(ToIntegral(X(0), RoundTo::kUp));
    case OpKind::kFloor:
      return Always(ToIntegral(X(0), RoundTo::kDown));
    case OpKind::kReciprocal: {
      Specified specified = Always(PowerOfTwo(result_, 0) / X(0));
      specified.is_exact = false;  // within 1 ulp
      return specified;
    }
    // Not stated as terms: powers, roots, exponentials, trigonometry; and reshape, which computes nothing.
    case OpKind::kErf:
    case OpKind::kSigmoid:
    case OpKind::kTanh:
    case OpKind::kPow:
    case OpKind::kCos:
    case OpKind::kExp:
    case OpKind::kLog:
    case OpKind::kRsqrt:
    case OpKind::kSin:
    case OpKind::kReshape:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Specified> Specification(const SpecifiedInput& in) {
  if (!HasTerms(in.input_type) || !HasTerms(in.result_type)) return std::nullopt;
  // Arithmetic of its terms is another's (HasTerms), and no op of the specification needs it.
  const bool computes = in.op.kind != OpKind::kCast && in.op.kind != OpKind::kIdentity;
  if (in.input_type == ElementType::kF8E4M3FN && computes) return std::nullopt;
  return Formula(in).Of(in.op.kind);
}

Term Allows(const Specified& specified, const Term& actual) {
  // SMT's equality: a NaN is a NaN, and -0 is not +0.
  Term same = specified.value == actual;
  if (specified.other) same = same || *specified.other == actual;
  if (!specified.zero_sign_free || !actual.is_fpa()) return same;
  return same || (specified.value.mk_is_zero() && actual.mk_is_zero());
}

}  // namespace tosaic
