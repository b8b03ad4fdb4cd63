// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A toolchain for another MLIR: its mlir-opt verifies, infers and lowers, its mlir-translate makes LLVM IR, which runs
// in this process's JIT and executor. LLVM IR of a newer LLVM goes through llc or mlir-runner of that version, and the
// object file runs. If these tools are missing, everything before the run is observed. Programs are written in that
// MLIR's version of the dialect (model/dialect.h). It refuses to build programs that the dialect cannot express, and
// cases on routes that it lacks.
//
// One call of a tool has many cases. If the tool does not end normally, each case is run again alone, so the
// observation of a case does not depend on the others.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "toolchain/execution/toolchain_options.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Errors: the tools make object files, and programs run on another CPU; or they speak no dialect that Tosaic writes, do
// not run, or do not take the plugins or the pipeline.
absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternalToolchain(const ExternalTools& tools,
                                                                   const ToolchainOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLCHAIN_H_
