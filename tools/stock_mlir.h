// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StockMlir: MLIR without what a command changes, which shows what the list of known divergences says of its release.
#ifndef TOSAIC_TOOLS_STOCK_MLIR_H_
#define TOSAIC_TOOLS_STOCK_MLIR_H_

#include <memory>
#include <optional>

#include "checking/patch_base.h"
#include "tools/subcommands.h"

namespace tosaic {

struct StockMlir {
  std::unique_ptr<Toolchain> build;  // of its own; else null
  std::optional<PatchBase> base;     // none: there is no such MLIR here
};

// For a route into which passes of plugins are put, the route without them; for tools of the release that this process
// has, the MLIR in this process. MLIR's own passes that are put into a route are no patch: their mistakes are listed.
// None where that cannot run the pipeline. The toolchain is what the flags make, and must outlive the result.
StockMlir StockMlirOf(const ToolchainFlags& flags, Toolchain& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_STOCK_MLIR_H_
