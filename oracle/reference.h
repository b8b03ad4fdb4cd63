// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates an op element by element over whole tensors, and compares a result tensor with the expected values.
// Operands broadcast as tosa-semantics.md ("Frame") says. Whether the shapes are legal is decided elsewhere.
#ifndef TOSAIC_ORACLE_REFERENCE_H_
#define TOSAIC_ORACLE_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "model/program.h"
#include "model/verdict.h"
#include "oracle/expected.h"
#include "oracle/flushing.h"
#include "oracle/policy.h"
#include "oracle/scalar_ops.h"

namespace tosaic {

// The values that the documents allow for each element of the op's result, row major. `operands` are the op's operands
// in order (mul's shift and negate's zero points too: one element each) with the sizes they have at run time. Subnormal
// operands are used as they are, or flushed if the caller asks for it: both are allowed.
// REQUIRES: as many operands as the catalogue says, of sizes that broadcast to `result_sizes`.
enum class SubnormalOperands : uint8_t { kKept, kFlushed };
std::vector<Expected> Evaluate(const Program& program, const OpApplication& op,
                               absl::Span<const Tensor* const> operands, const std::vector<int64_t>& result_sizes,
                               const Policies& policies, SubnormalOperands subnormal = SubnormalOperands::kKept);

// Whether the documents or an extension rule define values for the op's element types: all inputs have the same, and
// HasValues is true.
bool HasValues(const Program& program, const OpApplication& op);

// Whether one unpredictable element of the op makes the whole run unpredictable, as a division without a quotient does:
// it is undefined behaviour on the target. docs/policies.md: a division that has no quotient
bool LeavesTheRunOpen(const OpApplication& op);

struct ValueComparison {
  uint64_t compared = 0;                 // elements with an expected value, which excludes at least half of all values
  uint64_t open = 0;                     // elements whose expected value excludes fewer (IsMostOf)
  uint64_t masked = 0;                   // elements that the documents leave undefined
  uint64_t mismatches = 0;               // of those compared and those open
  std::optional<ElementMismatch> first;  // with `index` and `count`; `run` and `op` are the caller's
  RuleId rule = RuleId::kNone;           // the rule behind `first`: value.exp
  SetWidths widths;                      // of what was allowed for those compared
  uint64_t implausible = 0;              // elements that match, and are not plausible (plausible.h)

  // Counts an element of which so many patterns beside one are allowed, but not all.
  void CountWidth(ElementType type, uint64_t width);
};

// The same, but compares with an actual result instead of storing the expected values. The result has the actual's
// sizes. Elements that `left_out` names are masked, whatever they are; it is empty if there are none. `flushing`, if
// not null, records what happened to subnormals.
// REQUIRES: as Evaluate, and the actual result's element type is the op's.
ValueComparison CompareValues(const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
                              const Tensor& actual, const Policies& policies, const std::vector<bool>& left_out = {},
                              FlushingRecord* flushing = nullptr);

// The same, with the operands' elements given for each element of the result; elements without them are masked.
ValueComparison CompareValues(const Program& program, const OpApplication& op,
                              absl::FunctionRef<std::optional<ElementBits>(size_t element)> operands,
                              const Tensor& actual, const Policies& policies, FlushingRecord* flushing);

// Explains one element of the actual result, whether it disagrees or not; `run`, `op` and `count` are the caller's.
// REQUIRES: as CompareValues.
ElementMismatch ExplainElement(const Program& program, const OpApplication& op,
                               absl::Span<const Tensor* const> operands, const Tensor& actual, size_t element,
                               const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_REFERENCE_H_
