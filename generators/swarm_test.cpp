// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/swarm.h"

#include <set>

#include "absl/algorithm/container.h"
#include "generators/generator.h"
#include "gtest/gtest.h"

namespace tosaic {
namespace {

GeneratorOptions All() {
  GeneratorOptions all;
  all.twin_percent = 8;
  all.routes = {{"loops", 5}, {"canonicalized", 2}, {"sequence", 1}};
  return all;
}

TEST(Swarm, LeavesOutAPartAndNeverTheFirstRoute) {
  std::set<size_t> ops, types, routes, chains;
  for (uint64_t number = 0; number < 200; ++number) {
    const GeneratorOptions part = SwarmOf(All(), 1, number);
    ASSERT_TRUE(CheckOptions(part).ok());
    ASSERT_FALSE(part.routes.empty());
    EXPECT_EQ(part.routes.front(), All().routes.front());
    ops.insert(part.ops.size());
    types.insert(part.types.size());
    routes.insert(part.routes.size());
    chains.insert(static_cast<size_t>(part.chain_percent));
  }
  EXPECT_GT(ops.size(), 10u);
  EXPECT_GT(types.size(), 5u);
  EXPECT_EQ(routes, (std::set<size_t>{1, 2, 3}));
  EXPECT_EQ(chains, (std::set<size_t>{0, static_cast<size_t>(All().chain_percent)}));
}

TEST(Swarm, IsTheSameForASeedAndANumber) {
  const GeneratorOptions one = SwarmOf(All(), 7, 3), again = SwarmOf(All(), 7, 3), other = SwarmOf(All(), 8, 3);
  EXPECT_EQ(one.ops, again.ops);
  EXPECT_EQ(one.types, again.types);
  EXPECT_TRUE(one.ops != other.ops || one.types != other.types);
}

TEST(Swarm, KeepsToWhatIsAllowed) {
  GeneratorOptions few = All();
  few.ops = {OpKind::kAdd, OpKind::kCast};
  few.types = {ElementType::kF32};
  for (uint64_t number = 0; number < 100; ++number) {
    const GeneratorOptions part = SwarmOf(few, 1, number);
    EXPECT_TRUE(absl::c_all_of(part.ops, [&](OpKind op) { return absl::c_linear_search(few.ops, op); }));
    EXPECT_EQ(part.types, few.types);
    GenerateCase(1, number, part);
  }
}

}  // namespace
}  // namespace tosaic
