// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profile: what the specification requires of a target for the element types of an op or a constant; and SpecVersion: a
// release of the specification, or its draft.
#ifndef TOSAIC_MODEL_PROFILE_H_
#define TOSAIC_MODEL_PROFILE_H_

#include <cstdint>

#include "codec/names.h"

namespace tosaic {

// A profile, an extension, or one of two of them.
enum class Profile : uint8_t {
  kProInt,
  kProFp,
  kProIntOrFp,
  kExtBf16,
  kExtInt4,
  kExtInt16,
  kExtFp8E4M3,
  kExtFp8E5M2,
  kExtBf16AndFp8E4M3,
  kExtBf16AndFp8E5M2,
  // Draft of 1.1. Each of kExtMx is one of EXT-MX-COMMON and the value type's extension.
  kExtInt64,
  kExtMxFp8E4M3,
  kExtMxFp8E5M2,
  kExtMxFp6E3M2,
  kExtMxFp6E2M3,
  kExtMxFp4E2M1,
  kExtMxInt8,
  kDeduced,  // DEDUCE-EXT: what each of the op's element types needs (ElementTypeInfo::constants)
};
EnumNames NamesOf(Profile profile);  // "PRO-INT or PRO-FP"

// k1_1: the draft of 1.1 as of the commit that docs/policies.md names.
enum class SpecVersion : uint8_t { k1_0_0, k1_0_2, k1_1 };
EnumNames NamesOf(SpecVersion version);  // "1.0.0", "1.0.2", "1.1"

}  // namespace tosaic

#endif  // TOSAIC_MODEL_PROFILE_H_
