// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass plugins: shared libraries that add passes to this process's MLIR (mlir/Tools/Plugins/PassPlugin.h).
#ifndef TOSAIC_TOOLCHAIN_MLIR_PASS_PLUGIN_H_
#define TOSAIC_TOOLCHAIN_MLIR_PASS_PLUGIN_H_

#include <string>

#include "absl/status/statusor.h"

namespace tosaic {

// Loads a plugin and registers its passes, once in a process. Returns its description for result files: "FILE (NAME
// VERSION, MD5 ...)", without the file's directory. Errors: there is no such file, it is not a shared library or not a
// plugin, or it is for another API.
absl::StatusOr<std::string> LoadPassPlugin(const std::string& file);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_PASS_PLUGIN_H_
