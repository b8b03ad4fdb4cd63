// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpecVersion: a release of the TOSA specification, or its draft.
#ifndef TOSAIC_MODEL_SPEC_VERSION_H_
#define TOSAIC_MODEL_SPEC_VERSION_H_

#include <cstdint>

#include "codec/names.h"

namespace tosaic {

// k1_1: the draft of 1.1 as of the commit that docs/policies.md names.
enum class SpecVersion : uint8_t { k1_0_0, k1_0_2, k1_1 };

EnumNames NamesOf(SpecVersion version);  // "1.0.0", "1.0.2", "1.1"

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SPEC_VERSION_H_
