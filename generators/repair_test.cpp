// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/repair.h"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "generators/data.h"
#include "generators/element_bits.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

using E = ElementType;

struct Element {
  E type;
  uint64_t bits;
  int64_t Int() const { return IntegerValue(type, bits); }
  double Real() const { return ElementToDouble(type, bits); }
  bool Fits(__int128 value) const {
    return value >= IntegerValue(type, LowestBits(type)) && value <= IntegerValue(type, HighestBits(type));
  }
};

// Whether a result element is defined, per op, read directly from tosa-semantics.md.
using Defined = std::function<bool(const Element&, const Element&, int64_t shift)>;

bool ShiftInRange(const Element&, const Element& b, int64_t) { return b.Int() >= 0 && b.Int() < BitWidth(b.type); }

bool PowDefined(const Element& a, const Element& b, int64_t) {
  const double x = a.Real(), y = b.Real();
  return std::isfinite(x) && std::isfinite(y) && !(x < 0) && !(x == 0 && y <= 0);
}

bool MulDefined(const Element& a, const Element& b, int64_t shift) {
  if (IsFloat(a.type)) return true;
  if (shift < 0 || shift > 63 || (shift != 0 && a.type != E::kI32)) return false;
  if (shift == 0) return true;
  const __int128 rounded = static_cast<__int128>(a.Int()) * b.Int() + (__int128{1} << (shift - 1));
  if (rounded > std::numeric_limits<int64_t>::max()) return false;
  const __int128 result = rounded >> shift;
  return result >= std::numeric_limits<int32_t>::min() && result <= std::numeric_limits<int32_t>::max();
}

const std::map<std::string, Defined>& DefinedByOp() {
  using W = __int128;
  static const auto& table = *new std::map<std::string, Defined>{
      {"abs", [](auto& a, auto&, auto) { return IsFloat(a.type) || a.Fits(-W{a.Int()}) || a.Int() >= 0; }},
      {"add", [](auto& a, auto& b, auto) { return IsFloat(a.type) || a.Fits(W{a.Int()} + b.Int()); }},
      {"sub", [](auto& a, auto& b, auto) { return IsFloat(a.type) || a.Fits(W{a.Int()} - b.Int()); }},
      {"intdiv", [](auto& a, auto& b, auto) { return b.Int() != 0 && a.Fits(W{a.Int()} / b.Int()); }},
      {"arithmetic_right_shift", ShiftInRange},
      {"logical_left_shift", ShiftInRange},
      {"logical_right_shift", ShiftInRange},
      {"mul", MulDefined},
      {"negate", [](auto& a, auto&, auto) { return IsFloat(a.type) || BitWidth(a.type) < 32 || a.Fits(-W{a.Int()}); }},
      {"pow", PowDefined},
  };
  return table;
}

std::string NameOf(const OpInfo& op) { return std::string(op.name.data(), op.name.size()); }

OpApplication Applied(const OpInfo& op, E result) { return {.op = op.kind, .result = {Shape(), result}}; }

struct Operands {
  Tensor a, b, shift{E::kI8, {1}};
  std::vector<int64_t> sizes;
  std::vector<RepairOperand> ForRepair(const OpInfo& op, bool fix_a, bool fix_b) {
    std::vector<RepairOperand> all = {{&a, fix_a}, {&b, fix_b}, {&shift, true}};
    all.resize(op.operands.size(), {&shift, true});
    return all;
  }
};

// Random operands: equal sizes, or broadcasting in both directions.
Operands DrawOperands(ChoiceSource& choices, const OpInfo& op, E input, E result) {
  const std::vector<std::vector<int64_t>> sizes[] = {
      {{4, 3}, {4, 3}}, {{1, 3}, {4, 1}}, {{4, 3}, {1, 1}}, {{1, 1}, {2, 3}}};
  const auto& drawn = sizes[BroadcastOperandCount(op) == 1 ? 0 : choices.Below(4)];
  Operands operands{Tensor(input, drawn[0]), Tensor(input, drawn[1]), Tensor(E::kI8, {1}), {}};
  for (size_t d = 0; d < 2; ++d) operands.sizes.push_back(std::max(drawn[0][d], drawn[1][d]));
  FillData(choices, result, nullptr, operands.a);
  FillData(choices, result, &operands.a, operands.b);
  // No zero point, which is 0 here; and a shift of any kind.
  if (op.operands[op.operands.size() - 1] == OperandRole::kShift) {
    operands.shift.SetBits(0, choices.Chance(1, 8) ? choices.Bits() : choices.Below(64));
  }
  return operands;
}

int CountUndefined(const OpInfo& op, const Operands& operands, const Defined& defined) {
  int undefined = 0;
  const int64_t shift = IntegerValue(E::kI8, operands.shift.Bits(0));
  for (int64_t i = 0; i < ElementCount(operands.sizes); ++i) {
    const size_t ia = BroadcastIndex(i, operands.sizes, operands.a.sizes());
    const size_t ib = BroadcastIndex(i, operands.sizes, operands.b.sizes());
    const Element a{operands.a.element_type(), operands.a.Bits(ia)};
    const Element b{operands.b.element_type(), operands.b.Bits(ib)};
    undefined += defined(a, b, shift) ? 0 : 1;
  }
  return op.unpredictable == Unpredictable::kNever ? 0 : undefined;
}

TEST(Repair, EveryElementOfEveryOpIsDefinedAfterwards) {
  for (const OpInfo& op : AllOps()) {
    const auto defined = DefinedByOp().find(NameOf(op));
    const Unpredictable why = op.unpredictable;
    const bool is_below =
        why == Unpredictable::kNanToInteger || why == Unpredictable::kScale || why == Unpredictable::kTableStep;
    if (is_below) continue;
    ASSERT_EQ(defined == DefinedByOp().end(), op.unpredictable == Unpredictable::kNever) << NameOf(op);
    if (defined == DefinedByOp().end()) continue;
    for (const TypeTuple& tuple : op.spec_types) {
      SeededChoices choices(11, static_cast<uint64_t>(op.kind) * 100 + static_cast<uint64_t>(tuple.input));
      int undefined_before = 0;
      for (int i = 0; i < 3000; ++i) {
        Operands operands = DrawOperands(choices, op, tuple.input, tuple.result);
        undefined_before += CountUndefined(op, operands, defined->second);
        RepairData(Applied(op, tuple.result), operands.ForRepair(op, choices.Chance(1, 4), choices.Chance(1, 4)));
        ASSERT_EQ(CountUndefined(op, operands, defined->second), 0)
            << NameOf(op) << " " << DataToHex(operands.a) << " | " << DataToHex(operands.b);
      }
      EXPECT_EQ(undefined_before > 0, CanBeUndefined(op, tuple.input, tuple.result)) << NameOf(op);
    }
  }
}

TEST(Repair, NoNanIsCastToAnInteger) {
  for (const OpInfo& op : AllOps()) {
    if (op.unpredictable != Unpredictable::kNanToInteger) continue;
    for (const TypeTuple& tuple : op.spec_types) {
      SeededChoices choices(12, static_cast<uint64_t>(tuple.input));
      Tensor x(tuple.input, {4000});
      FillData(choices, tuple.result, nullptr, x);
      const Tensor before = x;
      RepairData(Applied(op, tuple.result), {{&x, false}});
      if (!IsFloat(tuple.input) || !IsInteger(tuple.result)) {
        EXPECT_EQ(x, before);
        continue;
      }
      for (size_t i = 0; i < x.element_count(); ++i) ASSERT_FALSE(IsNan(tuple.input, x.Bits(i)));
    }
  }
}

// `in != 0` holds for a NaN, so that this is no reason to leave it out.
TEST(Repair, ANanIsCastToATruthValue) {
  const OpInfo& cast = Info(OpKind::kCast);
  Tensor x(ElementType::kF32, {1});
  x.SetBits(0, 0x7fc00000);
  const Tensor before = x;
  RepairData(Applied(cast, ElementType::kI1), {{&x, false}});
  EXPECT_EQ(x, before);
}

TEST(Repair, IsIdempotent) {
  for (const OpInfo& op : AllOps()) {
    if (op.kind == OpKind::kRescale || op.kind == OpKind::kTable) continue;  // below
    const TypeTuple& tuple = op.spec_types.front();
    SeededChoices choices(13, static_cast<uint64_t>(op.kind));
    for (int i = 0; i < 200; ++i) {
      Operands operands = DrawOperands(choices, op, tuple.input, tuple.result);
      RepairData(Applied(op, tuple.result), operands.ForRepair(op, false, false));
      const Operands once = operands;
      RepairData(Applied(op, tuple.result), operands.ForRepair(op, false, false));
      ASSERT_EQ(once.a, operands.a) << NameOf(op);
      ASSERT_EQ(once.b, operands.b) << NameOf(op);
    }
  }
}

// A constant is shared by all runs: what a run before repaired against it must stay repaired.
TEST(Repair, AFixedOperandChangesAtMostOnce) {
  for (const OpInfo& op : AllOps()) {
    if (BroadcastOperandCount(op) != 2) continue;
    const TypeTuple& tuple = op.spec_types.front();
    SeededChoices choices(14, static_cast<uint64_t>(op.kind));
    for (bool fix_a : {true, false}) {
      Operands operands = DrawOperands(choices, op, tuple.input, tuple.result);
      RepairData(Applied(op, tuple.result), operands.ForRepair(op, fix_a, !fix_a));
      const Tensor constant = fix_a ? operands.a : operands.b;
      const bool is_divisor = op.unpredictable == Unpredictable::kDivision && !fix_a;
      const bool is_amount = op.unpredictable == Unpredictable::kShiftAmount;
      for (int run = 0; run < 200; ++run) {
        FillData(choices, tuple.result, nullptr, fix_a ? operands.b : operands.a);
        RepairData(Applied(op, tuple.result), operands.ForRepair(op, fix_a, !fix_a));
        ASSERT_EQ(constant, fix_a ? operands.a : operands.b) << NameOf(op) << is_divisor << is_amount;
      }
    }
  }
}

TEST(Repair, KeepsExtremes) {
  const OpInfo& add = Info(*FindOp("add"));
  const OpInfo& shift = Info(*FindOp("logical_left_shift"));
  const OpInfo& mul = Info(*FindOp("mul"));
  SeededChoices choices(15, 15);
  std::set<int64_t> sums, amounts, products;
  for (int i = 0; i < 3000; ++i) {
    Operands x = DrawOperands(choices, add, E::kI32, E::kI32);
    RepairData(Applied(add, E::kI32), x.ForRepair(add, false, false));
    sums.insert(IntegerValue(E::kI32, x.a.Bits(0)) + IntegerValue(E::kI32, x.b.Bits(0)));
    x = DrawOperands(choices, shift, E::kI16, E::kI16);
    RepairData(Applied(shift, E::kI16), x.ForRepair(shift, false, false));
    amounts.insert(IntegerValue(E::kI16, x.b.Bits(0)));
    x = DrawOperands(choices, mul, E::kI32, E::kI32);
    x.shift.SetBits(0, 4);
    RepairData(Applied(mul, E::kI32), x.ForRepair(mul, false, false));
    products.insert((IntegerValue(E::kI32, x.a.Bits(0)) * IntegerValue(E::kI32, x.b.Bits(0)) + 8) >> 4);
  }
  EXPECT_EQ(*sums.begin(), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(*sums.rbegin(), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(amounts.size(), 16u);
  EXPECT_LT(*products.begin(), std::numeric_limits<int32_t>::min() + 100000);
  EXPECT_GT(*products.rbegin(), std::numeric_limits<int32_t>::max() - 100000);
}

}  // namespace
}  // namespace tosaic
