// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit patterns of single elements for the generator: limits, classes, encoding. It is deliberately small and separate
// from the oracle's arithmetic.
#ifndef TOSAIC_GENERATORS_ELEMENT_BITS_H_
#define TOSAIC_GENERATORS_ELEMENT_BITS_H_

#include <cstdint>

#include "model/element_type.h"

namespace tosaic {

// The value of an integer's bit pattern, zero-extended for i1 and unsigned types. REQUIRES: IsInteger(type).
int64_t IntegerValue(ElementType type, uint64_t bits);
// Cuts `value` to the type's width. REQUIRES: IsInteger(type).
uint64_t EncodeInteger(ElementType type, int64_t value);

// `value` rounded toward zero to a float; the largest finite float if it is beyond; a quiet NaN for NaN.
uint64_t EncodeFloat(ElementType type, double value);

// A float or an integer, as the type is. REQUIRES: an int64_t can hold the number's whole part.
uint64_t EncodeNumber(ElementType type, double number);

// Bit patterns of floats, positive. REQUIRES: IsFloat(type).
uint64_t LargestFiniteBits(ElementType type);
uint64_t QuietNanBits(ElementType type);
bool HasInfinity(ElementType type);       // f8E4M3FN has none
uint64_t InfinityBits(ElementType type);  // REQUIRES: HasInfinity(type)
bool IsNan(ElementType type, uint64_t bits);
bool IsInfinite(ElementType type, uint64_t bits);
// A finite float of the same sign and mantissa, between 1 and 2 in magnitude, for a NaN or an infinity.
uint64_t MadeFinite(ElementType type, uint64_t bits);

// The smallest and the largest value: an integer's limits, a float's infinities (or largest finite values).
uint64_t LowestBits(ElementType type);
uint64_t HighestBits(ElementType type);

// Compares two elements by their values. REQUIRES: no NaN.
bool LessValue(ElementType type, uint64_t a, uint64_t b);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ELEMENT_BITS_H_
