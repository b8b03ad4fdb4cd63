// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/twins.h"

#include <map>
#include <set>
#include <string>

#include "absl/algorithm/container.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/routes.h"

namespace tosaic {
namespace {

using E = ElementType;
using Kind = ValueRef::Kind;

Tensor I32(uint64_t bits) {
  Tensor tensor(E::kI32, {1});
  tensor.SetBits(0, bits);
  return tensor;
}

// sub(add(%arg0, %cst0), %arg1) and a mul by %cst1, shifted by %cst2; the last is returned alone. Two runs.
Case Chain() {
  const TensorType dynamic{Shape({Dim::Dynamic()}), E::kI32};
  Case chain;
  chain.program.arguments = {dynamic, dynamic};
  chain.program.constants = {I32(5), I32(7), Tensor(E::kI8, {1})};
  chain.program.ops = {{OpKind::kAdd, {{Kind::kArgument, 0}, {Kind::kConstant, 0}}, {}, dynamic},
                       {OpKind::kSub, {{Kind::kOp, 0}, {Kind::kArgument, 1}}, {}, dynamic},
                       {OpKind::kMul, {{Kind::kOp, 1}, {Kind::kConstant, 1}, {Kind::kConstant, 2}}, {}, dynamic}};
  chain.program.results = {{Kind::kOp, 2}};
  chain.runs = {{I32(1), I32(2)}, {I32(3), I32(4)}};
  EXPECT_TRUE(CheckWellFormed(chain).ok()) << CheckWellFormed(chain);
  return chain;
}

std::optional<Case> Twin(Case test_case, absl::string_view name) {
  test_case.twin = std::string(name);
  return TwinOf(test_case);
}

TEST(TwinsTest, EveryTwinOfAChainIsWellFormedAndReturnsEveryOp) {
  const Case chain = Chain();
  for (absl::string_view name : AllTwins()) {
    const std::optional<Case> twin = Twin(chain, name);
    ASSERT_TRUE(twin) << name;
    EXPECT_TRUE(CheckWellFormed(*twin).ok()) << name << ": " << CheckWellFormed(*twin);
    EXPECT_EQ(twin->twin, "") << name;
    EXPECT_EQ(twin->program.ops.size(), 3u) << name;
    EXPECT_EQ(twin->program.results, (std::vector<ValueRef>{{Kind::kOp, 0}, {Kind::kOp, 1}, {Kind::kOp, 2}})) << name;
    EXPECT_NE(*twin, chain) << name;
  }
}

TEST(TwinsTest, AllReturnedIsTheSameProgramWithMoreResults) {
  std::optional<Case> twin = Twin(Chain(), "all-returned");
  ASSERT_TRUE(twin);
  twin->program.results = Chain().program.results;
  EXPECT_EQ(*twin, Chain());
  EXPECT_FALSE(Twin(*Twin(Chain(), "all-returned"), "all-returned")) << "it returns all already";
}

TEST(TwinsTest, ConstantsBecomeArgumentsOfTheirTypeAndDataInEveryRunButForShifts) {
  const std::optional<Case> twin = Twin(Chain(), "constants-as-arguments");
  ASSERT_TRUE(twin);
  ASSERT_EQ(twin->program.constants.size(), 1u);
  EXPECT_EQ(twin->program.constants[0].element_type(), E::kI8);
  ASSERT_EQ(twin->program.arguments.size(), 4u);
  EXPECT_EQ(ToString(twin->program.arguments[2]), "tensor<1xi32>");
  for (const auto& run : twin->runs) {
    const auto value = [&](int op, int operand) { return run[twin->program.ops[op].operands[operand].index].Bits(0); };
    EXPECT_EQ(value(0, 1), 5u);
    EXPECT_EQ(value(2, 1), 7u);
  }
  EXPECT_EQ(twin->program.ops[2].operands[2], (ValueRef{Kind::kConstant, 0}));
  EXPECT_FALSE(Twin(*twin, "constants-as-arguments")) << "none is left";
}

// Constants whose sizes do not fit each other make an illegal program.
TEST(TwinsTest, ARunWhoseSizesDoNotFitHasNoTwinOfConstants) {
  Case chain = Chain();
  chain.runs.front().back() = Tensor(E::kI32, {5});
  EXPECT_TRUE(Twin(chain, "arguments-as-constants")) << "5 and 1 fit";
  chain.runs.front().front() = Tensor(E::kI32, {4});
  EXPECT_FALSE(Twin(chain, "arguments-as-constants"));
  EXPECT_FALSE(Twin(chain, "last-argument-as-constant"));
  EXPECT_TRUE(Twin(chain, "constants-as-arguments"));
}

TEST(TwinsTest, ArgumentsBecomeConstantsOfTheFirstRun) {
  const std::optional<Case> all = Twin(Chain(), "arguments-as-constants");
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->program.arguments.empty());
  ASSERT_EQ(all->runs.size(), 1u);
  EXPECT_TRUE(all->runs[0].empty());
  const auto value = [&](int op, int operand) {
    return all->program.constants[all->program.ops[op].operands[operand].index].Bits(0);
  };
  EXPECT_EQ(value(0, 0), 1u);
  EXPECT_EQ(value(0, 1), 5u);
  EXPECT_EQ(value(1, 1), 2u);

  const std::optional<Case> last = Twin(Chain(), "last-argument-as-constant");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->program.ops[0].operands[0], (ValueRef{Kind::kArgument, 0}));
  EXPECT_EQ(last->program.ops[1].operands[1], (ValueRef{Kind::kConstant, 3}));
  EXPECT_FALSE(Twin(*last, "arguments-as-constants")) << "with one argument it is the other twin";
  EXPECT_FALSE(Twin(*all, "last-argument-as-constant"));
}

TEST(TwinsTest, ARouteIsNoTwinOfItself) {
  Case chain = Chain();
  EXPECT_EQ(Twin(chain, "after-cse")->route, "after-cse");
  chain.route = "after-cse";
  EXPECT_FALSE(Twin(chain, "after-cse"));
  EXPECT_FALSE(Twin(chain, "no-such-twin"));
  EXPECT_FALSE(Twin(chain, ""));
  chain.runs.clear();
  EXPECT_FALSE(Twin(chain, "canonicalized")) << "nothing runs";
}

TEST(TwinsTest, AnEditedRouteIsComparedWithNoOther) {
  Case chain = Chain();
  const auto drawn = [&](absl::string_view route) {
    chain.route = std::string(route);
    std::set<std::string> names;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      SeededChoices choices(seed, 0);
      names.insert(DrawTwin(choices, chain, route));
    }
    return names;
  };
  const std::set<std::string> of_loops = drawn("loops"), of_edited = drawn(kCustomRoute);
  EXPECT_TRUE(of_loops.contains("after-cse"));
  EXPECT_FALSE(of_loops.contains(""));
  EXPECT_FALSE(of_edited.contains("after-cse"));
  EXPECT_TRUE(of_edited.contains("all-returned"));
}

TEST(TwinsTest, TheGeneratorGivesSomeOfTheProgramsThatHideValuesATwinThatTheyHave) {
  GeneratorOptions options;
  options.twin_percent = 10;
  std::map<std::string, int> drawn;
  int hiding = 0, without = 0, others = 0;
  for (uint64_t number = 0; number < 3000; ++number) {
    const Case generated = GenerateCase(5, number, options);
    const auto returned =
        absl::c_count_if(generated.program.results, [](ValueRef ref) { return ref.kind == ValueRef::Kind::kOp; });
    const bool hides_some = static_cast<size_t>(returned) < generated.program.ops.size();
    if (hides_some && !generated.runs.empty()) {
      ++hiding;
      without += generated.twin.empty() ? 1 : 0;
    }
    if (generated.twin.empty()) continue;
    ++drawn[generated.twin];
    others += hides_some ? 0 : 1;
    const std::optional<Case> twin = TwinOf(generated);
    ASSERT_TRUE(twin) << number << ": " << generated.twin;
    EXPECT_TRUE(CheckWellFormed(*twin).ok()) << number << ": " << CheckWellFormed(*twin);
  }
  EXPECT_GT(hiding, 100);
  EXPECT_GT(without, hiding / 2);
  EXPECT_LT(without, hiding * 95 / 100);
  EXPECT_GT(others, 100);
  EXPECT_EQ(drawn.size(), AllTwins().size());
  options.twin_percent = 100;
  options.routes = {{"loops", 1}, {"optimized", 1}};
  for (uint64_t number = 0; number < 300; ++number) {
    const Case generated = GenerateCase(5, number, options);
    const std::optional<Case> twin = TwinOf(generated);
    if (generated.route == "optimized" && twin) EXPECT_EQ(twin->route, "optimized") << generated.twin;
  }
  options.twin_percent = 0;
  for (uint64_t number = 0; number < 300; ++number) EXPECT_EQ(GenerateCase(5, number, options).twin, "");
}

}  // namespace
}  // namespace tosaic
