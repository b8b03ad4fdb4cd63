// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzzers/features.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "checking/signature.h"
#include "model/digest.h"
#include "model/pass_sequence.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

constexpr size_t kNames = size_t{1} << 16;
constexpr size_t kBlocks = size_t{1} << 15;

// libFuzzer clears these before each input and reads them after it: first names, then blocks.
__attribute__((section("__libfuzzer_extra_counters"), used)) uint8_t counters[kNames + kBlocks];

// The same counter for a name in every build.
size_t CounterOf(absl::string_view name) {
  const uint64_t digest = Digest(name);
  return (digest ^ (digest >> 29)) % kNames;
}

// The rank, and which kinds of dimension there are: "2.?1" for 1x?, "*" for an unranked shape.
std::string KindsOfDimensions(const Shape& shape) {
  if (!shape.IsRanked()) return "*";
  bool is_dynamic = false, is_one = false, is_larger = false;
  for (Dim dim : shape.dims()) {
    is_dynamic |= dim.IsDynamic();
    is_one |= dim.Is(1);
    is_larger |= dim.IsStatic() && !dim.Is(1);
  }
  return absl::StrCat(shape.rank(), ".", is_dynamic ? "?" : "", is_one ? "1" : "", is_larger ? "n" : "");
}

void LightEnd(const Observation& observation) {
  LightFeature(absl::StrCat("ends at ", Name(observation.stage), " ", observation.pass));
  if (observation.category) LightFeature(absl::StrCat("refused for ", Name(*observation.category)));
  if (!observation.diagnostics.empty()) {
    LightFeature(absl::StrCat("says ", NormalizeDiagnostic(observation.diagnostics.front())));
  }
}

}  // namespace

void LightFeature(absl::string_view name) { counters[CounterOf(name)] = 1; }

void LightBlock(uint32_t block) { counters[kNames + block % kBlocks] = 1; }

void LightFeatures(const Case& test_case, const Observation& observation, const Judgement& judgement) {
  const Program& program = test_case.program;
  for (const OpApplication& op : program.ops) {
    std::string types = absl::StrCat("op ", Name(op.op)), shapes = types;
    for (const TensorType& operand : OperandTypes(program, op)) {
      absl::StrAppend(&types, " ", Name(operand.element_type));
      absl::StrAppend(&shapes, " ", KindsOfDimensions(operand.shape));
    }
    absl::StrAppend(&types, " -> ", Name(op.result.element_type));
    absl::StrAppend(&shapes, " -> ", KindsOfDimensions(op.result.shape));
    LightFeature(absl::StrCat(types, "; ", shapes));
    LightFeature(absl::StrCat(types, "; ", Name(ClassOf(program, op)), " on ", RouteName(test_case.route)));
    LightFeature(absl::StrCat("op ", Name(op.op), " rule ", Name(judgement.rule)));
    LightFeature(absl::StrCat("op ", Name(op.op), " verdict ", Name(judgement.verdict)));
  }
  LightEnd(observation);
}

void LightFeatures(const OpSignature& probe, const Observation& observation, const Judgement& judgement) {
  std::string shapes = "probe";
  for (const ValueType& operand : probe.operands) {
    absl::StrAppend(&shapes, " ", static_cast<int>(operand.container), KindsOfDimensions(operand.type.shape));
    // Prefixes too: with many operands every whole would be new.
    LightFeature(shapes);
  }
  LightFeature(absl::StrCat("probe -> ", static_cast<int>(probe.result.container),
                            KindsOfDimensions(probe.result.type.shape), " rule ", Name(judgement.rule)));
  LightFeature(absl::StrCat("probe verdict ", Name(judgement.verdict), " rule ", Name(judgement.rule)));
  LightEnd(observation);
}

}  // namespace tosaic
