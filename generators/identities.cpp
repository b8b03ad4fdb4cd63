// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/identities.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "generators/element_bits.h"
#include "generators/repair.h"

namespace tosaic {
namespace {

using E = ElementType;

bool Always(E) { return true; }
bool Float(E type) { return IsFloat(type); }
bool Number(E type) { return BitWidth(type) > 1; }
bool Integer(E type) { return IsInteger(type) && BitWidth(type) > 1; }

constexpr absl::string_view kPowerOfTwo = "power-of-two";

constexpr Identity kIdentities[] = {
    {"zero", Always, [](E) { return uint64_t{0}; }},
    {"one", Always, OneBits},
    {"minus-one", Number, [](E type) { return IsFloat(type) ? EncodeFloat(type, -1) : BitMask(type); }},
    {"negative-zero", Float, SignMask},
    {"nan", Float, QuietNanBits},
    {"infinity", Float, InfinityBits},
    {"negative-infinity", Float, [](E type) { return SignMask(type) | InfinityBits(type); }},
    {"lowest", Integer, LowestBits},
    {"highest", Number, [](E type) { return IsFloat(type) ? LargestFiniteBits(type) : HighestBits(type); }},
    {kPowerOfTwo, Integer, [](E) { return uint64_t{4}; }},  // for mul any, see BuildIdentity
};

// Whether the constant stays what it is as operand `k`, against any partner: repair would change a divisor of 0, a
// shift amount out of range, and what pow takes none of.
bool Suits(const OpInfo& op, size_t k, E type, const Identity& identity) {
  if (!identity.exists(type)) return false;
  const uint64_t bits = identity.bits(type);
  if (op.unpredictable == Unpredictable::kDivision) return k == 0 || bits != 0;
  if (op.unpredictable == Unpredictable::kShiftAmount) return k == 0 || bits < static_cast<uint64_t>(BitWidth(type));
  if (op.unpredictable == Unpredictable::kPowDomain) {
    return !IsNan(type, bits) && !IsInfinite(type, bits) && (k == 1 || (bits & SignMask(type)) == 0);
  }
  return true;
}

// Whether an op may get the constant as an intermediate, whose value repair does not know: not as what can trap.
bool MayBeWeakened(const OpInfo& op, size_t k, uint64_t bits) { return !MayTrap(op) || (k == 1 && bits == 1); }

void BuildIdentity(ChoiceSource& choices, const IdentityOp& drawn, ProgramBuilder& builder) {
  const auto& [op, place, identity] = drawn;
  const OpInfo& row = Info(op.op);
  const size_t count = BroadcastOperandCount(row);
  auto type_of = [&op = op](size_t k) { return OperandType(op, k); };
  uint64_t bits = identity->bits(type_of(place));
  std::optional<int> shift;
  if (identity->name == kPowerOfTwo && row.unpredictable == Unpredictable::kMulShift) {
    const auto exponent = static_cast<int>(choices.Below(BitWidth(op.input) - 1));
    bits = uint64_t{1} << exponent;
    if (op.input == E::kI32) shift = exponent;
  }
  std::vector<ValueRef> operands;
  for (size_t k = 0; k < count; ++k) {
    if (k != place) {
      // Mostly data of the run. Another constant now and then, so that there is something to fold, but not where repair
      // could change the identity against it.
      const bool constant = !CanBeUndefined(row, op.input, op.result) && choices.Chance(1, 10);
      operands.push_back(constant ? builder.Constant(type_of(k)) : builder.Argument(type_of(k)));
      continue;
    }
    // Who looks at the first element alone takes the next one for the same.
    const bool nearly = identity->name != kPowerOfTwo && choices.Chance(1, 3);
    ValueRef constant = nearly ? builder.NearlySplat(type_of(k), bits) : builder.Splat(type_of(k), bits);
    if (!nearly && MayBeWeakened(row, k, bits) && choices.Chance(1, 4))
      constant = builder.Weaken(constant).value_or(constant);
    operands.push_back(constant);
  }
  if (shift) {
    builder.ApplyShifted(op, std::move(operands), *shift);
  } else {
    builder.Apply(op, std::move(operands));
  }
}

}  // namespace

absl::Span<const Identity> AllIdentities() { return kIdentities; }

const Identity& DrawIdentity(ChoiceSource& choices, absl::FunctionRef<bool(const Identity&)> suits) {
  absl::InlinedVector<const Identity*, std::size(kIdentities)> suitable;
  for (const Identity& identity : kIdentities) {
    if (suits(identity)) suitable.push_back(&identity);
  }
  const uint64_t from = choices.Chance(1, 3) ? std::min<size_t>(suitable.size(), 2) : suitable.size();
  return *suitable[choices.Below(from)];
}

std::optional<IdentityOp> DrawIdentityOp(ChoiceSource& choices, const GeneratorOptions& options) {
  const auto is_broadcast = [](const OpInfo& row, E, E) {
    return row.operands.size() > 1 && BroadcastOperandCount(row) > 1;
  };
  const std::optional<TypedOp> op = DrawTypedOp(choices, options, TypeColumn::kSpec, is_broadcast);
  if (!op) return std::nullopt;
  const OpInfo& row = Info(op->op);
  const size_t place = choices.Below(BroadcastOperandCount(row));
  const auto suits = [&](const Identity& identity) { return Suits(row, place, OperandType(*op, place), identity); };
  return IdentityOp{*op, place, &DrawIdentity(choices, suits)};
}

void BuildIdentities(ChoiceSource& choices, absl::Span<const IdentityOp> drawn, ProgramBuilder& builder) {
  for (const IdentityOp& identity : drawn) {
    if (choices.Chance(1, 4)) builder.BeginGroup();
    BuildIdentity(choices, identity, builder);
  }
}

}  // namespace tosaic
