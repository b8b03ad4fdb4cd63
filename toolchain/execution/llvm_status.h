// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error of LLVM as a status.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_LLVM_STATUS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_LLVM_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "llvm/Support/Error.h"

namespace tosaic {

inline absl::Status ToStatus(llvm::Error error) { return absl::InternalError(llvm::toString(std::move(error))); }

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_LLVM_STATUS_H_
