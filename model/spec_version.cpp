// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spec_version.h"

namespace tosaic {
namespace {

constexpr absl::string_view kNames[] = {"1.0.0", "1.0.2", "1.1"};

}  // namespace

absl::Span<const absl::string_view> SpecVersionNames() { return kNames; }

std::optional<SpecVersion> FindSpecVersion(absl::string_view name) {
  for (size_t i = 0; i < SpecVersionNames().size(); ++i) {
    if (kNames[i] == name) return static_cast<SpecVersion>(i);
  }
  return std::nullopt;
}

}  // namespace tosaic
