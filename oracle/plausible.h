// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plausibility: some values are within the specification's bound although no reader would call them right, such as
// tanh(20) = 0 in bf16 and exp(600) = 0 in f16. docs/policies.md ("Plausible values") has the rules. They are Tosaic's
// own, so a value that breaks them is only a note unless Policies::strict_values is set.
#ifndef TOSAIC_ORACLE_PLAUSIBLE_H_
#define TOSAIC_ORACLE_PLAUSIBLE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "oracle/allowed_set.h"
#include "oracle/expected.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// Says why an element that matches is implausible: "the sign is wrong"; empty if it is plausible for the operands as
// they are or flushed. `in` is evaluated exactly if necessary.
absl::string_view FindImplausibility(const ScalarInput& in, ScalarFunction function, uint64_t actual_bits);

// The same for operands that are known by their sets alone: finds nothing if any members make the element plausible.
// For cos and sin only the range is checked.
absl::string_view FindImplausibility(ScalarInput in, ScalarFunction function, absl::Span<const AllowedSet> operands,
                                     uint64_t actual_bits);

// The plausible members of an op's image, given the sets of its operands; all members if none is plausible. NaN stays a
// member, and an undefined image stays undefined.
AllowedSet PlausibleOf(ScalarInput in, ScalarFunction function, absl::Span<const AllowedSet> operands,
                       const AllowedSet& image);
// Whether that function can leave anything out.
bool HasImplausibleValues(OpKind op);

// Whether the first function can find anything, given the expected value, whether that is an enclosure or exact.
bool MayBeImplausible(const OpInfo& op, ElementType type, const Expected& expected, uint64_t actual_bits);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_PLAUSIBLE_H_
