// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnosis/plain_case.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/fake_toolchain.h"

namespace tosaic {
namespace {

// x ^ y of i16, on the route fused.
Case XorOnFused() {
  const TensorType type{Shape({Dim::Static(1)}), ElementType::kI16};
  const Tensor one(ElementType::kI16, {1});
  Case result;
  result.route = "fused";
  result.program.arguments = {type, type};
  result.program.ops = {
      {OpKind::kBitwiseXor, {{ValueRef::Kind::kArgument, 0}, {ValueRef::Kind::kArgument, 1}}, {}, type}};
  result.program.results = {{ValueRef::Kind::kOp, 0}};
  result.runs = {{one, one}};
  return result;
}

void RefuseToLower(Observation* observation) {
  observation->runs.clear();
  observation->outcome = Outcome::kRefused;
  observation->stage = Stage::kLower;
  observation->pass = "tosa-to-linalg";
  observation->diagnostics = {"failed to legalize"};
}

// "add/i32/loops": the plainest case of the one above.
std::string Plainest(
    const MisbehavingToolchain::Misbehaviour& misbehave, bool any_op = true,
    bool (*is_same)(const PlainCase&) = [](const PlainCase&) { return true; }) {
  MisbehavingToolchain toolchain(misbehave);
  const Case original = XorOnFused();
  const PlainCase reduced = {original, CheckCase(toolchain, original, {}, {})};
  const Case plain = PlainestCase(toolchain, reduced, {"loops", "fused"}, any_op, is_same, {}, {}).test_case;
  const OpApplication& op = plain.program.ops[0];
  return std::string(Name(op.op)) + "/" + std::string(Name(op.result.element_type)) + "/" + plain.route;
}

TEST(PlainCaseTest, WhatEverythingShowsIsShownByThePlainestCase) {
  EXPECT_EQ(Plainest([](const Case&, Observation* observation) { RefuseToLower(observation); }), "add/i32/loops");
}

TEST(PlainCaseTest, WithoutACauseTheOpStays) {
  const auto refuse = [](const Case&, Observation* observation) { RefuseToLower(observation); };
  EXPECT_EQ(Plainest(refuse, false), "bitwise_xor/i32/loops");
}

TEST(PlainCaseTest, WhatIsAnotherCauseIsNotTaken) {
  const auto refuse = [](const Case&, Observation* observation) { RefuseToLower(observation); };
  EXPECT_EQ(Plainest(refuse, true, [](const PlainCase& plain) { return plain.test_case.route == "fused"; }),
            "add/i32/fused");
  EXPECT_EQ(Plainest(refuse, true,
                     [](const PlainCase& plain) { return plain.test_case.program.ops[0].op == OpKind::kBitwiseXor; }),
            "bitwise_xor/i32/loops");
}

TEST(PlainCaseTest, WhatOnlyOneShowsStaysItsOwn) {
  const auto refuse_if = [](auto is_shown) {
    return Plainest([is_shown](const Case& test_case, Observation* observation) {
      // Others are refused as well, for another reason.
      RefuseToLower(observation);
      if (!is_shown(test_case)) observation->diagnostics = {"another defect"};
    });
  };
  EXPECT_EQ(refuse_if([](const Case& one) { return one.program.ops[0].op == OpKind::kBitwiseXor; }),
            "bitwise_xor/i32/loops");
  EXPECT_EQ(refuse_if([](const Case& one) { return one.route == "fused"; }), "add/i32/fused");
  EXPECT_EQ(refuse_if([](const Case& one) { return one.program.arguments[0].element_type == ElementType::kI16; }),
            "bitwise_and/i16/loops");
}

TEST(PlainCaseTest, AWrongValueStaysItsOps) {
  const auto wrong = [](const Case& test_case, Observation* observation) {
    Tensor result(test_case.program.ops[0].result.element_type, {1});
    result.SetBits(0, 1);
    observation->runs = {{{{result, {}}}}};
  };
  EXPECT_EQ(Plainest(wrong), "bitwise_xor/i32/loops");
}

TEST(PlainCaseTest, WithoutADivergenceNothingIsTried) {
  const auto right = [](const Case& test_case, Observation* observation) {
    observation->runs = {{{{Tensor(test_case.program.ops[0].result.element_type, {1}), {}}}}};
  };
  EXPECT_EQ(Plainest(right), "bitwise_xor/i16/fused");
}

}  // namespace
}  // namespace tosaic
