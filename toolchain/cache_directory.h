// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the scripts ci/install_*.sh put what they fetch.
#ifndef TOSAIC_TOOLCHAIN_CACHE_DIRECTORY_H_
#define TOSAIC_TOOLCHAIN_CACHE_DIRECTORY_H_

#include <cstdlib>
#include <filesystem>

namespace tosaic {

// $XDG_CACHE_HOME/tosaic, or ~/.cache/tosaic. It need not exist.
inline std::filesystem::path CacheDirectory() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "tosaic";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "/" : home) / ".cache" / "tosaic";
}

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CACHE_DIRECTORY_H_
