// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer functions that RESCALE and TABLE are made of, as the specification's pseudocode has them
// (scale_helpers.tosac, arithmetic_helpers.tosac, RESCALE, TABLE; introduction.adoc, "General Unary Functions").
// nullopt: a REQUIRE does not hold, so that the result is unpredictable. And the ERROR_IFs of RESCALE
// (type_conversion.adoc, RESCALE), which make a program illegal.
#ifndef TOSAIC_ORACLE_SCALING_H_
#define TOSAIC_ORACLE_SCALING_H_

#include <cstdint>
#include <optional>

#include "model/attributes.h"
#include "model/element_type.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// About value * multiplier / 2^shift, rounded half up. `double_round` rounds away from zero by 2^30 more where the
// shift is above 31: half of what a first shift by 31 drops. REQUIRE: multiplier >= 0; shift in 2..62; value in
// -2^(shift - 1)..2^(shift - 1) - 1. REQUIRES: value and multiplier fit i32.
std::optional<Wide> ApplyScale32(Wide value, Wide multiplier, Wide shift, bool double_round);

// The same without a bound for the value, which has up to 48 bits, and a multiplier of i16. REQUIRE: multiplier >= 0;
// shift in 2..62; the result fits i32.
std::optional<Wide> ApplyScale16(Wide value, Wide multiplier, Wide shift);

// apply_add_s<i32_t>. REQUIRE: the sum fits i32.
std::optional<Wide> ApplyAddI32(Wide a, Wide b);

// apply_clip_s<i32_t> and apply_clip_u<i32_t> to the values of a type read as signed or unsigned. By the letter, the
// latter reads the value, an i32, as unsigned too and clips a number below zero to the greatest value; Tosaic clips it
// to 0 (docs/policies.md, "rescale to an unsigned type").
Wide ApplyClipSigned(Wide value, ElementType type);
Wide ApplyClipUnsigned(Wide value, ElementType type);

// The integers from `least` to `greatest`: the results that INEXACT_ROUND allows.
struct IntegerRange {
  Wide least, greatest;

  friend bool operator==(const IntegerRange& a, const IntegerRange& b) = default;
};
// RESCALE, "Precision Requirements": `value` is the input less its zero point, and `limits` is what the output is
// clipped to. The formulas are in doubles and in the order of the text. (The REQUIREs are those of the exact
// functions.)
IntegerRange InexactlyScaled(Wide value, Wide multiplier, Wide shift, Wide output_zero_point, IntegerRange limits);

// apply_lookup_s between the two entries of a table of i16 that an i16 reads: a number of 23 bits. REQUIRE: the
// entries' difference fits i16.
std::optional<Wide> Interpolated(Wide value, Wide base, Wide next);

// Whether the attributes suit each other and the element types. An absent attribute is `false` or SINGLE_ROUND, as
// legal.attribute.missing is another rule.
bool SuitRescale(const Attributes& attributes, ElementType input, ElementType result);

// Whether a value, as bits of the type, may be the zero point of a side: "int8/uint8 can have zero point within their
// valid range. uint16 zero point must be either 0 or 32768. All other types must have zero point equal to 0".
bool MayBeZeroPoint(ElementType type, bool is_unsigned, uint64_t bits);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SCALING_H_
