// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The toolchain of an MLIR in a shared library with MLIR's C API, of any version: a worker program holds it, verifies,
// infers, lowers and compiles; the object file runs in this process's executor. Programs are written in the words of
// its dialect (model/dialect.h).
//
// Many cases go into one question. A case in whose company the worker does not end as it should is asked again alone,
// so what is observed of a case is the same in any company.
#ifndef TOSAIC_TOOLCHAIN_CAPI_CAPI_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_CAPI_CAPI_TOOLCHAIN_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/validation_target.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/route_limit.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

struct CapiToolchainOptions {
  std::string pipeline;                        // as in MlirToolchainOptions
  WorkerLimits limits;                         // of one question
  std::string worker;                          // the program tosaic-capi-worker; empty: the one beside this program
  std::optional<ValidationTarget> validation;  // as in MlirToolchainOptions
  LibraryFunction library_function;            // as in MlirToolchainOptions
  std::vector<RouteLimit>* limits_found = nullptr;  // if set, takes what its routes cannot do
};

// Errors: the library cannot be loaded or lacks a function, the pipeline does not parse.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateCapiToolchain(const CapiLibrary& library,
                                                               const CapiToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_CAPI_CAPI_TOOLCHAIN_H_
