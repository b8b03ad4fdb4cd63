// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR that Tosaic is linked to, as a toolchain in this process.
#ifndef TOSAIC_TOOLCHAIN_MLIR_MLIR_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_MLIR_MLIR_TOOLCHAIN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/dialect.h"
#include "toolchain/execution/toolchain_options.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The MLIR that Tosaic is linked to: its name ("mlir-22"), and its dialect.
const std::string& NameInProcess();
std::string VersionInProcess();  // "LLVM 22.1.8"
Dialect DialectInProcess();
// Its routes, in the order of AllRoutes.
std::vector<const Route*> RoutesInProcess();

// The passes and pass pipelines among these names that this MLIR does not have, or does not have before a plugin is
// loaded.
std::vector<std::string> PassesUnknownInProcess(const std::vector<std::string>& names);

// The MLIR that Tosaic is linked to, in this process: one context, one pass manager per route, one target machine
// (plain x86-64) and one JIT, all reused.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateMlirToolchain(const ToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_MLIR_MLIR_TOOLCHAIN_H_
