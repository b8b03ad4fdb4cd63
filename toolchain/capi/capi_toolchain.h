// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A toolchain for an MLIR of any version in a shared library with MLIR's C API. A worker program loads it, verifies,
// infers, lowers and compiles; the object file runs in this process's executor. Programs are written in the library's
// version of the dialect (model/dialect.h).
//
// One request has many cases. If the worker does not answer it correctly, each case is sent again alone, so the
// observation of a case does not depend on the others.
#ifndef TOSAIC_TOOLCHAIN_CAPI_CAPI_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_CAPI_CAPI_TOOLCHAIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/execution/toolchain_options.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Errors: the library cannot be loaded or lacks a function, the pipeline does not parse.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateCapiToolchain(const CapiLibrary& library,
                                                               const ToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_CAPI_TOOLCHAIN_H_
