// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass plugins: shared libraries that add passes to this process's MLIR (mlir/Tools/Plugins/PassPlugin.h).
#ifndef TOSAIC_TOOLCHAIN_MLIR_PASS_PLUGIN_H_
#define TOSAIC_TOOLCHAIN_MLIR_PASS_PLUGIN_H_

#include <string>

#include "absl/status/statusor.h"

namespace tosaic {

// Loads a plugin and registers its passes, once in a process. What it is, for result files: "FILE (NAME VERSION, MD5
// ...)", without the file's directory. Errors: no such file, no shared library, no plugin, one for another API.
absl::StatusOr<std::string> LoadPassPlugin(const std::string& file);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PASS_PLUGIN_H_
