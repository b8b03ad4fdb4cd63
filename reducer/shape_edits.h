// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of the shapes of a case, each made in types and run data together, so that the case stays well-formed.
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
// The same in groups that no op brings together: what one's shapes are says nothing of another's.
std::vector<std::vector<ValueRef>> BroadcastGroups(const Program& program);

// Those that some op takes as its shift: they are of i8 whatever the others are.
std::vector<ValueRef> ShiftValues(const Program& program);

// The declared shape of an argument or op; null for a constant.
Shape* MutableShape(Program& program, ValueRef ref);
// Largest rank among the value's type and its tensors in the runs.
size_t MaxRank(const Case& test_case, ValueRef ref);
// Sizes, ascending, that occur at `position` of the values: static dimensions, constants and run tensors.
std::vector<int64_t> SizesAt(const Case& test_case, const std::vector<ValueRef>& values, Position position);

// Where size `from` stands at `position` of the value (in its type or a run), makes it `to`.
void ResizeDim(Case& test_case, ValueRef ref, Position position, int64_t from, int64_t to, Keep keep);
// Drops the dimension at `position`, where the value has one; of the data, one slice survives.
void RemoveDim(Case& test_case, ValueRef ref, Position position, Keep keep);

// The shape of the operands' broadcast, where they agree or not: the largest static size wins, then `?`, then 1.
Shape LooseBroadcast(const std::vector<Shape>& shapes);
// The sizes a value has in a run (null: as far as its type says), ops by LooseBroadcast; nothing if that is unknown.
std::optional<std::vector<int64_t>> SizesInRun(const Case& test_case, const Run* run, ValueRef ref);
// The sizes a value has in every run, if it has the same in all.
std::optional<std::vector<int64_t>> SizesInAllRuns(const Case& test_case, ValueRef ref);

}  // namespace tosaic

#endif  // TOSAIC_REDUCER_SHAPE_EDITS_H_
