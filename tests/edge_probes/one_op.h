// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that the specification allows for one element of an op's result, by dumb_scalar_ops, and results inside,
// at the edge and one step outside.
#ifndef TOSAIC_TESTS_EDGE_PROBES_ONE_OP_H_
#define TOSAIC_TESTS_EDGE_PROBES_ONE_OP_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/program.h"
#include "model/tensor.h"
#include "tests/dumb_scalar_ops.h"
#include "tests/edge_probes/elements.h"

namespace tosaic::edge_probes {

using Operands = std::array<uint64_t, 5>;  // bits, by operand

class OneOp {
 public:
  // The program must outlive it.
  OneOp(const Program& program, size_t op);

  ElementType result() const { return result_; }
  // Whether the result is the operand, whose subnormals stay and whose NaN keeps its payload.
  bool MovesData() const { return op_.op == OpKind::kIdentity || op_.op == OpKind::kReshape; }
  // Of table, the value alone says which entries are read.
  dumb::Answer At(Operands bits) const;
  // The same operands as a target sees them that flushes subnormals.
  Operands Flushed(Operands bits) const;
  // The answers of a target that keeps subnormals, and of one that flushes all of them.
  std::vector<dumb::Answer> Answers(const Operands& bits) const;
  // Whether some target may give this result.
  dumb::Fit Allows(const Operands& operands, uint64_t bits) const;

 private:
  const OpApplication& op_;
  ElementType input_;
  ElementType result_;
  dumb::Function function_;
  const Tensor* table_ = nullptr;
  std::vector<ElementType> operand_types_;
};

// A result of a target that flushes, or keeps, all subnormals: near the reference or at an edge of what is allowed.
// nullopt if nothing there is surely allowed.
std::optional<uint64_t> PickAllowed(const OneOp& op, Operands operands, bool flushes, Dice& dice);
// The first result beyond an edge that no target may give, if there is one.
std::optional<uint64_t> PickOutside(const OneOp& op, const Operands& operands, Dice& dice);
// Every result that some target may give, or may perhaps give; nullopt if it is unpredictable, or there are
// too many.
std::optional<std::vector<uint64_t>> AllPossible(const OneOp& op, const Operands& operands);

}  // namespace tosaic::edge_probes

#endif  // TOSAIC_TESTS_EDGE_PROBES_ONE_OP_H_
