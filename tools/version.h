// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of this Tosaic.
#ifndef TOSAIC_TOOLS_VERSION_H_
#define TOSAIC_TOOLS_VERSION_H_

#include <string>

namespace tosaic {

std::string VersionNumber();  // "0.9.0"
// "tosaic 0.9.0, revision 48fa9a7bd3c1, linked to LLVM and MLIR 22.1.8".
std::string VersionText();

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_VERSION_H_
