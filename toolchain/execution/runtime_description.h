// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the system that generated code runs on.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_DESCRIPTION_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_DESCRIPTION_H_

#include <string>

namespace tosaic {

// The C runtime and CPU behind the executor, for result files: "glibc 2.36", "x86-64".
std::string RuntimeDescription();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_RUNTIME_DESCRIPTION_H_
