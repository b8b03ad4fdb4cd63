// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOSAIC_TOOLCHAIN_SYMBOLIZER_H_
#define TOSAIC_TOOLCHAIN_SYMBOLIZER_H_

#include <stdlib.h>

namespace tosaic {

// The environment variable with which LLVM names the functions of a dying process without llvm-symbolizer. That takes a
// third of a second per death, and adds only functions that a library does not export: those of a plugin.
inline constexpr char kNoSymbolizer[] = "LLVM_DISABLE_SYMBOLIZATION";

// Whether the deaths of this process, and of those that it starts, run llvm-symbolizer. It is so until somebody says
// no.
inline bool SymbolizesDeaths() { return getenv(kNoSymbolizer) == nullptr; }
inline void SymbolizeDeaths(bool symbolize) {
  if (symbolize) {
    unsetenv(kNoSymbolizer);
  } else {
    setenv(kNoSymbolizer, "1", /*overwrite=*/0);
  }
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_SYMBOLIZER_H_
