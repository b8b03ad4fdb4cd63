// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How lowered IR makes sizes: the questions that the contract (contract.h) asks of values behind casts and indices.
#ifndef TOSAIC_ORACLE_LOWERED_SIZES_H_
#define TOSAIC_ORACLE_LOWERED_SIZES_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "model/lowered_ir.h"

namespace tosaic {

// A dimension of a value of the IR.
using DimOf = std::pair<int, int64_t>;
// A size that is the largest of these.
using LargestOf = std::set<DimOf>;

// The value below a tensor.cast, if it is one; else the value itself.
int BelowCast(const LoweredIr& ir, int value);
// The dimension whose being 1 an scf.if asks of what its else branch yields; -1 if it asks something else.
int ConditionDim(const LoweredIr& ir, const LoweredValue& conditional);
// The dimensions of which an index is the largest; empty if it is computed in another way.
LargestOf LargestOfSize(const LoweredIr& ir, int value);
// "the largest of dim 0 of value 3 (...)".
std::string Describe(const LoweredIr& ir, const LargestOf& dims);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_LOWERED_SIZES_H_
