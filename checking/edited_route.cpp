// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/edited_route.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generators/twins.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/support_table.h"

namespace tosaic {

absl::StatusOr<EditedRoute> EditedRoute::Of(Toolchain& toolchain) {
  const ToolchainDescription& description = toolchain.description();
  const Route* route = FindRoute(description.routes, description.custom_like);
  if (route == nullptr) {
    return absl::InvalidArgumentError("no route is edited: --insert-before, --insert-after or --replace does that");
  }
  if (toolchain.lowering() == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(description.name, " does not show what its passes make"));
  }
  PipelineChange change = ComparePipelines(route->pipeline, description.custom_pipeline);
  return EditedRoute(&toolchain, std::move(change.before_through), std::move(change.after_through));
}

bool EditedRoute::Changes(const Program& program) const {
  const Dialect dialect = toolchain_->description().dialect;
  if (FindUnwritable(program, dialect)) return true;
  const std::string text = ToMlir(program, dialect);
  const auto lower = [&](const std::string& pipeline) {
    return toolchain_->lowering()->LowerTextHere(text, pipeline, /*to_llvm_ir=*/false);
  };
  const absl::StatusOr<std::string> before = lower(before_), after = lower(after_);
  return !before.ok() || !after.ok() || *before != *after;
}

bool EditedRoute::Changes(const Case& test_case) const {
  if (test_case.runs.empty()) return false;
  if (Changes(test_case.program)) return true;
  const std::optional<Case> twin = TwinOf(test_case);
  return twin && Changes(twin->program);
}

}  // namespace tosaic
