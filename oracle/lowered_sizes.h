// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How lowered IR computes sizes: answers questions of the contract (contract.h) about casts and indices.
#ifndef TOSAIC_ORACLE_LOWERED_SIZES_H_
#define TOSAIC_ORACLE_LOWERED_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/lowered_ir.h"
#include "model/program.h"
#include "oracle/linalg_properties.h"

namespace tosaic {

// A dimension of a value of the IR; {kKnownSize, n}: the number n.
using DimOf = std::pair<int, int64_t>;
inline constexpr int kKnownSize = -1;
// A size that is the maximum of these. At most one of them is a number.
using LargestOf = std::set<DimOf>;

// The value below a tensor.cast, if it is one; else the value itself.
int BelowCast(const LoweredIr& ir, int value);
// The size of a dimension. A pass that folds asks the value below the casts for it, or writes the number where the
// type of that value has it, so both stand for the dimension of the cast. REQUIRES: the value is ranked.
DimOf SizeOf(const LoweredIr& ir, int value, size_t dim);
// An scf.if asks whether a dimension of the value that its else branch yields is 1. Returns this dimension, or -1 if
// the scf.if asks something else. A condition that was folded, because the type says the size, asks for the dimension
// that the then branch repeats.
int ConditionDim(const LoweredIr& ir, const LoweredValue& conditional);
LargestOf Merged(LargestOf a, LargestOf b);
// The dimensions whose maximum an index is; empty if the index is computed in another way.
LargestOf LargestOfSize(const LoweredIr& ir, int value);
// "the largest of dim 0 of value 3 (...)".
std::string Describe(const LoweredIr& ir, const LargestOf& dims);

// Computes the IR's sizes for each run of the case whose shapes are defined, and returns those that differ from the
// specification's.
std::vector<Breach> CheckSizesOfRuns(const Case& test_case, const LoweredIr& ir);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LOWERED_SIZES_H_
