// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of a case that concern one value: what names it, and whether it is there.
#ifndef TOSAIC_MODEL_VALUE_EDITS_H_
#define TOSAIC_MODEL_VALUE_EDITS_H_

#include "model/program.h"

namespace tosaic {

// Adds an argument or a constant, and names it.
ValueRef AddArgument(Program& program, TensorType type);
ValueRef AddConstant(Program& program, Tensor tensor);

// Lets all that names the one value, operands and results, name the other.
void Rename(Program& program, ValueRef from, ValueRef to);

// Removes a value that nothing names, of an argument the data of all runs too, and renumbers the later ones of its
// kind.
void Remove(Case& test_case, ValueRef unused);

// Makes a constant an argument that has its value in every run, the last; or an argument the last constant.
void MakeArgument(Case& test_case, ValueRef constant);
void MakeConstant(Case& test_case, ValueRef argument, Tensor value);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_VALUE_EDITS_H_
