// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/twins.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "oracle/rule_cases_testing.h"

namespace tosaic {
namespace {

using E = ElementType;
using Kind = ValueRef::Kind;

Tensor Hex(E type, absl::string_view hex, int64_t count) { return TensorFromHex(type, {count}, hex).value(); }

// Two ops in a row on one argument, of which the last is returned; its twin returns both.
struct Pair {
  Case test_case, twin;
  Observation observation, of_twin;
  Judgement judgement;

  Pair(OpKind first, OpKind second, Tensor argument) {
    const TensorType type{Shape({Dim::Dynamic()}), argument.element_type()};
    Program& program = test_case.program;
    program.arguments = {type};
    for (OpKind op : {first, second}) {
      const ValueRef value = program.ops.empty() ? ValueRef{Kind::kArgument, 0} : ValueRef{Kind::kOp, 0};
      program.ops.push_back({op, std::vector<ValueRef>(Info(op).operands.size(), value), {}, type});
    }
    program.results = {{Kind::kOp, 1}};
    test_case.runs = {{std::move(argument)}};
    twin = test_case;
    test_case.twin = "all-returned";
    twin.program.results = {{Kind::kOp, 0}, {Kind::kOp, 1}};
  }

  Judgement Judged(Tensor last, Tensor first_of_twin, Tensor last_of_twin) {
    observation.runs = {{{{std::move(last), {}}}}};
    of_twin.runs = {{{{std::move(first_of_twin), {}}, {std::move(last_of_twin), {}}}}};
    JudgeTwin(test_case, observation, twin, of_twin, Policies(), &judgement);
    return judgement;
  }
};

Tensor TwoIntegers(absl::string_view hex) { return Hex(E::kI32, hex, 2); }
Tensor OneFloat(absl::string_view hex) { return Hex(E::kF32, hex, 1); }

Pair AddAndXor() { return Pair(OpKind::kAdd, OpKind::kBitwiseXor, TwoIntegers("00000001 00000002")); }

TEST(JudgeTwinTest, EqualElementsAreFineAndCountForNothing) {
  const Judgement judged = AddAndXor().Judged(TwoIntegers("00000000 00000000"), TwoIntegers("00000002 00000004"),
                                              TwoIntegers("00000000 00000000"));
  EXPECT_EQ(judged.verdict, Verdict::kAgree);
  EXPECT_EQ(judged.compared, 0u);
  EXPECT_TRUE(judged.notes.empty());
}

TEST(JudgeTwinTest, AnotherBitWhereThereIsNoChoiceIsAWrongValueOfThatOp) {
  const Judgement judged = AddAndXor().Judged(TwoIntegers("00000000 00000009"), TwoIntegers("00000002 00000004"),
                                              TwoIntegers("00000000 00000000"));
  EXPECT_EQ(judged.verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged.rule, RuleId::kMetamorphicAllReturned);
  ASSERT_TRUE(judged.mismatch);
  EXPECT_EQ(judged.mismatch->op, 1);
  EXPECT_EQ(judged.mismatch->index, 1u);
  EXPECT_EQ(judged.mismatch->inputs, (std::vector<std::string>{"4", "4"}));
  EXPECT_EQ(judged.mismatch->expected, "0");
  EXPECT_EQ(judged.mismatch->actual, "9");
  EXPECT_EQ(judged.mismatch->actual_bits, "0x00000009");
}

// The judgement of a case and its twin of this name, one of whose elements has another bit.
Judgement OtherBitIn(absl::string_view twin) {
  Pair pair = AddAndXor();
  pair.test_case.twin = std::string(twin);
  return pair.Judged(TwoIntegers("00000000 00000009"), TwoIntegers("00000002 00000004"),
                     TwoIntegers("00000000 00000000"));
}

TEST(JudgeTwinTest, EveryTwinHasItsRule) {
  for (const RuleInfo& rule : AllRules()) {
    if (rule.family == RuleFamily::kMetamorphic) EXPECT_EQ(OtherBitIn(TwinName(rule.id)).rule, rule.id);
  }
}

// exp has an error bound: two results within it may differ.
TEST(JudgeTwinTest, OtherBitsWithinABoundAreANote) {
  Pair pair(OpKind::kExp, OpKind::kAbs, OneFloat("3f800000"));
  const Judgement judged = pair.Judged(OneFloat("402df855"), OneFloat("402df854"), OneFloat("402df854"));
  EXPECT_NE(judged.verdict, Verdict::kWrongValue);
  ASSERT_EQ(judged.notes.size(), 1u);
  EXPECT_EQ(judged.notes[0], "metamorphic.all-returned: other bits within the bounds, abs");
}

TEST(JudgeTwinTest, NansOfAnyPayloadAreEqual) {
  Pair pair(OpKind::kAbs, OpKind::kAbs, OneFloat("7fc00001"));
  const Judgement judged = pair.Judged(OneFloat("7fc00000"), OneFloat("7fc00001"), OneFloat("ffc00002"));
  EXPECT_EQ(judged.verdict, Verdict::kAgree);
  EXPECT_TRUE(judged.notes.empty());
}

// The specification lets subnormals become zeros; where an operand is not known, it proves no mixture.
TEST(JudgeTwinTest, AFlushedSubnormalBehindAValueThatNobodySawIsNoWrongValue) {
  Pair pair(OpKind::kAbs, OpKind::kAbs, OneFloat("00000001"));
  const Judgement judged = pair.Judged(OneFloat("00000000"), OneFloat("00000001"), OneFloat("00000001"));
  EXPECT_NE(judged.verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged.notes.size(), 1u);
}

// One op with its twin; one target makes both, and flushes all subnormals of a type or none.
TEST(JudgeTwinTest, WhatOneFlushesAndTheOtherKeepsIsAWrongValue) {
  const auto judge = [](absl::string_view actual, absl::string_view of_twin) {
    Pair pair(OpKind::kAbs, OpKind::kAbs, OneFloat("80000001"));
    pair.test_case.program.ops.pop_back();
    pair.twin.program.ops.pop_back();
    pair.test_case.program.results = pair.twin.program.results = {{Kind::kOp, 0}};
    pair.observation.runs = {{{{OneFloat(actual), {}}}}};
    pair.of_twin.runs = {{{{OneFloat(of_twin), {}}}}};
    JudgeTwin(pair.test_case, pair.observation, pair.twin, pair.of_twin, Policies(), &pair.judgement);
    return pair.judgement;
  };
  EXPECT_EQ(judge("00000001", "00000001").verdict, Verdict::kAgree);
  EXPECT_EQ(judge("00000000", "00000000").verdict, Verdict::kAgree);
  for (const Judgement& judged : {judge("00000000", "00000001"), judge("00000001", "00000000")}) {
    EXPECT_EQ(judged.verdict, Verdict::kWrongValue);
    EXPECT_EQ(judged.rule, RuleId::kValueFlushing);
    EXPECT_EQ(judged.mismatch->actual, "0");
  }
}

// INT_MIN: what abs makes of it is unpredictable, and so is what clz makes of that. The other element is not.
TEST(JudgeTwinTest, AnElementMadeOfAnUnpredictableOneIsLeftOut) {
  const auto judge = [](absl::string_view last) {
    return Pair(OpKind::kAbs, OpKind::kClz, TwoIntegers("80000000 00000001"))
        .Judged(TwoIntegers(last), TwoIntegers("80000000 00000001"), TwoIntegers("00000000 0000001f"));
  };
  const Judgement judged = judge("00000005 0000001f");
  EXPECT_EQ(judged.verdict, Verdict::kAgree);
  EXPECT_TRUE(judged.notes.empty());
  EXPECT_EQ(judge("00000000 0000001e").verdict, Verdict::kWrongValue);
}

// A division by zero leaves the whole run open, its neighbour too.
TEST(JudgeTwinTest, ARunWithADivisionThatHasNoQuotientIsLeftOut) {
  const auto judge = [](absl::string_view divisors) {
    Pair pair(OpKind::kAbs, OpKind::kIntdiv, TwoIntegers(divisors));
    return pair.Judged(TwoIntegers("00000000 00000005"), TwoIntegers(divisors), TwoIntegers("00000001 00000001"));
  };
  EXPECT_EQ(judge("00000000 00000003").verdict, Verdict::kAgree);
  EXPECT_EQ(judge("00000002 00000003").verdict, Verdict::kWrongValue);
}

TEST(JudgeTwinTest, ARunThatStoppedItselfOrHasNoCounterpartIsLeftOut) {
  Pair pair = AddAndXor();
  pair.observation.runs = {{{}, 0, "stopped"}};
  pair.of_twin.runs = {{{{TwoIntegers("00000002 00000004"), {}}, {TwoIntegers("00000000 00000000"), {}}}}};
  JudgeTwin(pair.test_case, pair.observation, pair.twin, pair.of_twin, Policies(), &pair.judgement);
  EXPECT_EQ(pair.judgement.verdict, Verdict::kAgree);
  pair.of_twin.runs.clear();
  JudgeTwin(pair.test_case, pair.observation, pair.twin, pair.of_twin, Policies(), &pair.judgement);
  EXPECT_EQ(pair.judgement.verdict, Verdict::kAgree);
}

// Results that both programs return were judged alone already, and are not counted again.
TEST(JudgeTwinTest, WhatWasJudgedAlreadyIsNotCountedTwice) {
  Pair pair = AddAndXor();
  pair.test_case.program.ops.pop_back();
  pair.twin.program.ops.pop_back();
  pair.test_case.program.results = pair.twin.program.results = {{Kind::kOp, 0}};
  pair.judgement.compared = 2;
  pair.observation.runs = pair.of_twin.runs = {{{{TwoIntegers("00000002 00000004"), {}}}}};
  JudgeTwin(pair.test_case, pair.observation, pair.twin, pair.of_twin, Policies(), &pair.judgement);
  EXPECT_EQ(pair.judgement.compared, 2u);
  EXPECT_EQ(pair.judgement.verdict, Verdict::kAgree);
}

}  // namespace

std::set<RuleId> RulesOfTwins() {
  std::set<RuleId> named;
  for (const RuleInfo& rule : AllRules()) {
    if (rule.family == RuleFamily::kMetamorphic) named.insert(OtherBitIn(TwinName(rule.id)).rule);
  }
  return named;
}

}  // namespace tosaic
