// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small edits of a program: of any, and, for the illegalities, of one with a single op.
#ifndef TOSAIC_GENERATORS_PROGRAM_EDITS_H_
#define TOSAIC_GENERATORS_PROGRAM_EDITS_H_

#include <vector>

#include "generators/choice_source.h"
#include "model/program.h"
#include "model/value_edits.h"

namespace tosaic {

// A use of a value: operand `place` of an op, or a result of the program, for which `op` is the number of ops.
struct Use {
  int op = 0;
  size_t place = 0;
};
ValueRef& At(Program& program, Use use);

// Uses of values as operands that broadcast, and as results.
std::vector<Use> UsesIn(const Program& program);

// Whether an op takes the value as its shift or zero point.
bool IsSpecialOperand(const Program& program, ValueRef value);

// Inserts an op before op `at`, and renumbers the ops after it.
ValueRef PutOp(Program& program, int at, OpApplication op);

// The program's only op and its row. REQUIRES, here and below: exactly one op.
inline OpApplication& TheOp(Program& program) { return program.ops.front(); }
inline const OpInfo& TheRow(const Program& program) { return Info(program.ops.front().op); }

// Positions of the op's operands with a role.
std::vector<size_t> OperandsOf(const Program& program, OperandRole role);

// The declared type of operand `k`.
TensorType OperandType(const Program& program, size_t k);

// Declares operand `k` again. A constant becomes one of zeros; its type must be static.
void SetOperandType(Program& program, size_t k, const TensorType& type);
void SetOperandShape(Program& program, size_t k, const Shape& shape);
void SetOperandElementType(Program& program, size_t k, ElementType type);

// Sets dimension `dim` of operand `k`, of all operands that broadcast, or of the result.
void SetOperandDim(Program& program, size_t k, size_t dim, Dim to);
void SetOperandDims(Program& program, size_t dim, Dim to);
void SetResultDim(Program& program, size_t dim, Dim to);

// Draws a dimension that the result and the operands that are data have. REQUIRES: ranked, rank >= 1.
size_t DrawDim(ChoiceSource& choices, const Program& program);

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_PROGRAM_EDITS_H_
