// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpecVersion: a release of the TOSA specification, or its draft.
#ifndef TOSAIC_MODEL_SPEC_VERSION_H_
#define TOSAIC_MODEL_SPEC_VERSION_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

// k1_1: the draft of 1.1 as of the commit that docs/policies.md names.
enum class SpecVersion : uint8_t { k1_0_0, k1_0_2, k1_1 };

// "1.0.0", "1.0.2", "1.1", in the order of the enumerators.
absl::Span<const absl::string_view> SpecVersionNames();
inline absl::string_view Name(SpecVersion version) { return SpecVersionNames()[static_cast<size_t>(version)]; }
std::optional<SpecVersion> FindSpecVersion(absl::string_view name);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SPEC_VERSION_H_
