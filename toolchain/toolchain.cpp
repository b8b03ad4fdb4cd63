// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/toolchain.h"

#include "absl/algorithm/container.h"

namespace tosaic {

bool ToolchainDescription::ReadsDraftAttributes() const {
  for (const OpInfo& op : AllOps()) {
    for (const Attribute attribute : op.draft_attributes) {
      if (Info(dialect).Spelling(op.kind, attribute) == AttributeSpelling::kNone) return false;
      for (const Unspoken& word : unspoken) {
        if (!word.type && word.op == op.kind && word.attribute.value_or(attribute) == attribute) return false;
      }
    }
  }
  return true;
}

std::vector<ElementType> ToolchainDescription::BlocksRead() const {
  std::vector<ElementType> read;
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    const auto is_type = [&](const Unspoken& word) { return word.type == info.type; };
    if (absl::c_linear_search(Info(dialect).numbers, info.type) && absl::c_none_of(unspoken, is_type))
      read.push_back(info.type);
  }
  return read;
}

std::string ToolchainDescription::PipelineOf(absl::string_view route) const {
  if (!only_pipeline.empty()) return only_pipeline;
  if (route == kCustomRoute) return custom_pipeline;
  const Route* found = FindRoute(routes, route);
  return found == nullptr ? "" : std::string(found->pipeline);
}

}  // namespace tosaic
