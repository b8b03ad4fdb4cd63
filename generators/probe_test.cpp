// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/probe.h"

#include <algorithm>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace tosaic {
namespace {

// A vector is ranked and static, its dimensions at least 1; a scalar has rank 0.
bool IsWellFormed(const ValueType& value) {
  const Shape& shape = value.type.shape;
  if (value.container == Container::kScalar) return shape.IsRanked() && shape.rank() == 0;
  if (value.container == Container::kTensor) return true;
  return shape.IsStatic() &&
         std::all_of(shape.dims().begin(), shape.dims().end(), [](Dim dim) { return dim.size() > 0; });
}

TEST(Probe, EveryDrawCanBeWrittenAndRead) {
  for (uint64_t i = 0; i < 5000; ++i) {
    SeededChoices choices(1, i);
    const OpSignature probe = DrawProbe(choices);
    for (const ValueType& operand : probe.operands) EXPECT_TRUE(IsWellFormed(operand)) << ToString(probe);
    EXPECT_TRUE(IsWellFormed(probe.result)) << ToString(probe);
    const absl::StatusOr<OpSignature> read = ParseOpSignature(ToString(probe));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, probe);
  }
}

TEST(Probe, WhatNoTosaOpCanAsk) {
  std::set<size_t> counts;
  std::set<Container> containers;
  bool ranks_differ = false, types_differ = false, unranked = false;
  for (uint64_t i = 0; i < 2000; ++i) {
    SeededChoices choices(2, i);
    const OpSignature probe = DrawLegalProbe(choices);
    counts.insert(probe.operands.size());
    for (const ValueType& operand : probe.operands) {
      const Shape &shape = operand.type.shape, &first = probe.operands.front().type.shape;
      containers.insert(operand.container);
      unranked |= !shape.IsRanked();
      ranks_differ |= shape.IsRanked() && first.IsRanked() && shape.rank() != first.rank();
      types_differ |= operand.type.element_type != probe.operands.front().type.element_type;
    }
  }
  EXPECT_EQ(counts, (std::set<size_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(containers, (std::set<Container>{Container::kTensor, Container::kVector}));
  EXPECT_TRUE(ranks_differ && types_differ && unranked);
}

TEST(Probe, IllegalitiesHaveNames) {
  std::set<std::string> names;
  for (const ProbeIllegality& illegality : AllProbeIllegalities()) {
    EXPECT_TRUE(names.emplace(illegality.name).second);
    EXPECT_NE(illegality.rule, RuleId::kNone);
  }
}

}  // namespace
}  // namespace tosaic
