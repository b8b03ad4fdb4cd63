// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The image of an op on sets: what the documents allow for a result element whose operands are known to be in sets.
// It is never narrower, and as tight as is cheap. A few members are evaluated one by one by the scalar reference
// (scalar_ops.h); many are evaluated by interval arithmetic on pieces where the op is monotone or simple.
//
// Every image of a float op includes two freedoms: a subnormal operand and a subnormal result may each become the zero
// of its sign (not for fp8).
#ifndef TOSAIC_ORACLE_SET_OPS_H_
#define TOSAIC_ORACLE_SET_OPS_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "oracle/allowed_set.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// A property of the target: it keeps, or it flushes, all subnormals of a type.
struct SubnormalsOf {
  ElementType type;
  bool flushed;
};

// `in` has op, types, attributes and policies; its bits and mode are ignored. An element is undefined if an operand
// that it may depend on is: for select, the condition and each operand that may be chosen. `known` restricts the image
// to such targets; for those that keep subnormals, it is no tighter where operands have many members. `first_two`:
// whether the first two operands are one value, so that each member goes with itself alone. One target flushes both or
// neither. REQUIRES: a set per operand, none of them empty, of ScalarInput::OperandType.
enum class FirstTwo : uint8_t { kMayDiffer, kAreOneValue };
AllowedSet ImageOf(ScalarInput in, absl::Span<const AllowedSet* const> operands,
                   std::optional<SubnormalsOf> known = std::nullopt, FirstTwo first_two = FirstTwo::kMayDiffer);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_SET_OPS_H_
