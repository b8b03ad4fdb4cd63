// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/changed_ops.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

Case Of(const std::vector<OpKind>& ops) {
  Case test_case;
  test_case.program.arguments.resize(1);
  for (const OpKind op : ops) test_case.program.ops.push_back({.op = op, .operands = {{}}});
  test_case.runs.resize(1);
  return test_case;
}

TEST(ChangedOpsTest, NoOpIsLikelyBeforeAProgramHasChanged) {
  ChangedOps ops;
  EXPECT_TRUE(ops.Likely().empty());
  ops.Add(Of({OpKind::kAbs}), false);
  EXPECT_TRUE(ops.Likely().empty());
}

TEST(ChangedOpsTest, ACaseWithoutRunsSaysNothing) {
  Case without = Of({OpKind::kAbs});
  without.runs.clear();
  ChangedOps ops;
  ops.Add(without, true);
  EXPECT_TRUE(ops.Likely().empty());
}

TEST(ChangedOpsTest, AnOpIsUnlikelyThatChangedProgramsHaveByChance) {
  ChangedOps ops;
  for (int i = 0; i < 4; ++i) {
    ops.Add(Of({OpKind::kCos, OpKind::kReshape}), true);
    ops.Add(Of({OpKind::kCos}), true);
  }
  ops.Add(Of({OpKind::kReshape}), false);
  EXPECT_EQ(ops.Likely(), std::vector<OpKind>{OpKind::kCos}) << "most programs with a reshape have a cos";
}

TEST(ChangedOpsTest, AllOpsOfAPatchAreLikely) {
  ChangedOps ops;
  for (int i = 0; i < 4; ++i) {
    for (const OpKind op : {OpKind::kCos, OpKind::kSin}) ops.Add(Of({op}), true);
    for (const OpKind op : {OpKind::kExp, OpKind::kSin}) ops.Add(Of({op, OpKind::kAbs}), op == OpKind::kSin);
  }
  EXPECT_EQ(ops.Likely(), (std::vector<OpKind>{OpKind::kCos, OpKind::kSin}));
}

Case OfTypes(OpKind op, ElementType input, ElementType result) {
  Case test_case = Of({op});
  test_case.program.arguments[0].element_type = input;
  test_case.program.ops[0].result.element_type = result;
  return test_case;
}

TEST(ChangedOpsTest, ATypeIsLikelyThatEachChangedProgramHas) {
  using E = ElementType;
  ChangedOps ops;
  const auto add = [&](E input, E result, bool is_changed) {
    ops.Add(OfTypes(OpKind::kCast, input, result), is_changed);
  };
  add(E::kF32, E::kBF16, true);
  add(E::kF16, E::kBF16, true);
  add(E::kF32, E::kF16, false);
  EXPECT_EQ(ops.LikelyType({OpKind::kCast}), std::nullopt) << "only two have changed";
  add(E::kF32, E::kBF16, true);
  EXPECT_EQ(ops.LikelyType({OpKind::kCast}), E::kBF16);
  EXPECT_EQ(ops.LikelyType({OpKind::kAbs}), std::nullopt);
  EXPECT_EQ(ops.PreferredOf({}).types, std::vector<E>{E::kBF16});
  EXPECT_EQ(ops.PreferredOf({.types = {E::kF32}}).types, std::vector<E>{E::kF32}) << "the user did not ask for bf16";
  add(E::kF32, E::kF16, true);
  EXPECT_EQ(ops.LikelyType({OpKind::kCast}), std::nullopt) << "now others change too";
}

TEST(ChangedOpsTest, NumbersOfSeveralProgramsAreFavoured) {
  ChangedOps ops;
  ops.Add(Of({OpKind::kCos}), true, {3, 64, 4096});
  EXPECT_TRUE(ops.Numbers().empty()) << "of one program";
  ops.Add(Of({OpKind::kCos}), true, {5, 4096});
  ops.Add(Of({OpKind::kCos}), true, {64, 4096});
  EXPECT_EQ(ops.Numbers(), (std::vector<double>{4096, 64}));
  EXPECT_EQ(ops.PreferredOf({}).numbers, (std::vector<double>{4096, 64}));
  EXPECT_EQ(ops.PreferredOf({.numbers = {10}}).numbers, (std::vector<double>{4096, 64, 10})) << "the code's too";
  for (int i = 0; i < 20; ++i) ops.Add(Of({OpKind::kCos}), true, {100.0 + i, 101.0 + i});
  EXPECT_EQ(ops.Numbers().size(), 8u);
}

// A pattern of two ops changes few programs of either, and none of others.
TEST(ChangedOpsTest, BothOpsOfARarePatternAreLikely) {
  ChangedOps ops;
  ops.Add(Of({OpKind::kMaximum, OpKind::kMinimum, OpKind::kAdd}), true);
  for (int i = 0; i < 40; ++i) {
    ops.Add(Of({OpKind::kMaximum, OpKind::kAdd}), false);
    ops.Add(Of({OpKind::kMinimum, OpKind::kAdd}), false);
    for (const OpKind op : {OpKind::kMaximum, OpKind::kMinimum, OpKind::kAdd}) ops.Add(Of({op}), false);
  }
  EXPECT_EQ(ops.Likely(), (std::vector<OpKind>{OpKind::kMaximum, OpKind::kMinimum}));
}

TEST(ChangedOpsTest, PrefersLikelyOpsThatAreAllowed) {
  ChangedOps ops;
  ops.Add(Of({OpKind::kExp}), true);
  EXPECT_EQ(ops.PreferredOf(GeneratorOptions()).ops, std::vector<OpKind>{OpKind::kExp});
  const GeneratorOptions others = {.ops = {OpKind::kAbs, OpKind::kSin}};
  EXPECT_EQ(ops.PreferredOf(others).ops, others.ops);
}

TEST(ChangedOpsTest, PrefersTheOpsThatThePatchsCodeNamesUntilAProgramHasChanged) {
  const GeneratorOptions all = {.numbers = {17}, .patch_ops = {OpKind::kClamp, OpKind::kSin}};
  ChangedOps ops;
  EXPECT_EQ(ops.PreferredOf(all).ops, all.patch_ops);
  EXPECT_GT(ops.PreferredOf(all).numbers_percent, all.numbers_percent) << "a number may be the patch's limit";
  const auto add = [&](int programs) {
    while (programs-- > 0) ops.Add(Of({OpKind::kSin}), false);
    return ops.PreferredOf(all);
  };
  EXPECT_TRUE(add(64).ops.empty()) << "by turns with all ops";
  EXPECT_EQ(add(192).ops, all.patch_ops);
  EXPECT_TRUE(add(256).ops.empty());
  EXPECT_GT(ops.PreferredOf(all).chain_percent, all.chain_percent);
  EXPECT_EQ(add(512).ops, all.patch_ops);
  ops.Add(Of({OpKind::kExp}), true);
  EXPECT_EQ(ops.PreferredOf(all).ops, std::vector<OpKind>{OpKind::kExp});
}

TEST(ChangedOpsTest, PrefersSeveralOpsIfNoneOfManyProgramsHasChanged) {
  const GeneratorOptions all;
  ChangedOps ops;
  for (int i = 0; i < 127; ++i) ops.Add(Of({OpKind::kAbs}), false);
  EXPECT_EQ(ops.PreferredOf(all).chain_percent, all.chain_percent);
  ops.Add(Of({OpKind::kAbs}), false);
  EXPECT_GT(ops.PreferredOf(all).chain_percent, 2 * all.chain_percent);
  EXPECT_TRUE(CheckOptions(ops.PreferredOf(all)).ok());
}

}  // namespace
TEST(ChangedOpsTest, TypesBeyondTheSpecificationArePreferredAsLongAsOnlyTheyChange) {
  const auto of_type = [](ElementType type) {
    Case test_case = Of({OpKind::kAbs});
    test_case.program.arguments[0].element_type = test_case.program.ops[0].result.element_type = type;
    return test_case;
  };
  const GeneratorOptions all;
  ChangedOps ops;
  ops.Add(of_type(ElementType::kI64), false);
  EXPECT_EQ(ops.PreferredOf(all).beyond_spec_percent, all.beyond_spec_percent) << "nothing has changed";
  ops.Add(of_type(ElementType::kI64), true);
  EXPECT_GT(ops.PreferredOf(all).beyond_spec_percent, 50);
  GeneratorOptions without = all;
  without.beyond_spec_percent = 0;
  EXPECT_EQ(ops.PreferredOf(without).beyond_spec_percent, 0);
  ops.Add(of_type(ElementType::kI32), true);
  EXPECT_EQ(ops.PreferredOf(all).beyond_spec_percent, all.beyond_spec_percent);
}

}  // namespace tosaic
