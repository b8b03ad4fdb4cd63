// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/chains.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generators/composed_testing.h"
#include "generators/element_bits.h"
#include "generators/repair.h"
#include "gtest/gtest.h"
#include "model/json.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

TEST(Traps, ConstantsStayWhatTraps) {
  GeneratorOptions options;
  std::map<OpKind, int> traps;
  for (const Case& generated : Cases(27, 40000, options)) {
    if (Origin(generated) != "trapping-constants") continue;
    const Program& program = generated.program;
    for (const OpApplication& op : program.ops) {
      if (!MayTrap(Info(op.op))) continue;
      ValueRef second = op.operands[1];
      if (second.kind == Kind::kOp) second = program.ops[second.index].operands[0];
      const Tensor* constant = AsConstant(program, second);
      ASSERT_NE(constant, nullptr) << CaseToText(generated);
      const ElementType type = constant->element_type();
      const uint64_t bits = constant->Bits(0);
      const bool division = Info(op.op).unpredictable == Unpredictable::kDivision;
      EXPECT_TRUE(division ? bits == 0 || bits == BitMask(type) : bits >= static_cast<uint64_t>(BitWidth(type)))
          << CaseToText(generated);
      if (division) EXPECT_LE(generated.runs.size(), 1u);
      ++traps[op.op];
    }
  }
  EXPECT_EQ(traps.size(), 4u);
  for (const auto& [op, count] : traps) EXPECT_GT(count, 20) << Name(op);
}

TEST(Chains, EachAppears) {
  std::map<std::string, int> seen;
  for (const Case& generated : TwoThousand(Composition::kChains)) {
    const std::string origin = Origin(generated);
    for (const auto name : absl::StrSplit(absl::StripPrefix(origin, "chain/"), '+')) ++seen[Text(name)];
  }
  for (const Chain& chain : AllChains()) EXPECT_GT(seen[Text(chain.name)], 6) << chain.name;
  EXPECT_EQ(seen.size(), AllChains().size());
}

// The operand itself, or what it is of an op of that kind.
const OpApplication* OperandOf(const Program& program, const OpApplication& op, size_t k, OpKind kind) {
  const ValueRef ref = op.operands[k];
  if (ref.kind != Kind::kOp || program.ops[ref.index].op != kind) return nullptr;
  return &program.ops[ref.index];
}

TEST(Chains, EveryAlgebraicExpressionHasTypes) {
  for (const absl::string_view expression : AlgebraicExpressions()) {
    GeneratorOptions options = Only(Composition::kChains);
    for (const absl::string_view word : absl::StrSplit(expression, ' ')) {
      if (const auto op = FindOp(word)) options.ops.push_back(*op);
    }
    const std::vector<Case> cases = Cases(31, 40, options);
    EXPECT_TRUE(absl::c_any_of(cases, [](const Case& test_case) {
      return absl::StrContains(Origin(test_case), "algebra");
    })) << expression;
  }
}

// Absorption and a comparison with a difference: expressions whose operands are one value, or a constant zero.
TEST(Chains, AlgebraRepeatsItsLeaves) {
  int absorbed = 0, compared = 0;
  for (const Case& generated : TwoThousand(Composition::kChains)) {
    const Program& program = generated.program;
    for (const OpApplication& op : program.ops) {
      if (op.op == OpKind::kBitwiseAnd) {
        const OpApplication* other = OperandOf(program, op, 1, OpKind::kBitwiseOr);
        absorbed += other != nullptr && other->operands[0] == op.operands[0] ? 1 : 0;
      }
      if (op.op != OpKind::kGreater || OperandOf(program, op, 0, OpKind::kSub) == nullptr) continue;
      const Tensor* zero = AsConstant(program, op.operands[1]);
      compared += zero != nullptr && zero->Bits(0) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(absorbed, 3);
  EXPECT_GT(compared, 3);
}

// clz of 0, floor of infinity, clamp of the least number: a folder of one constant has cases of their own for these.
TEST(Chains, OpsOfOneOperandMeetNotableConstants) {
  int zeros = 0, limits = 0;
  for (const Case& generated : Cases(21, 3500, Only(Composition::kChains))) {
    for (const OpApplication& op : generated.program.ops) {
      const Tensor* constant = AsConstant(generated.program, op.operands[0]);
      if (BroadcastOperandCount(Info(op.op)) > 1 || constant == nullptr || constant->element_count() == 0) continue;
      const ElementType type = constant->element_type();
      const uint64_t bits = constant->Bits(0);
      bool is_splat = BitWidth(type) > 1;
      for (size_t i = 0; i < constant->element_count(); ++i) is_splat = is_splat && constant->Bits(i) == bits;
      zeros += is_splat && bits == 0 ? 1 : 0;
      limits += is_splat && (bits == LowestBits(type) || bits == HighestBits(type)) ? 1 : 0;
    }
  }
  EXPECT_GT(zeros, 40);
  EXPECT_GT(limits, 10);
}

TEST(Chains, SiblingsDifferInOrderOrAttributes) {
  int swapped = 0, attributes = 0, types = 0;
  for (const Case& generated : Cases(21, 3500, Only(Composition::kChains))) {
    if (!absl::StartsWith(Origin(generated), "chain/siblings")) continue;
    const OpApplication &first = generated.program.ops[0], &second = generated.program.ops[1];
    ASSERT_EQ(first.op, second.op);
    swapped += first.operands[0] != second.operands[0] ? 1 : 0;
    attributes += !(first.attributes == second.attributes) ? 1 : 0;
    types += first.result.element_type != second.result.element_type ? 1 : 0;
  }
  EXPECT_GT(swapped, 5);
  EXPECT_GT(attributes, 3);
  EXPECT_GT(types, 1);
}

// A fold that takes what it does not know for 0 is wrong for each of the four.
TEST(Chains, OneZeroPointOfTwoNegationsIsKnownAtRunTime) {
  GeneratorOptions options = Only(Composition::kChains);
  options.ops = {OpKind::kNegate};
  options.types = {ElementType::kI8};
  options.as_tosa = true;
  std::set<std::pair<int, size_t>> places;
  for (const Case& generated : Cases(21, 400, options)) {
    const Program& program = generated.program;
    for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
      const OpApplication& op = program.ops[static_cast<size_t>(i)];
      const bool is_outer = OperandOf(program, op, 0, OpKind::kNegate) != nullptr;
      for (const size_t k : {1u, 2u}) {
        if (op.operands[k].kind != Kind::kArgument) continue;
        places.insert({is_outer ? 1 : 0, k});
        for (const auto& run : generated.runs) {
          EXPECT_NE(run[static_cast<size_t>(op.operands[k].index)].Bits(0), 0u) << CaseToText(generated);
        }
      }
    }
  }
  EXPECT_EQ(places.size(), 4u);
}

// How the range of one clamp stands to that of the next.
void AddWays(const Attributes& first, const Attributes& second, std::set<std::string>& ways) {
  const ElementType type = first.min_val->type;
  auto less = [&](const auto& a, const auto& b) { return LessValue(type, a->bits, b->bits); };
  ASSERT_FALSE(less(first.max_val, first.min_val) || less(second.max_val, second.min_val));
  if (less(first.max_val, second.min_val)) ways.insert("below");
  if (less(second.max_val, first.min_val)) ways.insert("above");
  if (first.max_val == second.min_val && less(second.min_val, second.max_val)) ways.insert("touches below");
  if (second.max_val == first.min_val && less(second.min_val, second.max_val)) ways.insert("touches above");
  if (less(first.min_val, second.min_val) && less(second.max_val, first.max_val)) ways.insert("outside");
  if (less(second.min_val, first.min_val) && less(first.max_val, second.max_val)) ways.insert("inside");
  if (less(first.min_val, second.min_val) && less(second.min_val, first.max_val) &&
      less(first.max_val, second.max_val)) {
    ways.insert("overlaps");
  }
}

// The ranges of clamp-clamp stand to each other in every way, in both orders.
TEST(Chains, ClampRangesAreDisjointTouchOverlapAndNest) {
  std::set<std::string> ways;
  for (const Case& generated : Cases(21, 4000, Only(Composition::kChains))) {
    if (!absl::StrContains(Origin(generated), "clamp-clamp")) continue;
    for (const OpApplication& op : generated.program.ops) {
      const ValueRef from = op.operands[0];
      if (op.op != OpKind::kClamp || from.kind != Kind::kOp) continue;
      const OpApplication& before = generated.program.ops[from.index];
      if (before.op == OpKind::kClamp) AddWays(before.attributes, op.attributes, ways);
    }
  }
  EXPECT_EQ(ways.size(), 7u);
}

}  // namespace
}  // namespace tosaic
