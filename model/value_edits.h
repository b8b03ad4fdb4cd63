// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of a case that concern one value: they add it, remove it, or change the references to it.
#ifndef TOSAIC_MODEL_VALUE_EDITS_H_
#define TOSAIC_MODEL_VALUE_EDITS_H_

#include "model/program.h"

namespace tosaic {

// Adds an argument or a constant, and names it.
ValueRef AddArgument(Program& program, TensorType type);
ValueRef AddConstant(Program& program, Tensor tensor);

// Replaces all references to one value, in operands and results, by references to the other.
void Rename(Program& program, ValueRef from, ValueRef to);

// Removes a value that nothing refers to, and renumbers the later ones of its kind. For an argument it also removes the
// data from all runs.
void Remove(Case& test_case, ValueRef unused);

// Turns a constant into the last argument, which has its value in every run; or an argument into the last constant.
void MakeArgument(Case& test_case, ValueRef constant);
void MakeConstant(Case& test_case, ValueRef argument, Tensor value);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_VALUE_EDITS_H_
