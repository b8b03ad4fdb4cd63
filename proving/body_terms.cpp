// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proving/body_terms.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "proving/terms.h"

namespace tosaic {
namespace {

using Expr = z3::expr;

struct Computed {
  Expr value;
  Expr poison;
};

// The flags alone of "overflow<nsw" and "nuw>", or of "fastmath<nnan>".
absl::string_view FlagIn(absl::string_view word) {
  absl::ConsumePrefix(&word, "overflow<");
  absl::ConsumePrefix(&word, "fastmath<");
  absl::ConsumeSuffix(&word, ">");
  return word;
}

class Translation {
 public:
  Translation(const ScalarBody& body, const std::vector<Expr>& arguments, const ChannelTerms& channels)
      : body_(body),
        channels_(channels),
        context_(arguments[0].ctx()),
        undefined_(False()),
        facts_(context_.bool_val(true)) {
    for (const Expr& argument : arguments) values_.push_back({argument, False()});
  }

  absl::StatusOr<BodyTerm> Take() {
    for (const BodyOp& op : body_.ops) {
      std::optional<Computed> computed = Compute(op);
      if (!computed) {
        std::string words = op.name == kTableEntry ? "" : absl::StrJoin(op.words, " ");  // elements are many
        if (!words.empty()) words.insert(0, " ");
        return absl::UnimplementedError(absl::StrCat(op.name, words, " of ", op.type, " has no formula"));
      }
      values_.push_back(*std::move(computed));
    }
    const Computed& yielded = values_[static_cast<size_t>(body_.yields)];
    return BodyTerm{yielded.value, yielded.poison, undefined_, facts_};
  }

 private:
  Expr False() { return context_.bool_val(false); }
  const Computed& In(const BodyOp& op, size_t i) const { return values_[static_cast<size_t>(op.operands[i])]; }
  Expr AnyPoison(const BodyOp& op) {
    Expr any = False();
    for (size_t i = 0; i < op.operands.size(); ++i) any = any || In(op, i).poison;
    return any;
  }

  std::optional<Computed> Compute(const BodyOp& op);
  std::optional<Computed> Looked(const BodyOp& op, const z3::sort& result);
  std::optional<Computed> Select(const BodyOp& op);
  std::optional<Expr> Value(const BodyOp& op, const z3::sort& result, Expr* poison);
  std::optional<Expr> OnIntegers(const BodyOp& op, Expr* poison);
  std::optional<Expr> Division(const BodyOp& op, Expr* poison);
  std::optional<Expr> Shifted(const BodyOp& op, Expr* poison);
  std::optional<Expr> OnFloats(const BodyOp& op);
  std::optional<Expr> Conversion(const BodyOp& op, const z3::sort& result, Expr* poison);
  std::optional<Expr> Compared(const BodyOp& op);
  Expr ToInteger(const Expr& x, unsigned width, bool is_signed, Expr* poison);
  Expr Extreme(const Expr& a, const Expr& b, bool greatest, bool takes_numbers);

  bool ReadsFlags(const BodyOp& op, size_t from);
  bool Has(absl::string_view flag) const { return flags_.contains(std::string(flag)); }

  const ScalarBody& body_;
  const ChannelTerms& channels_;
  z3::context& context_;
  std::vector<Computed> values_;
  Expr undefined_, facts_;
  std::set<std::string> flags_;  // of the op at work
  int choices_ = 0;
};

// Reads the op's flags, from word `from` on. False if one of them has no meaning here.
bool Translation::ReadsFlags(const BodyOp& op, size_t from) {
  flags_.clear();
  for (size_t i = from; i < op.words.size(); ++i) flags_.emplace(FlagIn(op.words[i]));
  static const std::set<std::string> kMeanings = {"nsw", "nuw", "exact", "nneg", "nnan", "ninf", "none"};
  return std::includes(kMeanings.begin(), kMeanings.end(), flags_.begin(), flags_.end());
}

std::optional<Computed> Translation::Compute(const BodyOp& op) {
  const std::optional<z3::sort> result = SortOf(context_, op.result_type);
  if (!result || (op.type != op.result_type && !SortOf(context_, op.type))) return std::nullopt;
  if (op.name == "arith.constant" && op.words.size() == 1) {
    const std::optional<Expr> literal = Literal(*result, op.type, op.words[0]);
    return literal ? std::optional(Computed{*literal, False()}) : std::nullopt;
  }
  if (op.name == kChannelConstant || op.name == kTableEntry) return Looked(op, *result);
  if (op.name == "arith.mulsi_extended" || op.name == "arith.mului_extended") {
    if (op.operands.size() != 2 || op.words.size() != 1 || !result->is_bv()) return std::nullopt;
    const unsigned width = result->bv_size();
    const bool is_signed = op.name == "arith.mulsi_extended";
    const auto wide = [&](const Expr& x) {
      return is_signed ? SignExtended(x, 2 * width) : ZeroExtended(x, 2 * width);
    };
    const Expr product = wide(In(op, 0).value) * wide(In(op, 1).value);
    const bool high = op.words[0] == "result1";
    return Computed{high ? product.extract(2 * width - 1, width) : Truncated(product, width), AnyPoison(op)};
  }
  const bool compares = op.name == "arith.cmpi" || op.name == "arith.cmpf";
  if (op.operands.empty() || !ReadsFlags(op, compares ? 1 : 0)) return std::nullopt;
  if (op.name == "arith.select") return Select(op);
  Expr poison = AnyPoison(op);
  const std::optional<Expr> value = Value(op, *result, &poison);
  if (!value) return std::nullopt;
  const auto breaks = [&](const Expr& x) {
    if (Has("nnan") && x.is_fpa()) poison = poison || x.mk_is_nan();
    if (Has("ninf") && x.is_fpa()) poison = poison || x.mk_is_inf();
  };
  breaks(*value);
  for (size_t i = 0; i < op.operands.size(); ++i) breaks(In(op, i).value);
  return Computed{*value, poison};
}

std::optional<Computed> Translation::Looked(const BodyOp& op, const z3::sort& result) {
  const auto found = channels_.find(op.words[0]);
  if (found == channels_.end() || !result.is_bv()) return std::nullopt;
  const Expr& constant = found->second;
  if (op.name == kChannelConstant) {
    if (!constant.is_bv() || result.bv_size() < WidthOf(constant)) return std::nullopt;
    return Computed{SignExtended(constant, result.bv_size()), False()};
  }
  uint64_t size = 0;
  if (!constant.is_array() || !z3::eq(constant.get_sort().array_range(), result)) return std::nullopt;
  if (!absl::SimpleAtoi(op.words[1], &size)) return std::nullopt;
  const Computed& index = In(op, 0);
  undefined_ = undefined_ || index.poison || z3::uge(index.value, context_.bv_val(size, WidthOf(index.value)));
  return Computed{z3::select(constant, index.value), False()};
}

// The value that is not chosen may be poison.
std::optional<Computed> Translation::Select(const BodyOp& op) {
  if (op.operands.size() != 3 || !flags_.empty()) return std::nullopt;
  const Expr condition = IsTrue(In(op, 0).value);
  return Computed{z3::ite(condition, In(op, 1).value, In(op, 2).value),
                  In(op, 0).poison || z3::ite(condition, In(op, 1).poison, In(op, 2).poison)};
}

std::optional<Expr> Translation::Value(const BodyOp& op, const z3::sort& result, Expr* poison) {
  if (op.name == "arith.cmpi" || op.name == "arith.cmpf") return Compared(op);
  if (op.type != op.result_type) return Conversion(op, result, poison);
  return In(op, 0).value.is_fpa() ? OnFloats(op) : OnIntegers(op, poison);
}

std::optional<Expr> Translation::Compared(const BodyOp& op) {
  const Expr &a = In(op, 0).value, &b = In(op, 1).value;
  const std::string& predicate = op.words[0];
  if (op.name == "arith.cmpi") {
    const std::map<std::string, Expr> known = {{"eq", a == b},         {"ne", a != b},         {"slt", a < b},
                                               {"sle", a <= b},        {"sgt", a > b},         {"sge", a >= b},
                                               {"ult", z3::ult(a, b)}, {"ule", z3::ule(a, b)}, {"ugt", z3::ugt(a, b)},
                                               {"uge", z3::uge(a, b)}};
    const auto found = known.find(predicate);
    return found == known.end() ? std::nullopt : std::optional(AsBit(found->second));
  }
  const Expr unordered = a.mk_is_nan() || b.mk_is_nan();
  if (predicate == "ord" || predicate == "uno") return AsBit(predicate == "uno" ? unordered : !unordered);
  const std::map<std::string, Expr> ordered = {{"eq", FloatEqual(a, b)},
                                               {"ne", !unordered && !FloatEqual(a, b)},
                                               {"lt", a < b},
                                               {"le", a <= b},
                                               {"gt", a > b},
                                               {"ge", a >= b}};
  const auto found = ordered.find(predicate.substr(predicate.empty() ? 0 : 1));
  if (found == ordered.end() || (predicate[0] != 'o' && predicate[0] != 'u')) return std::nullopt;
  return AsBit(predicate[0] == 'u' ? unordered || found->second : found->second);
}

// An amount of the width or more makes poison.
std::optional<Expr> Translation::Shifted(const BodyOp& op, Expr* poison) {
  const Expr &x = In(op, 0).value, &amount = In(op, 1).value;
  *poison = *poison || z3::uge(amount, Number(amount, static_cast<int64_t>(WidthOf(x))));
  const bool left = op.name == "arith.shli", with_sign = op.name == "arith.shrsi";
  const Expr value = left ? z3::shl(x, amount) : with_sign ? z3::ashr(x, amount) : z3::lshr(x, amount);
  if (Has("exact")) *poison = *poison || z3::shl(value, amount) != x;
  if (Has("nsw")) *poison = *poison || z3::ashr(value, amount) != x;
  if (Has("nuw")) *poison = *poison || z3::lshr(value, amount) != x;
  return value;
}

std::optional<Expr> Translation::Division(const BodyOp& op, Expr* poison) {
  const Expr &a = In(op, 0).value, &b = In(op, 1).value;
  const Expr zero = Number(b, 0);
  const bool is_unsigned = absl::EndsWith(op.name, "ui");
  const Expr overflows = a == LeastOf(a) && b == Number(b, -1);
  undefined_ = undefined_ || b == zero || In(op, 1).poison || (is_unsigned ? False() : overflows);
  if (op.name == "arith.divui") return z3::udiv(a, b);
  if (op.name == "arith.remui") return z3::urem(a, b);
  const Expr quotient = a / b, rest = z3::srem(a, b);
  if (Has("exact")) *poison = *poison || rest != zero;
  if (op.name == "arith.divsi") return quotient;
  if (op.name == "arith.remsi") return rest;
  const Expr down = (a < zero) != (b < zero);
  if (op.name == "arith.floordivsi") return z3::ite(rest != zero && down, quotient - 1, quotient);
  if (op.name == "arith.ceildivsi") return z3::ite(rest != zero && !down, quotient + 1, quotient);
  return std::nullopt;
}

std::optional<Expr> Translation::OnIntegers(const BodyOp& op, Expr* poison) {
  const absl::string_view name = op.name;
  const Expr& a = In(op, 0).value;
  if (op.operands.size() == 1) {
    if (name == "math.ctlz") return LeadingZeros(a);
    if (name == "math.absi") return z3::ite(a < 0, -a, a);
    return std::nullopt;
  }
  if (op.operands.size() != 2) return std::nullopt;
  const Expr& b = In(op, 1).value;
  const auto checked = [&](const Expr& value, const Expr& no_signed, const Expr& no_unsigned) {
    if (Has("nsw")) *poison = *poison || !no_signed;
    if (Has("nuw")) *poison = *poison || !no_unsigned;
    return value;
  };
  if (name == "arith.addi") {
    return checked(a + b, z3::bvadd_no_overflow(a, b, true) && z3::bvadd_no_underflow(a, b),
                   z3::bvadd_no_overflow(a, b, false));
  }
  if (name == "arith.subi") {
    return checked(a - b, z3::bvsub_no_overflow(a, b) && z3::bvsub_no_underflow(a, b, true),
                   z3::bvsub_no_underflow(a, b, false));
  }
  if (name == "arith.muli") {
    if (flags_.empty()) return a * b;
    return checked(a * b, z3::bvmul_no_overflow(a, b, true) && z3::bvmul_no_underflow(a, b),
                   z3::bvmul_no_overflow(a, b, false));
  }
  if (absl::StartsWith(name, "arith.sh")) return Shifted(op, poison);
  if (absl::StrContains(name, "div") || absl::StartsWith(name, "arith.rem")) return Division(op, poison);
  if (name == "arith.andi") return a & b;
  if (name == "arith.ori") return a | b;
  if (name == "arith.xori") return a ^ b;
  if (name == "arith.maxsi") return z3::ite(a > b, a, b);
  if (name == "arith.minsi") return z3::ite(a < b, a, b);
  if (name == "arith.maxui") return z3::ite(z3::ugt(a, b), a, b);
  if (name == "arith.minui") return z3::ite(z3::ult(a, b), a, b);
  return std::nullopt;
}

// maximumf and minimumf: a NaN wins, and -0 is less than +0. maxnumf and minnumf: a number wins, and of two zeros any.
Expr Translation::Extreme(const Expr& a, const Expr& b, bool greatest, bool takes_numbers) {
  const Expr a_wins = greatest ? a > b : a < b;
  const Expr b_wins = greatest ? b > a : b < a;
  const Expr tie = takes_numbers ? context_.bool_const(absl::StrCat("choice", choices_++).c_str())
                                 : (greatest ? !IsNegative(a) : IsNegative(a));
  const Expr number = z3::ite(a_wins, a, z3::ite(b_wins, b, z3::ite(tie, a, b)));
  if (takes_numbers) return z3::ite(a.mk_is_nan(), b, z3::ite(b.mk_is_nan(), a, number));
  return z3::ite(a.mk_is_nan(), a, z3::ite(b.mk_is_nan(), b, number));
}

std::optional<Expr> Translation::OnFloats(const BodyOp& op) {
  const absl::string_view name = op.name;
  const Expr& a = In(op, 0).value;
  if (op.operands.size() == 1) {
    if (name == "arith.negf") return -a;
    if (name == "math.absf") return z3::abs(a);
    if (name == "math.ceil") return ToIntegral(a, RoundTo::kUp);
    if (name == "math.floor") return ToIntegral(a, RoundTo::kDown);
    if (name == "math.trunc") return ToIntegral(a, RoundTo::kZero);
    if (name == "math.round") return ToIntegral(a, RoundTo::kNearestAway);
    if (name == "math.roundeven") return ToIntegral(a, RoundTo::kNearestEven);
    return std::nullopt;
  }
  if (op.operands.size() != 2) return std::nullopt;
  const Expr& b = In(op, 1).value;
  if (name == "arith.maximumf" || name == "arith.minimumf") return Extreme(a, b, name == "arith.maximumf", false);
  if (name == "arith.maxnumf" || name == "arith.minnumf") return Extreme(a, b, name == "arith.maxnumf", true);
  if (op.type == Name(ElementType::kF8E4M3FN)) return std::nullopt;  // arithmetic of terms is another's (HasTerms)
  if (name == "arith.addf") return a + b;
  if (name == "arith.subf") return a - b;
  if (name == "arith.mulf") return a * b;
  if (name == "arith.divf") return a / b;
  return std::nullopt;
}

// Truncates; what does not fit is poison, and so is a NaN.
Expr Translation::ToInteger(const Expr& x, unsigned width, bool is_signed, Expr* poison) {
  const Expr whole = ToIntegral(x, RoundTo::kZero);
  const Expr above = PowerOfTwo(x.get_sort(), is_signed ? width - 1 : width);
  const Expr below = is_signed ? whole < -above : whole < Constant(x.get_sort(), 0);
  *poison = *poison || x.mk_is_nan() || x.mk_is_inf() || whole >= above || below;
  return ToWhole(x, width, is_signed);
}

std::optional<Expr> Translation::Conversion(const BodyOp& op, const z3::sort& result, Expr* poison) {
  const Expr& x = In(op, 0).value;
  const absl::string_view name = op.name;
  if (op.operands.size() != 1) return std::nullopt;
  if (x.is_fpa() && result.is_fpa()) {
    return name == "arith.extf" || name == "arith.truncf" ? std::optional(ToFloat(x, result)) : std::nullopt;
  }
  if (x.is_fpa()) {
    if (name == "arith.fptosi" || name == "arith.fptoui") {
      return ToInteger(x, result.bv_size(), name == "arith.fptosi", poison);
    }
    if (name != "arith.bitcast") return std::nullopt;
    if (x.is_app() && x.num_args() == 1 && x.arg(0).is_bv() && z3::eq(FromBits(x.get_sort(), x.arg(0)), x)) {
      return x.arg(0);  // of an argument, whose pattern is known
    }
    const Expr bits = context_.constant(absl::StrCat("choice", choices_++).c_str(), result);  // a NaN has any pattern
    facts_ = facts_ && FromBits(x.get_sort(), bits) == x;
    return bits;
  }
  if (name == "arith.sitofp") return ToFloat(x, result);
  if (name == "arith.uitofp") {
    if (Has("nneg")) *poison = *poison || x < 0;
    return ToFloat(x, result, false);
  }
  if (name == "arith.bitcast") return FromBits(result, x);
  const unsigned width = result.bv_size();
  if (name == "arith.extsi" || (name == "arith.index_cast" && width > WidthOf(x))) return SignExtended(x, width);
  if (name == "arith.extui") {
    if (Has("nneg")) *poison = *poison || x < 0;
    return ZeroExtended(x, width);
  }
  if (name != "arith.trunci" && name != "arith.index_cast") return std::nullopt;
  const Expr low = Truncated(x, width);
  if (Has("nsw")) *poison = *poison || SignExtended(low, WidthOf(x)) != x;
  if (Has("nuw")) *poison = *poison || ZeroExtended(low, WidthOf(x)) != x;
  return low;
}

}  // namespace

absl::StatusOr<BodyTerm> TermOf(const ScalarBody& body, const std::vector<z3::expr>& arguments,
                                const ChannelTerms& channels) {
  return Translation(body, arguments, channels).Take();
}

}  // namespace tosaic
