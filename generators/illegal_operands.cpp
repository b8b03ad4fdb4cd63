// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/illegal_operands.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generators/element_bits.h"
#include "generators/program_edits.h"

namespace tosaic {
namespace {

size_t DrawOperand(ChoiceSource& choices, const Program& program, OperandRole role) {
  const std::vector<size_t> positions = OperandsOf(program, role);
  return positions[choices.Below(positions.size())];
}

void DrawShape(ChoiceSource& choices, Program& program, size_t k, const std::vector<int64_t> (&wrong)[3]) {
  SetOperandShape(program, k, Shape::OfSizes(wrong[choices.Below(3)]));
}

// One element more than there are channels.
void Lengthen(Program& program, OperandRole role) {
  const size_t k = OperandsOf(program, role).front();
  SetOperandShape(program, k, Shape::OfSizes({OperandType(program, k).shape[0].size() + 1}));
}

}  // namespace

ElementType DrawOther(ChoiceSource& choices, ElementType type) {
  const ElementType drawn = choices.Pick(absl::Span<const ElementType>(kCommonTypes));
  if (drawn != type) return drawn;
  return type == ElementType::kF32 ? ElementType::kI32 : ElementType::kF32;
}

void MistypeOperand(ChoiceSource& choices, Program& program, OperandRole role) {
  const size_t k = DrawOperand(choices, program, role);
  SetOperandElementType(program, k, DrawOther(choices, OperandType(program, k).element_type));
}

void MisshapeOperand(ChoiceSource& choices, Program& program, OperandRole role) {
  switch (Info(role).access) {
    case OperandAccess::kSingle:
      DrawShape(choices, program, DrawOperand(choices, program, role), {{2}, {1, 1}, {}});
      break;
    case OperandAccess::kChannel:
      Lengthen(program, role);
      // The shift alone, or with the multiplier, so that these two agree.
      if (role == OperandRole::kChannelShift && choices.Chance(1, 3)) Lengthen(program, OperandRole::kMultiplier);
      break;
    case OperandAccess::kLookup: {  // any length may be accepted, but not another rank
      const size_t k = OperandsOf(program, role).front();
      const int64_t entries = OperandType(program, k).shape[0].size();
      DrawShape(choices, program, k, {{1, entries}, {entries, 1}, {}});
      break;
    }
    case OperandAccess::kPosition:
    case OperandAccess::kOrder:
      break;
  }
}

void ScaleChannelsOfScalar(ChoiceSource&, Program& program) {
  SetOperandShape(program, 0, Shape::OfSizes({}));  // clears per_channel
  TheOp(program).attributes.per_channel = true;
  TheOp(program).result.shape = Shape::OfSizes({});
}

void SetZeroPoint(ChoiceSource& choices, Program& program, OperandRole role) {
  const size_t k = DrawOperand(choices, program, role);
  Tensor& zero_point = program.constants[TheOp(program).operands[k].index];
  const ElementType type = zero_point.element_type();
  zero_point.SetBits(0,
                     IsFloat(type) ? EncodeFloat(type, 1) : 1 + choices.Below(std::min<uint64_t>(100, BitMask(type))));
}

void SetShift(ChoiceSource& choices, Program& program) {
  const size_t k = DrawOperand(choices, program, OperandRole::kShift);
  const bool may_shift = OperandType(program, 0).element_type == ElementType::kI32;
  const uint64_t wrong = may_shift ? choices.Between(64, 255) : choices.Between(1, 255);
  program.constants[TheOp(program).operands[k].index].SetBits(0, wrong);
}

void MoveSpecialToRunTime(ChoiceSource& choices, Program& program) {
  const size_t first = BroadcastOperandCount(TheRow(program));
  const size_t k = first + choices.Below(TheOp(program).operands.size() - first);
  TheOp(program).operands[k] = AddArgument(program, OperandType(program, k));
}

}  // namespace tosaic
