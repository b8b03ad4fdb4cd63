// Programs around a constant that folders and lowerings look for: neutral and absorbing elements, type limits, NaN; as
// an operand of one op, at times behind an op that hides the constant's shape.
#ifndef TOSAIC_GENERATORS_IDENTITIES_H_
#define TOSAIC_GENERATORS_IDENTITIES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"

namespace tosaic {

struct Identity {
  absl::string_view name;
  bool (*exists)(ElementType type);
  uint64_t (*bits)(ElementType type);
};

// "zero", "one", "minus-one" (all ones), "negative-zero", "nan", "infinity", "negative-infinity", "lowest", "highest",
// "power-of-two" (for mul: 1 << shift).
absl::Span<const Identity> AllIdentities();

// Draws an op of two or more operands with one of them such a constant, and says which; empty if the options have no
// such op: then nothing was built.
absl::string_view BuildIdentity(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_IDENTITIES_H_
