// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of mutation steps: values that fit, and inserting typed ops.
#ifndef TOSAIC_MUTATION_PROGRAM_GROWTH_H_
#define TOSAIC_MUTATION_PROGRAM_GROWTH_H_

#include <optional>
#include <vector>

#include "generators/program_edits.h"
#include "generators/typed_op.h"
#include "model/program.h"
#include "mutation/mutation.h"

namespace tosaic {

// Larger programs are for generators: a mutant is run many times.
inline constexpr size_t kMostOpsOfMutants = 24;
inline constexpr size_t kMostArgumentsOfMutants = 12;  // the executor passes a few more

// An index below the size. REQUIRES: not 0.
inline int DrawIndex(ChoiceSource& choices, size_t size) { return static_cast<int>(choices.Below(size)); }

// Values before an op that are no shift or zero point, and have an element type, and the rank if both are ranked.
std::vector<ValueRef> Fitting(const Program& program, int before, const TensorType& type);

// The shape of an op's result that its ranked operands imply; none if there are none, or their ranks differ.
std::optional<Shape> ImpliedShape(const Program& program, const OpApplication& op);

// Draws the parameters that follow the op's operands. REQUIRES: its attributes are drawn.
void AddSpecials(const MutationTools& tools, const TypedOp& typed, Program& program, OpApplication* op);

// Inserts a typed op before op `at`. It draws shift, zero points and attributes, unless attributes are given. The
// result is declared as the ranked operands imply. REQUIRES: `operands` are all that broadcast, and stand before `at`.
ValueRef PutTyped(const MutationTools& tools, Program& program, int at, const TypedOp& op,
                  std::vector<ValueRef> operands, const std::optional<Attributes>& attributes = std::nullopt);

// A constant of ones as sizes, which broadcasts against the value; none if the value is unranked.
std::optional<ValueRef> ConstantFor(Program& program, ValueRef value, ElementType type, uint64_t bits);

// Operands for an op, one of which is the value, at a random place; none if one is missing.
std::optional<std::vector<ValueRef>> OperandsAround(const MutationTools& tools, Program& program, int at,
                                                    const TypedOp& op, ValueRef value);

// Whether the specification has the op on these types, and the options allow it.
bool Exists(const MutationTools& tools, OpKind op, ElementType input, ElementType result);

}  // namespace tosaic

#endif  // TOSAIC_MUTATION_PROGRAM_GROWTH_H_
