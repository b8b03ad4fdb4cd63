// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of the shapes of a case. Each changes types and run data together, so the case stays well-formed.
#ifndef TOSAIC_REDUCER_SHAPE_EDITS_H_
#define TOSAIC_REDUCER_SHAPE_EDITS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.h"

namespace tosaic {

// Positions count dimensions from the last one (0), as broadcasting aligns them.
using Position = size_t;
// Which elements survive when a dimension gets smaller.
enum class Keep : uint8_t { kFirst, kLast };

// Every argument, constant and op of a program.
std::vector<ValueRef> AllValues(const Program& program);
// The same without the values that only serve as shift or zero point.
std::vector<ValueRef> BroadcastValues(const Program& program);
// The same values in groups that no op connects, so their shapes are independent.
std::vector<std::vector<ValueRef>> BroadcastGroups(const Program& program);

// The values that some op takes as its shift; they are always i8.
std::vector<ValueRef> ShiftValues(const Program& program);

// The declared shape of an argument or op; null for a constant.
Shape* MutableShape(Program& program, ValueRef ref);
// Largest rank among the value's type and its tensors in the runs.
size_t MaxRank(const Case& test_case, ValueRef ref);
// Sizes, ascending, that occur at `position` of the values: static dimensions, constants and run tensors.
std::vector<int64_t> SizesAt(const Case& test_case, const std::vector<ValueRef>& values, Position position);

// Calls edit(tensor) for the constant, or for the argument's tensor in each run.
template <typename Edit>
void EditTensors(Case& test_case, ValueRef ref, Edit edit) {
  if (ref.kind == ValueRef::Kind::kConstant) edit(test_case.program.constants[static_cast<size_t>(ref.index)]);
  if (ref.kind != ValueRef::Kind::kArgument) return;
  for (Run& run : test_case.runs) edit(run[static_cast<size_t>(ref.index)]);
}

// Replaces size `from` at `position` of the value (in its type or a run) by `to`.
void ResizeDim(Case& test_case, ValueRef ref, Position position, int64_t from, int64_t to, Keep keep);
// Drops the dimension at `position` if the value has it; one slice of the data is kept.
void RemoveDim(Case& test_case, ValueRef ref, Position position, Keep keep);

// The shape of the operands' broadcast, even if they contradict each other: the largest static size wins, then `?`,
// then 1.
Shape LooseBroadcast(const std::vector<Shape>& shapes);
// The sizes of a value in a run (null: those that its type fixes), for ops by LooseBroadcast; nothing if they are
// unknown.
std::optional<std::vector<int64_t>> SizesInRun(const Case& test_case, const Run* run, ValueRef ref);
// The sizes of a value if they are the same in all runs.
std::optional<std::vector<int64_t>> SizesInAllRuns(const Case& test_case, ValueRef ref);

}  // namespace tosaic

#endif  // TOSAIC_REDUCER_SHAPE_EDITS_H_
