// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares one element with the expected value, and describes a mismatch (model/verdict.h, ElementMismatch).
#ifndef TOSAIC_ORACLE_COMPARE_H_
#define TOSAIC_ORACLE_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/bit_range.h"
#include "model/op_catalogue.h"
#include "model/verdict.h"
#include "oracle/expected.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Whether `expected` allows the element whose bits in memory are `actual_raw_bits` (Tensor::RawBits). The bits
// beyond the width must be zeros as far as a store reaches (StoredMask): an i1 is 0 or 1, an i4 at most 15.
bool Matches(const Expected& expected, ElementType type, uint64_t actual_raw_bits);

// A bit pattern that `expected` allows, the same each time: for a range, the representable value in it that is nearest
// to the true value; 0 if anything is allowed.
uint64_t AllowedBits(ElementType type, const Expected& expected);

// The bit patterns that Matches accepts, as the fewest ranges, ascending. A range without a member has none.
std::vector<BitRange> AllowedRanges(ElementType type, const Expected& expected);
// The same for the patterns that either allows.
std::vector<BitRange> AllowedRanges(ElementType type, const Expected& one, const Expected& other);

// The rule behind the expectation: value.exp, value.cast.float-to-integer, beyond-spec.
RuleId RuleOf(const OpInfo& op, const Expected& expected);

// The number of allowed patterns minus one: for floats, the set's width in units of the last place (SetWidths). All
// NaNs count as one pattern. REQUIRES: expected is not undefined.
uint64_t WidthOf(ElementType type, const Expected& expected);

// Whether a set of this width has more than half of the type's values, the infinities and one NaN included: comparing
// an element with it says next to nothing (docs/policies.md, "an element of which most values are right").
bool IsMostOf(ElementType type, uint64_t width);

// The true value of a float, rounded to double where it is not exact; NaN where nothing else is expected, or anything.
double ReferenceOf(ElementType type, const Expected& expected);

// "1.5", "[0.99, 1.01]", "NaN", "undefined (overflow)".
std::string DescribeExpected(ElementType type, const Expected& expected);
// The bit pattern of the value, or of a range's reference: "0x3f800000"; empty if there is none.
std::string ExpectedBits(ElementType type, const Expected& expected);
// "exact", "2 ulp = 2.4e-07", "between rounding toward zero and to nearest".
std::string DescribeBound(const Expected& expected);

// |actual - expected| in units of the last place of the expected value (of the least subnormal, if that is below the
// normal numbers). What lies beyond counts as one unit past the greatest number; 0 for integers and where a NaN is
// involved. The true value is known as a double: for f32 that is within 2^-29 of a unit.
double UlpDistance(ElementType type, const Expected& expected, uint64_t actual_bits);

// The error that an accuracy rule allows, in the units of UlpDistance; 0 if there is no rule, infinite if it
// allows every number. A cast's is that of the side toward zero.
double AllowedUlps(ElementType type, const Expected& expected);

// The share of the allowed error that an element took: 0 exact, 1 all of it; more only for one that does not match.
// 0 too where nothing but exactness is allowed, and for NaNs. REQUIRES: expected is of Mode::kDecide.
double BoundUsed(ElementType type, const Expected& expected, uint64_t actual_raw_bits);

// Whether an element passes only because subnormals may be flushed: a zero outside the range, or instead of the bits.
bool PassesByFlushing(ElementType type, const Expected& expected, uint64_t actual_raw_bits);

// Whether a subnormal result was kept or flushed to zero. kNone unless the documents allow exactly that number and its
// zero.
enum class SubnormalFate : uint8_t { kNone, kKept, kFlushed };
SubnormalFate FateOfSubnormal(ElementType type, const Expected& expected, uint64_t actual_bits);

// The element that a store of such bits leaves; "the byte 0x02" if it is of a byte that no store of the type leaves.
std::string StoredToString(ElementType type, uint64_t stored_bits);

// Explains one element; `run`, `op`, `index` and `count` are the caller's.
ElementMismatch ExplainMismatch(const ScalarInput& in, const Expected& expected, uint64_t actual_raw_bits);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_COMPARE_H_
