// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms of SMT for scalars: bit vectors for integers (an i1 is one of one bit), SMT's floating point for floats, whose
// NaNs are one value. What a formula needs and Z3's own header does not spell.
#ifndef TOSAIC_PROVING_TERMS_H_
#define TOSAIC_PROVING_TERMS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "model/element_type.h"
#include "z3++.h"

namespace tosaic {

// Whether the type's values have terms, which block-scaled types' have not. A sum or product of f8E4M3FN's terms is not
// one of that type: what the type has not is a number of SMT's float, which has more of them.
bool HasTerms(ElementType type);
// REQUIRES: HasTerms(type).
z3::sort SortOf(z3::context& context, ElementType type);
// The sort of a scalar type in MLIR's spelling, "i16", "f32" or "index" (of 64 bits); nullopt if it has none.
std::optional<z3::sort> SortOf(z3::context& context, absl::string_view type);

// The value whose bit pattern this is.
z3::expr FromBits(const z3::sort& sort, const z3::expr& bits);
z3::expr Constant(const z3::sort& sort, uint64_t bits);
// The value of a constant's element as MLIR prints it: "true", "-5", "1.5E+9", "0x7FC0". Decimals have as many digits
// as their type tells apart, so that rounding them to a double first changes nothing. nullopt: it is something else.
// REQUIRES: the sort is that of the type.
std::optional<z3::expr> Literal(const z3::sort& sort, const std::string& type, const std::string& word);
// The bit pattern of a term without variables; nullopt if simplifying does not make a number of it. A NaN has some
// pattern of a NaN.
std::optional<uint64_t> BitsOf(const z3::expr& term);

enum class RoundTo : uint8_t { kNearestEven, kNearestAway, kZero, kUp, kDown };
z3::expr ToIntegral(const z3::expr& x, RoundTo mode);
// A float, or an integer read with or without sign, rounded to a float to nearest. Beyond its range it is an infinity,
// or a NaN of f8E4M3FN, which has no infinities: as MLIR's folder and its route `apfloat` have it.
z3::expr ToFloat(const z3::expr& x, const z3::sort& sort, bool is_signed = true);

// A number truncated to an integer. If it does not fit, the term may have any value.
z3::expr ToWhole(const z3::expr& x, unsigned width, bool is_signed = true);

// 2^exponent as a float; beyond its range infinity, or of f8E4M3FN a NaN.
z3::expr PowerOfTwo(const z3::sort& sort, unsigned exponent);
z3::expr IsNegative(const z3::expr& x);  // of a float: its sign, that of a zero too
z3::expr FloatEqual(const z3::expr& a, const z3::expr& b);

inline unsigned WidthOf(const z3::expr& x) { return x.get_sort().bv_size(); }
z3::expr Number(const z3::expr& like, int64_t value);
z3::expr SignExtended(const z3::expr& x, unsigned width);  // REQUIRES: width is not less than x's
z3::expr ZeroExtended(const z3::expr& x, unsigned width);
z3::expr Truncated(const z3::expr& x, unsigned width);
z3::expr LeastOf(const z3::expr& like);     // as a number with sign
z3::expr GreatestOf(const z3::expr& like);  // the same
z3::expr AsBit(const z3::expr& condition);  // a truth value as an i1
z3::expr IsTrue(const z3::expr& bit);
// Leading zeros, as a number of x's width.
z3::expr LeadingZeros(const z3::expr& x);

}  // namespace tosaic

#endif  // TOSAIC_PROVING_TERMS_H_
