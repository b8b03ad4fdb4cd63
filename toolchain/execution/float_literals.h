// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How LLVM IR spells floating-point numbers. LLVM 24 writes +qnan, -inf, f0x3B000000, and the shortest decimal that
// rounds to the number; LLVM 22 and older read only bits, and decimals that are exact.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_FLOAT_LITERALS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_FLOAT_LITERALS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tosaic {

// The text with each literal of half, bfloat, float and double as bits, which every version reads. Everything else
// stays, including literals that it does not understand.
std::string WithFloatsAsBits(absl::string_view llvm_ir);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_FLOAT_LITERALS_H_
