// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of chains: ops of one element type, and initial values.
#ifndef TOSAIC_GENERATORS_CHAIN_PARTS_H_
#define TOSAIC_GENERATORS_CHAIN_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/program_builder.h"
#include "generators/typed_op.h"

namespace tosaic {

// An op whose operands and result have the same element type, which is not fp8 (no default route can lower it:
// mlir-notes.md).
bool IsClosed(ElementType input, ElementType result);

// Draws such an op of the given kind; none if the options have none.
std::optional<TypedOp> DrawClosed(ChoiceSource& choices, const GeneratorOptions& options, OpKind kind);

// The same for an op of any kind with this many operands that broadcast, of `type` if it is given, without conditions.
std::optional<TypedOp> DrawClosed(ChoiceSource& choices, const GeneratorOptions& options, size_t operands,
                                  std::optional<ElementType> type);

// An argument, or the result of an op on an argument if the options have one.
ValueRef Branch(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder, ElementType type);

// Applies an op. Products are not shifted, so that their parts stay defined.
ValueRef ApplyPlain(ProgramBuilder& builder, const TypedOp& op, std::vector<ValueRef> operands);
// The same for an op of two operands of one type.
ValueRef Combine(ProgramBuilder& builder, OpKind op, ElementType type, ValueRef a, ValueRef b);

// One small number everywhere. Its sums and products stay in range and, for floats, are often rounded.
ValueRef SmallConstant(ChoiceSource& choices, ProgramBuilder& builder, ElementType type);
// The same, or one number everywhere that is at an edge of the type or of what ops take, or any; or any data. `beside`:
// the op's other operand; if few values are possible for it, the number is often at an edge of these.
ValueRef FoldableConstant(ChoiceSource& choices, ProgramBuilder& builder, ElementType type,
                          std::optional<ValueRef> beside = std::nullopt);
// Two factors of mul on i32 whose product, shifted right, is half way between two integers: mostly below zero, and
// often beyond 32 bits before the shift.
struct TiedFactors {
  int64_t first = 0, second = 0;
  int shift = 1;
};
TiedFactors DrawTiedFactors(ChoiceSource& choices);
// One shift amount below the width everywhere. The sum of two of them often exceeds the width.
ValueRef ShiftAmount(ChoiceSource& choices, ProgramBuilder& builder, ElementType type);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHAIN_PARTS_H_
