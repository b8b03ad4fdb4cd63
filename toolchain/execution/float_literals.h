// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How LLVM IR spells floating-point numbers. LLVM 24 writes +qnan, -inf, f0x3B000000, and the shortest decimal that is
// near enough; LLVM 22 and older read bits, and decimals that are exact.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_FLOAT_LITERALS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_FLOAT_LITERALS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// The text with each literal of half, bfloat, float and double as bits, which every version reads. All else stays, and
// so does a literal that is not understood.
std::string WithFloatsAsBits(absl::string_view llvm_ir);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_FLOAT_LITERALS_H_
