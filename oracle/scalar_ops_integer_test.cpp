// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boundary vectors of the scalar functions on integers and truth values.
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

TEST(IntegerOpsTest, IntegerArithmetic) {
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
         {K::kIntdiv, E::kI32, E::kI32, {kMin32, kMin32}, "1"},
         {K::kIntdiv, E::kI32, E::kI32, {kMax32, kMin32}, "0"},
         {K::kIntdiv, E::kI32, E::kI32, {kMin32, kMax32}, "-1"},
         {K::kIntdiv, E::kI32, E::kI32, {kMin32 + 1, -1}, "2147483647"},
         {K::kIntdiv, E::kI32, E::kI32, {0, -1}, "0"},
         {K::kIntdiv, E::kI32, E::kI32, {0, 0}, "undefined (division-by-zero)"},
         {K::kIntdiv, E::kI32, E::kI32, {kMin32, 0}, "undefined (division-by-zero)"},
         {K::kIntdiv, E::kI32, E::kI32, {-1, 2}, "0"},
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

TEST(IntegerOpsTest, IntegerMulAndItsShift) {
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

TEST(IntegerOpsTest, IntegerNegateWithZeroPoints) {
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

TEST(IntegerOpsTest, BitwiseAndLogical) {
  for (E type : {E::kI8, E::kI16, E::kI32}) {
    Check({{K::kBitwiseAnd, type, type, {-1, 0x5a}, "90"},
           {K::kBitwiseOr, type, type, {-2, 1}, "-1"},
           {K::kBitwiseXor, type, type, {-1, -1}, "0"},
           {K::kBitwiseNot, type, type, {0}, "-1"},
           {K::kBitwiseNot, type, type, {-128}, "127"},
           {K::kIdentity, type, type, {-128}, "-128"},
           {K::kIdentity, type, type, {127}, "127"}});
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

TEST(IntegerOpsTest, ShiftsOfEveryWidth) {
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
           {K::kArithmeticRightShift, type, type, {smallest, 0}, smallest_text, round},
           {K::kArithmeticRightShift, type, type, {greatest, 0}, greatest_text, round},
           {K::kArithmeticRightShift, type, type, {-1, last}, "0", round},
           {K::kArithmeticRightShift, type, type, {smallest / 2, last}, "0", round},  // -1/2 up
           {K::kArithmeticRightShift, type, type, {smallest / 2 - 1, last}, "-1", round},
           {K::kArithmeticRightShift, type, type, {-smallest / 2 - 1, last}, "0", round},
           {K::kArithmeticRightShift, type, type, {1, last + 1}, "undefined (shift-amount)", round},
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

}  // namespace
}  // namespace tosaic
