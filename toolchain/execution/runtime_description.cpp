// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/runtime_description.h"

#include "absl/strings/str_cat.h"
#include "gnu/libc-version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Triple.h"

namespace tosaic {

std::string RuntimeDescription() {
  return absl::StrCat("glibc ", gnu_get_libc_version(), "; generated code for plain ",
                      llvm::Triple(LLVM_DEFAULT_TARGET_TRIPLE).getArchName().str(), ", -O0");
}

}  // namespace tosaic
