// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOSAIC_TOOLCHAIN_SYMBOLIZER_H_
#define TOSAIC_TOOLCHAIN_SYMBOLIZER_H_

namespace tosaic {

// The environment variable with which LLVM names the functions of a dying process without llvm-symbolizer. That takes a
// third of a second per death, and adds only functions that a library does not export: those of a plugin.
inline constexpr char kNoSymbolizer[] = "LLVM_DISABLE_SYMBOLIZATION";

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_SYMBOLIZER_H_
