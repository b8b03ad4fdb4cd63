// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared libraries that are loaded in this process.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_LOADED_LIBRARY_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_LOADED_LIBRARY_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tosaic {

struct LoadedLibrary {
  std::string file;
  uintptr_t bias = 0;  // an address in memory is one of the file plus this
};
// The one whose file's name begins so ("libMLIR.so"). Error: there is none.
absl::StatusOr<LoadedLibrary> FindLoadedLibrary(absl::string_view prefix);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_LOADED_LIBRARY_H_
