// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boundary vectors of the scalar functions on floats (clamp: on integers too).
#include <cmath>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

TEST(FloatOpsTest, Clamp) {
  for (E type : {E::kI8, E::kI16, E::kF16, E::kBF16, E::kF32}) {
    Attributes bounds;
    bounds.min_val = TypedBits{type, BitsOf(type, -3)};
    bounds.max_val = TypedBits{type, BitsOf(type, 7)};
    Check({{K::kClamp, type, type, {-100}, "-3", bounds},
           {K::kClamp, type, type, {100}, "7", bounds},
           {K::kClamp, type, type, {-3}, "-3", bounds},
           {K::kClamp, type, type, {5}, "5", bounds},
           {K::kClamp, type, type, {5}, "undefined (bounds)"}});
    std::swap(bounds.min_val, bounds.max_val);
    Check({{K::kClamp, type, type, {5}, "undefined (bounds)", bounds}});
  }
  for (E type : kFloats) {
    Attributes bounds;
    bounds.min_val = TypedBits{type, BitsOf(type, 0.0)};
    bounds.max_val = TypedBits{type, BitsOf(type, kInf)};
    EXPECT_TRUE(Matches(Eval(K::kClamp, type, type, {-0.0}, bounds), type, 0));
    EXPECT_TRUE(Matches(Eval(K::kClamp, type, type, {0.0}, bounds), type, BitsOf(type, -0.0)));
    Check({{K::kClamp, type, type, {kInf}, "inf", bounds}, {K::kClamp, type, type, {kNan}, "NaN", bounds}});
    bounds.nan_mode = NanMode::kIgnore;
    Check({{K::kClamp, type, type, {kNan}, "0", bounds}, {K::kClamp, type, type, {-kInf}, "0", bounds}});
  }
}

TEST(FloatOpsTest, ClampAtTheEndsOfTheType) {
  const auto bounds = [](E type, double low, double high, NanMode mode) {
    return Attributes{.min_val = TypedBits{type, BitsOf(type, low)},
                      .max_val = TypedBits{type, BitsOf(type, high)},
                      .nan_mode = mode};
  };
  for (E type : kFloats) {
    const Attributes all = bounds(type, -kInf, kInf, NanMode::kPropagate);
    const Attributes ignoring = bounds(type, -kInf, kInf, NanMode::kIgnore);
    const Attributes greatest = bounds(type, kInf, kInf, NanMode::kIgnore);
    const Attributes least = bounds(type, -kInf, -kInf, NanMode::kPropagate);
    const Attributes zeros = bounds(type, 0.0, -0.0, NanMode::kPropagate);  // as numbers they are in order
    Check({{K::kClamp, type, type, {-kInf}, "-inf", all},
           {K::kClamp, type, type, {kNan}, "NaN", all},
           {K::kClamp, type, type, {-0.0}, "-0", all},
           {K::kClamp, type, type, {kNan}, "-inf", ignoring},
           {K::kClamp, type, type, {2}, "2", ignoring},
           {K::kClamp, type, type, {-kInf}, "inf", greatest},
           {K::kClamp, type, type, {kNan}, "inf", greatest},
           {K::kClamp, type, type, {1}, "-inf", least},
           {K::kClamp, type, type, {1}, "undefined (bounds)", bounds(type, kNan, 1, NanMode::kPropagate)},
           {K::kClamp, type, type, {1}, "undefined (bounds)", bounds(type, 0, kNan, NanMode::kIgnore)}});
    for (double x : {-1.0, 1.0}) {
      const Expected zero = Eval(K::kClamp, type, type, {x}, zeros);
      EXPECT_TRUE(Matches(zero, type, BitsOf(type, 0.0)) && Matches(zero, type, BitsOf(type, -0.0)));
      EXPECT_FALSE(Matches(zero, type, BitsOf(type, x)));
    }
  }
}

// pow's domain ends at a zero base: above it any finite exponent is defined.
TEST(FloatOpsTest, PowAtTheEndsOfItsDomain) {
  for (E type : kFloats) {
    const double greatest = Format(type).normal_max, least = Format(type).normal_min;
    Check({{K::kPow, type, type, {0.0, least}, "0"},
           {K::kPow, type, type, {-0.0, 3}, "0"},
           {K::kPow, type, type, {-0.0, -0.0}, "undefined (domain)"},
           {K::kPow, type, type, {0.0, kInf}, "undefined (domain)"},
           {K::kPow, type, type, {kInf, 0.0}, "undefined (domain)"},
           {K::kPow, type, type, {kInf, -1}, "undefined (domain)"},
           {K::kPow, type, type, {1, kNan}, "undefined (domain)"},
           {K::kPow, type, type, {-least, 2}, "undefined (domain)"},
           {K::kPow, type, type, {-kInf, 2}, "undefined (domain)"},
           {K::kPow, type, type, {greatest, 0.0}, "1"},
           {K::kPow, type, type, {least, -0.0}, "1"}});
    EXPECT_TRUE(Matches(Eval(K::kPow, type, type, {-0.0, 3}), type, BitsOf(type, -0.0))) << "a zero of any sign";
    EXPECT_TRUE(Matches(Eval(K::kPow, type, type, {1, greatest}), type, BitsOf(type, 1)));
    EXPECT_TRUE(Matches(Eval(K::kPow, type, type, {greatest, 1}), type, BitsOf(type, greatest)));
  }
}

TEST(FloatOpsTest, ExactFloatOps) {
  Attributes ignore;
  ignore.nan_mode = NanMode::kIgnore;
  for (E type : kFloats) {
    Check({{K::kAbs, type, type, {-0.0}, "0"},
           {K::kAbs, type, type, {-kInf}, "inf"},
           {K::kAbs, type, type, {kNan}, "NaN"},
           {K::kAbs, type, type, {-1.5}, "1.5"},
           {K::kNegate, type, type, {0.0, 0, 0}, "-0"},
           {K::kNegate, type, type, {-0.0, 0, 0}, "0"},
           {K::kNegate, type, type, {kNan, 0, 0}, "NaN"},
           {K::kNegate, type, type, {kInf, 0, 0}, "-inf"},
           {K::kNegate, type, type, {1, 1, 0}, "undefined (zero-point)"},
           {K::kSelect, type, type, {1, kNan, 1}, "NaN"},
           {K::kSelect, type, type, {0, kNan, -0.0}, "-0"},
           {K::kMaximum, type, type, {1, kNan}, "NaN"},
           {K::kMaximum, type, type, {kNan, 1}, "NaN"},
           {K::kMaximum, type, type, {1, kNan}, "1", ignore},
           {K::kMinimum, type, type, {kNan, -2}, "-2", ignore},
           {K::kMinimum, type, type, {kNan, kNan}, "NaN", ignore},
           {K::kMaximum, type, type, {-kInf, -1}, "-1"},
           {K::kMinimum, type, type, {-kInf, -1}, "-inf"},
           {K::kEqual, type, E::kI1, {-0.0, 0.0}, "true"},
           {K::kEqual, type, E::kI1, {kNan, kNan}, "false"},
           {K::kGreater, type, E::kI1, {kNan, 1}, "false"},
           {K::kGreater, type, E::kI1, {0.0, -0.0}, "false"},
           {K::kGreater, type, E::kI1, {kInf, 1}, "true"},
           {K::kGreaterEqual, type, E::kI1, {1, kNan}, "false"},
           {K::kGreaterEqual, type, E::kI1, {-0.0, 0.0}, "true"}});
    for (double zero : {0.0, -0.0}) {
      EXPECT_TRUE(Matches(Eval(K::kMaximum, type, type, {0.0, -0.0}), type, BitsOf(type, zero)));
      EXPECT_TRUE(Matches(Eval(K::kMinimum, type, type, {-0.0, 0.0}), type, BitsOf(type, zero)));
    }
    const double subnormal = Format(type).normal_min / 2;
    EXPECT_TRUE(Matches(Eval(K::kNegate, type, type, {subnormal, 0, 0}), type, BitsOf(type, -0.0)));
    EXPECT_FALSE(Matches(Eval(K::kNegate, type, type, {subnormal, 0, 0}), type, 0));
    EXPECT_TRUE(Matches(Eval(K::kNegate, type, type, {subnormal, 0, 0}), type, BitsOf(type, -subnormal)));
  }
}

TEST(FloatOpsTest, NamedSpecialValuesOfFloats) {
  for (E type : kFloats) {
    for (K op : {K::kCeil, K::kFloor, K::kSin, K::kTanh}) {
      Check({{op, type, type, {-0.0}, "-0"}, {op, type, type, {0.0}, "0"}, {op, type, type, {kNan}, "NaN"}});
    }
    Check({{K::kCeil, type, type, {-kInf}, "-inf"},
           {K::kFloor, type, type, {kInf}, "inf"},
           {K::kCos, type, type, {kInf}, "NaN"},
           {K::kCos, type, type, {0.0}, "1"},
           {K::kCos, type, type, {-0.0}, "1"},
           {K::kSin, type, type, {-kInf}, "NaN"},
           {K::kTanh, type, type, {-kInf}, "-1"},
           {K::kTanh, type, type, {kInf}, "1"},
           {K::kExp, type, type, {-kInf}, "0"},
           {K::kExp, type, type, {kInf}, "inf"},
           {K::kExp, type, type, {-0.0}, "1"},
           {K::kLog, type, type, {-1}, "NaN"},
           {K::kLog, type, type, {-kInf}, "NaN"},
           {K::kLog, type, type, {-0.0}, "-inf"},
           {K::kLog, type, type, {0.0}, "-inf"},
           {K::kLog, type, type, {kInf}, "inf"},
           {K::kReciprocal, type, type, {0.0}, "inf"},
           {K::kReciprocal, type, type, {-0.0}, "-inf"},
           {K::kReciprocal, type, type, {kInf}, "0"},
           {K::kReciprocal, type, type, {-kInf}, "-0"},
           {K::kRsqrt, type, type, {-1}, "NaN"},
           {K::kRsqrt, type, type, {-kInf}, "NaN"},
           {K::kRsqrt, type, type, {-0.0}, "-inf"},
           {K::kRsqrt, type, type, {0.0}, "inf"},
           {K::kRsqrt, type, type, {kInf}, "0"},
           {K::kSigmoid, type, type, {-kInf}, "0"},
           {K::kSigmoid, type, type, {kInf}, "1"},
           {K::kSigmoid, type, type, {0.0}, "0.5"},
           {K::kSigmoid, type, type, {-0.0}, "0.5"},
           {K::kErf, type, type, {kNan}, "NaN"},
           {K::kPow, type, type, {-1, 2}, "undefined (domain)"},
           {K::kPow, type, type, {0.0, 0.0}, "undefined (domain)"},
           {K::kPow, type, type, {-0.0, -1}, "undefined (domain)"},
           {K::kPow, type, type, {kNan, 0}, "undefined (domain)"},
           {K::kPow, type, type, {2, kInf}, "undefined (domain)"},
           {K::kPow, type, type, {0.0, 2}, "0"},
           {K::kPow, type, type, {7, -0.0}, "1"},
           {K::kAdd, type, type, {kInf, -kInf}, "NaN"},
           {K::kAdd, type, type, {kInf, 1}, "inf"},
           {K::kAdd, type, type, {kNan, 1}, "NaN"},
           {K::kSub, type, type, {kInf, kInf}, "NaN"},
           {K::kSub, type, type, {1, kNan}, "NaN"},
           {K::kMul, type, type, {kInf, 0.0, 0}, "NaN"},
           {K::kMul, type, type, {-kInf, 2, 0}, "-inf"}});
  }
}

// The correctly rounded value passes; values off by more than the bound do not.
TEST(FloatOpsTest, OrdinaryValuesOfFloats) {
  struct ValueRow {
    K op;
    std::vector<double> operands;
    double value;
  };
  for (E type : kFloats) {
    const FloatFormat& format = Format(type);
    for (const ValueRow& row : std::vector<ValueRow>{{K::kAdd, {1.5, 2}, 3.5},
                                                     {K::kAdd, {format.normal_max, format.normal_max}, kInf},
                                                     {K::kAdd, {1.5, -1.5}, 0},
                                                     {K::kSub, {1.5, 2}, -0.5},
                                                     {K::kMul, {1.5, -3, 0}, -4.5},
                                                     {K::kMul, {format.normal_min, format.normal_min, 0}, 0},
                                                     {K::kMul, {format.normal_max, -2, 0}, -kInf},
                                                     {K::kCeil, {1.25}, 2},
                                                     {K::kCeil, {-0.5}, -0.0},
                                                     {K::kCeil, {format.normal_min / 2}, 1},
                                                     {K::kFloor, {-1.25}, -2},
                                                     {K::kFloor, {0.5}, 0},
                                                     {K::kFloor, {-format.normal_min / 2}, -1},
                                                     {K::kFloor, {format.normal_max}, format.normal_max},
                                                     {K::kCos, {1}, std::cos(1.0)},
                                                     {K::kSin, {1}, std::sin(1.0)},
                                                     {K::kErf, {0.5}, std::erf(0.5)},
                                                     {K::kErf, {-kInf}, -1},
                                                     {K::kExp, {1}, std::exp(1.0)},
                                                     {K::kLog, {4}, std::log(4.0)},
                                                     {K::kReciprocal, {-4}, -0.25},
                                                     {K::kRsqrt, {4}, 0.5},
                                                     {K::kSigmoid, {1}, 1 / (1 + std::exp(-1.0))},
                                                     {K::kTanh, {0.5}, std::tanh(0.5)},
                                                     {K::kPow, {2, 1}, 2}}) {
      const Expected expected = Eval(row.op, type, type, row.operands);
      ASSERT_EQ(expected.kind, Expected::Kind::kRange) << Name(row.op);
      EXPECT_TRUE(Matches(expected, type, BitsOf(type, row.value))) << Name(row.op) << Name(type) << row.value;
      EXPECT_FALSE(Matches(expected, type, BitsOf(type, kNan))) << Name(row.op);
      for (double wrong : {row.value + 1, row.value - 1, -row.value}) {
        // The sign of a zero is free within an accuracy rule.
        if (BitsOf(type, wrong) == BitsOf(type, row.value) || wrong == row.value) continue;
        EXPECT_FALSE(Matches(expected, type, BitsOf(type, wrong))) << Name(row.op) << Name(type) << wrong;
      }
    }
  }
}

// "Let out_ref be the result calculated using fp64_t arithmetic", and the check's own sums are of fp64_t, too. So a
// result at the bound around 1 is right where 1 is what the true value rounds to.
TEST(FloatTest, TheReferenceIsADouble) {
  const struct {
    K op;
    std::vector<double> operands;
    std::vector<uint64_t> allowed, refused;
  } kRows[] = {
      {K::kExp, {1e-20}, {0x3f7ffffa, 0x3f800003}, {0x3f7ffff9, 0x3f800004}},
      {K::kExp, {-1e-20}, {0x3f7ffffa, 0x3f800003}, {0x3f7ffff9, 0x3f800004}},
      {K::kExp, {0x1p-54}, {0x3f7ffffa}, {0x3f7ffff9}},
      {K::kExp, {0x1p-53}, {0x3f7ffffb, 0x3f800003}, {0x3f7ffffa}},  // above the tie by 2^-107: 1 + 2^-52
      {K::kAdd, {1, 0x1p-60}, {0x3f7fffff, 0x3f800000}, {0x3f7ffffe, 0x3f800001}},
      {K::kAdd, {1, 0x1p-53}, {0x3f7fffff}, {0x3f7ffffe}},  // a tie of doubles
      {K::kAdd, {1, 0x1p-52}, {0x3f800000}, {0x3f7fffff}},
      {K::kSub, {-1, 0x1p-60}, {0xbf7fffff, 0xbf800000}, {0xbf7ffffe, 0xbf800001}},
      {K::kErf, {6}, {0x3f800005, 0x3f7ffff6}, {0x3f800006, 0x3f7ffff5}},
      {K::kTanh, {20}, {0x3f8000ac, 0x3f7ffea8}, {0x3f8000ad, 0x3f7ffea7}},
      {K::kTanh, {-20}, {0xbf8000ac, 0xbf7ffea8}, {0xbf8000ad, 0xbf7ffea7}},
      {K::kSigmoid, {40}, {0x3f800052, 0x3f7fff5c}, {0x3f800053, 0x3f7fff5b}},
      {K::kPow, {2, 1e-20}, {0x3f7ffffa, 0x3f800003}, {0x3f7ffff9, 0x3f800004}},
  };
  for (const auto& row : kRows) {
    const Expected expected = Eval(row.op, E::kF32, E::kF32, row.operands);
    for (uint64_t bits : row.allowed) EXPECT_TRUE(Matches(expected, E::kF32, bits)) << Name(row.op) << " " << bits;
    for (uint64_t bits : row.refused) EXPECT_FALSE(Matches(expected, E::kF32, bits)) << Name(row.op) << " " << bits;
  }
}

}  // namespace
}  // namespace tosaic
