// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boundary vectors of the extension rules (docs/policies.md, "Beyond the specification"): per family of ops, the ends
// of each element type that the specification lacks.
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/tensor.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

constexpr char kOverflow[] = "undefined (overflow)";
constexpr E kUnsigned[] = {E::kUi8, E::kUi16, E::kUi32};
constexpr E kSignless[] = {E::kI4, E::kI8, E::kI16, E::kI32, E::kI48, E::kI64};  // abs, min, max: beyond but for i32

// The allowed values, in words, for operands given as bit patterns: doubles do not hold every i64.
std::string OfBits(K op, E input, E result, const std::vector<uint64_t>& bits, const Attributes& attributes = {}) {
  const Policies policies;
  ScalarInput in = {
      .op = Info(op), .input_type = input, .result_type = result, .attributes = attributes, .policies = policies};
  for (size_t i = 0; i < bits.size(); ++i) in.bits[i] = bits[i];
  return DescribeExpected(result, EvaluateScalar(in));
}
std::string OfBits(K op, E type, const std::vector<uint64_t>& bits, const Attributes& attributes = {}) {
  return OfBits(op, type, type, bits, attributes);
}

uint64_t LeastBits(E type) { return static_cast<uint64_t>(LeastInteger(type)) & BitMask(type); }
uint64_t GreatestBits(E type) { return static_cast<uint64_t>(GreatestInteger(type)); }
std::string Least(E type) { return ElementToString(type, LeastBits(type)); }
std::string Greatest(E type) { return ElementToString(type, GreatestBits(type)); }

Attributes Bounds(E type, uint64_t min, uint64_t max) {
  return {.min_val = TypedBits{type, min}, .max_val = TypedBits{type, max}};
}

TEST(ExtensionTest, IntegersEndWhereTheirTypeEnds) {
  EXPECT_EQ(Least(E::kI4) + " " + Greatest(E::kI4), "-8 7");
  EXPECT_EQ(Least(E::kUi8) + " " + Greatest(E::kUi8), "0 255");
  EXPECT_EQ(Least(E::kI48) + " " + Greatest(E::kI48), "-140737488355328 140737488355327");
  EXPECT_EQ(Least(E::kI64) + " " + Greatest(E::kI64), "-9223372036854775808 9223372036854775807");
  EXPECT_EQ(Least(E::kI1) + " " + Greatest(E::kI1), "false true");
}

TEST(ExtensionTest, SumsAndDifferencesHaveToFit) {
  for (const E type : {E::kI1, E::kI4, E::kI8, E::kI16, E::kI48, E::kI64, E::kUi8, E::kUi16, E::kUi32}) {
    const uint64_t least = LeastBits(type), greatest = GreatestBits(type), mask = BitMask(type);
    EXPECT_EQ(OfBits(K::kAdd, type, {greatest, 0}), Greatest(type)) << Name(type);
    EXPECT_EQ(OfBits(K::kAdd, type, {greatest, 1}), kOverflow) << Name(type);
    EXPECT_EQ(OfBits(K::kAdd, type, {(greatest - 1) & mask, 1}), Greatest(type)) << Name(type);
    EXPECT_EQ(OfBits(K::kSub, type, {least, 0}), Least(type)) << Name(type);
    EXPECT_EQ(OfBits(K::kSub, type, {least, 1}), kOverflow) << Name(type);
    EXPECT_EQ(OfBits(K::kSub, type, {(least + 1) & mask, 1}), Least(type)) << Name(type);
  }
  // In 32 bits it would be -1.
  EXPECT_EQ(OfBits(K::kAdd, E::kI64, {0xffffffff, 0}), "4294967295");
}

TEST(ExtensionTest, MulKeepsTheLowBitsOfTheResultsType) {
  EXPECT_EQ(OfBits(K::kMul, E::kUi8, {0xff, 0xff, 0}), "1");
  EXPECT_EQ(OfBits(K::kMul, E::kUi8, E::kI32, {0xff, 0xff, 0}), "65025");
  EXPECT_EQ(OfBits(K::kMul, E::kI8, E::kI16, {0x80, 0x80, 0}), "16384");
  EXPECT_EQ(OfBits(K::kMul, E::kI8, {0x80, 0x80, 0}), "0");
  EXPECT_EQ(OfBits(K::kMul, E::kI4, {0x8, 0x8, 0}), "0");
  EXPECT_EQ(OfBits(K::kMul, E::kI1, {1, 1, 0}), "true");
  EXPECT_EQ(OfBits(K::kMul, E::kI32, E::kI64, {0x80000000, 0x80000000, 0}), "4611686018427387904");
  EXPECT_EQ(OfBits(K::kMul, E::kI48, {uint64_t{1} << 24, uint64_t{1} << 23, 0}), Least(E::kI48));
  EXPECT_EQ(OfBits(K::kMul, E::kI64, {uint64_t{1} << 63, uint64_t{1} << 63, 0}), "0");
  EXPECT_EQ(OfBits(K::kMul, E::kI64, {~uint64_t{0}, 3, 0}), "-3");
  EXPECT_EQ(OfBits(K::kMul, E::kI64, {1, 1, 1}), "undefined (shift)");
  EXPECT_EQ(OfBits(K::kMul, E::kUi8, {1, 1, 1}), "undefined (shift)");
  // A shift is i32's, and i32 the range: of a wider result it is open.
  EXPECT_EQ(OfBits(K::kMul, E::kI32, E::kI64, {0x7fffffff, 2, 1}), "2147483647");
  EXPECT_EQ(OfBits(K::kMul, E::kI32, E::kI64, {0x7fffffff, 4, 1}), kOverflow);
}

TEST(ExtensionTest, AbsAndNegateOfTheEnds) {
  for (const E type : kSignless) {
    EXPECT_EQ(OfBits(K::kAbs, type, {LeastBits(type)}), kOverflow) << Name(type);
    EXPECT_EQ(OfBits(K::kAbs, type, {LeastBits(type) + 1}), Greatest(type)) << Name(type);
    const bool saturates = BitWidth(type) < 32;
    EXPECT_EQ(OfBits(K::kNegate, type, {LeastBits(type), 0, 0}), saturates ? Greatest(type) : kOverflow) << Name(type);
    EXPECT_EQ(OfBits(K::kNegate, type, {GreatestBits(type), 0, 0}),
              ElementToString(type, (LeastBits(type) + 1) & BitMask(type)));
  }
  for (const E type : kUnsigned) {
    EXPECT_EQ(OfBits(K::kAbs, type, {GreatestBits(type)}), Greatest(type)) << Name(type);
    EXPECT_EQ(OfBits(K::kNegate, type, {0, 0, 0}), "0") << Name(type);
    EXPECT_EQ(OfBits(K::kNegate, type, {1, 0, 0}), kOverflow) << Name(type);
  }
  EXPECT_EQ(OfBits(K::kAbs, E::kI1, {1}), "true");
  EXPECT_EQ(OfBits(K::kNegate, E::kI1, {1, 0, 0}), kOverflow);
  EXPECT_EQ(OfBits(K::kNegate, E::kI1, {0, 0, 0}), "false");
}

// The greatest pattern is the greatest number where there is no sign, and the last below 0 where there is one.
TEST(ExtensionTest, OrderIsThatOfTheValues) {
  for (const E type : {E::kI1, E::kUi8, E::kUi16, E::kUi32}) {
    const uint64_t top = BitMask(type);
    EXPECT_EQ(OfBits(K::kMaximum, type, {top, 0}), Greatest(type)) << Name(type);
    EXPECT_EQ(OfBits(K::kMinimum, type, {top, 0}), Least(type)) << Name(type);
    EXPECT_EQ(OfBits(K::kGreater, type, E::kI1, {top, 0}), "true") << Name(type);
    EXPECT_EQ(OfBits(K::kGreaterEqual, type, E::kI1, {0, top}), "false") << Name(type);
    EXPECT_EQ(OfBits(K::kEqual, type, E::kI1, {top, top}), "true") << Name(type);
  }
  for (const E type : {E::kI4, E::kI8, E::kI16, E::kI48, E::kI64}) {
    const uint64_t top = BitMask(type);
    EXPECT_EQ(OfBits(K::kMaximum, type, {top, 0}), "0") << Name(type);
    EXPECT_EQ(OfBits(K::kMinimum, type, {top, 0}), "-1") << Name(type);
    EXPECT_EQ(OfBits(K::kGreater, type, E::kI1, {top, 0}), "false") << Name(type);
  }
  // Doubles do not tell them apart.
  const uint64_t top = GreatestBits(E::kI64);
  EXPECT_EQ(OfBits(K::kEqual, E::kI64, E::kI1, {top, top - 1}), "false");
  EXPECT_EQ(OfBits(K::kGreater, E::kI64, E::kI1, {top, top - 1}), "true");
  EXPECT_EQ(OfBits(K::kMaximum, E::kI64, {top - 1, top}), Greatest(E::kI64));
  EXPECT_EQ(OfBits(K::kMinimum, E::kI64, {top, top - 1}), "9223372036854775806");
}

TEST(ExtensionTest, ClampReadsItsBoundsAsTheType) {
  EXPECT_EQ(OfBits(K::kClamp, E::kUi8, {250}, Bounds(E::kUi8, 0, 200)), "200");
  EXPECT_EQ(OfBits(K::kClamp, E::kUi8, {5}, Bounds(E::kUi8, 128, 255)), "128");
  EXPECT_EQ(OfBits(K::kClamp, E::kUi8, {5}, Bounds(E::kUi8, 200, 100)), "undefined (bounds)");
  EXPECT_EQ(OfBits(K::kClamp, E::kI4, {0x8}, Bounds(E::kI4, 0xc, 0x3)), "-4");
  EXPECT_EQ(OfBits(K::kClamp, E::kI1, {1}, Bounds(E::kI1, 0, 0)), "false");
  EXPECT_EQ(OfBits(K::kClamp, E::kI1, {1}, Bounds(E::kI1, 0, 1)), "true");
  const uint64_t top = GreatestBits(E::kI64);
  EXPECT_EQ(OfBits(K::kClamp, E::kI64, {top}, Bounds(E::kI64, 0, top - 1)), "9223372036854775806");
}

TEST(ExtensionTest, BitsAndShiftsAreOfTheWidth) {
  EXPECT_EQ(OfBits(K::kBitwiseNot, E::kUi8, {0}), "255");
  EXPECT_EQ(OfBits(K::kBitwiseNot, E::kI1, {0}), "true");
  EXPECT_EQ(OfBits(K::kBitwiseNot, E::kI4, {0x7}), "-8");
  EXPECT_EQ(OfBits(K::kBitwiseXor, E::kI48, {BitMask(E::kI48), 1}), "-2");
  EXPECT_EQ(OfBits(K::kClz, E::kI4, {0}), "4");
  EXPECT_EQ(OfBits(K::kClz, E::kUi8, {1}), "7");
  EXPECT_EQ(OfBits(K::kClz, E::kI48, {1}), "47");
  EXPECT_EQ(OfBits(K::kClz, E::kI64, {0}), "64");
  EXPECT_EQ(OfBits(K::kClz, E::kI1, {0}), "true");
  EXPECT_EQ(OfBits(K::kClz, E::kI1, {1}), "false");
  for (const E type : {E::kI1, E::kI4, E::kI48, E::kI64, E::kUi8, E::kUi32}) {
    const auto width = static_cast<uint64_t>(BitWidth(type));
    const uint64_t top = uint64_t{1} << (width - 1);
    EXPECT_EQ(OfBits(K::kLogicalRightShift, type, {top, width - 1}), type == E::kI1 ? "true" : "1") << Name(type);
    EXPECT_EQ(OfBits(K::kLogicalLeftShift, type, {3, width - 1}), ElementToString(type, top)) << Name(type);
    if (width <= BitMask(type)) {
      EXPECT_EQ(OfBits(K::kLogicalLeftShift, type, {1, width}), "undefined (shift-amount)") << Name(type);
      EXPECT_EQ(OfBits(K::kLogicalRightShift, type, {1, width}), "undefined (shift-amount)") << Name(type);
    }
  }
  const Attributes round = {.round = true}, truncate = {.round = false};
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kUi8, {0xff, 7}, truncate), "1");
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kUi8, {0xff, 7}, round), "2");
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kI4, {0x8, 3}, truncate), "-1");
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kI64, {uint64_t{1} << 63, 63}, truncate), "-1");
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kI64, {GreatestBits(E::kI64), 62}, round), "2");
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kI1, {1, 0}, round), "true");
  EXPECT_EQ(OfBits(K::kArithmeticRightShift, E::kI1, {1, 1}, truncate), "undefined (shift-amount)");
}

TEST(ExtensionTest, IntdivOfI64) {
  const uint64_t least = LeastBits(E::kI64), minus_one = ~uint64_t{0};
  EXPECT_EQ(OfBits(K::kIntdiv, E::kI64, {least, minus_one}), kOverflow);
  EXPECT_EQ(OfBits(K::kIntdiv, E::kI64, {least + 1, minus_one}), Greatest(E::kI64));
  EXPECT_EQ(OfBits(K::kIntdiv, E::kI64, {static_cast<uint64_t>(-7), 2}), "-3");
  EXPECT_EQ(OfBits(K::kIntdiv, E::kI64, {1, 0}), "undefined (division-by-zero)");
}

TEST(ExtensionTest, CastsBetweenIntegersKeepTheValueModuloTheWidth) {
  EXPECT_EQ(OfBits(K::kCast, E::kUi8, E::kI32, {0xff}), "255");
  EXPECT_EQ(OfBits(K::kCast, E::kUi8, E::kI8, {0xff}), "-1");
  EXPECT_EQ(OfBits(K::kCast, E::kI8, E::kUi16, {0xff}), "65535");
  EXPECT_EQ(OfBits(K::kCast, E::kI8, E::kUi8, {0x80}), "128");
  EXPECT_EQ(OfBits(K::kCast, E::kI32, E::kI64, {0xffffffff}), "-1");
  EXPECT_EQ(OfBits(K::kCast, E::kUi32, E::kI64, {0xffffffff}), "4294967295");
  EXPECT_EQ(OfBits(K::kCast, E::kI64, E::kI32, {0x180000000}), "-2147483648");
  EXPECT_EQ(OfBits(K::kCast, E::kI48, E::kI4, {0x18}), "-8");
  EXPECT_EQ(OfBits(K::kCast, E::kI64, E::kI64, {7}), "7");
}

TEST(ExtensionTest, TruthValuesAreZeroAndOne) {
  for (const E type : {E::kI4, E::kI48, E::kI64, E::kUi8, E::kUi32}) {
    EXPECT_EQ(OfBits(K::kCast, E::kI1, type, {1}), "1") << Name(type);
    EXPECT_EQ(OfBits(K::kCast, type, E::kI1, {BitMask(type)}), "true") << Name(type);
    EXPECT_EQ(OfBits(K::kCast, type, E::kI1, {0}), "false") << Name(type);
  }
  EXPECT_EQ(OfBits(K::kCast, E::kI1, E::kI1, {1}), "true");
  for (const E type : {E::kF16, E::kBF16, E::kF32, E::kF64, E::kF8E4M3FN, E::kF8E5M2}) {
    Check({{K::kCast, E::kI1, type, {1}, "1"},
           {K::kCast, E::kI1, type, {0}, "0"},
           {K::kCast, type, E::kI1, {0.0}, "false"},
           {K::kCast, type, E::kI1, {-0.0}, "false"},
           {K::kCast, type, E::kI1, {0.25}, "true"},
           {K::kCast, type, E::kI1, {-1}, "true"},
           {K::kCast, type, E::kI1, {kNan}, "true"}});
  }
}

TEST(ExtensionTest, CastsOfFloatsSaturateToTheTypesRange) {
  for (const E type : {E::kF32, E::kF64}) {
    Check({{K::kCast, type, E::kUi8, {-1}, "0"},
           {K::kCast, type, E::kUi8, {254.5}, "254"},
           {K::kCast, type, E::kUi8, {256}, "255"},
           {K::kCast, type, E::kUi8, {kInf}, "255"},
           {K::kCast, type, E::kUi32, {3e9}, "3000000000"},
           {K::kCast, type, E::kI4, {7.5}, "7"},
           {K::kCast, type, E::kI4, {-8.5}, "-8"},
           {K::kCast, type, E::kI48, {1e30}, "140737488355327"},
           {K::kCast, type, E::kI64, {0x1p62}, "4611686018427387904"},
           {K::kCast, type, E::kI64, {0x1p63}, "9223372036854775807"},
           {K::kCast, type, E::kI64, {-0x1p63}, "-9223372036854775808"},
           {K::kCast, type, E::kI64, {-kInf}, "-9223372036854775808"},
           {K::kCast, type, E::kI64, {kNan}, "undefined (nan-to-integer)"}});
  }
  Check({{K::kCast, E::kF64, E::kI32, {2147483646.5}, "2147483646"},
         {K::kCast, E::kF64, E::kI32, {2147483647.5}, "2147483647"}});
}

// 2^53 + 1 lies half way between two doubles, and between two of f32 far more does.
TEST(ExtensionTest, CastsOfWideIntegersToFloatsRoundOnce) {
  EXPECT_EQ(OfBits(K::kCast, E::kI64, E::kF64, {(uint64_t{1} << 53) + 1}), "[9007199254740992, 9007199254740994]");
  const Policies policies;
  const Attributes none;
  const Expected f32 = EvaluateScalar({.op = Info(K::kCast),
                                       .input_type = E::kI64,
                                       .result_type = E::kF32,
                                       .attributes = none,
                                       .policies = policies,
                                       .bits = {0x7fffffbfffffffff}});
  // Just below half way: a double would have made it half way.
  EXPECT_TRUE(Matches(f32, E::kF32, BitsOf(E::kF32, 0x7fffff8000000000)));
  EXPECT_FALSE(Matches(f32, E::kF32, BitsOf(E::kF32, 0x1p63)));
  EXPECT_EQ(OfBits(K::kCast, E::kUi8, E::kF32, {0xff}), "[254.999992, 255.000008]");
  EXPECT_EQ(OfBits(K::kCast, E::kI32, E::kF8E5M2, {0x7fffffff}), "inf");
  EXPECT_EQ(OfBits(K::kCast, E::kI32, E::kF8E4M3FN, {0x7fffffff}), "NaN");
  EXPECT_EQ(OfBits(K::kCast, E::kI8, E::kF8E4M3FN, {8}), "[7.5, 8.5]");
}

TEST(ExtensionTest, CastsToAndFromF64) {
  Check({{K::kCast, E::kF32, E::kF64, {0.1f}, "0.100000001"},
         {K::kCast, E::kF64, E::kF32, {0.5}, "0.5"},
         {K::kCast, E::kF64, E::kF16, {1e300}, "inf"},
         {K::kCast, E::kF64, E::kF32, {kNan}, "NaN"},
         {K::kCast, E::kF8E4M3FN, E::kF64, {448}, "448"},
         {K::kCast, E::kF16, E::kBF16, {65504}, "[65280, 65536]"},
         {K::kCast, E::kF8E5M2, E::kF8E4M3FN, {57344}, "NaN"}});
}

// Exactly the IEEE 754 operation: a neighbour is wrong, and on ties too.
TEST(ExtensionTest, ArithmeticOfF64IsCorrectlyRounded) {
  const double up = std::nextafter(1.0, 2), half = 0x1p-53, least = std::numeric_limits<double>::denorm_min();
  Check({{K::kAdd, E::kF64, E::kF64, {1, half}, "1"},
         {K::kAdd, E::kF64, E::kF64, {1, kInf}, "inf"},
         {K::kAdd, E::kF64, E::kF64, {-kInf, kInf}, "NaN"},
         {K::kSub, E::kF64, E::kF64, {kNan, 1}, "NaN"},
         {K::kMul, E::kF64, E::kF64, {0, kInf, 0}, "NaN"},
         {K::kMul, E::kF64, E::kF64, {1e300, 1e300, 0}, "inf"}});
  const auto matches = [](K op, double x, double y, double result) {
    return Matches(Eval(op, E::kF64, E::kF64, {x, y, 0}), E::kF64, BitsOf(E::kF64, result));
  };
  EXPECT_TRUE(matches(K::kAdd, 1, half + 0x1p-70, up));
  EXPECT_FALSE(matches(K::kAdd, 1, half + 0x1p-70, 1));
  EXPECT_FALSE(matches(K::kAdd, 1, half, up));
  EXPECT_TRUE(matches(K::kMul, up, up, 1 + 0x1p-51));
  EXPECT_FALSE(matches(K::kMul, up, up, up));
  EXPECT_TRUE(matches(K::kMul, least, 0.75, least));
  EXPECT_TRUE(matches(K::kMul, least, 0.75, 0)) << "flushed";
  EXPECT_FALSE(matches(K::kSub, 1, 1, least));
  for (const double zero : {0.0, -0.0}) EXPECT_TRUE(matches(K::kSub, 1, 1, zero));
}

// As accurate as f32: the function is held to, its last 29 bits are not.
TEST(ExtensionTest, FunctionsOfF64HaveTheAccuracyOfF32) {
  const auto matches = [](K op, double x, double result) {
    return Matches(Eval(op, E::kF64, E::kF64, {x}), E::kF64, BitsOf(E::kF64, result));
  };
  EXPECT_TRUE(matches(K::kExp, 1, std::exp(1.0)));
  EXPECT_TRUE(matches(K::kExp, 1, static_cast<double>(std::exp(1.0f))));
  EXPECT_FALSE(matches(K::kExp, 1, std::exp(1.0) * (1 + 0x1p-20)));
  EXPECT_TRUE(matches(K::kExp, 710, kInf));
  EXPECT_FALSE(matches(K::kExp, 709, kInf));
  EXPECT_TRUE(matches(K::kReciprocal, 3, 1.0 / 3));
  EXPECT_TRUE(matches(K::kReciprocal, 3, 1.0f / 3));
  EXPECT_FALSE(matches(K::kReciprocal, 3, 1.0 / 3 * (1 + 0x1p-21)));
  EXPECT_TRUE(matches(K::kReciprocal, 0x1p-1074, kInf));
  const double subnormal = std::bit_cast<double>(uint64_t{0x0007030621000000});
  EXPECT_TRUE(matches(K::kErf, subnormal, std::bit_cast<double>(uint64_t{0x0007e977b5e97aac}))) << "has a unit too";
  EXPECT_FALSE(matches(K::kErf, subnormal, 0x1p-140));
  EXPECT_FALSE(matches(K::kTanh, 0.5, 0.5));
  EXPECT_FALSE(matches(K::kSin, 1, std::cos(1)));
  Check({{K::kCos, E::kF64, E::kF64, {0}, "1"},
         {K::kSigmoid, E::kF64, E::kF64, {-0.0}, "0.5"},
         {K::kLog, E::kF64, E::kF64, {-1}, "NaN"},
         {K::kLog, E::kF64, E::kF64, {0}, "-inf"},
         {K::kTanh, E::kF64, E::kF64, {-0.0}, "-0"},
         {K::kFloor, E::kF64, E::kF64, {-0.5}, "[-1, -0.99999999999999989]"},
         {K::kCeil, E::kF64, E::kF64, {-0.5}, "-0"},
         {K::kPow, E::kF64, E::kF64, {-1, 2}, "undefined (domain)"},
         {K::kRsqrt, E::kF64, E::kF64, {kInf}, "0"}});
}

// The function to f16's accuracy, then rounded: the two floats beside it at most. f8E4M3FN has a NaN for infinities.
TEST(ExtensionTest, FunctionsOfFp8AreRounded) {
  for (const E type : {E::kF8E4M3FN, E::kF8E5M2}) {
    const Expected exp = Eval(K::kExp, type, type, {1});
    int allowed = 0;
    for (uint64_t bits = 0; bits <= 0xff; ++bits) allowed += Matches(exp, type, bits) ? 1 : 0;
    EXPECT_EQ(allowed, 1) << Name(type);
    EXPECT_TRUE(Matches(exp, type, BitsOf(type, std::exp(1.0))));
    EXPECT_TRUE(Matches(Eval(K::kAdd, type, type, {1, 1}), type, BitsOf(type, 2)));
    EXPECT_FALSE(Matches(Eval(K::kAdd, type, type, {1, 1}), type, BitsOf(type, 2) + 1));
    Check({{K::kNegate, type, type, {1.5, 0, 0}, "-1.5"},
           {K::kMaximum, type, type, {1.5, -2}, "1.5"},
           {K::kMaximum, type, type, {kNan, 1}, "NaN"}});
  }
  Check({{K::kReciprocal, E::kF8E4M3FN, E::kF8E4M3FN, {0}, "NaN"},
         {K::kLog, E::kF8E4M3FN, E::kF8E4M3FN, {0}, "NaN"},
         {K::kReciprocal, E::kF8E5M2, E::kF8E5M2, {-0.0}, "-inf"}});
  EXPECT_TRUE(Matches(Eval(K::kMul, E::kF8E4M3FN, E::kF8E4M3FN, {448, 448, 0}), E::kF8E4M3FN, 0x7f));
  EXPECT_FALSE(Matches(Eval(K::kMul, E::kF8E4M3FN, E::kF8E4M3FN, {448, 448, 0}), E::kF8E4M3FN, 0x7e));
  // fp8 is never flushed.
  EXPECT_FALSE(Matches(Eval(K::kAdd, E::kF8E5M2, E::kF8E5M2, {0x1p-16, 0}), E::kF8E5M2, 0));
}

TEST(ExtensionTest, AMismatchIsNamedByTheRuleOfItsFamily) {
  const auto rule = [](K op, E input, E result) { return RuleOf(Info(op), Eval(op, input, result, {0, 0, 0})); };
  EXPECT_EQ(rule(K::kMaximum, E::kUi8, E::kUi8), RuleId::kExtensionInteger);
  EXPECT_EQ(rule(K::kMaximum, E::kI64, E::kI64), RuleId::kExtensionInteger);
  EXPECT_EQ(rule(K::kMaximum, E::kI1, E::kI1), RuleId::kExtensionBoolean);
  EXPECT_EQ(rule(K::kMaximum, E::kF64, E::kF64), RuleId::kExtensionFloat);
  EXPECT_EQ(rule(K::kCast, E::kUi8, E::kF32), RuleId::kExtensionCast);
  EXPECT_EQ(rule(K::kMaximum, E::kI32, E::kI32), RuleId::kValueMaximumPlain);
  EXPECT_EQ(rule(K::kCast, E::kI8, E::kF32), RuleId::kValueCastIntegerToFloat);
}

// The draft of 1.1: what was an extension is the specification's, and bf16 has a whole unit.
TEST(DraftTest, HasI64AndCastsOfTruthValues) {
  const Policies draft = {.spec_version = SpecVersion::k1_1};
  const auto rule = [&](K op, E input, E result) {
    return RuleOf(Info(op), Eval(op, input, result, {0, 0, 0}, {}, draft));
  };
  EXPECT_EQ(rule(K::kAdd, E::kI64, E::kI64), RuleId::kValueAddPlain);
  EXPECT_EQ(rule(K::kMul, E::kI64, E::kI64), RuleId::kValueMulPlain);
  EXPECT_EQ(rule(K::kMul, E::kI32, E::kI64), RuleId::kExtensionInteger);
  EXPECT_EQ(rule(K::kCast, E::kI64, E::kI32), RuleId::kValueCastIntegerToInteger);
  EXPECT_EQ(rule(K::kCast, E::kI64, E::kI16), RuleId::kExtensionCast);
  EXPECT_EQ(rule(K::kCast, E::kF32, E::kI1), RuleId::kValueCastToBool);
  EXPECT_EQ(rule(K::kCast, E::kI1, E::kF32), RuleId::kValueCastFromBool);
  EXPECT_EQ(rule(K::kCast, E::kI1, E::kF16), RuleId::kExtensionCast);
}

TEST(DraftTest, AddSubAndMulOfBf16HaveAWholeUnit) {
  const double unit = 0x1p-7;
  for (const SpecVersion version : {SpecVersion::k1_0_0, SpecVersion::k1_0_2, SpecVersion::k1_1}) {
    const bool is_draft = version == SpecVersion::k1_1;
    const Policies policies = {.spec_version = version};
    const auto matches = [&](K op, E type, std::vector<double> operands, double result) {
      return Matches(Eval(op, type, type, operands, {}, policies), type, BitsOf(type, result));
    };
    EXPECT_EQ(matches(K::kAdd, E::kBF16, {1, 0.25}, 1.25 + unit), is_draft);
    EXPECT_EQ(matches(K::kSub, E::kBF16, {1.5, 0.25}, 1.25 - unit), is_draft);
    EXPECT_EQ(matches(K::kMul, E::kBF16, {1.25, 1, 0}, 1.25 + unit), is_draft);
    EXPECT_FALSE(matches(K::kAdd, E::kBF16, {1, 0.25}, 1.25 + 2 * unit));
    EXPECT_FALSE(matches(K::kAdd, E::kF16, {1, 0.25}, 1.25 + 0x1p-10));
    EXPECT_FALSE(matches(K::kMul, E::kF32, {1, 0.25, 0}, 0.25 + 0x1p-25));
  }
}

}  // namespace
}  // namespace tosaic
