// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/stock_mlir.h"

#include <utility>

namespace tosaic {

StockMlir StockMlirOf(const ToolchainFlags& flags, Toolchain& toolchain) {
  const auto build = [](const ToolchainFlags& without) -> StockMlir {
    absl::StatusOr<std::unique_ptr<Toolchain>> created = without.CreateCold();
    if (!created.ok()) return {};
    const PatchBase base(**created);
    return {*std::move(created), base};
  };
  if (flags.EditsRoute() && !flags.plugins.empty()) {
    const absl::StatusOr<std::string> pipeline = flags.PipelineWithoutPlugins();
    if (!pipeline.ok()) return {};
    if (*pipeline == toolchain.description().PipelineOf(flags.custom_like)) {
      return {nullptr, *PatchBase::OfEdit(toolchain)};
    }
    ToolchainFlags without = flags.WithoutEdits();
    without.route.clear();
    without.pipeline = *pipeline;
    without.custom_like = flags.custom_like;
    return build(without);
  }
  if (!flags.IsExternal() || toolchain.description().version != VersionInProcess()) return {};
  const absl::StatusOr<ToolchainFlags> in_process = flags.OnToolchain(NameInProcess());
  return in_process.ok() ? build(*in_process) : StockMlir();
}

}  // namespace tosaic
