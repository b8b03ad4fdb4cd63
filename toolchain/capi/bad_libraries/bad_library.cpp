// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared libraries without MLIR's C API, some of which do harm while they are loaded. For tests only.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace {

const bool loaded = [] {
#if defined(TOSAIC_DIES)
  abort();
#elif defined(TOSAIC_EXITS)
  _exit(3);
#elif defined(TOSAIC_HANGS)
  for (;;) pause();
#elif defined(TOSAIC_PRINTS)
  puts("12345678 what a worker answers is read from here");
  fflush(stdout);
#endif
  return true;
}();

}  // namespace

// The first function that is asked for is there, the second is not.
extern "C" void* mlirDialectRegistryCreate() { return loaded ? stdout : nullptr; }
