// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judging programs of several ops that return only their last value, or values computed from hidden ones.
#include "oracle/run_sets.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "gtest/gtest.h"
#include "oracle/judge.h"
#include "oracle/scalar_ops_testing.h"

namespace tosaic {
namespace {

using Ref = ValueRef;
using enum ValueRef::Kind;

Tensor Of(E type, const std::vector<double>& values) {
  Tensor tensor(type, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) tensor.SetBits(i, BitsOf(type, values[i]));
  return tensor;
}

// A program of one argument, or several of one type, and one run of it.
struct OpChain {
  Case test_case;
  Observation observation;

  explicit OpChain(std::vector<Tensor> arguments) {
    for (const Tensor& argument : arguments) test_case.program.arguments.push_back(Dynamic(argument.element_type()));
    test_case.runs = {std::move(arguments)};
  }
  static TensorType Dynamic(E type) { return {Shape({Dim::Dynamic()}), type}; }

  // Shifts and zero points are constants of 0.
  OpChain& Then(K op, std::vector<Ref> operands, E result) {
    Program& program = test_case.program;
    const E input = ElementTypeOf(program, operands[Info(op).operands[0] == OperandRole::kCondition ? 1 : 0]);
    while (operands.size() < Info(op).operands.size()) {
      const bool is_shift = Info(op).operands[operands.size()] == OperandRole::kShift;
      program.constants.emplace_back(is_shift ? E::kI8 : input, std::vector<int64_t>{1});
      operands.push_back({kConstant, static_cast<int>(program.constants.size()) - 1});
    }
    program.ops.push_back({op, std::move(operands), {}, Dynamic(result)});
    return *this;
  }
  OpChain& Returning(const std::vector<int>& ops) {
    for (int op : ops) test_case.program.results.push_back({kOp, op});
    return *this;
  }
  Judgement Judged(std::vector<Tensor> results) {
    EXPECT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
    RunObservation run;
    for (Tensor& tensor : results) run.results.push_back({std::move(tensor), {}});
    observation.runs = {std::move(run)};
    return Judge(test_case, observation);
  }
};

OpChain NegatedExp() {
  OpChain chain({Of(E::kF32, {1, 2})});
  return chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(K::kNegate, {{kOp, 0}}, E::kF32).Returning({1});
}

OpChain TanhOf(K first) {
  OpChain chain({Of(E::kBF16, {20})});
  return chain.Then(first, {{kArgument, 0}}, E::kBF16).Then(K::kTanh, {{kOp, 0}}, E::kBF16).Returning({1});
}

TEST(RunSetsTest, BehindOneValueAloneAnElementIsToBePlausible) {
  const std::vector<std::string> note = {"value.implausible: tanh"};
  EXPECT_EQ(TanhOf(K::kAbs).Judged({Of(E::kBF16, {0})}).notes, note) << "tanh(20) = 0 is within the bound";
  EXPECT_EQ(TanhOf(K::kAbs).Judged({Of(E::kBF16, {0})}).verdict, Verdict::kAgree);
  EXPECT_TRUE(TanhOf(K::kAbs).Judged({Of(E::kBF16, {1})}).notes.empty());
  OpChain chain = TanhOf(K::kAbs);
  chain.Judged({Of(E::kBF16, {0})});
  const Judgement strict = Judge(chain.test_case, chain.observation, {.policies = {.strict_values = true}});
  EXPECT_EQ(strict.verdict, Verdict::kWrongValue);
  EXPECT_EQ(strict.rule, RuleId::kValueImplausible);
}

TEST(RunSetsTest, BehindSeveralValuesAnElementIsToBePlausibleWithSome) {
  const std::vector<std::string> note = {"value.implausible: tanh"};
  const auto notes_of = [](double x, double actual) {  // of tanh(exp(x))
    OpChain chain({Of(E::kBF16, {x})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kBF16).Then(K::kTanh, {{kOp, 0}}, E::kBF16).Returning({1});
    const Judgement judged = chain.Judged({Of(E::kBF16, {actual})});
    EXPECT_EQ(judged.verdict, Verdict::kAgree) << x << " " << actual;
    const Judgement strict = Judge(chain.test_case, chain.observation, {.policies = {.strict_values = true}});
    EXPECT_EQ(strict.rule == RuleId::kValueImplausible, !judged.notes.empty()) << x << " " << actual;
    return judged.notes;
  };
  EXPECT_EQ(notes_of(3, 0), note) << "exp(3) is beyond 18";
  EXPECT_EQ(notes_of(3, -0.0), note);
  EXPECT_EQ(notes_of(3, 0.25), note);
  EXPECT_EQ(notes_of(3, 1.0625), note);
  EXPECT_TRUE(notes_of(3, 1).empty());
  EXPECT_TRUE(notes_of(3, 0.75).empty());
  EXPECT_TRUE(notes_of(-7, 0).empty());
  EXPECT_EQ(notes_of(-7, -0.001), note);
}

TEST(RunSetsTest, TheSignOfAZeroIsThatOfSomeOperands) {
  const auto notes_of = [](K op, double x, double y, double actual) {  // of op(exp(x), y), exp(-9) above 0.0001
    OpChain chain({Of(E::kF32, {x}), Of(E::kF32, {y})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(op, {{kOp, 0}, {kArgument, 1}}, E::kF32).Returning({1});
    const Judgement judged = chain.Judged({Of(E::kF32, {actual})});
    EXPECT_EQ(judged.verdict, Verdict::kAgree) << x << " " << y << " " << actual;
    return judged.notes;
  };
  EXPECT_EQ(notes_of(K::kMul, -9, -0.0, 0), std::vector<std::string>{"value.implausible: mul"});
  EXPECT_EQ(notes_of(K::kMul, -9, 0, -0.0), std::vector<std::string>{"value.implausible: mul"});
  EXPECT_TRUE(notes_of(K::kMul, -9, -0.0, -0.0).empty());
  // 1.00000238 within a few units: the difference may be a zero, positive then, or a number below that is flushed.
  const double almost = std::exp(0x1p-10);
  EXPECT_TRUE(notes_of(K::kSub, 0x1p-10, static_cast<float>(almost), 0).empty());
  EXPECT_TRUE(notes_of(K::kSub, 0x1p-10, static_cast<float>(almost), -0.0).empty());
}

TEST(RunSetsTest, OfACurveThatOscillatesTheRangeAloneIsAsked) {
  const auto notes_of = [](double actual) {  // of sin(exp(5))
    OpChain chain({Of(E::kBF16, {5})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kBF16).Then(K::kSin, {{kOp, 0}}, E::kBF16).Returning({1});
    return chain.Judged({Of(E::kBF16, {actual})}).notes;
  };
  EXPECT_EQ(notes_of(2), std::vector<std::string>{"value.implausible: sin"});
  EXPECT_TRUE(notes_of(-1).empty());
}

// A subnormal that was made of something that nobody saw was kept all the same.
TEST(RunSetsTest, ASubnormalBehindSeveralValuesWasKept) {
  const double subnormal = std::ldexp(1, -140), tiny = std::ldexp(1, -70);
  const auto judged = [&](double of_one) {  // exp(1) * subnormal, exactly 2^-70 * 2^-70
    OpChain chain({Of(E::kF32, {1}), Of(E::kF32, {subnormal}), Of(E::kF32, {tiny})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(K::kMul, {{kOp, 0}, {kArgument, 1}}, E::kF32);
    chain.Then(K::kMul, {{kArgument, 2}, {kArgument, 2}}, E::kF32).Returning({1, 2});
    return chain.Judged({Of(E::kF32, {std::exp(1.0) * subnormal}), Of(E::kF32, {of_one})});
  };
  EXPECT_EQ(judged(subnormal).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(0).rule, RuleId::kValueFlushing);
}

TEST(RunSetsTest, BehindOneValueAloneAllSubnormalsAreFlushedOrNone) {
  const double subnormal = std::ldexp(1, -140);
  const auto judged = [&](double first, double second, double of_first) {
    const double x = std::ldexp(1, -100), y = std::ldexp(1, -40);
    OpChain chain({Of(E::kF32, {first, x}), Of(E::kF32, {first == x ? y : 1, y})});
    chain.Then(K::kAbs, {{kArgument, 0}}, E::kF32).Then(K::kMul, {{kOp, 0}, {kArgument, 1}}, E::kF32).Returning({1});
    return chain.Judged({Of(E::kF32, {of_first, second})});
  };
  const double x = std::ldexp(1, -100);
  EXPECT_EQ(judged(x, subnormal, subnormal).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(x, 0, 0).verdict, Verdict::kAgree);
  const Judgement mixed = judged(x, 0, subnormal);
  EXPECT_EQ(mixed.verdict, Verdict::kWrongValue);
  EXPECT_EQ(mixed.rule, RuleId::kValueFlushing);
  ASSERT_TRUE(mixed.mismatch);
  EXPECT_EQ(mixed.mismatch->index, 1u);
  EXPECT_EQ(judged(subnormal, 0, subnormal).rule, RuleId::kValueFlushing) << "nobody flushed the first";
  EXPECT_EQ(judged(subnormal, subnormal, 0).rule, RuleId::kValueFlushing) << "abs or mul flushed it, and mul kept one";
}

// A zero that nothing but a flushed value on the way can make, beside a subnormal that was kept.
TEST(RunSetsTest, ASubnormalWasFlushedBehindSeveralValues) {
  const double subnormal = std::ldexp(1, -130), large = std::ldexp(1, 100), tiny = std::ldexp(1, -70);
  const auto judged = [&](double hidden, double returned) {  // reciprocal(3) * subnormal * large, and tiny * tiny
    OpChain chain({Of(E::kF32, {3}), Of(E::kF32, {subnormal}), Of(E::kF32, {large}), Of(E::kF32, {tiny})});
    chain.Then(K::kReciprocal, {{kArgument, 0}}, E::kF32).Then(K::kMul, {{kOp, 0}, {kArgument, 1}}, E::kF32);
    chain.Then(K::kMul, {{kOp, 1}, {kArgument, 2}}, E::kF32).Then(K::kMul, {{kArgument, 3}, {kArgument, 3}}, E::kF32);
    return chain.Returning({2, 3}).Judged({Of(E::kF32, {hidden}), Of(E::kF32, {returned})});
  };
  // A third of 2^-130 in units of the least subnormal, 2^-149.
  const double kept = std::round(std::ldexp(1, 19) / 3) * std::ldexp(1, -49), square = std::ldexp(1, -140);
  EXPECT_EQ(judged(kept, square).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(0, 0).verdict, Verdict::kAgree);
  const Judgement mixed = judged(0, square);
  EXPECT_EQ(mixed.verdict, Verdict::kWrongValue);
  EXPECT_EQ(mixed.rule, RuleId::kValueFlushing);
  ASSERT_TRUE(mixed.mismatch);
  EXPECT_EQ(mixed.mismatch->op, 2);
  EXPECT_EQ(judged(kept, 0).rule, RuleId::kValueFlushing);
}

TEST(RunSetsTest, ANegateThatWasDroppedBehindExpIsAWrongValue) {
  const Judgement right = NegatedExp().Judged({Of(E::kF32, {-std::exp(1.0), -std::exp(2.0)})});
  EXPECT_EQ(right.verdict, Verdict::kAgree);
  EXPECT_EQ(right.compared, 2u);
  const Judgement wrong = NegatedExp().Judged({Of(E::kF32, {-std::exp(1.0), std::exp(2.0)})});
  EXPECT_EQ(wrong.verdict, Verdict::kWrongValue);
  EXPECT_EQ(wrong.rule, RuleId::kValueNegatePlain);
  ASSERT_TRUE(wrong.mismatch);
  EXPECT_EQ(wrong.mismatch->op, 1);
  EXPECT_EQ(wrong.mismatch->index, 1u);
  EXPECT_EQ(wrong.mismatch->count, 1u);
  EXPECT_EQ(wrong.mismatch->actual, "7.38905621");
  EXPECT_EQ(wrong.mismatch->expected.substr(0, 6), "[-7.38") << wrong.mismatch->expected;
  EXPECT_EQ(wrong.mismatch->inputs[0].substr(0, 5), "[7.38") << wrong.mismatch->inputs[0];
  EXPECT_EQ(wrong.mismatch->expected_bits, "");
}

// a * b + c: rounded once, the small term of the product survives the sum.
TEST(RunSetsTest, AnAddAndAMulContractedToOneRoundingAreAWrongValue) {
  const double a = 1 + 0x1p-12, b = 1 + 0x1p-13, c = -static_cast<float>(a * b);
  const auto judged = [&](double result) {
    OpChain chain({Of(E::kF32, {a}), Of(E::kF32, {b}), Of(E::kF32, {c})});
    chain.Then(K::kMul, {{kArgument, 0}, {kArgument, 1}}, E::kF32);
    chain.Then(K::kAdd, {{kOp, 0}, {kArgument, 2}}, E::kF32).Returning({1});
    return chain.Judged({Of(E::kF32, {result})});
  };
  EXPECT_EQ(judged(0).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(a * b + c).verdict, Verdict::kWrongValue);
}

TEST(RunSetsTest, AReturnedOperandCountsAsItIs) {
  const double low = std::nextafterf(std::exp(1.0), 0);
  OpChain chain = NegatedExp();
  chain.test_case.program.results = {{kOp, 0}, {kOp, 1}};
  const Tensor exp = Of(E::kF32, {low, std::exp(2.0)});
  EXPECT_EQ(chain.Judged({exp, Of(E::kF32, {-low, -std::exp(2.0)})}).verdict, Verdict::kAgree);
  EXPECT_EQ(chain.Judged({exp, Of(E::kF32, {-std::exp(1.0), -std::exp(2.0)})}).verdict, Verdict::kWrongValue);
}

// Both are unpredictable, whatever the first was seen to be: a compiler may fold them together.
TEST(RunSetsTest, WhatIsMadeOfAnUnpredictableElementIsUnpredictableThoughItIsReturned) {
  const auto judged = [](double last, double second_element) {
    OpChain chain({Of(E::kI32, {kMin32, 5})});
    chain.Then(K::kNegate, {{kArgument, 0}}, E::kI32).Then(K::kNegate, {{kOp, 0}}, E::kI32).Returning({0, 1});
    return chain.Judged({Of(E::kI32, {17, -5}), Of(E::kI32, {last, second_element})});
  };
  const Judgement right = judged(kMin32, 5);
  EXPECT_EQ(right.verdict, Verdict::kAgree);
  EXPECT_EQ(right.compared, 2u);
  EXPECT_EQ(right.masked, 2u);
  EXPECT_EQ(judged(-17, 6).verdict, Verdict::kWrongValue);
}

TEST(RunSetsTest, SelectDependsOnWhatItChooses) {
  const auto judged = [](double condition) {
    OpChain chain({Of(E::kI32, {kMin32}), Of(E::kI1, {condition}), Of(E::kI32, {3})});
    chain.Then(K::kAbs, {{kArgument, 0}}, E::kI32);
    chain.Then(K::kSelect, {{kArgument, 1}, {kOp, 0}, {kArgument, 2}}, E::kI32).Returning({0, 1});
    return chain.Judged({Of(E::kI32, {kMin32}), Of(E::kI32, {4})});
  };
  EXPECT_EQ(judged(0).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(1).verdict, Verdict::kUndefined);
}

TEST(RunSetsTest, AnElementWithoutALimitIsNotCompared) {
  OpChain chain({Of(E::kF32, {1e-30, 4})});
  // Of bounds that grow with the operand, sin(1e30) leaves every number; and 1 / x is such a number.
  chain.Then(K::kReciprocal, {{kArgument, 0}}, E::kF32).Then(K::kSin, {{kOp, 0}}, E::kF32);
  chain.Then(K::kGreater, {{kOp, 1}, {kArgument, 0}}, E::kI1).Returning({2});
  const Judgement judged = chain.Judged({Of(E::kI1, {1, 0})});
  EXPECT_EQ(judged.verdict, Verdict::kAgree);
  EXPECT_EQ(judged.compared, 1u);
  EXPECT_EQ(judged.masked, 1u);
}

// A quotient may not exist if 0 is among the divisors. That it lies between them says nothing.
TEST(RunSetsTest, ADivisorThatMayBeOneOfTwoIsNotWhatLiesBetween) {
  const auto judged = [](double lower, double abs) {
    OpChain chain({Of(E::kF32, {20})});
    Program& program = chain.test_case.program;
    program.arguments.push_back(OpChain::Dynamic(E::kF32));
    program.arguments.push_back(OpChain::Dynamic(E::kI32));
    program.arguments.push_back(OpChain::Dynamic(E::kI32));
    // The nearest f32 to e, so that exp(1) may be above it or not.
    chain.test_case.runs[0].push_back(Of(E::kF32, {2.71828175}));
    chain.test_case.runs[0].push_back(Of(E::kI32, {lower}));
    chain.test_case.runs[0].push_back(Of(E::kI32, {3}));
    program.constants.push_back(Of(E::kF32, {1}));
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(K::kCast, {{kOp, 0}}, E::kI32);
    chain.Then(K::kExp, {{kConstant, 0}}, E::kF32).Then(K::kGreater, {{kOp, 2}, {kArgument, 1}}, E::kI1);
    chain.Then(K::kSelect, {{kOp, 3}, {kArgument, 2}, {kArgument, 3}}, E::kI32);
    chain.Then(K::kIntdiv, {{kOp, 1}, {kOp, 4}}, E::kI32).Then(K::kAbs, {{kArgument, 3}}, E::kI32);
    chain.Returning({5, 6});
    return chain.Judged({Of(E::kI32, {161721732}), Of(E::kI32, {abs})});  // a third of e^20
  };
  EXPECT_EQ(judged(-2, 3).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(-2, 3).compared, 2u);
  EXPECT_EQ(judged(-2, 4).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(0, 4).verdict, Verdict::kUndefined) << "0 is a member";
}

// exp has its declared type, f16, though more than 16 numbers of it are allowed.
TEST(RunSetsTest, AnUnroundedValueBehindAWideSetIsAWrongValue) {
  const auto judged = [](double result) {
    OpChain chain({Of(E::kF16, {7.3})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF16).Then(K::kCast, {{kOp, 0}}, E::kF32).Returning({1});
    return chain.Judged({Of(E::kF32, {result})});
  };
  EXPECT_EQ(judged(1482).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(1485).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(1482.375).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(1482.375).mismatch->ulp_distance, 3072) << judged(1482.375).mismatch->expected;
}

TEST(RunSetsTest, AnOddNumberThatWasShiftedLeftIsAWrongValue) {
  const auto judged = [](double result) {
    OpChain chain({Of(E::kF32, {20})});
    chain.test_case.program.constants.push_back(Of(E::kI32, {1}));
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(K::kCast, {{kOp, 0}}, E::kI32);
    chain.Then(K::kLogicalLeftShift, {{kOp, 1}, {kConstant, 0}}, E::kI32).Returning({2});
    return chain.Judged({Of(E::kI32, {result})}).verdict;
  };
  EXPECT_EQ(judged(2 * 485165184.0), Verdict::kAgree);
  EXPECT_EQ(judged(2 * 485165184.0 + 1), Verdict::kWrongValue);
}

// Whatever exp(3) is, an op that takes it twice takes one value.
TEST(RunSetsTest, AHiddenValueThatAnOpTakesTwiceIsOneValue) {
  const auto judged = [](K op, E result, double value) {
    OpChain chain({Of(E::kF32, {3})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(op, {{kOp, 0}, {kOp, 0}}, result).Returning({1});
    return chain.Judged({Of(result, {value})});
  };
  EXPECT_EQ(judged(K::kSub, E::kF32, 0).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(K::kSub, E::kF32, 1e-3).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(K::kSub, E::kF32, 1e-3).rule, RuleId::kValueSubPlain);
  EXPECT_EQ(judged(K::kEqual, E::kI1, 1).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(K::kEqual, E::kI1, 0).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(K::kGreater, E::kI1, 0).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(K::kGreater, E::kI1, 0).compared, 1u);
  EXPECT_EQ(judged(K::kGreater, E::kI1, 1).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(K::kGreaterEqual, E::kI1, 0).verdict, Verdict::kWrongValue);
  const float twice = 2 * std::exp(3.0F);
  EXPECT_EQ(judged(K::kAdd, E::kF32, twice).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(K::kAdd, E::kF32, std::nextafter(twice, 100.0F)).verdict, Verdict::kAgree) << "of another exp(3)";
}

TEST(RunSetsTest, ATwofoldHiddenIntegerIsEven) {
  const auto judged = [](double value) {
    OpChain chain({Of(E::kF32, {20})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(K::kCast, {{kOp, 0}}, E::kI32);
    chain.Then(K::kAdd, {{kOp, 1}, {kOp, 1}}, E::kI32).Returning({2});
    return chain.Judged({Of(E::kI32, {value})}).verdict;
  };
  EXPECT_EQ(judged(2 * 485165184.0), Verdict::kAgree);
  EXPECT_EQ(judged(2 * 485165184.0 + 1), Verdict::kWrongValue) << "off by one";
}

TEST(RunSetsTest, NothingComparedIsSaid) {
  OpChain chain({Of(E::kI32, {kMin32})});
  chain.Then(K::kAbs, {{kArgument, 0}}, E::kI32).Then(K::kClz, {{kOp, 0}}, E::kI32).Returning({1});
  EXPECT_EQ(chain.Judged({Of(E::kI32, {77})}).verdict, Verdict::kUndefined);
}

TEST(RunSetsTest, AShapeBehindAnUnseenValueIsJudged) {
  const Judgement judged = NegatedExp().Judged({Of(E::kF32, {-std::exp(1.0)})});
  EXPECT_EQ(judged.verdict, Verdict::kWrongShape);
  EXPECT_EQ(judged.rule, RuleId::kRuntimeEqual);
}

TEST(RunSetsTest, AnElementBehindAnUnseenValueHasToBeWritten) {
  OpChain chain({Of(E::kI32, {kMin32, 1})});
  chain.Then(K::kAbs, {{kArgument, 0}}, E::kI32).Then(K::kClz, {{kOp, 0}}, E::kI32).Returning({1});
  const auto judged = [&](uint64_t element) {
    RunObservation run;
    run.results = {{Of(E::kI32, {0, 31}), {element}}};
    chain.observation.runs = {std::move(run)};
    return Judge(chain.test_case, chain.observation).verdict;
  };
  EXPECT_EQ(judged(0), Verdict::kAgree);
  EXPECT_EQ(judged(1), Verdict::kUninitializedResult);
}

// More elements than are remembered, and an operand of one element for all of them.
TEST(RunSetsTest, LargeAndBroadcastOperandsAreFound) {
  std::vector<double> values, results;
  for (int i = 0; i < 3000; ++i) {
    values.push_back(i);
    results.push_back(-2 * i - 7);
  }
  const auto judged = [&](const std::vector<double>& last) {
    OpChain chain({Of(E::kI32, values), Of(E::kI32, {7})});
    chain.Then(K::kAdd, {{kArgument, 0}, {kArgument, 0}}, E::kI32);
    chain.Then(K::kAbs, {{kArgument, 1}}, E::kI32);
    chain.Then(K::kAdd, {{kOp, 0}, {kOp, 1}}, E::kI32);
    chain.Then(K::kNegate, {{kOp, 2}}, E::kI32).Returning({3});
    return chain.Judged({Of(E::kI32, last)});
  };
  EXPECT_EQ(judged(results).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(results).compared, 3000u);
  results[2500] += 1;
  EXPECT_EQ(judged(results).verdict, Verdict::kWrongValue);
}

// A reshape keeps what it gets, also if nobody sees it; an op before it may have flushed.
TEST(RunSetsTest, AReshapeOfAnUnseenValueKeepsItsBits) {
  const auto verdict = [](std::vector<K> ops, uint64_t given, uint64_t actual) {
    Tensor argument(E::kF32, {1}), result(E::kF32, {1});
    argument.SetBits(0, given);
    result.SetBits(0, actual);
    OpChain chain({argument});
    int last = -1;
    for (const K op : ops) {
      chain.Then(op, {last < 0 ? Ref{kArgument, 0} : Ref{kOp, last}}, E::kF32);
      if (op == K::kReshape) chain.test_case.program.ops.back().attributes.new_shape = {-1};
      ++last;
    }
    return chain.Returning({last}).Judged({result}).verdict;
  };
  constexpr K kReshape = K::kReshape, kAbs = K::kAbs, kIdentity = K::kIdentity;
  EXPECT_EQ(verdict({kReshape, kReshape}, 1, 1), Verdict::kAgree);
  EXPECT_EQ(verdict({kReshape, kReshape}, 1, 0), Verdict::kWrongValue);
  EXPECT_EQ(verdict({kReshape, kReshape}, 0x7f800001, 0x7f800001), Verdict::kAgree);
  EXPECT_EQ(verdict({kReshape, kReshape}, 0x7f800001, 0x7fc00000), Verdict::kWrongValue);
  EXPECT_EQ(verdict({kAbs, kReshape}, 0x80000001, 1), Verdict::kAgree);
  EXPECT_EQ(verdict({kAbs, kReshape}, 0x80000001, 0), Verdict::kAgree) << "abs may flush";
  EXPECT_EQ(verdict({kAbs, kReshape}, 0x7f800001, 0x7fc00000), Verdict::kAgree) << "abs may change a NaN";
  EXPECT_EQ(verdict({kReshape, kAbs}, 1, 0), Verdict::kAgree);
  EXPECT_EQ(verdict({kReshape, kIdentity}, 0x7f800001, 0x7fc00000), Verdict::kAgree);
  EXPECT_EQ(verdict({kReshape, kIdentity, kReshape}, 1, 0), Verdict::kAgree);
}

// A reshape that keeps a subnormal does not show that the target keeps them.
TEST(RunSetsTest, AReshapeSaysNothingOfFlushing) {
  Tensor argument(E::kF32, {1}), zero(E::kF32, {1});
  argument.SetBits(0, 1);
  OpChain chain({argument});
  chain.Then(K::kReshape, {{kArgument, 0}}, E::kF32).Then(K::kAbs, {{kArgument, 0}}, E::kF32);
  chain.test_case.program.ops.front().attributes.new_shape = {-1};
  EXPECT_EQ(chain.Returning({0, 1}).Judged({argument, zero}).verdict, Verdict::kAgree);
}

// The results of ops on exp of an argument, which is hidden.
Judgement OfHiddenExp(double argument, const std::vector<K>& users, const std::vector<double>& results) {
  OpChain chain({Of(E::kF32, {argument})});
  chain.Then(K::kExp, {{kArgument, 0}}, E::kF32);
  std::vector<int> returned;
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < users.size(); ++i) {
    const std::vector<Ref> operands(users[i] == K::kAdd || users[i] == K::kSub ? 2 : 1, Ref{kOp, 0});
    chain.Then(users[i], operands, E::kF32);
    returned.push_back(static_cast<int>(i) + 1);
    tensors.push_back(Of(E::kF32, {results[i]}));
  }
  return chain.Returning(returned).Judged(std::move(tensors));
}

TEST(OneContentTest, TwoExactOpsOfOneHiddenValueAgree) {
  const float e = std::exp(3.0F), next = std::nextafter(e, 100.0F);
  const auto judged = [](float abs, float identity) {
    return OfHiddenExp(3, {K::kAbs, K::kIdentity}, {abs, identity});
  };
  EXPECT_EQ(judged(e, e).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(next, next).verdict, Verdict::kAgree);
  const Judgement wrong = judged(e, next);
  EXPECT_EQ(wrong.verdict, Verdict::kWrongValue);
  EXPECT_EQ(wrong.rule, RuleId::kValueOneContent);
  EXPECT_EQ(wrong.expected, "20.085537");
  EXPECT_EQ(wrong.actual, "20.0855389");
  ASSERT_TRUE(wrong.mismatch);
  EXPECT_EQ(wrong.mismatch->op, 2);
  EXPECT_EQ(wrong.mismatch->ulp_distance, 1);
  EXPECT_EQ(wrong.mismatch->inputs, std::vector<std::string>{"20.085537"});
  EXPECT_EQ(wrong.mismatch->expected_bits, "0x41a0af2e");
  EXPECT_EQ(wrong.mismatch->bound,
            "what one value of element 0 of %0 (exp) makes, which is not returned; element 0 of %1 (abs) is 20.085537");
}

TEST(OneContentTest, ASumOfAHiddenValueWithItselfFitsItsOtherUses) {
  const float e = std::exp(3.0F);
  const auto judged = [&](float sum) { return OfHiddenExp(3, {K::kNegate, K::kAdd, K::kSub}, {-e, sum, 0}).verdict; };
  EXPECT_EQ(judged(2 * e), Verdict::kAgree);
  EXPECT_EQ(judged(std::nextafter(2 * e, 100.0F)), Verdict::kWrongValue);
  EXPECT_EQ(judged(std::nextafter(2 * e, 0.0F)), Verdict::kWrongValue);
}

// Each result is one that some exp(3) explains.
TEST(OneContentTest, OpsThatAreNotExactConstrainAHiddenValueToo) {
  const float e = std::exp(3.0F);
  const auto judged = [&](float exp, float negated) {
    return OfHiddenExp(3, {K::kExp, K::kNegate}, {exp, negated}).verdict;
  };
  const float below = e - 4e-6F, above = e + 4e-6F;
  EXPECT_EQ(judged(std::exp(e), -e), Verdict::kAgree);
  EXPECT_EQ(judged(std::exp(above), -above), Verdict::kAgree);
  EXPECT_EQ(OfHiddenExp(3, {K::kExp}, {std::exp(above) * 1.00001F}).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(std::exp(above) * 1.00001F, -below), Verdict::kWrongValue);
}

// Both ways meet in one result.
TEST(OneContentTest, AResultOfTwoWaysFromOneHiddenValueIsMadeOfOneValue) {
  const auto judged = [](double value) {
    OpChain chain({Of(E::kF32, {3})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32).Then(K::kAbs, {{kOp, 0}}, E::kF32);
    chain.Then(K::kNegate, {{kOp, 0}}, E::kF32).Then(K::kAdd, {{kOp, 1}, {kOp, 2}}, E::kF32).Returning({3});
    return chain.Judged({Of(E::kF32, {value})});
  };
  EXPECT_EQ(judged(0).verdict, Verdict::kAgree);
  EXPECT_EQ(judged(2e-6).verdict, Verdict::kWrongValue);
  EXPECT_EQ(judged(2e-6).expected, "what one value of element 0 of %0 (exp) makes");
}

TEST(OneContentTest, AnElementThatIsBroadcastIsOneValue) {
  const auto judged = [](double first, double second) {
    OpChain chain({Of(E::kF32, {3}), Of(E::kF32, {0, 0})});
    chain.Then(K::kExp, {{kArgument, 0}}, E::kF32);
    chain.Then(K::kAdd, {{kOp, 0}, {kArgument, 1}}, E::kF32).Returning({1});
    return chain.Judged({Of(E::kF32, {first, second})});
  };
  const float e = std::exp(3.0F);
  EXPECT_EQ(judged(e, e).verdict, Verdict::kAgree);
  const Judgement wrong = judged(e, std::nextafter(e, 100.0F));
  EXPECT_EQ(wrong.rule, RuleId::kValueOneContent);
  EXPECT_EQ(wrong.mismatch->index, 1u);
}

// sin(1e30) may be any number.
TEST(OneContentTest, WideSetsAreSearchedByHalves) {
  const auto judged = [](double negated, double cast) {
    OpChain chain({Of(E::kF32, {1e30})});
    chain.Then(K::kSin, {{kArgument, 0}}, E::kF32).Then(K::kNegate, {{kOp, 0}}, E::kF32);
    chain.Then(K::kCast, {{kOp, 0}}, E::kI32).Returning({1, 2});
    return chain.Judged({Of(E::kF32, {negated}), Of(E::kI32, {cast})});
  };
  EXPECT_EQ(judged(-70000.25, 70000).verdict, Verdict::kUndefined) << "each is open, and one value makes both";
  EXPECT_EQ(judged(-70000.25, 70001).rule, RuleId::kValueOneContent);
  EXPECT_EQ(judged(1, -1).verdict, Verdict::kUndefined);
  EXPECT_EQ(judged(1, 0).verdict, Verdict::kWrongValue);
}

// Where the search is given up, it proves nothing, and a note says so.
TEST(OneContentTest, ASearchThatIsGivenUpIsNoted) {
  const auto judged = [](double bound, double sine, double cosine) {
    OpChain chain({Of(E::kF32, {1e30})});
    chain.Then(K::kSin, {{kArgument, 0}}, E::kF32).Then(K::kClamp, {{kOp, 0}}, E::kF32);
    chain.test_case.program.ops[1].attributes.min_val = TypedBits{E::kF32, BitsOf(E::kF32, -bound)};
    chain.test_case.program.ops[1].attributes.max_val = TypedBits{E::kF32, BitsOf(E::kF32, bound)};
    chain.Then(K::kSin, {{kOp, 1}}, E::kF32).Then(K::kCos, {{kOp, 1}}, E::kF32).Returning({2, 3});
    return chain.Judged({Of(E::kF32, {sine}), Of(E::kF32, {cosine})});
  };
  EXPECT_EQ(judged(3, std::sin(1.25), std::cos(1.25)).verdict, Verdict::kAgree);
  const auto is_noted = [](const Judgement& judgement) {
    return absl::c_linear_search(judgement.notes, "value.one-content.open");
  };
  EXPECT_FALSE(is_noted(judged(3, std::sin(1.25), std::cos(1.25))));
  EXPECT_EQ(judged(3, 0.5, 0.5).rule, RuleId::kValueOneContent);
  EXPECT_EQ(judged(300, 0.5, 0.5).verdict, Verdict::kAgree);
  EXPECT_TRUE(is_noted(judged(300, 0.5, 0.5)));
}

// ---- Sets that exclude next to nothing ----

// The judgement of last(first(x)) = actual in bf16, of which the program returns the outer value alone.
Judgement OfTwo(K first, K last, uint64_t x, double actual) {
  Tensor argument(E::kBF16, {1});
  argument.SetBits(0, x);
  OpChain chain({argument});
  chain.Then(first, {{kArgument, 0}}, E::kBF16).Then(last, {{kOp, 0}}, E::kBF16).Returning({1});
  return chain.Judged({Of(E::kBF16, {actual})});
}

// The error bounds of sin(1.7e38) and cos(3.4e38) are wider than the functions' ranges, and so is log behind them.
TEST(RunSetsTest, AnElementOfWhichMostValuesAreRightIsOpen) {
  for (const double actual : {kNan, 1.0, 2.0}) {
    const Judgement judged = OfTwo(K::kSin, K::kLog, 0x7f00, actual);
    EXPECT_EQ(judged.verdict, Verdict::kUndefined) << actual;
    EXPECT_EQ(judged.compared, 0u) << actual;
    EXPECT_EQ(judged.masked, 0u) << actual;
    EXPECT_EQ(judged.open, 1u) << actual;
    ASSERT_EQ(judged.judged.size(), 1u);
    EXPECT_EQ(judged.judged[0].elements, 1u);
    EXPECT_EQ(judged.judged[0].open, 1u);
    EXPECT_EQ(judged.judged[0].compared(), 0u);
  }
  EXPECT_EQ(OfTwo(K::kSin, K::kLog, 0x7f00, 1000).verdict, Verdict::kWrongValue) << "what is excluded is wrong";
  for (const double actual : {1.0, 0.0, -1.0}) {
    EXPECT_EQ(OfTwo(K::kCos, K::kTanh, 0x7f7f, actual).compared, 0u) << actual;
  }
  EXPECT_EQ(OfTwo(K::kSin, K::kExp, 0x3f80, 2.328125).compared, 1u);
}

// exp of a number in [-1, 1], or cos of one of them: no other number is what anybody would call right.
TEST(RunSetsTest, AnElementThatNoPlausibleUnseenValueMakesIsImplausible) {
  const auto notes = [](K first, K last, uint64_t x, double actual) { return OfTwo(first, last, x, actual).notes; };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes(K::kSin, K::kLog, 0x7f00, 1), Notes{"value.implausible: log"});
  EXPECT_EQ(notes(K::kSin, K::kLog, 0x7f00, 2), Notes{"value.implausible: log"});
  EXPECT_EQ(notes(K::kSin, K::kLog, 0x7f00, -0.5), std::sin(0x1p127) > 0 ? Notes{} : Notes{"value.implausible: log"});
  EXPECT_EQ(notes(K::kCos, K::kTanh, 0x7f7f, 1), Notes{"value.implausible: tanh"});
  EXPECT_EQ(notes(K::kCos, K::kNegate, 0x7f7f, 1.25), Notes{"value.implausible: negate"});
  EXPECT_EQ(notes(K::kTanh, K::kAbs, 0x41a0, 0), Notes{"value.implausible: abs"}) << "tanh(20) = 0 is within its bound";
  EXPECT_EQ(notes(K::kTanh, K::kAbs, 0x41a0, 1), Notes{});
  EXPECT_EQ(notes(K::kAbs, K::kNegate, 0x41a0, -20), Notes{});
}

}  // namespace
}  // namespace tosaic
