// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass plugin without passes, for the version of the API that TOSAIC_API_VERSION says. What MLIR asks of a plugin is
// a function that returns such a struct (mlir/Tools/Plugins/PassPlugin.h); nothing of MLIR is needed for it.
#include <cstdint>

struct LibraryInfo {
  uint32_t api_version;
  const char* name;
  const char* version;
  void (*register_passes)();
};

extern "C" LibraryInfo mlirGetPassPluginInfo() {
  return {TOSAIC_API_VERSION, "empty", "1", [] {}};
}
