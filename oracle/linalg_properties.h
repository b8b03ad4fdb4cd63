// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the properties of linalg ops (docs/tosa-semantics.md: Linalg, Properties 1 to 6) in a lowered function: each
// linalg.generic by itself, whatever it computes and whichever pass made it. run_properties.h has what only a run
// shows.
#ifndef TOSAIC_ORACLE_LINALG_PROPERTIES_H_
#define TOSAIC_ORACLE_LINALG_PROPERTIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/lowered_ir.h"
#include "model/program.h"
#include "model/rules.h"

namespace tosaic {

// A rule that the IR breaks.
struct Breach {
  RuleId rule = RuleId::kNone;
  std::string expected;
  std::string actual;

  friend bool operator==(const Breach& a, const Breach& b) = default;
};
inline std::optional<Breach> BreachOf(RuleId rule, std::string expected, std::string actual) {
  return Breach{rule, std::move(expected), std::move(actual)};
}

// Returns the breaches of RuleFamily::kLinalg (model/rules.def) that types show.
// REQUIRES, for everything in this file: the IR verifies.
std::vector<Breach> CheckLinalgProperties(const LoweredIr& ir);

struct LoweredSizes {
  std::vector<std::optional<std::vector<int64_t>>> returned;  // nullopt: an op on the way there is not known
  std::vector<Breach> breaches;
};
// Follows the sizes of a run's arguments through the IR, along the branches that are taken. Breaches:
// linalg.iteration-space, if operands determine a loop differently; linalg.reversible-map, if a map has a constant 0
// where the operand has more than one element.
LoweredSizes FollowSizes(const LoweredIr& ir, const Run& run);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LINALG_PROPERTIES_H_
