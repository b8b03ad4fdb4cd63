// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/stock_mlir.h"

#include "codec/status.h"

namespace tosaic {

absl::StatusOr<StockMlir> StockMlirOf(const ToolchainFlags& flags, Toolchain& toolchain) {
  StockMlir stock;
  const auto build = [&](const ToolchainFlags& without) -> absl::Status {
    TOSAIC_ASSIGN_OR_RETURN(stock.build, without.CreateCold());
    stock.base.emplace(*stock.build);
    return absl::OkStatus();
  };
  if (flags.EditsRoute() && !flags.plugins.empty()) {
    const absl::StatusOr<std::string> pipeline = flags.PipelineWithoutPlugins();
    if (!pipeline.ok()) return stock;
    if (*pipeline == toolchain.description().PipelineOf(flags.custom_like)) {
      TOSAIC_ASSIGN_OR_RETURN(stock.base, PatchBase::OfEdit(toolchain));
      return stock;
    }
    ToolchainFlags without = flags.WithoutEdits();
    without.route.clear();
    without.pipeline = *pipeline;
    without.custom_like = flags.custom_like;
    TOSAIC_RETURN_IF_ERROR(build(without));
  } else if (flags.IsExternal() && toolchain.description().version == VersionInProcess()) {
    TOSAIC_ASSIGN_OR_RETURN(const ToolchainFlags in_process, flags.OnToolchain(NameInProcess()));
    TOSAIC_RETURN_IF_ERROR(build(in_process));
  }
  return stock;
}

}  // namespace tosaic
