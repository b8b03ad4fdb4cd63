// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns inputs of the byte-driven libFuzzer targets into cases, so that an artifact or a file of a corpus can be read
// without libFuzzer. Which case an input gives depends on this build, as for the generator's cases.
#ifndef TOSAIC_GENERATORS_FUZZ_INPUTS_H_
#define TOSAIC_GENERATORS_FUZZ_INPUTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/op_signature.h"
#include "model/program.h"

namespace tosaic {

using WeightedRoutes = std::vector<std::pair<std::string, int>>;
using FuzzSubject = std::variant<Case, OpSignature>;

struct FuzzTarget {
  absl::string_view name;  // "fuzz_numeric"
  FuzzSubject (*subject_of)(absl::Span<const uint8_t> input, const WeightedRoutes& routes);
};
absl::Span<const FuzzTarget> ByteDrivenTargets();

// REQUIRES: it is the name of one of them.
FuzzSubject SubjectOfInput(absl::string_view target, absl::Span<const uint8_t> input, const WeightedRoutes& routes);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_FUZZ_INPUTS_H_
