// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small library that the tests watch, loaded (watched_library.c).
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_WATCHED_LIBRARY_TESTING_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_WATCHED_LIBRARY_TESTING_H_

#include <dlfcn.h>

#include <string>

namespace tosaic {

inline constexpr char kWatchedLibrary[] = "libtosaic_watched_library";

// One of its functions, all of which are of an int. The library stays loaded.
using FunctionOfInt = int (*)(int);
inline FunctionOfInt CodeOf(const std::string& name) {
  static void* library = dlopen(TOSAIC_WATCHED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<FunctionOfInt>(dlsym(library, name.c_str()));
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_WATCHED_LIBRARY_TESTING_H_
