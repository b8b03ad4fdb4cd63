// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/edge_probes/columns.h"

#include <algorithm>

#include "absl/algorithm/container.h"

namespace tosaic::edge_probes {

using dumb::Answer;
using dumb::Fit;

namespace {

constexpr int kTriesPerColumn = 40;
constexpr int64_t kMostHiddenValues = 5000;  // that are tried as an explanation

}  // namespace

ColumnMaker::ColumnMaker(const Program& program, bool flushes, Dice& dice)
    : program_(program), flushes_(flushes), dice_(dice) {
  for (size_t i = 0; i < program.ops.size(); ++i) {
    ops_.emplace_back(program, i);
    is_returned_.push_back(absl::c_linear_search(program.results, ValueRef{ValueRef::Kind::kOp, static_cast<int>(i)}));
  }
}

std::optional<Column> ColumnMaker::Make(std::optional<Mistake> mistake) {
  for (int i = 0; i < kTriesPerColumn; ++i) {
    if (std::optional<Column> column = Try(mistake)) return column;
  }
  return std::nullopt;
}

std::optional<bool> ColumnMaker::IsExplained(const Column& column) const {
  Column other = column;
  int64_t budget = kMostHiddenValues;
  const Fit best = BestExplanation(0, Fit::kAllowed, other, budget);
  if (best == Fit::kAllowed) return true;
  return best == Fit::kUnsure || budget < 0 ? std::nullopt : std::optional(false);
}

// How well the best values of the ops from `op` on that are not returned explain the column; those before fit `so_far`.
Fit ColumnMaker::BestExplanation(size_t op, Fit so_far, Column& column, int64_t& budget) const {
  if (op == ops_.size() || so_far == Fit::kRefused) return so_far;
  const Operands operands = OperandsOf(column, op);
  std::vector<uint64_t> possible = {column.ops[op]};
  if (!is_returned_[op]) {
    std::optional<std::vector<uint64_t>> all = AllPossible(ops_[op], operands);
    if (!all || (budget -= static_cast<int64_t>(all->size())) < 0) {
      budget = -1;
      return Fit::kRefused;
    }
    possible = *std::move(all);
    // Of all NaNs there is one, and a reshape that is returned may show another.
    const ElementType type = ops_[op].result();
    absl::c_copy_if(column.ops, std::back_inserter(possible),
                    [&](uint64_t bits) { return bits == (bits & BitMask(type)) && IsNan(type, bits); });
  }
  const uint64_t own = column.ops[op];
  Fit best = Fit::kRefused;
  for (const uint64_t bits : possible) {
    column.ops[op] = bits;
    best = std::max(best, BestExplanation(op + 1, std::min(so_far, ops_[op].Allows(operands, bits)), column, budget));
    if (best == Fit::kAllowed || budget < 0) break;
  }
  column.ops[op] = own;
  return best;
}

std::optional<Column> ColumnMaker::Try(std::optional<Mistake> mistake) {
  Column column;
  for (const TensorType& type : program_.arguments) column.arguments.push_back(DrawElement(type.element_type, dice_));
  for (size_t i = 0; i < ops_.size(); ++i) {
    Operands operands = OperandsOf(column, i);
    const bool is_here = mistake && mistake->op == i;
    if (is_here && mistake->kind == Mistake::Kind::kOtherContent && !ChangeContent(column, i, operands))
      return std::nullopt;
    const bool open = absl::c_any_of(ops_[i].Answers(operands),
                                     [](const Answer& answer) { return answer.kind == Answer::Kind::kUndefined; });
    if (open) return std::nullopt;
    const std::optional<uint64_t> bits = is_here && mistake->kind == Mistake::Kind::kStepOutside
                                             ? PickOutside(ops_[i], operands, dice_)
                                             : PickAllowed(ops_[i], operands, flushes_, dice_);
    if (!bits) return std::nullopt;
    column.ops.push_back(*bits);
  }
  return column;
}

// Gives the op another allowed value of a hidden op than its other users get. False if it uses none.
bool ColumnMaker::ChangeContent(const Column& column, size_t op, Operands& operands) {
  bool changed = false;
  for (size_t k = 0; k < program_.ops[op].operands.size(); ++k) {
    const ValueRef ref = program_.ops[op].operands[k];
    if (ref.kind != ValueRef::Kind::kOp || is_returned_[ref.index] || changed) continue;
    const std::optional<uint64_t> other = PickAllowed(ops_[ref.index], OperandsOf(column, ref.index), flushes_, dice_);
    changed = other && *other != operands[k];
    if (changed) operands[k] = *other;
  }
  return changed;
}

Operands ColumnMaker::OperandsOf(const Column& column, size_t op) const {
  Operands operands = {};
  size_t k = 0;
  for (const ValueRef ref : program_.ops[op].operands) {
    operands[k++] = ref.kind == ValueRef::Kind::kArgument   ? column.arguments[ref.index]
                    : ref.kind == ValueRef::Kind::kConstant ? program_.constants[ref.index].Bits(0)
                                                            : column.ops[ref.index];
  }
  return operands;
}

}  // namespace tosaic::edge_probes
