// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutation/program_growth.h"

#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/data.h"
#include "generators/program_edits.h"
#include "generators/shapes.h"
#include "model/static_program.h"
#include "reducer/shape_edits.h"

namespace tosaic {

std::vector<ValueRef> Fitting(const Program& program, int before, const TensorType& type) {
  std::vector<ValueRef> fitting;
  for (const ValueRef ref : AllValues(program)) {
    if (ref.kind == ValueRef::Kind::kOp && ref.index >= before) continue;
    const TensorType own = TypeOf(program, ref);
    const bool ranked = own.shape.IsRanked() && type.shape.IsRanked();
    if (IsSpecialOperand(program, ref)) continue;
    if (own.element_type != type.element_type || (ranked && own.shape.rank() != type.shape.rank())) continue;
    fitting.push_back(ref);
  }
  return fitting;
}

std::optional<Shape> ImpliedShape(const Program& program, const OpApplication& op) {
  std::vector<Shape> shapes;
  for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
    const Shape shape = TypeOf(program, op.operands[k]).shape;
    if (!shape.IsRanked()) continue;
    if (!shapes.empty() && shapes.front().rank() != shape.rank()) return std::nullopt;
    shapes.push_back(shape);
  }
  return ImpliedShape(shapes);
}

void AddSpecials(const MutationTools& tools, const TypedOp& typed, Program& program, OpApplication* op) {
  const int64_t channels = SettleChannels(TypeOf(program, op->operands[0]).shape, &op->attributes);
  for (const OperandRole role : Info(op->op).operands.subspan(op->operands.size())) {
    Tensor drawn = DrawSpecial(tools.choices, role, typed, op->attributes, channels);
    op->operands.push_back(AddConstant(program, std::move(drawn)));
  }
}

ValueRef PutTyped(const MutationTools& tools, Program& program, int at, const TypedOp& op,
                  std::vector<ValueRef> operands, const std::optional<Attributes>& attributes) {
  OpApplication put{.op = op.op, .operands = std::move(operands)};
  put.result = {ImpliedShape(program, put).value_or(Shape::Unranked()), op.result};
  put.attributes = attributes ? *attributes : DrawAttributes(tools.choices, op);
  AddSpecials(tools, op, program, &put);
  StateNewShape(put);
  return PutOp(program, at, std::move(put));
}

std::optional<ValueRef> ConstantFor(Program& program, ValueRef value, ElementType type, uint64_t bits) {
  const Shape shape = TypeOf(program, value).shape;
  if (!shape.IsRanked()) return std::nullopt;
  Tensor constant(type, std::vector<int64_t>(shape.rank(), 1));
  constant.SetBits(0, bits);
  return AddConstant(program, std::move(constant));
}

std::optional<std::vector<ValueRef>> OperandsAround(const MutationTools& tools, Program& program, int at,
                                                    const TypedOp& op, ValueRef value) {
  const Shape shape = TypeOf(program, value).shape;
  const size_t count = BroadcastOperandCount(Info(op.op));
  std::vector<size_t> places;
  for (size_t k = 0; k < count; ++k) {
    if (OperandType(op, k) == ElementTypeOf(program, value)) places.push_back(k);
  }
  if (places.empty()) return std::nullopt;
  const size_t place = places[tools.choices.Below(places.size())];
  std::vector<ValueRef> operands;
  for (size_t k = 0; k < count; ++k) {
    const ElementType type = OperandType(op, k);
    std::optional<ValueRef> operand;
    if (k == place) operand = value;
    const std::vector<ValueRef> there = Fitting(program, at, {shape, type});
    if (!operand && !there.empty() && tools.choices.Chance(2, 3)) operand = there[tools.choices.Below(there.size())];
    if (!operand) operand = ConstantFor(program, value, type, DrawElement(tools.choices, type, op.result));
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  return operands;
}

bool Exists(const MutationTools& tools, OpKind op, ElementType input, ElementType result) {
  return Allows(tools.options, {op, input, result});
}

}  // namespace tosaic
