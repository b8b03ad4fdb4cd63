// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a program the shapes of one run, for implementations that take only static shapes. It does not judge: if the
// extents do not fit, it returns no program.
#ifndef TOSAIC_MODEL_STATIC_PROGRAM_H_
#define TOSAIC_MODEL_STATIC_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.h"

namespace tosaic {

bool HasDynamicType(const Program& program);

// The sizes that a reshape gives to this many elements; nullopt if its new shape has another number of elements.
std::optional<std::vector<int64_t>> Reshaped(const OpApplication& reshape, int64_t elements);

// The new shape of a reshape to this type: its static sizes, and of others the first is what is left of the elements,
// the rest 1.
std::vector<int64_t> NewShapeFor(const Shape& result);
// Gives a reshape that of its result's type; other ops stay as they are.
void StateNewShape(OpApplication& op);

// The program with the arguments' types as in the run, and the results' types that follow by broadcasting; nullopt if
// the extents contradict each other or the program.
std::optional<Program> WithShapesOf(const Run& run, Program program);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_STATIC_PROGRAM_H_
