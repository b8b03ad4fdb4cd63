// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out what a library with MLIR's C API is and can do.
#ifndef TOSAIC_TOOLCHAIN_CAPI_CAPI_SETUP_H_
#define TOSAIC_TOOLCHAIN_CAPI_CAPI_SETUP_H_

#include "absl/status/statusor.h"
#include "toolchain/capi/capi_client.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Errors: as of CreateCapiToolchain.
absl::StatusOr<ToolchainDescription> DescribeLibrary(const CapiLibrary& library, const ToolchainOptions& options,
                                                     CapiClient* client);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_CAPI_SETUP_H_
