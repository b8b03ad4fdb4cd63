// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small shell scripts in place of mlir-opt and mlir-translate: tools that hang, die, or say anything. For tests only.
#ifndef TOSAIC_TESTS_FAKE_TOOLS_H_
#define TOSAIC_TESTS_FAKE_TOOLS_H_

#include <filesystem>
#include <string>

#include "tests/temporary_directory.h"

namespace tosaic {

// An executable script. `body` sees the tool's arguments.
inline void WriteTool(const std::string& path, const std::string& body) {
  Spill(path, "#!/bin/sh\n" + body + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

// A script that answers --version as LLVM's tools do, and runs `body` otherwise; an empty `version`: it has none.
inline std::string Versioned(const std::string& version, const std::string& body) {
  return "case \"$1\" in --version) echo '  LLVM version " + version + "'; exit 0;; esac\n" + body;
}

}  // namespace tosaic

#endif  // TOSAIC_TESTS_FAKE_TOOLS_H_
