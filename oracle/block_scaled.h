// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block-scaled numbers of the draft of 1.1 (docs/policies.md): 32 values along the last dimension share a scale, and an
// element is the product of its value and the scale. Casts to and from them, as CAST writes them
// (type_conversion.adoc, CAST.tosac, calc_block_scale, tosa_reference_check_scale, tosa_reference_check_from_block).
// Every product of a value and a scale, and every quotient of an element and a scale, is exact in a double.
#ifndef TOSAIC_ORACLE_BLOCK_SCALED_H_
#define TOSAIC_ORACLE_BLOCK_SCALED_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/element_type.h"
#include "oracle/expected.h"

namespace tosaic {

// The format of a block's values (introduction.adoc, "Number formats").
struct BlockFormat {
  absl::string_view value;  // MLIR's spelling of the value type
  int bits;                 // of a value
  int exponent_bits;        // 0: a number in two's complement with an implicit factor of 1/64 (mxint8)
  int frac;                 // stored fractional bits (normal_frac); mxint8: those behind the point
  bool has_infinity;
  bool has_nan;
  double normal_min;     // the least magnitude that is no subnormal
  double normal_max;     // the greatest number
  double normal_lowest;  // the least number
};
absl::Span<const BlockFormat> AllBlockFormats();
// REQUIRES: the type is block-scaled.
const BlockFormat& BlockFormatOf(ElementType type);

// fp8ue8m0: 2^(bits - 127), from 2^-127 to 2^127, or NaN (kNanScale of model/element_type.h).
double ScaleOf(uint8_t bits);
// A value of the format, infinities and NaN included. Bits beyond the format's width are ignored.
double ValueOf(const BlockFormat& format, uint8_t bits);

// round_to_nearest_float: ties to even. What is beyond the range becomes an infinity, in a format without one NaN, and
// in a format without either the greatest number of its sign (policy "block-overflow").
// REQUIRES: the format has a NaN, or x is none.
uint8_t NearestValue(const BlockFormat& format, double x);

struct Block {
  uint8_t scale = 0;
  std::array<uint8_t, kBlockSize> values = {};

  friend bool operator==(const Block& a, const Block& b) = default;
};
// An element as a number: NaN if its value or the scale is NaN.
double ElementOf(const BlockFormat& format, const Block& block, size_t index);

// calc_block_scale in fp64_t arithmetic, which the precision requirements of CAST name: the bits of the scale for a
// block of this greatest magnitude; kNanScale for NaN and infinity.
uint8_t BlockScale(const BlockFormat& format, double max_abs);

using BlockInput = std::array<double, kBlockSize>;
// CAST's own block: each element divided by the scale and rounded to nearest. All values are NaN, or the zero of a
// format without NaN, if the scale is.
Block ToBlock(const BlockFormat& format, const BlockInput& input);
// Whether CAST may return the block for this input. If the scale that CAST computes is NaN, it may return any.
bool AllowsBlock(const BlockFormat& format, const BlockInput& input, const Block& block);

// Whether it may return any block at all, because the scale that it computes is NaN.
bool MayBeAnyBlock(const BlockInput& input);
// How many values may stand for an element in a block of this scale; none if the scale is NaN.
uint64_t AllowedValues(const BlockFormat& format, double element, uint8_t scale);

// The values that CAST may return for an element of a block. REQUIRES: IsFloat(result).
Expected FromBlock(const BlockFormat& format, uint8_t scale, uint8_t value, ElementType result);
// The same of an element of a tensor (model/element_type.def).
Expected FromBlock(ElementType type, uint64_t bits, ElementType result);

// Whether a block may be the result of two casts of another block of the same format, to a float type and back: whether
// there are elements of that type that the first cast may return, and for which the second may return it.
bool AllowsRoundTrip(const BlockFormat& format, const Block& input, ElementType between, const Block& result);
// Whether it may be any block at all: the first cast may return an infinity or a NaN.
bool MayBeAnyRoundTrip(const BlockFormat& format, const Block& input, ElementType between);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_BLOCK_SCALED_H_
