// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs around a constant that folders and lowerings look for: neutral and absorbing elements, type limits, NaN. It
// is an operand of one op, sometimes by way of an op that hides the constant's shape.
#ifndef TOSAIC_GENERATORS_IDENTITIES_H_
#define TOSAIC_GENERATORS_IDENTITIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/program_builder.h"
#include "generators/typed_op.h"

namespace tosaic {

struct Identity {
  absl::string_view name;
  bool (*exists)(ElementType type);
  uint64_t (*bits)(ElementType type);
};

// "zero", "one", "minus-one" (all ones), "negative-zero", "nan", "infinity", "negative-infinity", "lowest", "highest",
// "power-of-two" (for mul: 1 << shift).
absl::Span<const Identity> AllIdentities();

// Draws one of the suitable constants. REQUIRES: there is one. 0 and 1 come first, because most folders look for them.
const Identity& DrawIdentity(ChoiceSource& choices, absl::FunctionRef<bool(const Identity&)> suits);

// An op of two or more operands that broadcast, of which operand `place` is to be such a constant.
struct IdentityOp {
  TypedOp op;
  size_t place = 0;
  const Identity* identity = nullptr;
};

// Draws one; none if the options have no such op.
std::optional<IdentityOp> DrawIdentityOp(ChoiceSource& choices, const GeneratorOptions& options);

// Builds the program: the ops are independent, some in a separate group.
void BuildIdentities(ChoiceSource& choices, absl::Span<const IdentityOp> drawn, ProgramBuilder& builder);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_IDENTITIES_H_
