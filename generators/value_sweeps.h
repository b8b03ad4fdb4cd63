// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ValueSweeps: every element-type tuple of the specification for every op, each with a few attribute settings, as
// programs of static shape and the inputs to run them on. sweeps/ runs the sweeps.
#ifndef TOSAIC_GENERATORS_VALUE_SWEEPS_H_
#define TOSAIC_GENERATORS_VALUE_SWEEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/value_inputs.h"
#include "model/program.h"

namespace tosaic {

struct ValueSweep {
  OpKind op = OpKind::kAdd;
  ElementType input = ElementType::kF32;
  ElementType result = ElementType::kF32;
  std::string setting;  // "", "round=true", "min_val=-1.5 max_val=6", "shift=31"
  Attributes attributes;
  std::vector<Tensor> constants;  // the special operands: mul's shift, negate's zero points
  ValueInputs inputs;             // of the operands that broadcast
};

struct ValueSweepOptions {
  uint64_t inputs = 200'000;                       // per sweep, where they cannot be exhaustive
  bool all = false;                                // only ops on floats of up to 32 bits in all, with all their inputs
  std::vector<OpKind> ops;                         // empty: all
  std::vector<ElementType> types;                  // of the inputs; empty: all
  SpecVersion spec_version = SpecVersion::k1_0_2;  // whose element types
  bool draft_attributes = false;                   // as in GeneratorOptions
};

// In the catalogue's order. A sweep is named by op, element types and setting.
std::vector<ValueSweep> PlanValueSweeps(const ValueSweepOptions& options);

// Error: there is no tile (ValueSweep, ProofTile), or none with inputs of a type that is asked for. `kind`: "proof".
template <typename Tile>
absl::Status CheckEachTypeHasTile(absl::string_view kind, const std::vector<ElementType>& types,
                                  const std::vector<Tile>& tiles) {
  for (const ElementType type : types) {
    if (absl::c_any_of(tiles, [&](const Tile& tile) { return tile.input == type; })) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("there is no ", kind, " of the ops asked for with inputs of ", Name(type)));
  }
  if (!tiles.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("there is no ", kind, " of the ops asked for"));
}

// Inputs of a sweep, by their numbers, as a case with one run. Inputs whose unpredictable result may trap and so hide
// the others (a division by 0, or INT_MIN / -1) have the divisor 1 instead.
Case CaseOfInputs(const ValueSweep& sweep, absl::Span<const uint64_t> inputs, const std::string& route);
// Inputs first .. first + count - 1, with runs of at most `of_a_run`. REQUIRES: all runs have as many.
Case CaseOfInputs(const ValueSweep& sweep, uint64_t first, uint64_t count, const std::string& route,
                  uint64_t of_a_run = ~uint64_t{0});

// The bits of an input's operands, in order: "0x3f80 0x4000".
std::string BitsOfInput(const ValueSweep& sweep, uint64_t number);

// "f32", "i8-i32".
std::string TypesOf(const ValueSweep& sweep);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_VALUE_SWEEPS_H_
