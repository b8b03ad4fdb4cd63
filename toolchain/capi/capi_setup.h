// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out what a library with MLIR's C API is and can do.
#ifndef TOSAIC_TOOLCHAIN_CAPI_CAPI_SETUP_H_
#define TOSAIC_TOOLCHAIN_CAPI_CAPI_SETUP_H_

#include <vector>

#include "absl/status/statusor.h"
#include "toolchain/capi/capi_client.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// *limits gets the limits of its routes. Errors: as of CreateCapiToolchain.
absl::StatusOr<ToolchainDescription> DescribeLibrary(const CapiLibrary& library, const CapiToolchainOptions& options,
                                                     CapiClient* client, std::vector<RouteLimit>* limits);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_CAPI_SETUP_H_
