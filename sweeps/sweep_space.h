// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spaces of a sweep over types: the combinations of operand and result types that are tried for each op.
#ifndef TOSAIC_SWEEPS_SWEEP_SPACE_H_
#define TOSAIC_SWEEPS_SWEEP_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checking/known_divergences.h"
#include "model/op_catalogue.h"
#include "model/program.h"
#include "oracle/policy.h"

namespace tosaic {

struct TypeSweepOptions {
  int max_rank = 2;
  std::vector<Dim> dims = {Dim::Dynamic(), Dim::Static(1), Dim::Static(2), Dim::Static(3)};
  bool tosa = true;
  std::vector<OpKind> ops;  // of TOSA; empty: all
  bool probe = true;        // the Broadcastable trait alone
  int jobs = 1;
  Policies policies;
  KnownDivergences known;
  std::string command_line;  // for the provenance
};

// One op, and every combination that is tried for it: each tuple of operand types with each result type, as indices
// into `types`.
struct SweepSpace {
  std::string op;
  std::optional<Program> prototype;  // none: the probe
  std::vector<ValueType> types;
  std::vector<std::vector<size_t>> tuples;  // per operand that is no constant
  std::vector<size_t> results;

  uint64_t decisions() const { return tuples.size() * results.size(); }
};

// The spaces of a sweep, in order.
//   shapes          every op, with the first element types of its row: all shapes up to the rank over the dimensions,
//                   and unranked. Shift and zero points are constants of 0. A new shape is each of these shapes.
//   element types   every op: all element types for each operand and the result, on tensor<1x...>; shift and zero
//                   points among them where the dialect has them as operands
//   the probe       none to three operands over all these shapes, four to six over rank 0 and 1; element types differ
//                   between operands. Vectors, tensors and scalars mixed, one and two operands.
// Ops with three operands that broadcast (select and the probe) have one order per multiset of operand types from rank
// 3 on, where there are too many: see OneOrderEach.
std::vector<SweepSpace> SweepSpaces(const TypeSweepOptions& options);

// Whether this many operands over shapes of these ranks are tried in one order per multiset of types.
bool IsTooMuchForEveryOrder(size_t operands, int max_rank);

// A multiset of `count` types out of `types` per tuple, each in one of its orders, by turns. The trait's inference does
// not depend on the order: InferDim is symmetric (the table's order is "interchangeable"), and associative where it
// does not fail: 1 is neutral, a size > 1 absorbs `?`, and two unequal ones fail in any order. So the oracle's answer
// on the others is known, and MLIR is asked about all multisets, in orders of every kind.
std::vector<std::vector<size_t>> OneOrderEach(size_t types, size_t count);

// How many decisions that makes, told without making the lists; as a number that may be too large for any integer.
double CountDecisions(const TypeSweepOptions& options);

}  // namespace tosaic

#endif  // TOSAIC_SWEEPS_SWEEP_SPACE_H_
