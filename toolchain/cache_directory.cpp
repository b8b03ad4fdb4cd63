// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/cache_directory.h"

#include <cstdlib>

namespace tosaic {

std::filesystem::path CacheDirectory() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "tosaic";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "/" : home) / ".cache" / "tosaic";
}

}  // namespace tosaic
