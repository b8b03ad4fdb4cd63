// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/version.h"

#include "absl/strings/str_cat.h"
#include "checking/provenance.h"

namespace tosaic {

std::string VersionNumber() { return TOSAIC_VERSION; }

std::string VersionText() {
  return absl::StrCat("tosaic ", VersionNumber(), ", revision ", Revision(), ", linked to LLVM and MLIR ",
                      TOSAIC_LLVM_VERSION);
}

}  // namespace tosaic
