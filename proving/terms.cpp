// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/terms.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "model/tensor.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

constexpr int kWidestInteger = 128;
constexpr unsigned kIndexWidth = 64;

z3::expr Made(z3::context& context, Z3_ast ast) {
  context.check_error();
  return z3::expr(context, ast);
}

z3::expr Mode(z3::context& context, RoundTo mode) {
  switch (mode) {
    case RoundTo::kNearestEven:
      return Made(context, Z3_mk_fpa_rne(context));
    case RoundTo::kNearestAway:
      return Made(context, Z3_mk_fpa_rna(context));
    case RoundTo::kZero:
      return Made(context, Z3_mk_fpa_rtz(context));
    case RoundTo::kUp:
      return Made(context, Z3_mk_fpa_rtp(context));
    case RoundTo::kDown:
      return Made(context, Z3_mk_fpa_rtn(context));
  }
  return Made(context, Z3_mk_fpa_rne(context));
}

// To nearest, to any of SMT's formats.
z3::expr Rounded(const z3::expr& x, const z3::sort& sort, bool is_signed = true) {
  const z3::expr mode = Mode(x.ctx(), RoundTo::kNearestEven);
  if (x.is_fpa()) return Made(x.ctx(), Z3_mk_fpa_to_fp_float(x.ctx(), mode, x, sort));
  return Made(x.ctx(), is_signed ? Z3_mk_fpa_to_fp_signed(x.ctx(), mode, x, sort)
                                 : Z3_mk_fpa_to_fp_unsigned(x.ctx(), mode, x, sort));
}

// The same number as an f32, if its significand is not longer than its exponent, as of bf16: Z3 4.8.12 fails to make
// whole numbers of such floats.
z3::expr Wide(const z3::expr& x) {
  const z3::sort sort = x.get_sort();
  return sort.fpa_sbits() > sort.fpa_ebits() ? x : ToFloat(x, SortOf(x.ctx(), ElementType::kF32));
}

// f8E4M3FN has numbers where IEEE 754's format of four exponent bits has infinities. So its sort is that of five, which
// no other type has, and has all of its numbers. Where it has subnormals, the format of four has them, too.
constexpr unsigned kE4M3Width = 8, kE4M3Fraction = 3;
constexpr uint64_t kE4M3One = 0x38, kE4M3Greatest = 0x7e, kE4M3Nan = 0x7f;

bool IsE4M3(const z3::sort& sort) { return sort.is_fpa() && sort.fpa_ebits() == 5 && sort.fpa_sbits() == 4; }
z3::sort LikeE4M3InIeee(z3::context& context) { return context.fpa_sort(4, 4); }

z3::expr E4M3FromBits(const z3::sort& sort, const z3::expr& bits) {
  z3::context& context = bits.ctx();
  const z3::expr magnitude = bits.extract(kE4M3Width - 2, 0), exponent = bits.extract(kE4M3Width - 2, kE4M3Fraction);
  const z3::expr low = Made(context, Z3_mk_fpa_to_fp_bv(context, bits, LikeE4M3InIeee(context)));
  z3::expr_vector parts(context);  // with the other format's bias, which is 8 more
  parts.push_back(bits.extract(kE4M3Width - 1, kE4M3Width - 1));
  parts.push_back(z3::zext(exponent, 1) + context.bv_val(8, 5));
  parts.push_back(bits.extract(kE4M3Fraction - 1, 0));
  const z3::expr normal = Made(context, Z3_mk_fpa_to_fp_bv(context, z3::concat(parts), sort));
  const z3::expr number = z3::ite(exponent == 0, Rounded(low, sort), normal);
  return z3::ite(magnitude == static_cast<int>(kE4M3Nan), context.fpa_nan(sort), number);
}

// To nearest, ties to even; a number that is rounded to more than the greatest one is a NaN.
z3::expr RoundedToE4M3(const z3::expr& x, const z3::sort& sort, bool is_signed) {
  const z3::expr normal = Rounded(x, sort, is_signed);
  const z3::expr low = Rounded(Rounded(x, LikeE4M3InIeee(x.ctx()), is_signed), sort);
  const z3::expr value = z3::ite(z3::abs(normal) < Constant(sort, kE4M3One), low, normal);
  return z3::ite(z3::abs(value) > Constant(sort, kE4M3Greatest), x.ctx().fpa_nan(sort), value);
}

}  // namespace

bool HasTerms(ElementType type) { return !IsBlockScaled(type); }

z3::sort SortOf(z3::context& context, ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (IsInteger(type)) return context.bv_sort(static_cast<unsigned>(info.bits));
  const int exponent_bits = info.exponent_bits + (type == ElementType::kF8E4M3FN ? 1 : 0);
  // SMT counts the hidden bit of a significand.
  return context.fpa_sort(static_cast<unsigned>(exponent_bits), static_cast<unsigned>(info.mantissa_bits + 1));
}

std::optional<z3::sort> SortOf(z3::context& context, absl::string_view type) {
  if (type == "index") return context.bv_sort(kIndexWidth);
  absl::string_view digits = type;
  if (int width = 0; absl::ConsumePrefix(&digits, "i") && absl::SimpleAtoi(digits, &width)) {
    if (width < 1 || width > kWidestInteger) return std::nullopt;
    return context.bv_sort(static_cast<unsigned>(width));
  }
  const std::optional<ElementType> element = Find<ElementType>(type);
  if (!element || !IsFloat(*element) || !HasTerms(*element)) return std::nullopt;
  return SortOf(context, *element);
}

z3::expr FromBits(const z3::sort& sort, const z3::expr& bits) {
  if (!sort.is_fpa()) return bits;
  if (IsE4M3(sort)) return E4M3FromBits(sort, bits);
  return Made(bits.ctx(), Z3_mk_fpa_to_fp_bv(bits.ctx(), bits, sort));
}

z3::expr Constant(const z3::sort& sort, uint64_t bits) {
  z3::context& context = sort.ctx();
  const unsigned width = !sort.is_fpa() ? sort.bv_size()
                         : IsE4M3(sort) ? kE4M3Width
                                        : sort.fpa_ebits() + sort.fpa_sbits();
  return FromBits(sort, context.bv_val(bits, width));
}

std::optional<z3::expr> Literal(const z3::sort& sort, const std::string& type, const std::string& word) {
  z3::context& context = sort.ctx();
  if (!sort.is_fpa()) {
    if (word == "true" || word == "false") return context.bv_val(word == "true" ? 1 : 0, 1);
    int64_t number = 0;
    if (!absl::SimpleAtoi(word, &number)) return std::nullopt;
    return context.bv_val(number, sort.bv_size());
  }
  if (uint64_t bits = 0; absl::StartsWith(word, "0x") && absl::SimpleHexAtoi(word, &bits)) return Constant(sort, bits);
  double number = 0;
  if (!absl::SimpleAtod(word, &number)) return std::nullopt;
  return Constant(sort, NearestBits(*Find<ElementType>(type), number));
}

std::optional<uint64_t> BitsOf(const z3::expr& term) {
  z3::context& context = term.ctx();
  z3::expr bits = term.simplify();
  if (bits.is_fpa()) {
    const z3::sort sort = bits.get_sort();
    if (Made(context, Z3_mk_fpa_is_nan(context, bits)).simplify().is_true()) {
      if (IsE4M3(sort)) return kE4M3Nan;
      const unsigned fraction = sort.fpa_sbits() - 1;
      return ((uint64_t{1} << (sort.fpa_ebits() + 1)) - 1) << (fraction - 1);
    }
    if (IsE4M3(sort)) bits = Rounded(bits, SortOf(context, ElementType::kF32));
    bits = Made(context, Z3_mk_fpa_to_ieee_bv(context, bits)).simplify();
  }
  uint64_t number = 0;
  if (!bits.is_numeral_u64(number)) return std::nullopt;
  if (!IsE4M3(term.get_sort())) return number;
  return NearestBits(ElementType::kF8E4M3FN, ElementToDouble(ElementType::kF32, number));
}

z3::expr ToIntegral(const z3::expr& x, RoundTo mode) {
  const z3::expr wide = Wide(x);
  return ToFloat(Made(x.ctx(), Z3_mk_fpa_round_to_integral(x.ctx(), Mode(x.ctx(), mode), wide)), x.get_sort());
}

z3::expr ToFloat(const z3::expr& x, const z3::sort& sort, bool is_signed) {
  if (z3::eq(x.get_sort(), sort)) return x;
  return IsE4M3(sort) ? RoundedToE4M3(x, sort, is_signed) : Rounded(x, sort, is_signed);
}

z3::expr ToWhole(const z3::expr& x, unsigned width, bool is_signed) {
  z3::context& context = x.ctx();
  const z3::expr wide = Wide(x);
  const z3::expr mode = Mode(context, RoundTo::kZero);
  return Made(context,
              is_signed ? Z3_mk_fpa_to_sbv(context, mode, wide, width) : Z3_mk_fpa_to_ubv(context, mode, wide, width));
}

z3::expr PowerOfTwo(const z3::sort& sort, unsigned exponent) {
  z3::context& context = sort.ctx();
  // An unsigned number with one bit set, which has room for it.
  const z3::expr one = context.bv_val(1, exponent + 1);
  return ToFloat(z3::shl(one, context.bv_val(exponent, exponent + 1)), sort, false).simplify();
}

z3::expr IsNegative(const z3::expr& x) { return Made(x.ctx(), Z3_mk_fpa_is_negative(x.ctx(), x)); }
z3::expr FloatEqual(const z3::expr& a, const z3::expr& b) { return Made(a.ctx(), Z3_mk_fpa_eq(a.ctx(), a, b)); }

z3::expr Number(const z3::expr& like, int64_t value) { return like.ctx().bv_val(value, WidthOf(like)); }

z3::expr SignExtended(const z3::expr& x, unsigned width) {
  return width == WidthOf(x) ? x : z3::sext(x, width - WidthOf(x));
}
z3::expr ZeroExtended(const z3::expr& x, unsigned width) {
  return width == WidthOf(x) ? x : z3::zext(x, width - WidthOf(x));
}
z3::expr Truncated(const z3::expr& x, unsigned width) { return x.extract(width - 1, 0); }

z3::expr LeastOf(const z3::expr& like) {
  z3::context& context = like.ctx();
  const unsigned width = WidthOf(like);
  return z3::shl(context.bv_val(1, width), context.bv_val(width - 1, width)).simplify();
}
z3::expr GreatestOf(const z3::expr& like) { return (~LeastOf(like)).simplify(); }

z3::expr AsBit(const z3::expr& condition) {
  z3::context& context = condition.ctx();
  return z3::ite(condition, context.bv_val(1, 1), context.bv_val(0, 1));
}
z3::expr IsTrue(const z3::expr& bit) { return bit == bit.ctx().bv_val(1, 1); }

z3::expr LeadingZeros(const z3::expr& x) {
  const unsigned width = WidthOf(x);
  z3::expr zeros = Number(x, static_cast<int64_t>(width));
  for (unsigned bit = 0; bit < width; ++bit) {
    zeros =
        z3::ite(x.extract(bit, bit) == x.ctx().bv_val(1, 1), Number(x, static_cast<int64_t>(width - 1 - bit)), zeros);
  }
  return zeros;
}

}  // namespace tosaic
