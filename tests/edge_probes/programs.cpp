// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/edge_probes/programs.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "tests/dumb_scalar_ops.h"

namespace tosaic::edge_probes {

namespace {

using E = ElementType;

struct Typed {
  const OpInfo* op;
  TypeTuple tuple;
};

// The specification's tuples of the elementwise ops, those that can take a value of the type if one is given.
std::vector<Typed> TypedOps(std::optional<E> taking) {
  std::vector<Typed> all;
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      const bool takes =
          !taking || tuple.input == *taking || (*taking == E::kI1 && HasRole(op, OperandRole::kCondition));
      if (takes && dumb::FindFunction(op.name) != nullptr) all.push_back({&op, tuple});
    }
  }
  return all;
}

Typed DrawOp(std::optional<E> taking, Dice& dice) {
  const std::vector<Typed> all = TypedOps(taking);
  std::vector<const OpInfo*> ops;
  for (const Typed& typed : all) {
    if (ops.empty() || ops.back() != typed.op) ops.push_back(typed.op);
  }
  const OpInfo* op = dice.Of(ops);
  std::vector<Typed> of_op;
  absl::c_copy_if(all, std::back_inserter(of_op), [&](const Typed& typed) { return typed.op == op; });
  return dice.Of(of_op);
}

// Legal ones of rescale.
void DrawScaling(const TypeTuple& tuple, Attributes& attributes, Dice& dice) {
  attributes.scale32 = tuple.input != E::kI48 && dice.OneIn(2);
  attributes.rounding_mode = dice.OneIn(2) ? RoundingMode::kInexactRound
                             : *attributes.scale32
                                 ? dice.Of<RoundingMode>({RoundingMode::kSingleRound, RoundingMode::kDoubleRound})
                                 : RoundingMode::kSingleRound;
  attributes.per_channel = false;
  const bool narrow = BitWidth(tuple.input) <= 16 && BitWidth(tuple.result) <= 16;
  attributes.input_unsigned = narrow && dice.OneIn(3);
  attributes.output_unsigned = narrow && !*attributes.input_unsigned && dice.OneIn(3);
}

uint64_t DrawZeroPoint(E type, bool is_unsigned, Dice& dice) {
  if (dice.OneIn(2)) return 0;
  if (type == E::kI8) return dice.Bits() & 0xff;
  return type == E::kI16 && is_unsigned ? 0x8000 : 0;
}

Attributes DrawAttributes(const Typed& typed, Dice& dice) {
  Attributes attributes;
  const E type = typed.tuple.input;
  if (HasAttribute(*typed.op, Attribute::kMinVal)) {
    const auto draw = [&] {
      uint64_t bits = DrawElement(type, dice);
      while (IsNan(type, bits)) bits = DrawElement(type, dice);
      return PlaceOf(type, bits);
    };
    const auto [least, greatest] = std::minmax({draw(), draw()});
    attributes.min_val = TypedBits{type, BitsAt(type, least)};
    attributes.max_val = TypedBits{type, BitsAt(type, greatest)};
  }
  if (HasAttribute(*typed.op, Attribute::kNanMode))
    attributes.nan_mode = dice.OneIn(2) ? NanMode::kIgnore : NanMode::kPropagate;
  if (HasAttribute(*typed.op, Attribute::kRound)) attributes.round = dice.OneIn(2);
  if (HasAttribute(*typed.op, Attribute::kScale32)) DrawScaling(typed.tuple, attributes, dice);
  return attributes;
}

Tensor OneElement(E type, uint64_t bits) {
  Tensor tensor(type, {1});
  tensor.SetBits(0, bits);
  return tensor;
}

class ProgramMaker {
 public:
  ProgramMaker(int64_t elements, Dice& dice) : elements_(elements), dice_(dice) {}

  Program Make(size_t ops, Returned returned) {
    for (size_t k = 0; k < ops; ++k) AddOp();
    const size_t last = ops - 1, hidden = last > 0 ? dice_.Below(last) : ops;
    for (size_t k = 0; k < ops; ++k) {
      const bool is_returned =
          k == last || returned == Returned::kAll || (returned == Returned::kAllButOne && k != hidden);
      if (is_returned) program_.results.push_back({ValueRef::Kind::kOp, static_cast<int>(k)});
    }
    return std::move(program_);
  }

 private:
  // Uses the op before, or any earlier one, and sometimes twice.
  void AddOp() {
    const int count = static_cast<int>(program_.ops.size());
    std::optional<ValueRef> earlier;
    if (count > 0)
      earlier = ValueRef{ValueRef::Kind::kOp, dice_.OneIn(4) ? static_cast<int>(dice_.Below(count)) : count - 1};
    const std::optional<E> taking = earlier ? std::optional(ElementTypeOf(program_, *earlier)) : std::nullopt;
    const Typed typed = DrawOp(taking, dice_);
    OpApplication op = {.op = typed.op->kind, .attributes = DrawAttributes(typed, dice_)};
    if (HasAttribute(*typed.op, Attribute::kNewShape)) op.attributes.new_shape = {elements_};
    op.result = {Shape::OfSizes({elements_}), typed.tuple.result};
    for (const OperandRole role : typed.op->operands) op.operands.push_back(DrawOperand(typed, role, op.attributes));
    if (earlier) Place(*earlier, *taking, typed, op);
    program_.ops.push_back(std::move(op));
  }

  ValueRef DrawOperand(const Typed& typed, OperandRole role, const Attributes& attributes) {
    const auto [input, result, profile] = typed.tuple;
    switch (role) {
      case OperandRole::kInput:
      case OperandRole::kReshaped:
        return Argument(input);
      case OperandRole::kCondition:
        return Argument(E::kI1);
      case OperandRole::kShift:
        return Constant(OneElement(E::kI8, input == E::kI32 && dice_.OneIn(2) ? dice_.Below(64) : 0));
      case OperandRole::kZeroPoint:
        return Constant(OneElement(input, DrawZeroPoint(input, attributes.input_unsigned.value_or(false), dice_)));
      case OperandRole::kOutputZeroPoint:
        return Constant(OneElement(result, DrawZeroPoint(result, attributes.output_unsigned.value_or(false), dice_)));
      case OperandRole::kMultiplier: {  // with the shift: a scale of 2^-8 up to 2^4
        const uint64_t one = uint64_t{1} << (*attributes.scale32 ? 30 : 14);
        const E type = *attributes.scale32 ? E::kI32 : E::kI16;
        return Constant(OneElement(type, one + (dice_.OneIn(3) ? 0 : dice_.Below(one))));
      }
      case OperandRole::kChannelShift:
        return Constant(OneElement(E::kI8, (*attributes.scale32 ? 30 : 14) + dice_.Below(12) - 3));
      case OperandRole::kTable:
        break;
    }
    Tensor table(input, {input == E::kI8 ? 256 : 513});
    for (size_t i = 0; i < table.element_count(); ++i) table.SetBits(i, DrawElement(input, dice_));
    return Constant(std::move(table));
  }

  void Place(ValueRef earlier, E type, const Typed& typed, OpApplication& op) {
    std::vector<size_t> places;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const OperandRole role = typed.op->operands[i];
      const bool is_input = role == OperandRole::kInput || role == OperandRole::kReshaped;
      const bool fits = is_input ? type == typed.tuple.input : role == OperandRole::kCondition && type == E::kI1;
      if (fits) places.push_back(i);
    }
    const bool all = dice_.OneIn(4);
    const size_t chosen = dice_.Of(places);
    for (const size_t place : places) {
      if (all || place == chosen) op.operands[place] = earlier;
    }
  }

  // Mostly a new one, up to four of a type.
  ValueRef Argument(E type) {
    std::vector<int> there;
    for (size_t i = 0; i < program_.arguments.size(); ++i) {
      if (program_.arguments[i].element_type == type) there.push_back(static_cast<int>(i));
    }
    if (there.size() >= 4 || (!there.empty() && dice_.OneIn(5))) return {ValueRef::Kind::kArgument, dice_.Of(there)};
    program_.arguments.push_back({Shape::OfSizes({elements_}), type});
    return {ValueRef::Kind::kArgument, static_cast<int>(program_.arguments.size()) - 1};
  }
  ValueRef Constant(Tensor tensor) {
    program_.constants.push_back(std::move(tensor));
    return {ValueRef::Kind::kConstant, static_cast<int>(program_.constants.size()) - 1};
  }

  const int64_t elements_;
  Dice& dice_;
  Program program_;
};

}  // namespace

Program MakeProgram(size_t ops, int64_t elements, Returned returned, Dice& dice) {
  return ProgramMaker(elements, dice).Make(ops, returned);
}

}  // namespace tosaic::edge_probes
