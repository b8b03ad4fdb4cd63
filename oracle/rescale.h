// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ERROR_IFs of RESCALE (type_conversion.adoc, RESCALE), which make a program illegal. Its values are in
// scalar_ops_rescale.cpp.
#ifndef TOSAIC_ORACLE_RESCALE_H_
#define TOSAIC_ORACLE_RESCALE_H_

#include <cstdint>

#include "model/attributes.h"
#include "model/element_type.h"

namespace tosaic {

// Whether the attributes suit each other and the element types. An absent attribute is `false` or SINGLE_ROUND, as
// legal.attribute.missing is another rule.
bool SuitRescale(const Attributes& attributes, ElementType input, ElementType result);

// Whether a value, as bits of the type, may be the zero point of a side: "int8/uint8 can have zero point within their
// valid range. uint16 zero point must be either 0 or 32768. All other types must have zero point equal to 0".
bool MayBeZeroPoint(ElementType type, bool is_unsigned, uint64_t bits);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RESCALE_H_
