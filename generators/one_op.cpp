// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/one_op.h"

#include <utility>

#include "generators/attributes.h"
#include "generators/data.h"
#include "generators/new_shapes.h"
#include "generators/program_edits.h"
#include "generators/repair.h"

namespace tosaic {

Program BuildOneOp(ChoiceSource& choices, const OneOp& one_op) {
  const OpInfo& row = Info(one_op.op.op);
  Program program;
  OpApplication op;
  op.op = one_op.op.op;
  op.result = {one_op.shapes.result, one_op.op.result};
  op.attributes = DrawAttributes(choices, one_op.op);
  const int64_t channels = SettleChannels(one_op.shapes.operands[0], &op.attributes);
  if (row.result_shape == ResultShape::kNewShape) {
    NewShape drawn = DrawNewShape(choices, one_op.shapes, one_op.min_rank);
    op.attributes.new_shape = std::move(drawn.sizes);
    op.result.shape = std::move(drawn.result);
  }
  for (size_t k = 0; k < row.operands.size(); ++k) {
    if (IsSpecial(row.operands[k])) {
      Tensor special = DrawSpecial(choices, row.operands[k], one_op.op, op.attributes, channels, one_op.any_value);
      const TensorType type = {Shape::OfSizes(special.sizes()), special.element_type()};
      op.operands.push_back(one_op.special_at_run_time ? AddArgument(program, type)
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
