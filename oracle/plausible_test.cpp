// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/plausible.h"

#include <cmath>
#include <vector>

#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

struct PlausibleRow {
  K op;
  E type;
  std::vector<double> operands;
  double actual;
  const char* why;
};

// Each element is within its bound.
void CheckRows(const std::vector<PlausibleRow>& rows) {
  const Attributes none;
  const Policies policies;
  for (const PlausibleRow& row : rows) {
    ScalarInput in = {
        .op = Info(row.op), .input_type = row.type, .result_type = row.type, .attributes = none, .policies = policies};
    for (size_t k = 0; k < row.operands.size(); ++k) in.bits[k] = BitsOf(in.OperandType(k), row.operands[k]);
    const ScalarFunction function = FindScalarFunction(in.op, row.type, row.type, policies.spec_version);
    const uint64_t bits = BitsOf(row.type, row.actual);
    const std::string name = absl::StrCat(Name(row.op), " ", Name(row.type), " ", row.operands[0], " ", row.actual);
    EXPECT_TRUE(Matches(function(in), row.type, bits)) << name;
    EXPECT_EQ(FindImplausibility(in, function, bits), row.why) << name;
    // The quick look leaves out nothing.
    for (const Mode mode : {Mode::kEnclose, Mode::kDecide}) {
      in.mode = mode;
      const bool asks = MayBeImplausible(in.op, row.type, function(in), bits);
      if (*row.why != '\0') EXPECT_TRUE(asks) << name;
    }
  }
}

constexpr char kSign[] = "the sign is wrong", kLimit[] = "the limit is lost",
               kFarFromZero[] = "the true value is far from zero", kRange[] = "it is beyond the function's range",
               kZeroSign[] = "the sign of the zero is wrong", kNoInteger[] = "it is no integer",
               kNearer[] = "another number is nearer to the true value";

TEST(Plausible, WhatTheBoundAdmitsAndNobodyWouldCallRight) {
  CheckRows({
      {K::kTanh, E::kBF16, {20}, 0, kFarFromZero},
      {K::kTanh, E::kBF16, {20}, -0.25, kSign},
      {K::kTanh, E::kBF16, {-20}, 0.25, kSign},
      {K::kTanh, E::kBF16, {20}, 0.5, kLimit},
      {K::kTanh, E::kBF16, {20}, 2, kRange},
      {K::kTanh, E::kBF16, {0.001}, -0.001, kSign},
      {K::kSigmoid, E::kBF16, {100}, 0, kFarFromZero},
      {K::kSigmoid, E::kBF16, {100}, 0.5, kLimit},
      {K::kSigmoid, E::kBF16, {100}, 2, kRange},
      {K::kSigmoid, E::kF16, {-60}, -1e-6, kRange},
      {K::kExp, E::kF16, {600}, 0, kFarFromZero},
      {K::kExp, E::kF16, {600}, 30000, kLimit},
      {K::kExp, E::kF16, {-20}, -1e-6, kRange},
      {K::kExp, E::kBF16, {-3e38}, 0.03125, kLimit},
      {K::kExp, E::kBF16, {88}, 0, kFarFromZero},
      {K::kCos, E::kBF16, {100}, 9, kRange},
      {K::kCos, E::kBF16, {100}, -1, kSign},
      {K::kSin, E::kBF16, {-8}, 0.375, kSign},
      {K::kPow, E::kBF16, {2, 1000}, 0, kFarFromZero},
      {K::kAdd, E::kF32, {1, -1}, -0.0, kZeroSign},
      {K::kAdd, E::kF32, {-0.0, -0.0}, 0, kZeroSign},
      {K::kAdd, E::kF32, {-0.0, 0}, -0.0, kZeroSign},
      {K::kSub, E::kF32, {1, 1}, -0.0, kZeroSign},
      {K::kSub, E::kF32, {-0.0, 0}, 0, kZeroSign},
      {K::kMul, E::kF16, {-1, 0, 0}, 0, kZeroSign},
      {K::kMul, E::kF32, {-1e-30, 1e-30, 0}, 0, kZeroSign},
      // Half a unit below a power of two.
      {K::kFloor, E::kF32, {1}, std::nextafterf(1, 0), kNoInteger},
      {K::kFloor, E::kBF16, {-2}, -1.9921875, kNoInteger},
      {K::kCeil, E::kF16, {0.5}, 0.99951171875, kNoInteger},
      {K::kAdd, E::kF32, {0.5, 0.5}, std::nextafterf(1, 0), kNearer},
      {K::kSub, E::kBF16, {-1, 1}, -1.9921875, kNearer},
      {K::kMul, E::kF16, {2, 2, 0}, 3.998046875, kNearer},
  });
}

TEST(Plausible, WhatIsOnlyInexact) {
  CheckRows({
      {K::kTanh, E::kBF16, {20}, 1, ""},
      {K::kTanh, E::kBF16, {20}, 0.75, ""},
      {K::kTanh, E::kBF16, {20}, 1.0078125, ""},  // a unit of 1 beyond
      {K::kTanh, E::kBF16, {0.001}, 0, ""},
      {K::kTanh, E::kBF16, {kInf}, 1, ""},
      {K::kSigmoid, E::kBF16, {100}, 1, ""},
      {K::kSigmoid, E::kBF16, {-100}, 0, ""},
      {K::kExp, E::kF16, {600}, kInf, ""},
      {K::kExp, E::kF16, {600}, 65504, ""},
      {K::kExp, E::kF16, {-20}, 2e-6, ""},
      {K::kExp, E::kF16, {0}, 1, ""},
      {K::kCos, E::kBF16, {100}, 0.5, ""},
      {K::kSin, E::kBF16, {3.140625}, -0.01, ""},  // beside a root, where the argument's last bit turns the sign
      {K::kPow, E::kBF16, {2, 1000}, kInf, ""},
      {K::kAdd, E::kF32, {1, -1}, 0, ""},
      {K::kAdd, E::kF32, {-0.0, -0.0}, -0.0, ""},
      {K::kSub, E::kF32, {0, -0.0}, 0, ""},
      {K::kMul, E::kF32, {-1e-30, 1e-30, 0}, -0.0, ""},
      {K::kReciprocal, E::kF32, {4}, 0.25, ""},
      {K::kFloor, E::kF32, {1}, 1, ""},
      // Either neighbour of a tie.
      {K::kAdd, E::kF32, {1, std::ldexp(1, -24)}, 1, ""},
      {K::kAdd, E::kF32, {1, std::ldexp(1, -24)}, std::nextafterf(1, 2), ""},
      {K::kAdd, E::kF16, {65504, 65504}, kInf, ""},
  });
}

// A zero of either sign, of s - t or of 0 - 0.
TEST(Plausible, FlushedOperandsExcuseToo) {
  CheckRows({
      {K::kSub, E::kF32, {std::ldexp(1, -130), std::ldexp(1, -129)}, -0.0, ""},
      {K::kSub, E::kF32, {1, 1}, 0, ""},
  });
  const Attributes none;
  const Policies policies;
  const ScalarInput in = {.op = Info(K::kSub),
                          .input_type = E::kF32,
                          .result_type = E::kF32,
                          .attributes = none,
                          .policies = policies,
                          .bits = {1, 2, 0}};
  EXPECT_EQ(FindImplausibility(in, FindScalarFunction(in.op, E::kF32, E::kF32, policies.spec_version), 0), "");
}

// Of all values only those that are plausible for some operand stay: from `least` to `greatest` by the second
// reference.
TEST(PlausibleOfTest, LeavesWhatIsPlausibleForSomeOperand) {
  const struct {
    K op;
    std::vector<double> operand;
    double least, greatest;
  } kRows[] = {
      {K::kTanh, {20}, 0.50390625, 1.0078125},      {K::kTanh, {-20}, -1.0078125, -0.50390625},
      {K::kTanh, {-20, 20}, -1.0078125, 1.0078125}, {K::kTanh, {0.25}, -0.0, 1.0078125},
      {K::kSin, {1}, 0x1p-133, 1.0078125},          {K::kSin, {1, 2}, -1.0078125, 1.0078125},
      {K::kExp, {-200}, -0.0, 0.0078125},           {K::kExp, {100}, 1.6947656946257677e38, kInf},
      {K::kSigmoid, {0}, 0x1p-133, 1.0078125},      {K::kLog, {1e30}, 0x1p-133, kInf},
  };
  for (const auto& row : kRows) {
    const Attributes attributes;
    const Policies policies;
    const ScalarInput in = {.op = Info(row.op),
                            .input_type = E::kBF16,
                            .result_type = E::kBF16,
                            .attributes = attributes,
                            .policies = policies};
    AllowedSet operand(E::kBF16);
    operand.Add({OrdinalOf(E::kBF16, BitsOf(E::kBF16, row.operand.front())),
                 OrdinalOf(E::kBF16, BitsOf(E::kBF16, row.operand.back()))});
    const ScalarFunction function = FindScalarFunction(in.op, E::kBF16, E::kBF16, policies.spec_version);
    const AllowedSet set = PlausibleOf(in, function, {operand}, AllowedSet::Everything(E::kBF16));
    ASSERT_EQ(set.spans().size(), 1u);
    EXPECT_EQ(ValueOfOrdinal(E::kBF16, set.spans()[0].first), row.least) << Name(row.op) << row.operand[0];
    EXPECT_EQ(ValueOfOrdinal(E::kBF16, set.spans()[0].last), row.greatest) << Name(row.op) << row.operand[0];
    EXPECT_TRUE(set.has_nan());
  }
}

}  // namespace
}  // namespace tosaic
