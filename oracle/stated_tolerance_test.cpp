// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/stated_tolerance.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "model/signature_program.h"

namespace tosaic {
namespace {

constexpr StatedTolerance kExact = {0, 0};
constexpr StatedTolerance kHalf = {0.5, 0.5};
constexpr StatedTolerance kHalfOutward = {0.5, 1};
constexpr StatedTolerance kTwo = {2, 2};

// A range of patterns of f16, all of which keep the tolerance at a true value, and the next ones beyond do not.
struct Boundary {
  StatedTolerance tolerance;
  double true_value;
  uint64_t first, last;
};

TEST(StatedTolerance, HasItsBoundariesInUnitsOfTheTrueValue) {
  const Boundary boundaries[] = {
      {kExact, 1, 0x3c00, 0x3c00},
      {kHalf, 1, 0x3bff, 0x3c00},  // a unit at 1 is two of those below
      {kHalfOutward, 1, 0x3bfe, 0x3c00},
      {kTwo, 1, 0x3bfc, 0x3c02},
      {kHalf, 1.00048828125, 0x3c00, 0x3c01},  // half a unit above 1: a tie
      {kHalf, 1.0003, 0x3c00, 0x3c00},
      {kHalfOutward, 1.0003, 0x3bff, 0x3c00},
      {kHalfOutward, -1.0003, 0xbbff, 0xbc00},
      {kTwo, -1.0003, 0xbbfd, 0xbc02},
      {kExact, 65504, 0x7bff, 0x7bff},
      {kHalf, 65504, 0x7bff, 0x7c00},  // infinity: half a unit more is beyond the greatest number
      {kHalf, 65536, 0x7bff, 0x7c00},
      {kTwo, 65536, 0x7bfc, 0x7c00},
      {kHalf, -70000, 0xfc00, 0xfc00},
      {kExact, 65519, 0x7c00, 0x7c00},
      {kHalf, std::ldexp(1, -15), 0x200, 0x200},  // a subnormal number
      {kHalfOutward, std::ldexp(1, -15), 0x1ff, 0x200},
      {kTwo, -std::ldexp(1, -20), 0x800e, 0x8012},
      {kTwo, 1.3 * std::ldexp(1, -24), 0x0, 0x3}};
  for (const Boundary& one : boundaries) {
    for (const uint64_t bits : {one.first, one.last}) {
      EXPECT_TRUE(Keeps(one.tolerance, ElementType::kF16, one.true_value, bits)) << one.true_value << " " << bits;
    }
    if (one.first > 0) EXPECT_FALSE(Keeps(one.tolerance, ElementType::kF16, one.true_value, one.first - 1));
    EXPECT_FALSE(Keeps(one.tolerance, ElementType::kF16, one.true_value, one.last + 1)) << one.true_value;
  }
}

TEST(StatedTolerance, ZerosNansAndInfinities) {
  const auto keeps = [](const StatedTolerance& tolerance, double true_value, uint64_t bits) {
    return Keeps(tolerance, ElementType::kF16, true_value, bits);
  };
  const double least = std::ldexp(1, -14), infinity = std::numeric_limits<double>::infinity();
  for (const uint64_t zero : {0x0, 0x8000}) {
    EXPECT_TRUE(keeps(kExact, 0, zero));
    EXPECT_TRUE(keeps(kExact, -least / 2, zero)) << "a subnormal number, flushed";
    EXPECT_TRUE(keeps(kHalf, least, zero)) << "half a unit below the least normal number is subnormal";
    EXPECT_FALSE(keeps(kExact, least, zero));
  }
  EXPECT_FALSE(keeps(kTwo, 0, 0x1)) << "zero has no units";
  EXPECT_TRUE(keeps(kExact, std::nan(""), 0x7e00));
  EXPECT_TRUE(keeps(kExact, std::nan(""), 0xfc01));
  EXPECT_FALSE(keeps(kTwo, std::nan(""), 0x7c00));
  EXPECT_FALSE(keeps(kTwo, 1, 0x7e00));
  EXPECT_TRUE(keeps(kTwo, infinity, 0x7c00));
  EXPECT_FALSE(keeps(kTwo, infinity, 0xfc00));
  EXPECT_FALSE(keeps(kTwo, infinity, 0x7bff));
  EXPECT_FALSE(keeps(kTwo, 70000, 0xfc00));
}

// What a program returned in one run.
std::optional<ToleranceCheck> Check(const std::string& signature, Run run, Tensor result) {
  Case test_case;
  test_case.program = ParseSignature(signature).value();
  test_case.runs = {std::move(run)};
  Observation observation;
  observation.runs.resize(1);
  observation.runs[0].results = {{.tensor = std::move(result)}};
  return CheckTolerance(kHalf, test_case, observation, Policies());
}

Tensor Of(ElementType type, const std::string& hex, std::vector<int64_t> sizes) {
  return *TensorFromHex(type, std::move(sizes), hex);
}

TEST(StatedTolerance, JudgesWhatAProgramReturns) {
  const std::string add = "add(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";
  const Tensor x = Of(ElementType::kF32, "3f800000 40000000", {2});
  auto check = Check(add, {x, x}, Of(ElementType::kF32, "40000000 40800000", {2}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->judged, 2u);
  EXPECT_FALSE(check->miss);
  check = Check(add, {x, x}, Of(ElementType::kF32, "40000000 40800001", {2}));
  ASSERT_TRUE(check && check->miss);
  EXPECT_EQ(*check->miss, "element 1: 4.00000048, the true value is 4");
  EXPECT_FALSE(Check(add, {x, x}, Of(ElementType::kF32, "40000000 40800001", {1, 2}))) << "another shape";
}

TEST(StatedTolerance, IntegersAreExactAndWhatIsUndefinedIsLeftOut) {
  const std::string add = "add(tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>";
  const Tensor x = Of(ElementType::kI32, "00000001 7fffffff", {2});
  auto check = Check(add, {x, x}, Of(ElementType::kI32, "00000002 12345678", {2}));
  ASSERT_TRUE(check);
  EXPECT_EQ(check->judged, 1u) << "the other overflows";
  EXPECT_FALSE(check->miss);
  check = Check(add, {x, x}, Of(ElementType::kI32, "00000003 12345678", {2}));
  ASSERT_TRUE(check && check->miss);
  EXPECT_EQ(*check->miss, "element 0: 3, the true value is 2");
}

}  // namespace
}  // namespace tosaic
