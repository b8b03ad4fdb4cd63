// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/fuzz_inputs.h"

#include "absl/algorithm/container.h"
#include "generators/generator.h"
#include "generators/probe.h"

namespace tosaic {
namespace {

// Does MLIR's verifier accept exactly what the documents call legal, and infer the shape they say?
FuzzSubject ForVerifier(absl::Span<const uint8_t> input, const WeightedRoutes&) {
  static const GeneratorOptions options = {.runs = 1, .max_elements = 64, .illegal_percent = 50};
  ByteChoices choices(input);
  Case generated = GenerateCase(choices, options);
  generated.runs.clear();
  return generated;
}

// Does a legal program lower, compile, and compute what the documents say?
FuzzSubject ForNumbers(absl::Span<const uint8_t> input, const WeightedRoutes& routes) {
  const GeneratorOptions options = {.runs = 3, .max_elements = 256, .routes = routes, .illegal_percent = 2};
  ByteChoices choices(input);
  return GenerateCase(choices, options);
}

// Does MLIR's Broadcastable trait, apart from the ops that use it, decide and infer as its document says?
FuzzSubject ForTrait(absl::Span<const uint8_t> input, const WeightedRoutes&) {
  ByteChoices choices(input);
  return DrawProbe(choices);
}

constexpr FuzzTarget kTargets[] = {
    {"fuzz_verifier", ForVerifier}, {"fuzz_trait", ForTrait}, {"fuzz_numeric", ForNumbers}};

}  // namespace

absl::Span<const FuzzTarget> ByteDrivenTargets() { return kTargets; }

FuzzSubject SubjectOfInput(absl::string_view target, absl::Span<const uint8_t> input, const WeightedRoutes& routes) {
  const auto found =
      absl::c_find_if(kTargets, [&](const FuzzTarget& fuzz_target) { return fuzz_target.name == target; });
  return found->subject_of(input, routes);
}

}  // namespace tosaic
