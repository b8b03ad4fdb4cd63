// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the strides of sets (OrdinalSpan) go through ops: the result of exact arithmetic on members of grids lies on a
// grid, and a narrow float that is converted to a wide one has zeros in its low bits.
#ifndef TOSAIC_ORACLE_SET_GRID_H_
#define TOSAIC_ORACLE_SET_GRID_H_

#include <optional>

#include "oracle/set_box.h"

namespace tosaic {

// The step of a grid that has all sums of members of two grids. A step of 0 is a single member's.
Wide CommonStep(Wide a, Wide b);
// The step of a shifted span; 1 if bits that are shifted out differ.
Wide StepShiftedRight(OrdinalSpan span, int64_t amount);

// The integers first, first + step, ..., last; undefined unless all fit the type.
AllowedSet IntegersThatFit(ElementType type, Wide first, Wide last, Wide step);
// The same, but values that do not fit lose their high bits: what remains is how far they are above a multiple of the
// greatest power of two in the step.
AllowedSet TruncatedIntegers(ElementType type, Wide first, Wide last, Wide step);

// How many low bits of the magnitudes of a float's span are 0 in all of them. REQUIRES: no zero is in it.
int LowZeros(OrdinalSpan span);
// The step of the integers that a box of one float holds, saturated ones left out; 1 if some number may be no integer.
Wide StepOfNumbers(const Box& box);
// The step of the patterns that numbers of a box of one float have in a float type; 1 if some may be rounded.
int64_t StepInWider(const Box& box);

// The results of an op whose error is half a unit, where the true ones are from `lo` to `hi` and in this type have so
// many low zeros: these, and the number below a power of two. nullopt if they are not of one binade, which would have
// several such numbers, or near the ends of the normal numbers. REQUIRES: both have one sign, and neither is 0.
std::optional<AllowedSet> ExactInOneBinade(ElementType type, double lo, double hi, int zeros);
// The same for casts of a box of one integer, and for products of floats.
std::optional<AllowedSet> ExactFloatsOf(const Box& box);
std::optional<AllowedSet> ExactProductsOf(const Box& box);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_GRID_H_
