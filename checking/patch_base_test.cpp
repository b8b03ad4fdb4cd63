// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements are the patch's, where the MLIR below it is wrong too.
#include "checking/patch_base.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/observation.h"
#include "model/program.h"

namespace tosaic {
namespace {

constexpr uint64_t kOne = 0x3f800000, kTwo = 0x40000000, kFour = 0x40800000, kNan = 0x7fc00000;

// abs of 1, 1, 1 and of a NaN; what came out.
class IsAnyElementRightTest : public testing::Test {
 protected:
  static Tensor TensorOf(const std::vector<uint64_t>& bits) {
    Tensor tensor(ElementType::kF32, {4});
    for (size_t i = 0; i < bits.size(); ++i) tensor.SetBits(i, bits[i]);
    return tensor;
  }
  static Observation Of(const std::vector<std::vector<uint64_t>>& runs) {
    Observation observation;
    for (const std::vector<uint64_t>& bits : runs) {
      observation.runs.emplace_back().results.push_back({TensorOf(bits), {}});
    }
    return observation;
  }
  static bool IsRight(const std::vector<std::vector<uint64_t>>& patched,
                      const std::vector<std::vector<uint64_t>>& base) {
    Case test_case;
    const TensorType type{Shape::OfSizes({4}), ElementType::kF32};
    test_case.program.arguments = {type};
    test_case.program.ops = {{OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, type}};
    test_case.program.results = {{ValueRef::Kind::kOp, 0}};
    test_case.route = "loops";
    for (size_t i = 0; i < patched.size(); ++i) test_case.runs.push_back({TensorOf({kOne, kOne, kOne, kNan})});
    return IsAnyElementRight(test_case, Of(patched), Of(base), {});
  }
};

TEST_F(IsAnyElementRightTest, WhateverStandsBeforeIt) {
  EXPECT_TRUE(IsRight({{kOne, kTwo, kOne, kNan}}, {{kTwo, kOne, kOne, kNan}}))
      << "the patch is right where it is wrong";
  EXPECT_TRUE(IsRight({{kTwo, kTwo, kOne, kNan}}, {{kTwo, kOne, kOne, kNan}})) << "both are wrong before";
  EXPECT_TRUE(IsRight({{kFour, kTwo, kOne, kNan}}, {{kTwo, kOne, kOne, kNan}})) << "each otherwise";
  EXPECT_TRUE(IsRight({{kTwo, kOne, kOne, kOne}}, {{kTwo, kOne, kOne, kNan}})) << "a NaN is right";
}

TEST_F(IsAnyElementRightTest, InAnyRun) {
  EXPECT_TRUE(IsRight({{kTwo, kOne, kOne, kNan}, {kOne, kOne, kTwo, kNan}},
                      {{kTwo, kOne, kOne, kNan}, {kOne, kOne, kOne, kNan}}));
}

TEST_F(IsAnyElementRightTest, NoneWhereTheBaseIsWrongToo) {
  EXPECT_FALSE(IsRight({{kTwo, kOne, kOne, kNan}}, {{kTwo, kTwo, kOne, kNan}}));
  EXPECT_FALSE(IsRight({{kTwo, kOne, kOne, kNan}}, {{kFour, kOne, kOne, kNan}}));
  EXPECT_FALSE(IsRight({{kTwo, kOne, kOne, kOne}}, {{kTwo, kOne, kOne, kTwo}})) << "of a NaN too";
}

TEST_F(IsAnyElementRightTest, NoneOfARunThatIsNotThere) { EXPECT_FALSE(IsRight({{kTwo, kOne, kOne, kNan}}, {})); }

}  // namespace
}  // namespace tosaic
