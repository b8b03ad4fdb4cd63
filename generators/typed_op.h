// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws an op and its element types from the catalogue: types of the specification, or types that only the dialect has.
#ifndef TOSAIC_GENERATORS_TYPED_OP_H_
#define TOSAIC_GENERATORS_TYPED_OP_H_

#include <compare>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "model/op_catalogue.h"

namespace tosaic {

struct TypedOp {
  OpKind op;
  ElementType input;
  ElementType result;

  friend auto operator<=>(const TypedOp& a, const TypedOp& b) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const TypedOp& op) {
    return H::combine(std::move(hash), op.op, op.input, op.result);
  }
};

// The element type of the op's operand `k`.
inline ElementType OperandType(const TypedOp& op, size_t k) {
  return TypeOfOperand(Info(op.op).operands[k], op.input, op.result);
}

enum class TypeColumn : uint8_t {
  kSpec,        // the specification's tuples
  kBeyondSpec,  // what DialectAccepts and the specification lacks
};

// The tuples of an op in one column, for a version of the specification. A beyond-spec tuple's profile means nothing.
absl::Span<const TypeTuple> Tuples(const OpInfo& op, TypeColumn column, SpecVersion version = SpecVersion::k1_0_2);

// Whether the options allow an op of the specification with these element types.
bool Allows(const GeneratorOptions& options, const TypedOp& op);
// Whether the options allow the op on any types.
bool Allows(const GeneratorOptions& options, OpKind op);

using TypedOpFilter = absl::FunctionRef<bool(const OpInfo& op, ElementType input, ElementType result)>;

// A filter: the op has a shift or zero points.
inline bool HasSpecialOperand(const OpInfo& op, ElementType, ElementType) {
  return BroadcastOperandCount(op) < op.operands.size();
}

// Draws among the ops and tuples that pass the options and `filter`: the op uniformly (one with many tuples, that is
// cast, more often), its tuple uniformly (fp8, and what not even a draft of the specification has, less often). None if
// nothing passes.
std::optional<TypedOp> DrawTypedOp(ChoiceSource& choices, const GeneratorOptions& options, TypeColumn column,
                                   TypedOpFilter filter);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_TYPED_OP_H_
