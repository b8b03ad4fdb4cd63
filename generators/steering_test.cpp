// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/steering.h"

#include <set>

#include "gtest/gtest.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

constexpr uint64_t kSeed = 3;

// They outlive the combinations, which name their routes.
const GeneratorOptions& TwoRoutes() {
  static const GeneratorOptions& options = *new GeneratorOptions{.routes = {{"loops", 3}, {"canonicalized", 1}}};
  return options;
}

TEST(SteeringTest, ACaseIsTheSameInWhateverOrderCasesAreAskedFor) {
  Steering forwards(kSeed, TwoRoutes()), at_once(kSeed, TwoRoutes());
  at_once.HeadOf(499);
  for (uint64_t number = 0; number < 500; ++number) EXPECT_EQ(forwards.HeadOf(number), at_once.HeadOf(number));
}

TEST(SteeringTest, ACaseIsTheCombinationThatWasChosen) {
  Steering steering(kSeed, TwoRoutes());
  int later_heads = 0;
  for (uint64_t number = 0; number < 1000; ++number) {
    const int head = steering.HeadOf(number);
    const std::vector<Combination> heads = CombinationsOf(kSeed, number, TwoRoutes(), Steering::kHeads);
    ASSERT_LT(static_cast<size_t>(head), heads.size());
    const Combination& chosen = heads[static_cast<size_t>(head)];
    const Case generated = GenerateCase(kSeed, number, TwoRoutes(), head);
    EXPECT_EQ(generated.route, chosen.route);
    later_heads += head > 0 ? 1 : 0;
    if (!chosen.op || chosen.intent.substr(0, 5) != "plain") continue;
    const OpApplication& op = generated.program.ops[0];
    EXPECT_EQ(op.op, chosen.op->op);
    EXPECT_EQ(op.result.element_type, chosen.op->result);
    EXPECT_EQ(ClassOf(generated.program, op), chosen.shapes) << Signature(generated.program, op);
  }
  EXPECT_GT(later_heads, 100);
}

// Steering is for this: as many cases see more combinations.
TEST(SteeringTest, SeesMoreCombinationsThanChanceDoes) {
  Steering steering(kSeed, TwoRoutes());
  std::set<Combination> steered, by_chance;
  for (uint64_t number = 0; number < 2000; ++number) {
    const std::vector<Combination> heads = CombinationsOf(kSeed, number, TwoRoutes(), Steering::kHeads);
    by_chance.insert(heads[0]);
    steered.insert(heads[static_cast<size_t>(steering.HeadOf(number))]);
  }
  EXPECT_GT(steered.size(), by_chance.size() * 5 / 4) << by_chance.size();
}

TEST(SteeringTest, ThreeOfFourCasesAreByThePreferredOptions) {
  Steering steering(kSeed, TwoRoutes()), plain(kSeed, TwoRoutes());
  for (uint64_t number = 0; number < 100; ++number) EXPECT_EQ(steering.HeadOf(number), plain.HeadOf(number));
  GeneratorOptions preferred = TwoRoutes();
  preferred.ops = {OpKind::kTanh};
  steering.PreferFrom(100, preferred);
  steering.PreferFrom(500, TwoRoutes());
  int of_tanh = 0;
  for (uint64_t number = 0; number < 900; ++number) {
    const GeneratorOptions& options = steering.OptionsOf(number);
    const Case generated = Steering::CaseOf(kSeed, Steering::Task(number, steering.HeadOf(number)), options);
    if (options.ops.empty()) continue;
    EXPECT_TRUE(100 <= number && number < 500) << number;
    for (const OpApplication& op : generated.program.ops) EXPECT_EQ(op.op, OpKind::kTanh);
    ++of_tanh;
  }
  EXPECT_NEAR(of_tanh, 300, 30);
}

TEST(SteeringTest, TheSharesOfRoutesAndIntentsStay) {
  Steering steering(kSeed, TwoRoutes());
  int loops = 0, illegal = 0;
  for (uint64_t number = 0; number < 2000; ++number) {
    const Case generated = GenerateCase(kSeed, number, TwoRoutes(), steering.HeadOf(number));
    loops += generated.route == "loops" ? 1 : 0;
    illegal += generated.runs.empty() ? 1 : 0;
  }
  EXPECT_NEAR(loops, 1500, 100);
  EXPECT_NEAR(illegal, 240, 60);
}

TEST(RoundsTest, FollowEachOther) {
  uint64_t begin = 0;
  for (int round = 0; round < 8; ++round) {
    const uint64_t end = RoundEnd(begin);
    ASSERT_GT(end, begin);
    for (const uint64_t number : {begin, end - 1}) {
      EXPECT_EQ(RoundBegin(number), begin);
      EXPECT_EQ(RoundEnd(number), end);
    }
    begin = end;
  }
}

}  // namespace
}  // namespace tosaic
