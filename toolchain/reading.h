// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a toolchain takes a module of MLIR text that is no case.
#ifndef TOSAIC_TOOLCHAIN_READING_H_
#define TOSAIC_TOOLCHAIN_READING_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Why the toolchain refuses the text as it reads and verifies it, or as a pass pipeline runs on it, in its own words;
// "" if it does not. Error: it cannot be asked, or does not say. Does not return if MLIR kills the process.
absl::StatusOr<std::string> RefusalOf(Toolchain& toolchain, absl::string_view mlir,
                                      absl::string_view pipeline = "builtin.module()");

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_READING_H_
