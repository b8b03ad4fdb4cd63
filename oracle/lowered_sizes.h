// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How lowered IR computes sizes and repeats tensors: answers questions of the contract (contract.h) about casts,
// indices and copies.
#ifndef TOSAIC_ORACLE_LOWERED_SIZES_H_
#define TOSAIC_ORACLE_LOWERED_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
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

// IR that repeats or permutes a tensor and computes nothing: linalg.broadcast, linalg.transpose, and a linalg.generic
// that yields what it reads.
struct LoweredCopy {
  int of = 0;       // the tensor that is read, an entry of LoweredIr::values
  IndexingMap map;  // one result per dimension of that tensor: the loop over the copy's elements, or a constant
};

// The copy that a linalg op with one input makes; nullopt if the value is no such op, computes something, or yields
// another value than its input. linalg.broadcast adds dimensions that the operand lacks: a tensor.collapse_shape before
// it, which drops dimensions of 1, and the tensor.cast that makes them 1 in the type, are part of the copy. The map
// then has a constant 0 for each dropped dimension.
// REQUIRES: the IR verifies.
std::optional<LoweredCopy> CopyOf(const LoweredIr& ir, const LoweredValue& value);

// Computes the IR's sizes for each run of the case whose shapes are defined, and returns those that differ from the
// specification's.
std::vector<Breach> CheckSizesOfRuns(const Case& test_case, const LoweredIr& ir);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LOWERED_SIZES_H_
