// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What chains are made of: ops of one element type, and values to begin with.
#ifndef TOSAIC_GENERATORS_CHAIN_PARTS_H_
#define TOSAIC_GENERATORS_CHAIN_PARTS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "generators/choice_source.h"
#include "generators/generator_options.h"
#include "generators/program_builder.h"
#include "generators/typed_op.h"

namespace tosaic {

// An op of one element type throughout, without fp8 (no default route finishes it: mlir-notes.md).
bool IsClosed(ElementType input, ElementType result);

// Draws an op of that kind that is closed; none if the options have none.
std::optional<TypedOp> DrawClosed(ChoiceSource& choices, const GeneratorOptions& options, OpKind kind);

// The same of any kind with so many operands that broadcast, of `type` if one is given, without conditions.
std::optional<TypedOp> DrawClosed(ChoiceSource& choices, const GeneratorOptions& options, size_t operands,
                                  std::optional<ElementType> type);

// An argument, or behind an op of its own, if the options have one.
ValueRef Branch(ChoiceSource& choices, const GeneratorOptions& options, ProgramBuilder& builder, ElementType type);

// Applies an op. A product is not shifted, so that its parts stay defined.
ValueRef ApplyPlain(ProgramBuilder& builder, const TypedOp& op, std::vector<ValueRef> operands);
// The same for one of two operands of one type.
ValueRef Combine(ProgramBuilder& builder, OpKind op, ElementType type, ValueRef a, ValueRef b);

// One small number everywhere, of which sums and products stay in range and, of floats, are often rounded.
ValueRef SmallConstant(ChoiceSource& choices, ProgramBuilder& builder, ElementType type);
// The same mostly, else any number everywhere, or any data.
ValueRef FoldableConstant(ChoiceSource& choices, ProgramBuilder& builder, ElementType type);
// Any amount below the width everywhere: two of them often exceed it together.
ValueRef ShiftAmount(ChoiceSource& choices, ProgramBuilder& builder, ElementType type);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_CHAIN_PARTS_H_
