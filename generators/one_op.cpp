// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/one_op.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/data.h"
#include "generators/program_edits.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

// The new shape of a reshape: the operand's dimensions in another order, merged, split, and with dimensions of 1 more
// or less.
struct NewShape {
  std::vector<int64_t> sizes;  // the attribute, with at most one -1
  Shape result;                // the declared type
};

// A dimension of the new shape.
struct Part {
  int64_t size = 1;         // what it states
  bool is_open = false;     // the size differs from run to run: it is what is left of the elements
  bool is_general = false;  // the result's type does not say it
};
using Parts = std::vector<Part>;

// The operand's dimensions; those that differ from run to run are one.
Parts PartsOf(const ShapePlan& plan) {
  const Shape& operand = plan.operands.front();
  Parts parts;
  bool has_open = false;
  for (size_t d = 0; d < operand.rank(); ++d) {
    const bool is_declared = plan.result.IsRanked() && plan.result[d].IsStatic();
    if (operand[d].IsStatic() || is_declared) {
      parts.push_back({.size = plan.full[d], .is_general = !is_declared && plan.result.IsRanked()});
    } else if (!std::exchange(has_open, true)) {
      parts.push_back({.is_open = true});
    }
  }
  return parts;
}

void MergeOne(ChoiceSource& choices, Parts& parts) {
  const size_t at = choices.Below(parts.size() - 1);
  const Part& next = parts[at + 1];
  parts[at] = {parts[at].size * next.size, parts[at].is_open || next.is_open, parts[at].is_general || next.is_general};
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

void SplitOne(ChoiceSource& choices, Parts& parts) {
  const size_t at = choices.Below(parts.size());
  const int64_t size = parts[at].size;
  for (int64_t factor = 2; factor * factor <= size; ++factor) {
    if (size % factor != 0) continue;
    parts[at].size = size / factor;
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), Part{.size = factor});
    return;
  }
}

bool IsOne(const Part& part) { return part.size == 1 && !part.is_open; }

void Rearrange(ChoiceSource& choices, size_t least, size_t most, Parts& parts) {
  if (parts.size() > 1 && choices.Chance(1, 4)) {
    std::swap(parts[choices.Below(parts.size())], parts[choices.Below(parts.size())]);
  }
  while (parts.size() > 1 && choices.Chance(1, 2)) MergeOne(choices, parts);
  if (!parts.empty() && choices.Chance(1, 3)) SplitOne(choices, parts);
  if (choices.Chance(1, 4)) std::erase_if(parts, IsOne);
  while (parts.size() < least) parts.push_back({});
  while (parts.size() < most && choices.Chance(1, 4)) {
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(choices.Below(parts.size() + 1)), Part());
  }
  while (parts.size() > most) MergeOne(choices, parts);
}

// A new shape that has as many elements as the plan's only operand in every run of the plan (run_sizes.h). The plan's
// result has the operand's rank: where it declares a dimension more generally or more specifically than the operand,
// or none at all, so does the new result. Its rank is at least `min_rank`, and at most that of all levels or the
// operand's. REQUIRES: the operand is ranked, and has that rank.
NewShape DrawNewShape(ChoiceSource& choices, const ShapePlan& plan, size_t min_rank) {
  Parts parts = PartsOf(plan);
  Rearrange(choices, min_rank, std::max(kMaxRankOfLevels, plan.operands.front().rank()), parts);
  NewShape drawn;
  for (const Part& part : parts) drawn.sizes.push_back(part.is_open ? -1 : part.size);
  const bool has_open = absl::c_linear_search(drawn.sizes, -1);
  // One size need not be stated where all are known.
  if (!parts.empty() && !has_open && choices.Chance(1, 5)) drawn.sizes[choices.Below(parts.size())] = -1;
  if (!plan.result.IsRanked()) {
    drawn.result = Shape::Unranked();
    return drawn;
  }
  // The new shape can say what neither type says: equal types are then not enough for equal sizes.
  const bool is_silent = !plan.operands.front().IsStatic() && choices.Chance(1, 3);
  std::vector<Dim> dims;
  for (const Part& part : parts) {
    dims.push_back(part.is_open || part.is_general || is_silent ? Dim::Dynamic() : Dim::Static(part.size));
  }
  drawn.result = Shape(std::move(dims));
  return drawn;
}

// The parameters of an op that are arguments: at least one. Lowerings ask of each whether it is a constant, and mix
// them up where only some are.
std::set<size_t> DrawAtRunTime(ChoiceSource& choices, const OpInfo& row) {
  std::vector<size_t> special;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    if (IsSpecial(row.operands[k])) special.push_back(k);
  }
  if (choices.Chance(1, 3)) return {special.begin(), special.end()};
  std::set<size_t> drawn = {special[choices.Below(special.size())]};
  for (const size_t k : special) {
    if (choices.Chance(1, 2)) drawn.insert(k);
  }
  return drawn;
}

}  // namespace

Program BuildOneOp(ChoiceSource& choices, const OneOp& one_op) {
  const OpInfo& row = Info(one_op.op.op);
  const std::set<size_t> at_run_time = one_op.special_at_run_time ? DrawAtRunTime(choices, row) : std::set<size_t>();
  Program program;
  OpApplication op;
  op.op = one_op.op.op;
  op.result = {one_op.shapes.result, one_op.op.result};
  op.attributes = DrawAttributes(choices, one_op.op);
  const int64_t channels = SettleChannels(one_op.shapes.operands[0], &op.attributes);
  if (HasNewShape(row)) {
    NewShape drawn = DrawNewShape(choices, one_op.shapes, one_op.min_rank);
    op.attributes.new_shape = std::move(drawn.sizes);
    op.result.shape = std::move(drawn.result);
  }
  for (size_t k = 0; k < row.operands.size(); ++k) {
    if (IsSpecial(row.operands[k])) {
      Tensor special = DrawSpecial(choices, row.operands[k], one_op.op, op.attributes, channels, one_op.any_value);
      const TensorType type = {Shape::OfSizes(special.sizes()), special.element_type()};
      op.operands.push_back(at_run_time.contains(k) ? AddArgument(program, type)
                                                    : AddConstant(program, std::move(special)));
      continue;
    }
    const ElementType type = OperandType(one_op.op, k);
    if (one_op.constant[k]) {
      Tensor tensor(type, StaticSizes(one_op.shapes.operands[k]));
      FillConstant(choices, one_op.op.result, tensor);
      op.operands.push_back(AddConstant(program, std::move(tensor)));
    } else {
      op.operands.push_back(AddArgument(program, {one_op.shapes.operands[k], type}));
    }
  }
  program.ops.push_back(std::move(op));
  program.results.push_back({ValueRef::Kind::kOp, 0});
  return program;
}

bool MisfitSizes(ChoiceSource& choices, const Program& program, int64_t max_elements,
                 std::vector<std::vector<int64_t>>& sizes) {
  std::vector<std::pair<size_t, size_t>> dynamic;
  for (size_t k = 0; k < sizes.size(); ++k) {
    const Shape shape = TypeOf(program, program.ops.front().operands[k]).shape;
    for (size_t d = 0; shape.IsRanked() && d < shape.rank(); ++d) {
      if (shape[d].IsDynamic()) dynamic.emplace_back(k, d);
    }
  }
  if (dynamic.empty()) return false;
  const auto [k, d] = dynamic[choices.Below(dynamic.size())];
  std::vector<int64_t> changed = sizes[k];
  changed[d] = changed[d] == 1 ? choices.Between(2, 4) : changed[d] + (choices.Chance(1, 2) ? 1 : -1);
  if (ElementCount(changed) > max_elements) return false;
  sizes[k] = changed;
  return true;
}

Run DrawOneOpRun(ChoiceSource& choices, const OneOp& one_op, const std::vector<std::vector<int64_t>>& sizes,
                 bool repair, Program& program) {
  const OpInfo& row = Info(one_op.op.op);
  Run run(program.arguments.size());
  std::vector<RepairOperand> operands;
  const Tensor* sibling = nullptr;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const ValueRef ref = program.ops.front().operands[k];
    if (ref.kind == ValueRef::Kind::kConstant) {
      operands.push_back({&program.constants[ref.index], /*fixed=*/true});
      continue;
    }
    Tensor& tensor = run[ref.index];
    if (IsSpecial(row.operands[k])) {
      const int64_t channels = program.arguments[ref.index].shape.dims().front().size();
      tensor =
          DrawSpecial(choices, row.operands[k], one_op.op, program.ops.front().attributes, channels, one_op.any_value);
    } else {
      tensor = Tensor(program.arguments[ref.index].element_type, sizes[k]);
      FillData(choices, one_op.op.result, sibling, tensor);
      sibling = &tensor;
    }
    operands.push_back({&tensor, /*fixed=*/false});
  }
  if (repair) RepairData(program.ops.front(), operands);
  return run;
}

}  // namespace tosaic
