// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/stock_mlir.h"

#include "codec/status.h"

namespace tosaic {

absl::StatusOr<StockMlir> StockMlirOf(const ToolchainFlags& flags, Toolchain& toolchain) {
  StockMlir stock;
  if (flags.EditsRoute()) {
    TOSAIC_ASSIGN_OR_RETURN(stock.base, PatchBase::OfEdit(toolchain));
  } else if (flags.IsExternal() && toolchain.description().version == VersionInProcess()) {
    ToolchainFlags in_process = flags;
    in_process.toolchain = NameInProcess();
    TOSAIC_ASSIGN_OR_RETURN(stock.build, in_process.CreateCold());
    stock.base.emplace(*stock.build);
  }
  return stock;
}

}  // namespace tosaic
