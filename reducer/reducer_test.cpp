// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reducer/reducer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "reducer/case_size.h"
#include "reducer/reduction_steps.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;
using Predicate = std::function<bool(const Case&)>;

TensorType Type(absl::string_view text) { return ParseTensorType(text).value(); }

// A tensor whose elements look random, and are the same every time.
Tensor Filled(ElementType type, std::vector<int64_t> sizes, uint64_t seed) {
  Tensor tensor(type, std::move(sizes));
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    tensor.SetBits(i, seed >> 17);
  }
  return tensor;
}

// `op` on arguments of the given types, special operands being constants; a run per entry of `runs` (argument sizes).
Case OneOp(absl::string_view op, const std::vector<std::string>& types, absl::string_view result,
           const std::vector<std::vector<std::vector<int64_t>>>& runs) {
  Case test_case;
  test_case.origin = "hand-made";
  OpApplication application;
  application.op = FindOp(op).value();
  for (const std::string& type : types) {
    application.operands.push_back({Kind::kArgument, static_cast<int>(test_case.program.arguments.size())});
    test_case.program.arguments.push_back(Type(type));
  }
  const OpInfo& info = Info(application.op);
  for (size_t i = types.size(); i < info.operands.size(); ++i) {
    const bool is_shift = info.operands[i] == OperandRole::kShift;
    application.operands.push_back({Kind::kConstant, static_cast<int>(test_case.program.constants.size())});
    test_case.program.constants.push_back(
        Filled(is_shift ? ElementType::kI8 : Type(types[0]).element_type, {1}, 7 + i));
  }
  application.result = Type(result);
  test_case.program.ops.push_back(application);
  test_case.program.results = {{Kind::kOp, 0}};
  for (const auto& sizes : runs) {
    Run run;
    for (size_t i = 0; i < sizes.size(); ++i) {
      run.push_back(Filled(test_case.program.arguments[i].element_type, sizes[i], 100 * test_case.runs.size() + i));
    }
    test_case.runs.push_back(std::move(run));
  }
  return test_case;
}

Case Add() {
  return OneOp("add", {"tensor<4x?x3xf32>", "tensor<?x5x3xf32>"}, "tensor<4x5x?xf32>",
               {{{4, 5, 3}, {4, 5, 3}}, {{4, 1, 3}, {1, 5, 3}}, {{4, 5, 3}, {1, 5, 3}}});
}

Case Clamp() {
  Case test_case = OneOp("clamp", {"tensor<?x7xf16>"}, "tensor<?x7xf16>", {{{2, 7}}, {{5, 7}}});
  Attributes& attributes = test_case.program.ops[0].attributes;
  attributes.min_val = TypedBits{ElementType::kF16, 0xc123};
  attributes.max_val = TypedBits{ElementType::kF16, 0x4321};
  attributes.nan_mode = NanMode::kIgnore;
  return test_case;
}

// greater(add(%arg0, %cst0), %arg1), every op returned, and an argument that nothing uses.
Case Chain() {
  Case test_case = OneOp("add", {"tensor<?x4xi32>", "tensor<2x4xi32>"}, "tensor<2x4xi32>", {{{2, 4}, {2, 4}}});
  Program& program = test_case.program;
  program.constants.push_back(Filled(ElementType::kI32, {1, 4}, 3));
  program.ops[0].operands[1] = {Kind::kConstant, 0};
  program.ops.push_back({OpKind::kGreater, {{Kind::kOp, 0}, {Kind::kArgument, 1}}, {}, Type("tensor<?x?xi1>")});
  program.results = {{Kind::kOp, 0}, {Kind::kOp, 1}};
  program.arguments.push_back(Type("tensor<*xf32>"));
  test_case.runs[0].push_back(Filled(ElementType::kF32, {9}, 5));
  return test_case;
}

Case MulWithArgumentShift() {
  Case test_case =
      OneOp("mul", {"tensor<?x3xi32>", "tensor<2x3xi32>", "tensor<1xi8>"}, "tensor<?x3xi32>", {{{2, 3}, {2, 3}, {1}}});
  return test_case;
}

Case ShiftWithRound() {
  Case test_case =
      OneOp("arithmetic_right_shift", {"tensor<17xi8>", "tensor<?xi8>"}, "tensor<17xi8>", {{{17}, {1}}, {{17}, {17}}});
  test_case.program.ops[0].attributes.round = true;
  return test_case;
}

std::vector<Case> VariedCases() {
  return {
      Add(),
      Clamp(),
      Chain(),
      MulWithArgumentShift(),
      ShiftWithRound(),
      OneOp("mul", {"tensor<2x?xi16>", "tensor<?x3xi16>"}, "tensor<2x3xi32>", {{{2, 3}, {1, 3}}}),
      OneOp("negate", {"tensor<?x?xi8>"}, "tensor<?x?xi8>", {{{3, 3}}, {{1, 65}}}),
      OneOp("select", {"tensor<1x3xi1>", "tensor<2x1xbf16>", "tensor<2x3xbf16>"}, "tensor<2x3xbf16>",
            {{{1, 3}, {2, 1}, {2, 3}}}),
      OneOp("cast", {"tensor<*xf32>"}, "tensor<*xi8>", {{{2, 2}}, {{3}}}),
      OneOp("cast", {"tensor<f8E4M3FN>"}, "tensor<f32>", {{{}}}),
      OneOp("add", {"tensor<0x2xi64>", "tensor<0x2xi64>"}, "tensor<0x2xi64>", {{{0, 2}, {0, 2}}}),
      OneOp("sub", {"tensor<3x4xui8>", "tensor<5x4xui8>"}, "tensor<*xui8>", {{{3, 4}, {5, 4}}}),
      OneOp("pow", {"tensor<2x3xf32>", "tensor<3xf32>"}, "tensor<3xf32>", {}),
      OneOp("maximum", {"tensor<*xf64>", "tensor<1x1x1x1x1x2xf64>"}, "tensor<?x?x?x?x?x?xf64>",
            {{{1, 2, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 2}}}),
      OneOp("exp", {"tensor<0x1000000000000xf32>"}, "tensor<0x1000000000000xf32>", {{{0, 1000000000000}}}),
  };
}

bool UsesOp(const Case& test_case, OpKind kind) {
  return std::any_of(test_case.program.ops.begin(), test_case.program.ops.end(),
                     [&](const OpApplication& op) { return op.op == kind; });
}

bool HasDynamicOperand(const Case& test_case) {
  for (const OpApplication& op : test_case.program.ops) {
    for (const TensorType& type : OperandTypes(test_case.program, op)) {
      if (!type.shape.IsRanked()) continue;
      for (Dim dim : type.shape.dims()) {
        if (dim.IsDynamic()) return true;
      }
    }
  }
  return false;
}

bool AnyRunHas(const Case& test_case, size_t argument, const std::function<bool(const Tensor&, size_t)>& wanted) {
  for (const Run& run : test_case.runs) {
    if (argument >= run.size()) continue;
    for (size_t i = 0; i < run[argument].element_count(); ++i) {
      if (wanted(run[argument], i)) return true;
    }
  }
  return false;
}

bool IsNan(const Tensor& tensor, size_t i) {
  const double value = ElementToDouble(tensor.element_type(), tensor.Bits(i));
  return value != value;
}

// Two operands of the first op with different static sizes, neither 1, at the same place from the end.
bool StaticSizesConflict(const Case& test_case) {
  const std::vector<TensorType> types = OperandTypes(test_case.program, test_case.program.ops[0]);
  if (types.size() < 2 || !types[0].shape.IsRanked() || !types[1].shape.IsRanked()) return false;
  const Shape& a = types[0].shape;
  const Shape& b = types[1].shape;
  for (size_t i = 0; i < std::min(a.rank(), b.rank()); ++i) {
    const Dim x = a[a.rank() - 1 - i];
    const Dim y = b[b.rank() - 1 - i];
    if (x.IsStatic() && y.IsStatic() && x != y && !x.Is(1) && !y.Is(1)) return true;
  }
  return false;
}

size_t Rank(const Case& test_case) {
  const Shape& shape = test_case.program.ops[0].result.shape;
  return shape.IsRanked() ? shape.rank() : 0;
}

std::string Sig(const Case& test_case) { return Signature(test_case.program, test_case.program.ops[0]); }

// Reduces, and checks what holds for every reduction.
Reduction ReduceAndCheck(const Case& original, const Predicate& interesting) {
  const Reduction reduction = Reduce(original, interesting);
  EXPECT_EQ(reduction.status, Reduction::Status::kReduced);
  EXPECT_TRUE(CheckWellFormed(reduction.reduced).ok()) << CaseToText(reduction.reduced);
  EXPECT_TRUE(interesting(reduction.reduced));
  for (const ReductionStep& step : ReductionSteps()) {
    for (const Case& candidate : Candidates(step, reduction.reduced)) {
      EXPECT_FALSE(interesting(candidate)) << step.name << " goes further:\n" << CaseToText(candidate);
    }
  }
  const Reduction again = Reduce(reduction.reduced, interesting);
  EXPECT_EQ(again.reduced, reduction.reduced);
  EXPECT_EQ(again.accepted, 0);
  const Reduction same = Reduce(original, interesting);
  EXPECT_EQ(same.reduced, reduction.reduced);
  EXPECT_EQ(same.attempts, reduction.attempts);
  testing::Test::RecordProperty("attempts", reduction.attempts);
  return reduction;
}

TEST(Reducer, LeavesACaseThatIsNotInteresting) {
  const Reduction reduction = Reduce(Add(), [](const Case&) { return false; });
  EXPECT_EQ(reduction.status, Reduction::Status::kNotInteresting);
  EXPECT_EQ(reduction.reduced, Add());
  EXPECT_EQ(reduction.attempts, 1);
  EXPECT_EQ(reduction.accepted, 0);
}

TEST(Reducer, StopsAtTheAttemptLimitWithAnInterestingCase) {
  auto has_two_runs = [](const Case& c) { return c.runs.size() > 1; };
  const Reduction reduction = Reduce(Add(), has_two_runs, {.max_attempts = 7});
  EXPECT_EQ(reduction.status, Reduction::Status::kStopped);
  EXPECT_EQ(reduction.attempts, 7);
  EXPECT_TRUE(has_two_runs(reduction.reduced));
  EXPECT_EQ(Reduce(Add(), has_two_runs, {.max_attempts = 0}).status, Reduction::Status::kStopped);
}

TEST(Reducer, StopsWhenToldToWithTheBestSoFar) {
  int asked = 0;
  std::vector<Case> best;
  const auto has_runs = [](const Case& c) { return !c.runs.empty(); };
  const Reduction reduction =
      Reduce(Add(), has_runs,
             {.stop = [&] { return ++asked == 3; }, .on_best = [&](const Case& so_far) { best.push_back(so_far); }});
  EXPECT_EQ(reduction.status, Reduction::Status::kStopped);
  EXPECT_EQ(reduction.attempts, 3) << "the original is asked about in any case";
  ASSERT_EQ(best.size(), static_cast<size_t>(reduction.accepted) + 1) << "the original and what was accepted";
  EXPECT_GT(reduction.accepted, 0);
  EXPECT_EQ(best.front(), Add());
  best.back().origin = reduction.reduced.origin;
  EXPECT_EQ(best.back(), reduction.reduced);
}

TEST(Reducer, TellsTheStepsThatMadeItSmaller) {
  std::vector<std::string> steps;
  const auto has_runs = [](const Case& c) { return !c.runs.empty(); };
  const Reduction reduction =
      Reduce(Add(), has_runs, {.on_step = [&](absl::string_view name, absl::string_view description) {
               EXPECT_FALSE(description.empty()) << name;
               steps.emplace_back(name);
             }});
  EXPECT_EQ(steps.front(), "fewer-runs");  // there are no passes to leave out
  EXPECT_LE(steps.size(), static_cast<size_t>(reduction.accepted));
  Reduce(reduction.reduced, has_runs, {.on_step = [](absl::string_view name, absl::string_view) {
           ADD_FAILURE() << name << ": it is as small as it gets";
         }});
}

TEST(Reducer, MarksTheOriginOnce) {
  auto anything = [](const Case&) { return true; };
  const Reduction once = Reduce(Add(), anything);
  EXPECT_EQ(once.reduced.origin, "hand-made reduced");
  EXPECT_EQ(Reduce(once.reduced, anything).reduced.origin, "hand-made reduced");
}

TEST(Reducer, ReducesEverythingToScalarsWithoutRuns) {
  for (const Case& original : VariedCases()) {
    const OpKind kind = original.program.ops[0].op;
    const Reduction reduction = ReduceAndCheck(original, [&](const Case& c) { return UsesOp(c, kind); });
    const Case& reduced = reduction.reduced;
    EXPECT_EQ(reduced.program.ops.size(), 1u);
    EXPECT_TRUE(reduced.runs.empty());
    EXPECT_EQ(Rank(reduced), 0u) << Sig(reduced);
    EXPECT_LT(reduction.attempts, 60) << Sig(original);
  }
}

TEST(Reducer, KeepsThePassesOfASequenceThatAreNeeded) {
  Case original = Add();
  original.route = "sequence(tosa:cse,tosa:sccp,tensors:cse,to-loops:x,affine:y,affine:cse,loops:z,llvm:cse)";
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    return absl::StrContains(c.route, "to-loops:x") && absl::StrContains(c.route, "affine:cse");
  });
  EXPECT_EQ(reduction.reduced.route, "sequence(to-loops:x,affine:cse)");
}

TEST(Reducer, KeepsADynamicDimension) {
  const Reduction reduction =
      ReduceAndCheck(Add(), [](const Case& c) { return UsesOp(c, OpKind::kAdd) && HasDynamicOperand(c); });
  EXPECT_EQ(Sig(reduction.reduced), "add(tensor<?xf32>, tensor<1xf32>) -> tensor<1xf32>");
  EXPECT_LT(reduction.attempts, 150);
}

TEST(Reducer, FindsTheNanOfAnOperand) {
  Case original = Add();
  original.runs[2][1].SetBits(11, 0xffc12345);
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) { return AnyRunHas(c, 1, IsNan); });
  ASSERT_EQ(reduction.reduced.runs.size(), 1u);
  EXPECT_EQ(DataToHex(reduction.reduced.runs[0][1]), "7fc00000");
  EXPECT_EQ(DataToHex(reduction.reduced.runs[0][0]), "00000000");
  EXPECT_EQ(Sig(reduction.reduced), "add(tensor<f32>, tensor<f32>) -> tensor<f32>");
  EXPECT_LT(reduction.attempts, 150);
}

TEST(Reducer, FindsOneElementAmongThousands) {
  Case original = OneOp("abs", {"tensor<?x4001xi32>"}, "tensor<?x4001xi32>", {{{1, 4001}}, {{2, 4001}}});
  original.runs[1][0].SetBits(5678, 0x80000000);
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    return Rank(c) == 2 && AnyRunHas(c, 0, [](const Tensor& t, size_t i) { return t.Bits(i) == 0x80000000; });
  });
  EXPECT_EQ(Sig(reduction.reduced), "abs(tensor<1x1xi32>) -> tensor<1x1xi32>");
  EXPECT_EQ(DataToHex(reduction.reduced.runs[0][0]), "80000000");
  EXPECT_LT(reduction.attempts, 150);
}

TEST(Reducer, KeepsAConflictOfStaticSizesInRankTwo) {
  const Case original =
      OneOp("sub", {"tensor<3x17x4xi8>", "tensor<3x9x4xi8>"}, "tensor<3x17x4xi8>", {{{3, 17, 4}, {3, 9, 4}}});
  const Reduction reduction =
      ReduceAndCheck(original, [](const Case& c) { return StaticSizesConflict(c) && Rank(c) >= 2; });
  EXPECT_EQ(Sig(reduction.reduced), "sub(tensor<3x1xi32>, tensor<2x1xi32>) -> tensor<3x1xi32>");
  EXPECT_TRUE(reduction.reduced.runs.empty());
  EXPECT_LT(reduction.attempts, 150);
}

TEST(Reducer, KeepsARuntimeBroadcastOfADynamicDimension) {
  // Dynamic in the type, 1 at run time, against a larger size: where lowerings break.
  const Reduction reduction = ReduceAndCheck(Add(), [](const Case& c) {
    for (const auto& run : c.runs) {
      const Shape& shape = c.program.arguments[0].shape;
      for (size_t i = 0; shape.IsRanked() && i < shape.rank() && run.size() > 1; ++i) {
        if (i < run[1].sizes().size() && shape[i].IsDynamic() && run[0].sizes()[i] == 1 && run[1].sizes()[i] > 1) {
          return true;
        }
      }
    }
    return false;
  });
  EXPECT_EQ(Sig(reduction.reduced), "add(tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>");
  ASSERT_EQ(reduction.reduced.runs.size(), 1u);
  EXPECT_EQ(reduction.reduced.runs[0][0].sizes(), std::vector<int64_t>({1}));
  EXPECT_EQ(DataToHex(reduction.reduced.runs[0][1]), "00000000 00000000");
  EXPECT_LT(reduction.attempts, 150);
}

TEST(Reducer, KeepsASizeAboveAThreshold) {
  const Case original =
      OneOp("exp", {"tensor<?x65xf32>"}, "tensor<?x65xf32>", {{{3, 65}}, {{31, 65}}, {{1, 65}}, {{2, 65}}});
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    return AnyRunHas(c, 0, [](const Tensor& t, size_t) { return !t.sizes().empty() && t.sizes().back() > 16; });
  });
  EXPECT_EQ(Sig(reduction.reduced), "exp(tensor<17xf32>) -> tensor<17xf32>");
  EXPECT_LT(reduction.attempts, 150);
}

TEST(Reducer, MeetsALimitOfThousandsInFewSteps) {
  const Case original = OneOp("exp", {"tensor<?xf32>"}, "tensor<?xf32>", {{{6000}}});
  const Reduction reduction = ReduceAndCheck(
      original, [](const Case& c) { return AnyRunHas(c, 0, [](const Tensor&, size_t i) { return i == 4096; }); });
  EXPECT_EQ(Sig(reduction.reduced), "exp(tensor<4097xf32>) -> tensor<4097xf32>");
  EXPECT_LT(reduction.attempts, 200);
}

TEST(Reducer, KeepsMultiplesWhereTheyMatter) {
  const Case original = OneOp("exp", {"tensor<192x3xf32>"}, "tensor<192x3xf32>", {{{192, 3}}});
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    return absl::c_any_of(c.program.arguments[0].shape.dims(),
                          [](Dim d) { return d.IsStatic() && d.size() % 64 == 0; });
  });
  EXPECT_EQ(Sig(reduction.reduced), "exp(tensor<64xf32>) -> tensor<64xf32>");
}

// Two groups of values that no op brings together: each is made small by itself.
TEST(Reducer, LowersTheRankOfOneGroupWhereRanksHaveToDiffer) {
  Case original = OneOp("add", {"tensor<2x3x5x4xf32>", "tensor<2x3x5x4xf32>"}, "tensor<2x3x5x4xf32>", {});
  OpApplication sub = original.program.ops[0];
  sub.op = OpKind::kSub;
  original.program.arguments.push_back(Type("tensor<7x5x4xf32>"));
  original.program.arguments.push_back(Type("tensor<7x5x4xf32>"));
  sub.operands = {{Kind::kArgument, 2}, {Kind::kArgument, 3}};
  sub.result = Type("tensor<7x5x4xf32>");
  original.program.ops.push_back(sub);
  original.program.results.push_back({Kind::kOp, 1});
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    const auto& ops = c.program.ops;
    return ops.size() == 2 && ops[0].result.shape.IsRanked() && ops[1].result.shape.IsRanked() &&
           ops[0].result.shape.rank() == ops[1].result.shape.rank() + 1 &&
           TypeOf(c.program, ops[1].operands[1]).shape == ops[1].result.shape;
  });
  EXPECT_EQ(Signature(reduction.reduced.program, reduction.reduced.program.ops[0]),
            "add(tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>");
  EXPECT_EQ(Signature(reduction.reduced.program, reduction.reduced.program.ops[1]),
            "sub(tensor<f32>, tensor<f32>) -> tensor<f32>");
}

TEST(Reducer, CutsAChainToTheOpThatMatters) {
  for (OpKind kind : {OpKind::kAdd, OpKind::kGreater}) {
    const Reduction reduction =
        ReduceAndCheck(Chain(), [&](const Case& c) { return UsesOp(c, kind) && c.runs.size() == 1 && Rank(c) == 2; });
    EXPECT_EQ(reduction.reduced.program.ops.size(), 1u);
    EXPECT_EQ(reduction.reduced.program.arguments.size(), 2u);
    EXPECT_TRUE(reduction.reduced.program.constants.empty());
    EXPECT_LT(reduction.attempts, 150);
  }
}

TEST(Reducer, KeepsAChainThatMatters) {
  const Reduction reduction =
      ReduceAndCheck(Chain(), [](const Case& c) { return UsesOp(c, OpKind::kAdd) && UsesOp(c, OpKind::kGreater); });
  EXPECT_EQ(reduction.reduced.program.ops.size(), 2u);
  EXPECT_EQ(reduction.reduced.program.results.size(), 1u);
}

// A chain of four: abs, exp, floor, tanh, each of the one before.
Case FourOps() {
  Case test_case = OneOp("abs", {"tensor<?x2xf32>"}, "tensor<?x2xf32>", {{{3, 2}}, {{1, 2}}});
  for (const char* op : {"exp", "floor", "tanh"}) {
    const int last = static_cast<int>(test_case.program.ops.size()) - 1;
    test_case.program.ops.push_back({FindOp(op).value(), {{Kind::kOp, last}}, {}, Type("tensor<?x2xf32>")});
  }
  test_case.program.results = {{Kind::kOp, 3}};
  return test_case;
}

TEST(Reducer, CutsOpsOffEitherEndOfAChain) {
  const Reduction reduction =
      ReduceAndCheck(FourOps(), [](const Case& c) { return UsesOp(c, OpKind::kExp) && UsesOp(c, OpKind::kFloor); });
  const Program& program = reduction.reduced.program;
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.arguments.size(), 1u);
  EXPECT_EQ(program.ops[0].op, OpKind::kExp);
  EXPECT_EQ(program.ops[1].operands, std::vector<ValueRef>({{Kind::kOp, 0}}));
}

TEST(Reducer, TakesAnOpOutOfTheMiddle) {
  // The first op's value must still reach the last op.
  const Reduction reduction = ReduceAndCheck(FourOps(), [](const Case& c) {
    ValueRef from = c.program.results.front();
    bool has_tanh = false, has_abs = false;
    while (from.kind == Kind::kOp) {
      const OpApplication& op = c.program.ops[from.index];
      has_tanh |= op.op == OpKind::kTanh;
      has_abs |= op.op == OpKind::kAbs && has_tanh;
      from = op.operands.front();
    }
    return has_abs;
  });
  const Program& program = reduction.reduced.program;
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.ops[0].op, OpKind::kAbs);
  EXPECT_EQ(program.ops[1].op, OpKind::kTanh);
}

TEST(Reducer, MakesElementTypesPlainWhereTheyDoNotMatter) {
  Case original = OneOp("clamp", {"tensor<?xbf16>"}, "tensor<?xbf16>", {{{2}}});
  original.program.ops[0].attributes = {.min_val = TypedBits{ElementType::kBF16, 0xc123},
                                        .max_val = TypedBits{ElementType::kBF16, 0x4321}};
  const Reduction any = ReduceAndCheck(original, [](const Case& c) { return c.runs.size() == 1; });
  EXPECT_EQ(Sig(any.reduced), "clamp(tensor<f32>) -> tensor<f32>");
  EXPECT_EQ(any.reduced.program.ops[0].attributes.max_val->type, ElementType::kF32);
  const Reduction needed =
      ReduceAndCheck(original, [](const Case& c) { return c.program.arguments[0].element_type == ElementType::kBF16; });
  EXPECT_EQ(needed.reduced.program.arguments[0].element_type, ElementType::kBF16);
}

TEST(Reducer, MakesAShiftAConstant) {
  const Reduction reduction = ReduceAndCheck(MulWithArgumentShift(), [](const Case& c) { return c.runs.size() == 1; });
  EXPECT_EQ(reduction.reduced.program.constants.size(), 1u);
  EXPECT_EQ(Sig(reduction.reduced), "mul(tensor<i32>, tensor<i32>, tensor<1xi8>) -> tensor<i32>");
}

// What is wrong with any constant is not to become what is known to be wrong with 0.
TEST(Reducer, MakesAConstantSpecialOnlyWhereThatMatters) {
  const auto element = [](const Case& c) {
    const Tensor& constant = c.program.constants[0];
    return ElementToDouble(constant.element_type(), constant.Bits(0));
  };
  const auto has_constant = [](const Case& c) { return c.program.constants.size() == 1 && UsesOp(c, OpKind::kAdd); };
  const Reduction any = ReduceAndCheck(Chain(), has_constant);
  EXPECT_EQ(element(any.reduced), 3);
  Case of_zero = Chain();
  for (size_t i = 0; i < 4; ++i) of_zero.program.constants[0].SetBits(i, 0);
  EXPECT_EQ(element(ReduceAndCheck(of_zero, has_constant).reduced), 3);
  const Reduction zero = ReduceAndCheck(of_zero, [&](const Case& c) { return has_constant(c) && element(c) == 0; });
  EXPECT_EQ(element(zero.reduced), 0);
}

TEST(Reducer, SimplifiesAttributesThatDoNotMatter) {
  const Reduction clamp = ReduceAndCheck(Clamp(), [](const Case& c) { return UsesOp(c, OpKind::kClamp); });
  const Attributes& attributes = clamp.reduced.program.ops[0].attributes;
  EXPECT_FALSE(attributes.nan_mode.has_value());
  EXPECT_EQ(attributes.min_val, (TypedBits{ElementType::kF32, 0}));
  EXPECT_EQ(attributes.max_val, (TypedBits{ElementType::kF32, 0}));
  const Reduction ignore =
      ReduceAndCheck(Clamp(), [](const Case& c) { return c.program.ops[0].attributes.nan_mode == NanMode::kIgnore; });
  EXPECT_EQ(ignore.reduced.program.ops[0].attributes.nan_mode, NanMode::kIgnore);
  const Reduction shift = ReduceAndCheck(ShiftWithRound(), [](const Case&) { return true; });
  EXPECT_EQ(shift.reduced.program.ops[0].attributes.round, false);
}

TEST(Reducer, SimplifiesIntegersTowardZero) {
  const Case original = OneOp("clz", {"tensor<8xi32>"}, "tensor<8xi32>", {{{8}}});
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    return AnyRunHas(c, 0,
                     [](const Tensor& t, size_t i) { return ElementToDouble(t.element_type(), t.Bits(i)) < -100; });
  });
  const double value = ElementToDouble(ElementType::kI32, reduction.reduced.runs[0][0].Bits(0));
  EXPECT_LT(value, -100);
  EXPECT_GE(value, -128);
  EXPECT_LT(reduction.attempts, 150);
}

// A block is kept whole: fewer blocks, its scale with all of its elements, another block-scaled type.
TEST(Reducer, ShrinksBlocks) {
  constexpr char kType[] = "2x64x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E5M2>";
  Case original = OneOp("identity", {absl::StrCat("tensor<", kType, ">")}, absl::StrCat("tensor<", kType, ">"), {});
  Program& program = original.program;
  program.ops.push_back({.op = OpKind::kCast, .operands = {{Kind::kOp, 0}}, .result = Type("tensor<2x64xbf16>")});
  program.ops.push_back({.op = OpKind::kCast, .operands = {{Kind::kOp, 1}}, .result = program.arguments[0]});
  program.ops.push_back({.op = OpKind::kReshape, .operands = {{Kind::kOp, 1}}, .result = Type("tensor<128xbf16>")});
  program.ops.back().attributes.new_shape = {128};
  program.results = {{Kind::kOp, 0}, {Kind::kOp, 2}, {Kind::kOp, 3}};
  for (const uint64_t scale : {130, 3}) {
    Tensor& tensor =
        original.runs.emplace_back().emplace_back(program.arguments[0].element_type, std::vector<int64_t>{2, 64});
    for (size_t i = 0; i < 128; ++i) tensor.SetBits(i, (scale + i / 32 * 100) << kBlockScaleShift | (i * 37 & 0x7f));
  }
  ASSERT_TRUE(CheckWellFormed(original).ok()) << CheckWellFormed(original);
  const Reduction reduction = ReduceAndCheck(original, [](const Case& c) {
    const std::vector<OpApplication>& ops = c.program.ops;
    const bool casts = absl::c_any_of(ops, [&](const OpApplication& op) {
      return op.op == OpKind::kCast && IsBlockScaled(InputElementType(c.program, op)) &&
             op.result.element_type == ElementType::kBF16;
    });
    const bool reshapes = absl::c_any_of(ops, [](const OpApplication& op) { return op.op == OpKind::kReshape; });
    return casts && reshapes && AnyRunHas(c, 0, [](const Tensor& t, size_t i) {
             const double value = ElementToDouble(t.element_type(), t.Bits(i));
             return value > 0 && value < 0x1p-126;
           });
  });
  const Program& reduced = reduction.reduced.program;
  ASSERT_EQ(reduced.ops.size(), 2u);
  EXPECT_EQ(reduced.ops[1].attributes.new_shape, (std::vector<int64_t>{32}));
  EXPECT_EQ(ToString(reduced.arguments[0]), "tensor<32x!tosa.block_scaled<BLOCK_SHAPE_32:f8E8M0FNU:f8E4M3FN>>");
  const Tensor& data = reduction.reduced.runs.at(0).at(0);
  EXPECT_EQ(data.Bits(31), 0x0901u) << "2^-9 of scale 2^-118, and zeros";
  for (size_t i = 0; i < 31; ++i) EXPECT_EQ(data.Bits(i), 0x0900u);
}

TEST(ReductionSteps, ProposeWellFormedStrictlySmallerCases) {
  for (const Case& test_case : VariedCases()) {
    ASSERT_TRUE(CheckWellFormed(test_case).ok()) << CheckWellFormed(test_case);
    for (const ReductionStep& step : ReductionSteps()) {
      for (const Case& candidate : Candidates(step, test_case)) {
        EXPECT_TRUE(CheckWellFormed(candidate).ok()) << step.name;
        EXPECT_LT(SizeOf(candidate), SizeOf(test_case)) << step.name;
        EXPECT_TRUE(CaseFromText(CaseToText(candidate)).ok()) << step.name << CaseToText(candidate);
      }
    }
  }
}

// Steps that guess types leave it to IsAdmissible to drop what does not fit the data; the others never need that.
TEST(ReductionSteps, BuildWellFormedCases) {
  struct Checking : Proposals {
    explicit Checking(const Case& test_case, absl::string_view step) : test_case(test_case), step(step) {}
    const Case& current() const override { return test_case; }
    bool Try(Case candidate) override {
      EXPECT_TRUE(CheckWellFormed(candidate).ok()) << step << ": " << CheckWellFormed(candidate);
      return false;
    }
    const Case& test_case;
    absl::string_view step;
  };
  std::vector<Case> cases = VariedCases();
  cases.pop_back();  // its zero-sized dimension can't grow: the data would be too large
  for (const Case& test_case : cases) {
    for (const ReductionStep& step : ReductionSteps()) {
      if (step.name == "ranked" || step.name == "static-dims") continue;
      Checking checking(test_case, step.name);
      step.propose(checking);
    }
  }
}

// What stands for a value that is not computed any more is 1.0, and no bit pattern that happens to be 1.
TEST(ReductionSteps, CutAFloatToOne) {
  size_t seen = 0;
  for (const ReductionStep& step : ReductionSteps()) {
    if (step.name != "single-op" && step.name != "ops-as-arguments") continue;
    for (const Case& candidate : Candidates(step, FourOps())) {
      for (const Tensor& tensor : candidate.runs.front()) {
        if (tensor.element_count() == 0 || tensor.Bits(0) == FourOps().runs[0][0].Bits(0)) continue;
        EXPECT_EQ(ElementToDouble(ElementType::kF32, tensor.Bits(0)), 1.0) << step.name;
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 0u);
}

TEST(ReductionSteps, EachHasItsUse) {
  for (const ReductionStep& step : ReductionSteps()) {
    size_t candidates = 0;
    for (Case test_case : VariedCases()) {
      test_case.route = "sequence(tosa:cse)";
      candidates += Candidates(step, test_case).size();
    }
    EXPECT_GT(candidates, 0u) << step.name;
  }
}

}  // namespace
}  // namespace tosaic
