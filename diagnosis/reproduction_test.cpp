// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/reproduction.h"

#include <gtest/gtest.h>

#include "model/rules.h"
#include "tests/fake_toolchain.h"

namespace tosaic {
namespace {

// x + y of i32, and y itself.
Case SumAndAnArgument() {
  const TensorType type{Shape({Dim::Static(2)}), ElementType::kI32};
  Case result;
  result.route = "loops";
  result.program.arguments = {type, type};
  result.program.ops = {{OpKind::kAdd, {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}}, {}, type}};
  result.program.results = {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kArgument, 1}};
  Tensor given(ElementType::kI32, {2});
  given.SetBits(1, 7);
  result.runs = {{Tensor(ElementType::kI32, {2}), given}};
  return result;
}

TEST(ReproductionTest, AnArgumentThatIsReturnedWrongIsWhatIsShown) {
  MisbehavingToolchain toolchain([](const Case& test_case, Observation* observation) {
    observation->runs[0].results.push_back({test_case.runs[0][1], {}});
    observation->runs[0].results[1].tensor.SetBits(1, 8);
  });
  const Case test_case = SumAndAnArgument();
  const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
  ASSERT_EQ(checked.judgement.rule, RuleId::kRunPassedOn);
  const Reproduction reproduction = ReproductionOf(toolchain, test_case, checked, "", {}, {});
  EXPECT_EQ(reproduction.showing, Showing::kExecutes);
  EXPECT_EQ(reproduction.shown.result, 1u);
  EXPECT_EQ(reproduction.shown.sizes, std::vector<int64_t>{2});
  EXPECT_EQ(reproduction.shown.elements, (std::vector<std::vector<BitRange>>{{{0, 0}}, {{7, 7}}}));
}

TEST(ReproductionTest, ACopyOfAResultThatDiffersIsShownBesideTheOther) {
  MisbehavingToolchain toolchain([](const Case&, Observation* observation) {
    observation->runs[0].results.push_back(observation->runs[0].results[0]);
    observation->runs[0].results[1].tensor.SetBits(1, 8);
  });
  Case test_case = SumAndAnArgument();
  test_case.program.results = {{ValueRef::Kind::kOp, 0}, {ValueRef::Kind::kOp, 0}};
  const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
  ASSERT_EQ(checked.judgement.rule, RuleId::kRunReturnedTwice);
  const ShownResult shown = ReproductionOf(toolchain, test_case, checked, "", {}, {}).shown;
  EXPECT_EQ(shown.result, 1u);
  EXPECT_EQ(shown.elements, (std::vector<std::vector<BitRange>>{{{0, 0xffffffff}}, {{7, 7}}}));
}

TEST(ReproductionTest, AnArgumentThatIsReturnedAsItIsIsNot) {
  MisbehavingToolchain toolchain([](const Case& test_case, Observation* observation) {
    observation->runs[0].results.push_back({test_case.runs[0][1], {}});
    observation->runs[0].results[0].tensor.SetBits(1, 8);
  });
  const Case test_case = SumAndAnArgument();
  const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
  ASSERT_EQ(checked.judgement.verdict, Verdict::kWrongValue);
  EXPECT_EQ(ReproductionOf(toolchain, test_case, checked, "", {}, {}).shown.result, 0u);
}

// An odd number that was shifted left, where anything may be shifted: too many even numbers to list.
TEST(ReproductionTest, AValueBesideTheGridOfAHiddenOneIsWhatIsShown) {
  const auto type_of = [](ElementType type) { return TensorType{Shape({Dim::Static(1)}), type}; };
  const auto op = [](int index) { return ValueRef{ValueRef::Kind::kOp, index}; };
  Case test_case;
  test_case.route = "loops";
  Program& program = test_case.program;
  program.arguments = {type_of(ElementType::kF32)};
  program.constants = {TensorFromHex(ElementType::kI32, {1}, "00000001").value()};
  program.ops = {{OpKind::kSin, {{ValueRef::Kind::kArgument, 0}}, {}, type_of(ElementType::kF32)},
                 {OpKind::kCast, {op(0)}, {}, type_of(ElementType::kI16)},
                 {OpKind::kCast, {op(1)}, {}, type_of(ElementType::kI32)},
                 {OpKind::kLogicalLeftShift, {op(2), {ValueRef::Kind::kConstant, 0}}, {}, type_of(ElementType::kI32)}};
  program.results = {op(3)};
  test_case.runs = {{TensorFromHex(ElementType::kF32, {1}, "7149f2ca").value()}};  // 1e30
  MisbehavingToolchain toolchain([](const Case&, Observation* observation) {
    observation->runs.resize(1);
    observation->runs[0].results = {{TensorFromHex(ElementType::kI32, {1}, "00000005").value(), {}}};
  });
  const CheckedCase checked = CheckCase(toolchain, test_case, {}, {});
  ASSERT_EQ(checked.judgement.rule, RuleId::kValueLogicalLeftShiftPlain);
  EXPECT_EQ(checked.judgement.expected, "[-65536, 65534] in steps of 2");
  const Reproduction reproduction = ReproductionOf(toolchain, test_case, checked, "", {}, {});
  EXPECT_EQ(reproduction.shown.elements,
            (std::vector<std::vector<BitRange>>{{{0, 4}, {6, 65534}, {0xffff0000, 0xfffffffe}}}));
}

}  // namespace
}  // namespace tosaic
