// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/terms.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

constexpr int kWidestInteger = 128;

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

// The same number as an f32, if its significand is not longer than its exponent, as of bf16: Z3 4.8.12 fails to make
// whole numbers of such floats.
z3::expr Wide(const z3::expr& x) {
  const z3::sort sort = x.get_sort();
  return sort.fpa_sbits() > sort.fpa_ebits() ? x : ToFloat(x, SortOf(x.ctx(), ElementType::kF32));
}

}  // namespace

bool HasTerms(ElementType type) { return !IsBlockScaled(type) && type != ElementType::kF8E4M3FN; }

z3::sort SortOf(z3::context& context, ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (IsInteger(type)) return context.bv_sort(static_cast<unsigned>(info.bits));
  // SMT counts the hidden bit of a significand.
  return context.fpa_sort(static_cast<unsigned>(info.exponent_bits), static_cast<unsigned>(info.mantissa_bits + 1));
}

std::optional<z3::sort> SortOf(z3::context& context, absl::string_view type) {
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
  return Made(bits.ctx(), Z3_mk_fpa_to_fp_bv(bits.ctx(), bits, sort));
}

z3::expr Constant(const z3::sort& sort, uint64_t bits) {
  z3::context& context = sort.ctx();
  const unsigned width = sort.is_fpa() ? sort.fpa_ebits() + sort.fpa_sbits() : sort.bv_size();
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
      const unsigned fraction = sort.fpa_sbits() - 1;
      return ((uint64_t{1} << (sort.fpa_ebits() + 1)) - 1) << (fraction - 1);
    }
    bits = Made(context, Z3_mk_fpa_to_ieee_bv(context, bits)).simplify();
  }
  if (uint64_t number = 0; bits.is_numeral_u64(number)) return number;
  return std::nullopt;
}

z3::expr ToIntegral(const z3::expr& x, RoundTo mode) {
  const z3::expr wide = Wide(x);
  return ToFloat(Made(x.ctx(), Z3_mk_fpa_round_to_integral(x.ctx(), Mode(x.ctx(), mode), wide)), x.get_sort());
}

z3::expr ToFloat(const z3::expr& x, const z3::sort& sort, bool is_signed) {
  if (z3::eq(x.get_sort(), sort)) return x;
  const z3::expr mode = Mode(x.ctx(), RoundTo::kNearestEven);
  if (x.is_fpa()) return Made(x.ctx(), Z3_mk_fpa_to_fp_float(x.ctx(), mode, x, sort));
  return Made(x.ctx(), is_signed ? Z3_mk_fpa_to_fp_signed(x.ctx(), mode, x, sort)
                                 : Z3_mk_fpa_to_fp_unsigned(x.ctx(), mode, x, sort));
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
