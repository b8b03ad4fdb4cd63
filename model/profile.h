// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profile: what the specification requires of a target for the element types of an op or a constant.
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
  kExtInt64,  // draft of 1.1
};
EnumNames NamesOf(Profile profile);  // "PRO-INT or PRO-FP"

}  // namespace tosaic

#endif  // TOSAIC_MODEL_PROFILE_H_
