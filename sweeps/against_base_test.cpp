// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong inputs of a patch, and of the MLIR below it, that look alike.
#include "sweeps/against_base.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/program.h"
#include "sweeps/value_chunk.h"

namespace tosaic {
namespace {

constexpr int64_t kElements = 30;

// Programs of abs on 1.0, all elements alike, whose result is 2.0 where it is wrong.
class SetApartTest : public testing::Test {
 protected:
  void AddRun(const std::vector<size_t>& wrong_with_patch, const std::vector<size_t>& wrong_without) {
    Tensor ones(ElementType::kF16, {kElements});
    for (int64_t i = 0; i < kElements; ++i) ones.SetBits(i, 0x3c00);
    const auto result = [&](const std::vector<size_t>& wrong) {
      Tensor computed = ones;
      for (const size_t i : wrong) computed.SetBits(i, 0x4000);
      RunObservation run;
      run.results = {{std::move(computed), {}}};
      return run;
    };
    seen_.patch.runs.push_back(result(wrong_with_patch));
    seen_.base.runs.push_back(result(wrong_without));
    test_case_.runs.push_back({ones});
    const uint64_t first = ones.element_count() * (test_case_.runs.size() - 1);
    Case one = test_case_;
    one.runs = {test_case_.runs.back()};
    Observation here;
    here.runs = {seen_.patch.runs.back()};
    AddFindings(JudgeChunk(one, here, first, {}).findings, &chunk_);
  }
  std::vector<ValueChunk::Finding> Divided() { return SetApart(chunk_.findings, test_case_, seen_, 0, {}); }

 private:
  Case test_case_ = [] {
    Case abs;
    const TensorType type{Shape::OfSizes({kElements}), ElementType::kF16};
    abs.program.arguments = {type};
    abs.program.ops = {{OpKind::kAbs, {{ValueRef::Kind::kArgument, 0}}, {}, type}};
    abs.program.results = {{ValueRef::Kind::kOp, 0}};
    abs.route = "loops";
    return abs;
  }();
  Observations seen_;
  ValueChunk chunk_;
};

// The inputs that a finding lists first are all the patch's: what is left of it ended the command.
TEST_F(SetApartTest, WhatIsLeftHasExamplesOfItsOwn) {
  std::vector<size_t> wrong;
  for (size_t i = 0; i < kListedDisagreements + 4; ++i) wrong.push_back(i);
  const uint64_t of_patch = wrong.size();
  wrong.push_back(25);
  AddRun(wrong, {25});
  const std::vector<ValueChunk::Finding> findings = Divided();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_FALSE(findings[0].base_agrees);
  EXPECT_EQ(findings[0].count, 1u);
  ASSERT_EQ(findings[0].listed.size(), 1u);
  EXPECT_EQ(findings[0].listed[0].judgement.mismatch->index, 25u);
  EXPECT_TRUE(findings[1].base_agrees);
  EXPECT_EQ(findings[1].count, of_patch);
  EXPECT_EQ(findings[1].listed.size(), kListedDisagreements);
}

TEST_F(SetApartTest, TheExampleMayBeInARunThatBothComputeAlike) {
  std::vector<size_t> wrong;
  for (size_t i = 0; i < kListedDisagreements; ++i) wrong.push_back(i);
  AddRun(wrong, {});
  AddRun({3, 7}, {3, 7});
  const std::vector<ValueChunk::Finding> findings = Divided();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].count, 2u);
  ASSERT_EQ(findings[0].listed.size(), 2u);
  EXPECT_EQ(findings[0].listed[0].judgement.mismatch->index, 33u);
  EXPECT_EQ(findings[1].count, kListedDisagreements);
}

TEST_F(SetApartTest, NothingIsLeftWhereAllIsThePatchs) {
  AddRun({1, 2}, {});
  const std::vector<ValueChunk::Finding> findings = Divided();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].base_agrees);
}

}  // namespace
}  // namespace tosaic
