// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Category: the kind of rule that a refused program breaks. The oracle predicts it from its rules, a toolchain reads it
// from a diagnostic, and the two are compared: a refusal for another reason is right only by accident.
#ifndef TOSAIC_MODEL_CATEGORY_H_
#define TOSAIC_MODEL_CATEGORY_H_

#include <cstdint>

#include "codec/names.h"

namespace tosaic {

enum class Category : uint8_t {
  kElementType,         // element types that the op does not have, or that differ where they must not
  kDimensionSize,       // a static dimension of 0
  kSpecialOperand,      // shape or element type of a shift or a zero point
  kRank,                // ranks that differ
  kNotBroadcastable,    // operands' dimensions that do not fit each other
  kResultIncompatible,  // a result that is not the operands' broadcast
  kAttribute,           // an attribute that is missing, mistyped or out of range
  kZeroPoint,           // a zero point that must be 0
  kShift,               // a shift out of range
  kOperandCount,        // more or fewer operands or results than the op takes
  kContainer,           // the Broadcastable trait alone: neither tensor nor vector, or both
  // Only tosa-validate gives these reasons.
  kConstantOperand,       // an operand that must be a compile-time constant
  kUnranked,              // a tensor without a rank
  kDynamic,               // a dynamic dimension
  kLevel,                 // beyond the level's limits: rank, bytes of a tensor
  kProfile,               // element types of a profile or extension that the target lacks
  kSpecificationVersion,  // something that the target's version of the specification does not have yet
  // A diagnostic that no row of toolchain/diagnostic_category.cpp knows.
  kUnknown,
};
EnumNames NamesOf(Category category);  // "not-broadcastable"

}  // namespace tosaic

#endif  // TOSAIC_MODEL_CATEGORY_H_
