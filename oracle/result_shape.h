// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run-time shapes: computes the sizes of a result from the operands' sizes. The rules are the notes of the tables in
// docs/tosa-semantics.md: Trait (Dimension inference, Verification) and the RFC ("Fully dynamic broadcasting").
#ifndef TOSAIC_ORACLE_RESULT_SHAPE_H_
#define TOSAIC_ORACLE_RESULT_SHAPE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "model/program.h"
#include "model/rules.h"
#include "model/shape.h"

namespace tosaic {

// The rules are RuleFamily::kRuntime (model/rules.def), and legal.block-scaled: a block-scaled type leaves its last
// size to the run, which has no whole blocks.
struct RuntimeShape {
  bool defined = true;
  std::vector<int64_t> sizes;  // empty if not defined
  RuleId rule = RuleId::kNone;
  int dim = -1;  // where it is undefined, or the first that is repeated; -1: none in particular

  friend bool operator==(const RuntimeShape& a, const RuntimeShape& b) = default;
};

// Computes the sizes of a result from those of the operands that broadcast (BroadcastOperandCount of them; shift and
// zero points do not count). REQUIRES: at least one operand.
RuntimeShape ResultSizes(absl::Span<const std::vector<int64_t>> operand_sizes, const Shape& declared_result);

// The same for an op of any kind: reshape's sizes follow from its new shape (oracle/reshape.h).
RuntimeShape ResultSizes(const OpApplication& op, absl::Span<const std::vector<int64_t>> operand_sizes);

// The first place in a run of a program where the sizes are undefined.
struct UndefinedSizes {
  int op_index = -1;
  RuleId rule = RuleId::kNone;
  int dim = -1;
};

// Computes the run-time sizes of every op's result, or nullopt if one of them is undefined; *why then says where.
// REQUIRES: the program is well formed, and the run has a tensor per argument (CheckWellFormed).
std::optional<std::vector<std::vector<int64_t>>> SizesOfAllOps(const Program& program, const Run& run,
                                                               UndefinedSizes* why = nullptr);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_RESULT_SHAPE_H_
