// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/flushing.h"

#include <cmath>
#include <string>
#include <vector>

#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

FlushingTargets Keeps(E type) { return FlushingTargets::That(false, type); }
FlushingTargets Flushes(E type) { return FlushingTargets::That(true, type); }
const FlushingTargets kAll = FlushingTargets::All();
const FlushingTargets kMixture = FlushingTargets::None();

TEST(MayBeFlushed, SubnormalsOfThreeTypesAlone) {
  for (const E type : kFloats) {
    const uint64_t normal_min = BitsOf(type, Format(type).normal_min), sign = BitsOf(type, -0.0);
    for (const uint64_t bits : {uint64_t{1}, normal_min - 1, sign | 1, sign | (normal_min - 1)}) {
      EXPECT_TRUE(MayBeFlushed(type, bits)) << Name(type) << bits;
    }
    for (const uint64_t bits :
         {uint64_t{0}, sign, normal_min, sign | normal_min, BitsOf(type, kInf), BitsOf(type, kNan)}) {
      EXPECT_FALSE(MayBeFlushed(type, bits)) << Name(type) << bits;
    }
  }
  for (const E type : {E::kF8E4M3FN, E::kF8E5M2, E::kF64, E::kI32, E::kI1}) EXPECT_FALSE(MayBeFlushed(type, 1));
}

TEST(FlushingTargets, ATypeIsFlushedOrNot) {
  for (const E type : kFloats) {
    EXPECT_EQ(Keeps(type) | Flushes(type), kAll);
    EXPECT_TRUE((Keeps(type) & Flushes(type)).IsEmpty());
    EXPECT_TRUE(Keeps(type).HasTheOneThatKeepsAll());
    EXPECT_FALSE(Flushes(type).HasTheOneThatKeepsAll());
  }
  EXPECT_FALSE((Keeps(E::kF16) & Flushes(E::kF32)).IsEmpty());
  EXPECT_EQ(Keeps(E::kF8E5M2), kAll);
  EXPECT_EQ(Flushes(E::kI32), kMixture);
}

// A type of values; `s` of it is subnormal, with a reciprocal.
double S(E type) { return Format(type).normal_min / 2; }

struct CheckRow {
  std::string name;
  K op;
  E input, result;
  std::vector<double> operands;
  double actual;
  bool allowed;
  FlushingTargets targets;
};

void CheckAll(const std::vector<CheckRow>& rows) {
  const Attributes none;
  const Policies policies;
  for (const CheckRow& row : rows) {
    ScalarInput in = {.op = Info(row.op),
                      .input_type = row.input,
                      .result_type = row.result,
                      .attributes = none,
                      .policies = policies};
    for (size_t k = 0; k < row.operands.size(); ++k) in.bits[k] = BitsOf(in.OperandType(k), row.operands[k]);
    const ElementCheck check = CheckElement(in, FindScalarFunction(in.op, row.input, row.result, policies.spec_version),
                                            BitsOf(row.result, row.actual));
    EXPECT_EQ(check.allowed, row.allowed) << row.name << " of " << Name(row.input);
    EXPECT_TRUE(check.targets == row.targets) << row.name << " of " << Name(row.input);
  }
}

TEST(CheckElement, OperandsMayBeFlushedInEveryFloatOp) {
  for (const E t : kFloats) {
    const double s = S(t);
    const FlushingTargets kept = Keeps(t), flushed = Flushes(t);
    CheckAll({
        {"equal, kept", K::kEqual, t, E::kI1, {s, 0}, 0, true, kept},
        {"equal, flushed", K::kEqual, t, E::kI1, {s, -0.0}, 1, true, flushed},
        {"equal, either way", K::kEqual, t, E::kI1, {s, 1}, 0, true, kAll},
        {"equal, wrong", K::kEqual, t, E::kI1, {s, 1}, 1, false, kMixture},
        {"greater, kept", K::kGreater, t, E::kI1, {s, 0}, 1, true, kept},
        {"greater, flushed", K::kGreater, t, E::kI1, {s, 0}, 0, true, flushed},
        {"greater, one side flushed", K::kGreater, t, E::kI1, {s, s / 2}, 0, true, flushed},
        {"greater_equal, flushed", K::kGreaterEqual, t, E::kI1, {-s, s}, 1, true, flushed},
        {"reciprocal, kept", K::kReciprocal, t, t, {s}, 1 / s, true, kept},
        {"reciprocal, flushed", K::kReciprocal, t, t, {-s}, -kInf, true, flushed},
        {"reciprocal, flushed to the other sign", K::kReciprocal, t, t, {-s}, kInf, false, kMixture},
        {"ceil, kept", K::kCeil, t, t, {s}, 1, true, kept},
        {"ceil, flushed", K::kCeil, t, t, {s}, 0, true, flushed},
        {"floor, flushed", K::kFloor, t, t, {-s}, -0.0, true, flushed},
        {"floor, flushed to the other sign", K::kFloor, t, t, {-s}, 0, false, kMixture},
        {"log, kept", K::kLog, t, t, {s}, std::log(s), true, kept},
        {"log, flushed", K::kLog, t, t, {s}, -kInf, true, flushed},
        {"log of less than zero, kept", K::kLog, t, t, {-s}, kNan, true, kept},
        {"log of less than zero, flushed", K::kLog, t, t, {-s}, -kInf, true, flushed},
        {"rsqrt, flushed", K::kRsqrt, t, t, {-s}, -kInf, true, flushed},
        {"rsqrt, kept", K::kRsqrt, t, t, {-s}, kNan, true, kept},
        {"exp", K::kExp, t, t, {s}, 1, true, kAll},
        {"tanh, zero within the bound", K::kTanh, t, t, {s}, 0, true, kAll},
        {"cast to an integer", K::kCast, t, E::kI32, {s}, 0, true, kAll},
        {"abs, flushed", K::kAbs, t, t, {-s}, 0, true, flushed},
        {"abs, flushed to the other sign", K::kAbs, t, t, {s}, -0.0, false, kMixture},
        {"negate, kept", K::kNegate, t, t, {s, 0, 0}, -s, true, kept},
        {"select, kept", K::kSelect, t, t, {1, s, 2}, s, true, kept},
        {"select, flushed", K::kSelect, t, t, {0, 2, s}, 0, true, flushed},
        {"select of the other", K::kSelect, t, t, {0, s, 2}, 2, true, kAll},
        {"maximum, flushed", K::kMaximum, t, t, {s, -1}, -0.0, true, flushed},
        {"minimum, kept", K::kMinimum, t, t, {s, 1}, s, true, kept},
    });
  }
}

TEST(CheckElement, OfArithmetic) {
  for (const E t : kFloats) {
    const double s = S(t), normal_min = Format(t).normal_min;
    CheckAll({
        {"add, kept", K::kAdd, t, t, {s, s / 2}, 1.5 * s, true, Keeps(t)},
        {"add, flushed", K::kAdd, t, t, {s, s / 2}, 0, true, Flushes(t)},
        {"add, one operand flushed", K::kAdd, t, t, {s, s / 2}, s, true, kMixture},
        {"add to a normal number", K::kAdd, t, t, {s, 1}, 1, true, kAll},
        {"sub, kept", K::kSub, t, t, {normal_min, s}, s, true, Keeps(t)},
        {"sub, flushed", K::kSub, t, t, {normal_min, s}, normal_min, true, Flushes(t)},
        {"sub, the result alone flushed", K::kSub, t, t, {1.25 * normal_min, s}, 0, true, kMixture},
        {"mul, kept", K::kMul, t, t, {-s, 1, 0}, -s, true, Keeps(t)},
        {"mul, flushed", K::kMul, t, t, {-s, 1, 0}, -0.0, true, Flushes(t)},
        {"mul, normal again", K::kMul, t, t, {s, 4, 0}, 4 * s, true, Keeps(t)},
        {"mul of normal numbers, kept", K::kMul, t, t, {normal_min, 0.5, 0}, s, true, Keeps(t)},
        {"mul of normal numbers, flushed", K::kMul, t, t, {normal_min, 0.5, 0}, 0, true, Flushes(t)},
        {"mul, less than any", K::kMul, t, t, {normal_min, normal_min, 0}, 0, true, kAll},
        {"mul, wrong", K::kMul, t, t, {s, 1, 0}, 2 * s, false, kMixture},
        {"pow, kept", K::kPow, t, t, {s, -1}, 1 / s, true, kAll},  // flushed it is undefined
        {"pow, any", K::kPow, t, t, {s, -1}, kNan, true, Flushes(t)},
    });
  }
}

// Functions that are inexact may underflow on the way, and the check function lets that pass.
TEST(CheckElement, AZeroOfAnInexactFunctionProvesNothing) {
  const double subnormal = std::ldexp(1, -15);
  CheckAll({
      {"sigmoid", K::kSigmoid, E::kF16, E::kF16, {-12}, 0, true, kAll},
      {"sigmoid, kept", K::kSigmoid, E::kF16, E::kF16, {-12}, 6.1e-6, true, Keeps(E::kF16)},
      {"reciprocal", K::kReciprocal, E::kF16, E::kF16, {32768}, 0, true, kAll},
      {"reciprocal, kept", K::kReciprocal, E::kF16, E::kF16, {32768}, subnormal, true, Keeps(E::kF16)},
      {"exp", K::kExp, E::kF32, E::kF32, {-90}, 0, true, kAll},
  });
}

TEST(CheckElement, OfCastsBetweenTwoTypes) {
  const double f16 = S(E::kF16), both = S(E::kF32);
  CheckAll({
      {"kept", K::kCast, E::kF32, E::kF16, {f16}, f16, true, Keeps(E::kF16)},
      {"flushed", K::kCast, E::kF32, E::kF16, {-f16}, -0.0, true, Flushes(E::kF16)},
      {"kept", K::kCast, E::kF16, E::kF32, {f16}, f16, true, Keeps(E::kF16)},
      {"flushed", K::kCast, E::kF16, E::kF32, {f16}, 0, true, Flushes(E::kF16)},
      {"kept in both", K::kCast, E::kF32, E::kBF16, {both}, both, true, Keeps(E::kF32) & Keeps(E::kBF16)},
      {"flushed in one", K::kCast, E::kF32, E::kBF16, {both}, 0, true, Flushes(E::kF32) | Flushes(E::kBF16)},
      {"less than any", K::kCast, E::kF32, E::kF16, {both}, 0, true, kAll},
      {"fp8 is never flushed", K::kCast, E::kF8E4M3FN, E::kF16, {std::ldexp(1, -9)}, 0, false, kMixture},
      {"nor as a result", K::kCast, E::kF16, E::kF8E4M3FN, {std::ldexp(1, -9)}, 0, false, kMixture},
      {"fp8, kept", K::kCast, E::kF16, E::kF8E4M3FN, {std::ldexp(1, -9)}, std::ldexp(1, -9), true, kAll},
  });
}

TEST(CheckElement, AsksForSomeTargetsOnly) {
  const Attributes none;
  const Policies policies;
  ScalarInput in = {.op = Info(K::kEqual),
                    .input_type = E::kF32,
                    .result_type = E::kI1,
                    .attributes = none,
                    .policies = policies,
                    .bits = {1, 0, 0}};
  const ElementCheck check =
      CheckElement(in, FindScalarFunction(in.op, E::kF32, E::kI1, policies.spec_version), 1, Keeps(E::kF32));
  EXPECT_TRUE(check.allowed);
  EXPECT_TRUE(check.targets.IsEmpty());
}

ElementMismatch Element(uint64_t index) {
  ElementMismatch element;
  element.index = index;
  return element;
}

TEST(FlushingRecord, NamesTwoElementsThatAreAtOdds) {
  FlushingRecord record;
  record.MoveTo(0, 3);
  record.Add({Flushes(E::kF16), Element(1)});
  EXPECT_FALSE(record.Narrows(Flushes(E::kF16)));
  EXPECT_TRUE(record.Narrows(Keeps(E::kF32)));
  record.Add({Keeps(E::kF32), Element(2)});
  EXPECT_FALSE(record.open().IsEmpty());  // one type is flushed, the other is not
  record.MoveTo(2, 4);
  record.Add({Flushes(E::kF32), Element(3)});
  ASSERT_TRUE(record.open().IsEmpty());
  const FlushingRecord::Mixture mixture = record.FindMixture();
  EXPECT_EQ(mixture.flushed.index, 3u);
  EXPECT_EQ(mixture.flushed.run, 2);
  EXPECT_EQ(mixture.flushed.op, 4);
  ASSERT_NE(mixture.kept, nullptr);
  EXPECT_EQ(mixture.kept->index, 2u);
  EXPECT_EQ(mixture.kept->op, 3);
}

TEST(FlushingRecord, OneElementCanBeAMixture) {
  FlushingRecord record;
  record.Add({kMixture, Element(1)});
  EXPECT_EQ(record.FindMixture().flushed.index, 1u);
  EXPECT_EQ(record.FindMixture().kept, nullptr);
}

}  // namespace
}  // namespace tosaic
