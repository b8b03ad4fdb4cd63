// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites a value by identities that do not change it, which folders and canonicalization look for.
#include <optional>
#include <utility>
#include <vector>

#include "generators/element_bits.h"
#include "mutation/mutation.h"
#include "mutation/program_growth.h"

namespace tosaic {
namespace {

using E = ElementType;

uint64_t Zero(E) { return 0; }
// The constant whose sum with a float leaves both zeros as they are.
uint64_t NoSummand(E type) { return IsFloat(type) ? SignMask(type) : 0; }
uint64_t AllOnes(E type) { return BitMask(type); }

struct ValueIdentity {
  enum class Way : uint8_t { kTwice, kWithItself, kWithNeutral };
  OpKind op;
  Way way;
  uint64_t (*neutral)(E type) = nullptr;
};

using enum ValueIdentity::Way;
constexpr ValueIdentity kIdentities[] = {{OpKind::kBitwiseNot, kTwice},
                                         {OpKind::kLogicalNot, kTwice},
                                         {OpKind::kNegate, kTwice},
                                         {OpKind::kMinimum, kWithItself},
                                         {OpKind::kMaximum, kWithItself},
                                         {OpKind::kBitwiseAnd, kWithItself},
                                         {OpKind::kBitwiseOr, kWithItself},
                                         {OpKind::kLogicalAnd, kWithItself},
                                         {OpKind::kLogicalOr, kWithItself},
                                         {OpKind::kSelect, kWithItself},
                                         {OpKind::kAdd, kWithNeutral, NoSummand},
                                         {OpKind::kSub, kWithNeutral, Zero},
                                         {OpKind::kMul, kWithNeutral, OneBits},
                                         {OpKind::kIntdiv, kWithNeutral, OneBits},
                                         {OpKind::kPow, kWithNeutral, OneBits},
                                         {OpKind::kBitwiseAnd, kWithNeutral, AllOnes},
                                         {OpKind::kBitwiseOr, kWithNeutral, Zero},
                                         {OpKind::kBitwiseXor, kWithNeutral, Zero},
                                         {OpKind::kLogicalAnd, kWithNeutral, AllOnes},
                                         {OpKind::kLogicalOr, kWithNeutral, Zero},
                                         {OpKind::kLogicalXor, kWithNeutral, Zero},
                                         {OpKind::kLogicalLeftShift, kWithNeutral, Zero},
                                         {OpKind::kLogicalRightShift, kWithNeutral, Zero},
                                         {OpKind::kArithmeticRightShift, kWithNeutral, Zero}};

// Puts the op without shift and with zero points of 0: others change the value.
ValueRef PutPlain(const MutationTools& tools, Program& program, int at, const TypedOp& op,
                  std::vector<ValueRef> operands) {
  const ValueRef put = PutTyped(tools, program, at, op, std::move(operands));
  const OpApplication& producer = program.ops[static_cast<size_t>(at)];
  for (size_t k = BroadcastOperandCount(Info(op.op)); k < producer.operands.size(); ++k) {
    program.constants[static_cast<size_t>(producer.operands[k].index)].SetBits(0, 0);
  }
  return put;
}

// The value as an identity writes it, before op `at`; none if a constant has no shape.
std::optional<ValueRef> PutIdentity(const MutationTools& tools, Program& program, int at, ValueRef value,
                                    const ValueIdentity& identity) {
  const E type = ElementTypeOf(program, value);
  const TypedOp op = {identity.op, type, type};
  if (identity.op == OpKind::kSelect) {
    const auto condition = ConstantFor(program, value, E::kI1, tools.choices.Below(2));
    if (!condition) return std::nullopt;
    return PutTyped(tools, program, at, op, {*condition, value, value});
  }
  switch (identity.way) {
    case kTwice: {
      const ValueRef once = PutPlain(tools, program, at, op, {value});
      return PutPlain(tools, program, at + 1, op, {once});
    }
    case kWithItself:
      return PutTyped(tools, program, at, op, {value, value});
    case kWithNeutral:
      break;
  }
  const auto neutral = ConstantFor(program, value, type, identity.neutral(type));
  if (!neutral) return std::nullopt;
  return PutPlain(tools, program, at, op, {value, *neutral});
}

// Casts a value to a wider type and back.
std::optional<ValueRef> PutCasts(const MutationTools& tools, Program& program, int at, ValueRef value) {
  const E type = ElementTypeOf(program, value);
  std::vector<E> wider;
  for (const ElementTypeInfo& other : AllElementTypes()) {
    const bool holds = IsFloat(other.type) == IsFloat(type) && BitWidth(other.type) > BitWidth(type);
    if (!holds || !Exists(tools, OpKind::kCast, type, other.type)) continue;
    if (Exists(tools, OpKind::kCast, other.type, type)) wider.push_back(other.type);
  }
  if (wider.empty()) return std::nullopt;
  const E drawn = wider[tools.choices.Below(wider.size())];
  const ValueRef there = PutTyped(tools, program, at, {OpKind::kCast, type, drawn}, {value});
  return PutTyped(tools, program, at + 1, {OpKind::kCast, drawn, type}, {there});
}

}  // namespace

bool Rewrite(const MutationTools& tools, Case& mutant) {
  Program& program = mutant.program;
  if (program.ops.size() + 2 > kMostOpsOfMutants) return false;
  const std::vector<Use> uses = UsesIn(program);
  const Use use = uses[tools.choices.Below(uses.size())];
  const ValueRef value = At(program, use);
  const E type = ElementTypeOf(program, value);
  std::vector<const ValueIdentity*> fitting;
  for (const ValueIdentity& identity : kIdentities) {
    if (Exists(tools, identity.op, type, type)) fitting.push_back(&identity);
  }
  const size_t ops = program.ops.size();
  const uint64_t drawn = tools.choices.Below(fitting.size() + 1);
  const std::optional<ValueRef> put = drawn < fitting.size()
                                          ? PutIdentity(tools, program, use.op, value, *fitting[drawn])
                                          : PutCasts(tools, program, use.op, value);
  if (!put) return false;
  At(program, {use.op + static_cast<int>(program.ops.size() - ops), use.place}) = *put;
  return true;
}

}  // namespace tosaic
