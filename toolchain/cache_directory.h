// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the scripts ci/install_*.sh put what they fetch.
#ifndef TOSAIC_TOOLCHAIN_CACHE_DIRECTORY_H_
#define TOSAIC_TOOLCHAIN_CACHE_DIRECTORY_H_

#include <filesystem>

namespace tosaic {

// $XDG_CACHE_HOME/tosaic, or ~/.cache/tosaic. It need not exist.
std::filesystem::path CacheDirectory();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CACHE_DIRECTORY_H_
