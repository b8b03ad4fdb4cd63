// Boundary vectors: every scalar function, each class of element type.
#include "oracle/scalar_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

using E = ElementType;
using K = OpKind;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMin32 = -2147483648.0, kMax32 = 2147483647.0;
constexpr E kFloats[] = {E::kF16, E::kBF16, E::kF32};

uint64_t BitsOf(E type, double value) {
  if (IsFloat(type)) return NearestBits(type, value);
  return static_cast<uint64_t>(static_cast<int64_t>(value)) & BitMask(type);
}

Expected Eval(K op, E input, E result, const std::vector<double>& operands, const Attributes& attributes = {},
              const Policies& policies = {}, Mode mode = Mode::kDecide) {
  ScalarInput in = {.op = Info(op),
                    .input_type = input,
                    .result_type = result,
                    .attributes = attributes,
                    .policies = policies,
                    .mode = mode};
  for (size_t i = 0; i < std::min(operands.size(), in.op.operands.size()); ++i)
    in.bits[i] = BitsOf(in.OperandType(i), operands[i]);
  return EvaluateScalar(in);
}

struct Row {
  K op;
  E input, result;
  std::vector<double> operands;
  std::string expected;  // DescribeExpected
  Attributes attributes = {};
};

void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::string name = absl::StrCat(Name(row.op), " ", Name(row.input), " -> ", Name(row.result), ":");
    for (double x : row.operands) absl::StrAppend(&name, " ", x);
    EXPECT_EQ(DescribeExpected(row.result, Eval(row.op, row.input, row.result, row.operands, row.attributes)),
              row.expected)
        << name;
  }
}

TEST(ScalarOpsTest, IntegerArithmetic) {
  Check({{K::kAdd, E::kI32, E::kI32, {kMax32, 0}, "2147483647"},
         {K::kAdd, E::kI32, E::kI32, {kMax32, 1}, "undefined (overflow)"},
         {K::kAdd, E::kI32, E::kI32, {kMin32, -1}, "undefined (overflow)"},
         {K::kAdd, E::kI32, E::kI32, {kMin32, kMax32}, "-1"},
         {K::kSub, E::kI32, E::kI32, {kMin32, 1}, "undefined (overflow)"},
         {K::kSub, E::kI32, E::kI32, {0, kMin32}, "undefined (overflow)"},
         {K::kSub, E::kI32, E::kI32, {-1, kMin32}, "2147483647"},
         {K::kAbs, E::kI32, E::kI32, {kMin32}, "undefined (overflow)"},
         {K::kAbs, E::kI32, E::kI32, {kMin32 + 1}, "2147483647"},
         {K::kAbs, E::kI32, E::kI32, {0}, "0"},
         {K::kIntdiv, E::kI32, E::kI32, {1, 0}, "undefined (division-by-zero)"},
         {K::kIntdiv, E::kI32, E::kI32, {kMin32, -1}, "undefined (overflow)"},
         {K::kIntdiv, E::kI32, E::kI32, {kMin32, 1}, "-2147483648"},
         {K::kIntdiv, E::kI32, E::kI32, {-7, 2}, "-3"},
         {K::kIntdiv, E::kI32, E::kI32, {7, -2}, "-3"},
         {K::kClz, E::kI32, E::kI32, {0}, "32"},
         {K::kClz, E::kI32, E::kI32, {1}, "31"},
         {K::kClz, E::kI32, E::kI32, {-1}, "0"},
         {K::kMaximum, E::kI32, E::kI32, {kMin32, kMax32}, "2147483647"},
         {K::kMinimum, E::kI32, E::kI32, {kMin32, kMax32}, "-2147483648"},
         {K::kMaximum, E::kI32, E::kI32, {-1, -1}, "-1"},
         {K::kEqual, E::kI32, E::kI1, {kMin32, kMin32}, "true"},
         {K::kGreater, E::kI32, E::kI1, {-1, 1}, "false"},
         {K::kGreater, E::kI32, E::kI1, {kMax32, kMin32}, "true"},
         {K::kGreaterEqual, E::kI32, E::kI1, {-1, -1}, "true"},
         {K::kSelect, E::kI8, E::kI8, {1, -128, 127}, "-128"},
         {K::kSelect, E::kI1, E::kI1, {0, 1, 0}, "false"},
         {K::kSelect, E::kI32, E::kI32, {0, 5, kMin32}, "-2147483648"}});
}

TEST(ScalarOpsTest, IntegerMulAndItsShift) {
  const std::string shift = "undefined (shift)", overflow = "undefined (overflow)";
  Check({{K::kMul, E::kI8, E::kI32, {-128, -128, 0}, "16384"},
         {K::kMul, E::kI8, E::kI32, {1, 1, 1}, shift},
         {K::kMul, E::kI16, E::kI32, {-32768, -32768, 0}, "1073741824"},
         {K::kMul, E::kI16, E::kI32, {1, 1, 63}, shift},
         {K::kMul, E::kI32, E::kI32, {65536, 65536, 0}, "0"},  // the low 32 bits
         {K::kMul, E::kI32, E::kI32, {kMax32, 2, 0}, "-2"},
         {K::kMul, E::kI32, E::kI32, {kMin32, kMin32, 0}, "0"},
         {K::kMul, E::kI32, E::kI32, {3, 1, 1}, "2"},    // 1.5 up
         {K::kMul, E::kI32, E::kI32, {-3, 1, 1}, "-1"},  // -1.5 up
         {K::kMul, E::kI32, E::kI32, {5, 1, 2}, "1"},
         {K::kMul, E::kI32, E::kI32, {kMax32, kMax32, 31}, "2147483646"},
         {K::kMul, E::kI32, E::kI32, {kMin32, kMin32, 31}, overflow},  // 2^31
         {K::kMul, E::kI32, E::kI32, {kMin32, kMin32, 32}, "1073741824"},
         {K::kMul, E::kI32, E::kI32, {kMax32, kMax32, 1}, overflow},
         {K::kMul, E::kI32, E::kI32, {kMin32, kMax32, 31}, "-2147483647"},
         {K::kMul, E::kI32, E::kI32, {kMin32, kMin32, 62}, "1"},
         {K::kMul, E::kI32, E::kI32, {kMin32, kMax32, 63}, "0"},
         {K::kMul, E::kI32, E::kI32, {kMin32, kMin32, 63}, overflow},  // 2^62 + 2^62 on 64 bits
         {K::kMul, E::kI32, E::kI32, {1, 1, 64}, shift},
         {K::kMul, E::kI32, E::kI32, {1, 1, -1}, shift},
         {K::kMul, E::kF32, E::kF32, {1, 1, 1}, shift}});
}

TEST(ScalarOpsTest, IntegerNegateWithZeroPoints) {
  Check({{K::kNegate, E::kI8, E::kI8, {-128, 0, 0}, "127"},
         {K::kNegate, E::kI8, E::kI8, {127, -128, 0}, "-128"},  // -255
         {K::kNegate, E::kI8, E::kI8, {-128, 127, 127}, "127"},
         {K::kNegate, E::kI8, E::kI8, {5, 2, 10}, "7"},
         {K::kNegate, E::kI8, E::kI8, {5, -2, -10}, "-17"},
         {K::kNegate, E::kI16, E::kI16, {-32768, 0, 0}, "32767"},
         {K::kNegate, E::kI16, E::kI16, {32767, 0, 0}, "-32767"},
         {K::kNegate, E::kI16, E::kI16, {0, 1, 0}, "undefined (zero-point)"},
         {K::kNegate, E::kI32, E::kI32, {kMin32, 0, 0}, "undefined (overflow)"},
         {K::kNegate, E::kI32, E::kI32, {kMax32, 0, 0}, "-2147483647"}});
}

TEST(ScalarOpsTest, BitwiseAndLogical) {
  for (E type : {E::kI8, E::kI16, E::kI32}) {
    Check({{K::kBitwiseAnd, type, type, {-1, 0x5a}, "90"},
           {K::kBitwiseOr, type, type, {-2, 1}, "-1"},
           {K::kBitwiseXor, type, type, {-1, -1}, "0"},
           {K::kBitwiseNot, type, type, {0}, "-1"},
           {K::kBitwiseNot, type, type, {-128}, "127"}});
  }
  for (int a : {0, 1}) {
    for (int b : {0, 1}) {
      auto text = [](bool value) { return value ? "true" : "false"; };
      const std::vector<double> operands = {static_cast<double>(a), static_cast<double>(b)};
      Check({{K::kLogicalAnd, E::kI1, E::kI1, operands, text(a && b)},
             {K::kLogicalOr, E::kI1, E::kI1, operands, text(a || b)},
             {K::kLogicalXor, E::kI1, E::kI1, operands, text(a != b)},
             {K::kLogicalNot, E::kI1, E::kI1, {operands[0]}, text(!a)}});
    }
  }
}

TEST(ScalarOpsTest, ShiftsOfEveryWidth) {
  for (E type : {E::kI8, E::kI16, E::kI32}) {
    const int width = BitWidth(type);
    const double smallest = -std::ldexp(1, width - 1), greatest = -smallest - 1, last = width - 1;
    const std::string smallest_text = absl::StrCat(static_cast<int64_t>(smallest));
    const std::string greatest_text = absl::StrCat(static_cast<int64_t>(greatest));
    Attributes round;
    round.round = true;
    for (K op : {K::kArithmeticRightShift, K::kLogicalLeftShift, K::kLogicalRightShift}) {
      Check({{op, type, type, {smallest, 0}, smallest_text},
             {op, type, type, {1, last + 1}, "undefined (shift-amount)"},
             {op, type, type, {1, -1}, "undefined (shift-amount)"}});
    }
    Check({{K::kArithmeticRightShift, type, type, {smallest, last}, "-1"},
           {K::kArithmeticRightShift, type, type, {greatest, last}, "0"},
           {K::kArithmeticRightShift, type, type, {greatest, last}, "1", round},
           {K::kArithmeticRightShift, type, type, {smallest, last}, "-1", round},
           {K::kArithmeticRightShift, type, type, {-1, 1}, "-1"},
           {K::kArithmeticRightShift, type, type, {-1, 1}, "0", round},
           {K::kArithmeticRightShift, type, type, {-3, 1}, "-1", round},
           {K::kArithmeticRightShift, type, type, {5, 1}, "3", round},
           {K::kArithmeticRightShift, type, type, {5, 0}, "5", round},
           {K::kLogicalLeftShift, type, type, {1, last}, smallest_text},
           {K::kLogicalLeftShift, type, type, {2, last}, "0"},
           {K::kLogicalLeftShift, type, type, {-1, 1}, "-2"},
           {K::kLogicalRightShift, type, type, {-1, last}, "1"},
           {K::kLogicalRightShift, type, type, {-1, 1}, greatest_text}});
  }
}

TEST(ScalarOpsTest, Clamp) {
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

TEST(ScalarOpsTest, ExactFloatOps) {
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

TEST(ScalarOpsTest, NamedSpecialValuesOfFloats) {
  for (E type : kFloats) {
    for (K op : {K::kCeil, K::kFloor, K::kSin, K::kTanh}) {
      Check({{op, type, type, {-0.0}, "-0"}, {op, type, type, {0.0}, "0"}, {op, type, type, {kNan}, "NaN"}});
    }
    Check({{K::kCeil, type, type, {-kInf}, "-inf"},
           {K::kFloor, type, type, {kInf}, "inf"},
           {K::kCos, type, type, {kInf}, "NaN"},
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

// The correctly rounded value passes; values off by more than the bound do not; on both paths.
TEST(ScalarOpsTest, OrdinaryValuesOfFloats) {
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

TEST(ScalarOpsTest, CastsBetweenIntegersAndTruthValues) {
  Check({{K::kCast, E::kI32, E::kI1, {256}, "true"},
         {K::kCast, E::kI8, E::kI1, {0}, "false"},
         {K::kCast, E::kI1, E::kI8, {1}, "1"},
         {K::kCast, E::kI1, E::kI32, {0}, "0"},
         {K::kCast, E::kI8, E::kI32, {-128}, "-128"},
         {K::kCast, E::kI32, E::kI8, {128}, "-128"},
         {K::kCast, E::kI32, E::kI16, {65537}, "1"},
         {K::kCast, E::kI16, E::kI8, {-129}, "127"}});
}

TEST(ScalarOpsTest, CastsToIntegersRoundHalfToEvenAndSaturate) {
  for (E type : kFloats) {
    Check({{K::kCast, type, E::kI8, {0.5}, "0"},
           {K::kCast, type, E::kI8, {1.5}, "2"},
           {K::kCast, type, E::kI8, {2.5}, "2"},
           {K::kCast, type, E::kI8, {-2.5}, "-2"},
           {K::kCast, type, E::kI8, {-3.5}, "-4"},
           {K::kCast, type, E::kI8, {-0.0}, "0"},
           {K::kCast, type, E::kI8, {128}, "127"},
           {K::kCast, type, E::kI8, {-129}, "-128"},
           {K::kCast, type, E::kI16, {40000}, "32767"},
           {K::kCast, type, E::kI32, {kInf}, "2147483647"},
           {K::kCast, type, E::kI32, {-kInf}, "-2147483648"},
           {K::kCast, type, E::kI16, {kNan}, "undefined (nan-to-integer)"}});
  }
  Check({{K::kCast, E::kF32, E::kI8, {127.5}, "127"},
         {K::kCast, E::kF32, E::kI8, {126.5}, "126"},
         {K::kCast, E::kF32, E::kI32, {2147483648.0}, "2147483647"},
         {K::kCast, E::kF32, E::kI32, {2147483520.0}, "2147483520"}});
}

TEST(ScalarOpsTest, CastsToFloats) {
  const Expected large = Eval(K::kCast, E::kI32, E::kF32, {kMax32});
  EXPECT_TRUE(Matches(large, E::kF32, BitsOf(E::kF32, 2147483648.0)));
  EXPECT_FALSE(Matches(large, E::kF32, BitsOf(E::kF32, 2147483520.0)));
  EXPECT_TRUE(Matches(Eval(K::kCast, E::kI32, E::kF16, {kMin32}), E::kF16, 0xfc00));
  const Expected tie = Eval(K::kCast, E::kI32, E::kF32, {16777217});
  for (double either : {16777216.0, 16777218.0}) EXPECT_TRUE(Matches(tie, E::kF32, BitsOf(E::kF32, either)));
  EXPECT_FALSE(Matches(tie, E::kF32, BitsOf(E::kF32, 16777220.0)));
  EXPECT_TRUE(Matches(Eval(K::kCast, E::kI8, E::kF16, {0}), E::kF16, 0));
  EXPECT_EQ(std::string(large.detail), "integer-to-float");
  Check({{K::kCast, E::kF32, E::kF16, {-0.0}, "-0"},
         {K::kCast, E::kF16, E::kF32, {65504}, "65504"},
         {K::kCast, E::kF32, E::kF16, {65520}, "[65504, inf]"},
         {K::kCast, E::kF32, E::kF8E4M3FN, {1000}, "inf or NaN"},
         {K::kCast, E::kF32, E::kF8E5M2, {-1e6}, "-inf"},
         {K::kCast, E::kF8E4M3FN, E::kF32, {kNan}, "NaN"}});
}

TEST(ScalarOpsTest, EveryF16IsWidenedNegatedAndRoundedExactly) {
  for (uint64_t bits = 0; bits <= 0xffff; ++bits) {
    const double x = ElementToDouble(E::kF16, bits);
    auto check = [&](K op, E result, double value) {
      const Expected expected = Eval(op, E::kF16, result, {x, 0, 0});
      ASSERT_TRUE(Matches(expected, result, BitsOf(result, value))) << Name(op) << " of " << x;
      if (std::isnan(value)) return;
      // Two patterns off is more than half a unit in the last place.
      const uint64_t sign = uint64_t{1} << (BitWidth(result) - 1);
      for (uint64_t off : {uint64_t{2}, ~uint64_t{1}}) {
        const uint64_t wrong = BitsOf(result, value) + off;
        if ((BitsOf(result, value) & ~sign) <= 2) continue;
        ASSERT_FALSE(Matches(expected, result, wrong)) << Name(op) << " of " << x;
      }
    };
    check(K::kCast, E::kF32, x);
    check(K::kNegate, E::kF16, -x);
    check(K::kAbs, E::kF16, std::fabs(x));
    check(K::kCeil, E::kF16, std::ceil(x));
    check(K::kFloor, E::kF16, std::floor(x));
  }
}

TEST(ScalarOpsTest, EveryTupleOfTheCatalogueHasAValueForOnes) {
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.spec_types) {
      Attributes attributes;
      attributes.min_val = TypedBits{tuple.input, BitsOf(tuple.input, 0)};
      attributes.max_val = TypedBits{tuple.input, BitsOf(tuple.input, 2)};
      std::vector<double> operands;
      for (OperandRole role : op.operands) {
        operands.push_back(role == OperandRole::kInput || role == OperandRole::kCondition ? 1 : 0);
      }
      const Expected expected = Eval(op.kind, tuple.input, tuple.result, operands, attributes);
      EXPECT_TRUE(expected.kind == Expected::Kind::kBits || expected.kind == Expected::Kind::kRange)
          << op.name << " " << Name(tuple.input) << " -> " << Name(tuple.result);
    }
  }
}

TEST(ScalarOpsTest, BeyondTheSpecificationEverythingIsUndefined) {
  for (const OpInfo& op : AllOps()) {
    EXPECT_EQ(RuleLabel(op, Eval(op.kind, E::kF64, E::kF64, {1, 1})), "beyond-spec") << op.name;
    EXPECT_EQ(RuleLabel(op, Eval(op.kind, E::kI64, E::kI64, {1, 1})), "beyond-spec") << op.name;
  }
}

// Whatever matches an estimate must match the decision, and what is undefined must be so in both.
TEST(ScalarOpsTest, EstimatesNeverContradictDecisions) {
  uint64_t state = 7;
  auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (const OpInfo& op : AllOps()) {
    if (op.accuracy.kind == Accuracy::Kind::kExact) continue;
    for (const TypeTuple& tuple : op.spec_types) {
      if (!IsFloat(tuple.result)) continue;
      for (int i = 0; i < 300; ++i) {
        ScalarInput in = {
            .op = op, .input_type = tuple.input, .result_type = tuple.result, .attributes = {}, .policies = {}};
        for (size_t k = 0; k < 2; ++k) {
          const double small = static_cast<double>(random() >> 40) / (1 << 20) - 4;
          in.bits[k] = i % 2 == 0 ? (random() >> 20) & BitMask(tuple.input) : BitsOf(tuple.input, small);
        }
        const Expected decision = EvaluateScalar(in);
        in.mode = Mode::kEstimate;
        const Expected estimate = EvaluateScalar(in);
        const bool range = estimate.kind == Expected::Kind::kRange;
        EXPECT_TRUE(range || estimate.kind == decision.kind) << op.name;
        std::set<uint64_t> tests = {0, BitsOf(tuple.result, -0.0), BitsOf(tuple.result, kInf),
                                    BitsOf(tuple.result, kNan)};
        const uint64_t nearest = BitsOf(tuple.result, decision.reference);
        for (int64_t off = -12; off <= 12; ++off) tests.insert((nearest + off) & BitMask(tuple.result));
        for (double end : {decision.lo, decision.hi}) {
          for (int64_t off : {-1, 0, 1}) tests.insert((BitsOf(tuple.result, end) + off) & BitMask(tuple.result));
        }
        for (uint64_t test : tests) {
          ASSERT_LE(Matches(estimate, tuple.result, test), Matches(decision, tuple.result, test))
              << op.name << " " << Name(tuple.input) << " " << in.bits[0] << " " << in.bits[1] << " bits " << test;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tosaic
