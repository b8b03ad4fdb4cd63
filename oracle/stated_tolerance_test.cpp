// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/stated_tolerance.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "model/signature_program.h"

namespace tosaic {
namespace {

constexpr StatedTolerance kExact = {};
constexpr StatedTolerance kHalf = {.outward = 0.5, .inward = 0.5};
constexpr StatedTolerance kHalfOutward = {.outward = 0.5, .inward = 1};
constexpr StatedTolerance kTwo = {.outward = 2, .inward = 2};

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
  for (const Boundary& boundary : boundaries) {
    for (const uint64_t bits : {boundary.first, boundary.last}) {
      EXPECT_TRUE(Keeps(boundary.tolerance, ElementType::kF16, boundary.true_value, {}, bits))
          << boundary.true_value << " " << bits;
    }
    if (boundary.first > 0)
      EXPECT_FALSE(Keeps(boundary.tolerance, ElementType::kF16, boundary.true_value, {}, boundary.first - 1));
    EXPECT_FALSE(Keeps(boundary.tolerance, ElementType::kF16, boundary.true_value, {}, boundary.last + 1))
        << boundary.true_value;
  }
}

TEST(StatedTolerance, ZerosNansAndInfinities) {
  const auto keeps = [](const StatedTolerance& tolerance, double true_value, uint64_t bits) {
    return Keeps(tolerance, ElementType::kF16, true_value, {}, bits);
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

TEST(StatedTolerance, Fp8HasZerosThatAreNotFlushedAndMayHaveNoInfinity) {
  const double least = std::ldexp(1, -6);  // normal, of f8E4M3FN
  EXPECT_FALSE(Keeps(kExact, ElementType::kF8E4M3FN, least / 2, {}, 0x0));
  EXPECT_TRUE(Keeps(kExact, ElementType::kF8E4M3FN, least / 2, {}, 0x4));
  EXPECT_TRUE(Keeps(kHalfOutward, ElementType::kF8E4M3FN, 464, {}, 0x7f)) << "NaN in the place of infinity";
  EXPECT_FALSE(Keeps(kExact, ElementType::kF8E4M3FN, 448, {}, 0x7f));
  EXPECT_FALSE(Keeps(kHalfOutward, ElementType::kF8E5M2, 57344, {}, 0x7f));
}

// Patterns of f16 that keep an absolute error at a true value. A unit of f16 at 1 is 2^-10, the least normal number
// 2^-14. The library behind Arm's tosa_verify has the same boundaries.
struct AbsoluteBoundary {
  StatedTolerance::AbsoluteError stated;
  OpShare share;
  double true_value;
  uint64_t first, last;
};

TEST(StatedTolerance, AbsoluteErrorsAreThoseOfTheSpecification) {
  const double infinity = std::numeric_limits<double>::infinity(), normal_min = std::ldexp(1, -14);
  const AbsoluteBoundary boundaries[] = {
      {{.base_bound = 1}, {.bound = 3}, 1, 0x3bf8, 0x3c04},            // exp: 4 * 2^-10
      {{.base_bound = 1}, {.bound = 3}, -2, 0xbff8, 0xc004},           // the error grows with the true value
      {{.lower_bound = 0.5}, {.bound = 5}, 0.015625, 0x23c0, 0x2420},  // log: 0.5 * 2^-10, whatever is below 0.1
      {{.base_bound = 1, .normal_divisor = 2, .bound_as_magnitude = true}, {.magnitude = 3}, 1, 0x3b40, 0x3c60},  // cos
      {{.base_bound = 2, .normal_divisor = 2, .bound_as_magnitude = true, .least = 3 * normal_min}, {}, 0, 0x0, 0xa00},
      {{.base_bound = 1}, {.bound = 1023}, 32768, 0x0, 0x7c00}};
  for (const AbsoluteBoundary& boundary : boundaries) {
    const StatedTolerance tolerance = {.mode = StatedTolerance::Mode::kAbsoluteError, .absolute = boundary.stated};
    const auto keeps = [&](uint64_t bits) {
      return Keeps(tolerance, ElementType::kF16, boundary.true_value, boundary.share, bits);
    };
    EXPECT_TRUE(keeps(boundary.first) && keeps(boundary.last)) << boundary.true_value;
    if (boundary.first != 0) EXPECT_FALSE(keeps(boundary.first - 1)) << boundary.true_value;
    EXPECT_FALSE(keeps(boundary.last + 1)) << boundary.true_value;
  }
  const StatedTolerance plain = {.mode = StatedTolerance::Mode::kAbsoluteError};
  EXPECT_TRUE(Keeps(plain, ElementType::kF16, 1, {.bound = infinity}, 0x7c00)) << "no bound, so everything";
  EXPECT_TRUE(Keeps(plain, ElementType::kF16, 1, {.bound = infinity}, 0x7e00));
  EXPECT_FALSE(Keeps(plain, ElementType::kF16, 0, {.bound = infinity}, 0x1)) << "0 times infinity is 0";
  EXPECT_FALSE(Keeps(plain, ElementType::kF16, std::nan(""), {.bound = infinity}, 0x3c00));
}

TEST(StatedTolerance, OfTheOpIsTheWholeError) {
  const StatedTolerance pow = {.mode = StatedTolerance::Mode::kOfTheOp};
  EXPECT_TRUE(Keeps(pow, ElementType::kF16, 1, {.bound = 0.25}, 0x3d00));
  EXPECT_FALSE(Keeps(pow, ElementType::kF16, 1, {.bound = 0.25}, 0x3d01));
  EXPECT_FALSE(Keeps(pow, ElementType::kF16, 1, {}, 0x3c01));
}

// Checks the result that a program returned in one run.
std::optional<ToleranceCheck> Check(const std::string& signature, Run run, Tensor result,
                                    const StatedTolerance& tolerance = kHalf) {
  Case test_case;
  test_case.program = ParseSignature(signature).value();
  test_case.runs = {std::move(run)};
  Observation observation;
  observation.runs.resize(1);
  observation.runs[0].results = {{.tensor = std::move(result)}};
  return CheckTolerance(tolerance, test_case, observation, Policies());
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

// exp states base 3 and adds 2 |x|: at 0 and 1 that is 3 and 5 e units of 2^-23; 2^-22 is a unit at e. pow states
// nothing.
TEST(StatedTolerance, TakesFromTheOpWhatATestDoesNotState) {
  const StatedTolerance exp = {.mode = StatedTolerance::Mode::kAbsoluteError, .absolute = {.base_bound = 3}};
  const auto result_of_exp = [&](const std::string& result) {
    const Tensor x = Of(ElementType::kF32, "00000000 3f800000", {2});
    const auto check = Check("exp(tensor<2xf32>) -> tensor<2xf32>", {x}, Of(ElementType::kF32, result, {2}), exp);
    return check && !check->miss;
  };
  EXPECT_TRUE(result_of_exp("3f800003 402df85a"));
  EXPECT_FALSE(result_of_exp("3f800004 402df854"));
  EXPECT_TRUE(result_of_exp("3f800000 402df85b"));
  EXPECT_FALSE(result_of_exp("3f800000 402df85c"));

  const auto result_of_pow = [&](const std::string& result) {
    const Tensor x = Of(ElementType::kF16, "4000", {1}), y = Of(ElementType::kF16, "0000", {1});
    const auto check = Check("pow(tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>", {x, y},
                             Of(ElementType::kF16, result, {1}), {.mode = StatedTolerance::Mode::kOfTheOp});
    return check && !check->miss;
  };
  EXPECT_TRUE(result_of_pow("3c00"));
  EXPECT_FALSE(result_of_pow("3c01")) << "x^0 is 1";

  const Tensor large = Of(ElementType::kF32, "455f0000", {1});  // 3568^3568 is beyond doubles, and so is its bound
  const auto check = Check("pow(tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>", {large, large},
                           Of(ElementType::kF32, "7f7fff7b", {1}), {.mode = StatedTolerance::Mode::kOfTheOp});
  EXPECT_TRUE(check && !check->miss);
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
