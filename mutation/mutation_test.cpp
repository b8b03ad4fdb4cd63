// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutation/mutation.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generators/blocks.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "model/json.h"
#include "model/static_program.h"
#include "mutation/program_growth.h"
#include "oracle/legality.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

using Kind = ValueRef::Kind;

GeneratorOptions Options() {
  GeneratorOptions options;
  options.runs = 3;
  options.max_elements = 256;
  options.twin_percent = 8;
  options.reshape_percent = 20;
  options.routes = {{"loops", 2}, {"canonicalized", 2}, {"sequence", 1}};
  return options;
}

const std::vector<Case>& Parents() {
  static const auto& parents = *[] {
    auto* cases = new std::vector<Case>;
    for (uint64_t number = 0; number < 300; ++number) cases->push_back(GenerateCase(7, number, Options()));
    return cases;
  }();
  return parents;
}

GeneratorOptions BlockOptions() {
  GeneratorOptions options = Options();
  options.spec_version = SpecVersion::k1_1;
  for (const ElementTypeInfo& info : BlockScaledTypes()) options.blocks.push_back(info.type);
  return options;
}

const std::vector<Case>& BlockParents() {
  static const auto& parents = *[] {
    auto* cases = new std::vector<Case>;
    for (uint64_t number = 0; number < 300; ++number) {
      SeededChoices choices(7, number);
      cases->push_back(GenerateBlocks(choices, BlockOptions(), /*for_validator=*/false));
    }
    return cases;
  }();
  return parents;
}

Policies OfDraft() { return {.spec_version = SpecVersion::k1_1, .dialect = Dialect::k24}; }

bool IsLegal(const Program& program, const Policies& policies = {}) {
  return JudgeLegality(program, policies).answer == Answer::kAccept;
}

std::optional<Case> Apply(const MutationStep& step, uint64_t number) {
  SeededChoices choices(11, number);
  const GeneratorOptions options = Options();
  const Case& parent = Parents()[number % Parents().size()];
  return ApplyStep(step, {choices, options, Parents()[(number * 7 + 1) % Parents().size()]}, parent);
}

class MutationStepTest : public testing::TestWithParam<MutationStep> {};

TEST_P(MutationStepTest, HasAPlaceSomewhereAndChangesTheCase) {
  int applied = 0;
  for (uint64_t number = 0; number < Parents().size(); ++number) {
    const std::optional<Case> mutant = Apply(GetParam(), number);
    if (!mutant) continue;
    ++applied;
    const Case& parent = Parents()[number];
    EXPECT_TRUE(mutant->program != parent.program || mutant->runs != parent.runs || mutant->route != parent.route)
        << mutant->origin;
    EXPECT_TRUE(absl::StartsWith(mutant->origin, absl::StrCat(parent.origin, " +"))) << mutant->origin;
  }
  EXPECT_GT(applied, 5);
}

TEST_P(MutationStepTest, WhatComesOutIsWellFormedAndReadsBackAsItWasWritten) {
  for (uint64_t number = 0; number < Parents().size(); ++number) {
    const std::optional<Case> mutant = Apply(GetParam(), number);
    if (!mutant) continue;
    EXPECT_TRUE(CheckWellFormed(*mutant).ok()) << CheckWellFormed(*mutant);
    EXPECT_LE(mutant->program.ops.size(), std::max(kMostOpsOfMutants, Parents()[number].program.ops.size() + 1));
    const absl::StatusOr<Case> read = CaseFromText(CaseToText(*mutant));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, *mutant);
  }
}

TEST_P(MutationStepTest, ALegalCaseStaysLegalWithDefinedSizesUnlessARuleIsBroken) {
  for (uint64_t number = 0; number < Parents().size(); ++number) {
    if (!IsLegal(Parents()[number].program)) continue;
    const std::optional<Case> mutant = Apply(GetParam(), number);
    if (!mutant) continue;
    const Legality legality = JudgeLegality(mutant->program, {});
    if (GetParam().name == "rule-broken") {
      EXPECT_TRUE(mutant->runs.empty());
      continue;
    }
    const bool is_open = legality.answer == Answer::kEither && legality.rule == RuleId::kLegalResultShape;
    EXPECT_TRUE(legality.answer == Answer::kAccept || is_open) << legality.rule << "\n" << CaseToText(*mutant);
    EXPECT_FALSE(mutant->runs.empty() && !mutant->program.arguments.empty()) << CaseToText(*mutant);
    for (const auto& run : mutant->runs) EXPECT_TRUE(SizesOfAllOps(mutant->program, run)) << CaseToText(*mutant);
  }
}

// MLIR takes the sizes of an unranked operand of reshape from whatever lies in memory, and may never end (F20). What
// comes of it differs from run to run, so that a campaign called it new.
TEST_P(MutationStepTest, NoReshapeGetsAnUnrankedOperand) {
  const auto reads_memory = [](const Case& test_case) {
    return absl::c_any_of(test_case.program.ops, [&](const OpApplication& op) {
      return op.op == OpKind::kReshape && TakesUnrankedForRanked(test_case.program, op);
    });
  };
  for (uint64_t number = 0; number < 10 * Parents().size(); ++number) {
    if (reads_memory(Parents()[number % Parents().size()])) continue;
    const std::optional<Case> mutant = Apply(GetParam(), number);
    EXPECT_FALSE(mutant && reads_memory(*mutant)) << CaseToText(*mutant);
  }
}

TEST_P(MutationStepTest, LeavesBlocksWholeAndLegal) {
  int applied = 0, constants = 0;
  for (uint64_t number = 0; number < BlockParents().size(); ++number) {
    const Case& parent = BlockParents()[number];
    if (!IsLegal(parent.program, OfDraft())) continue;
    SeededChoices choices(11, number);
    const GeneratorOptions options = BlockOptions();
    const Case& other = number % 2 == 0 ? Parents()[number] : BlockParents()[(number * 7 + 1) % 300];
    const std::optional<Case> mutant = ApplyStep(GetParam(), {choices, options, other}, parent);
    if (!mutant) continue;
    ++applied;
    ASSERT_TRUE(CheckWellFormed(*mutant).ok()) << CheckWellFormed(*mutant);
    const absl::StatusOr<Case> read = CaseFromText(CaseToText(*mutant));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, *mutant);
    for (const Tensor& constant : mutant->program.constants) constants += IsBlockScaled(constant.element_type());
    if (GetParam().name == "rule-broken") continue;
    EXPECT_TRUE(HasWholeBlocks(mutant->program));
    const Legality legality = JudgeLegality(mutant->program, OfDraft());
    const bool is_open = legality.answer == Answer::kEither &&
                         (legality.rule == RuleId::kLegalResultShape || legality.rule == RuleId::kLegalBlockScaled);
    EXPECT_TRUE(legality.answer == Answer::kAccept || is_open) << legality.rule << "\n" << CaseToText(*mutant);
    for (const auto& run : mutant->runs) EXPECT_TRUE(SizesOfAllOps(mutant->program, run)) << CaseToText(*mutant);
  }
  // No type is dynamic, no route a sequence, and the ops have neither bounds nor parameters.
  const std::set<absl::string_view> without_place = {"tighter-type", "passes", "attributes"};
  EXPECT_EQ(applied == 0, without_place.contains(GetParam().name));
  if (GetParam().name == "argument-as-constant") EXPECT_GT(constants, applied / 4);
}

// A file may have any op on any type, as the reproducer of B23 has clamp on a block-scaled one.
TEST_P(MutationStepTest, TakesAnyOpOnAnyType) {
  const GeneratorOptions options = BlockOptions();
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : AllElementTypes()) types.push_back(info.type);
  for (const ElementTypeInfo& info : BlockScaledTypes()) types.push_back(info.type);
  for (const OpInfo& op : AllOps()) {
    for (const ElementType type : types) {
      Case parent = {
          .program = {.ops = {{.op = op.kind, .result = {Shape::OfSizes({32}), type}}}, .results = {{Kind::kOp, 0}}}};
      OpApplication& only = parent.program.ops.front();
      for (size_t k = 0; k < op.operands.size(); ++k) {
        only.operands.push_back(AddArgument(parent.program, {Shape::OfSizes({32}), type}));
      }
      StateNewShape(only);
      for (uint64_t seed = 0; seed < 40; ++seed) {
        SeededChoices choices(seed, 1);
        const MutationTools tools = {choices, options, BlockParents()[seed]};
        const std::optional<Case> mutant = ApplyStep(GetParam(), tools, parent);
        if (mutant) EXPECT_TRUE(CheckWellFormed(*mutant).ok()) << CheckWellFormed(*mutant) << CaseToText(parent);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, MutationStepTest, testing::ValuesIn(MutationSteps()), [](const auto& info) {
  std::string name(info.param.name);
  absl::c_replace(name, '-', '_');
  return name;
});

TEST(MutationTest, TheSameChoicesMakeTheSameMutant) {
  const GeneratorOptions options = Options();
  std::map<std::string, int> steps;
  for (uint64_t number = 0; number < Parents().size(); ++number) {
    SeededChoices one(3, number), two(3, number);
    const Case& parent = Parents()[number];
    const Case& other = Parents()[(number + 5) % Parents().size()];
    const Case mutant = Mutated({one, options, other}, parent);
    EXPECT_EQ(mutant, Mutated({two, options, other}, parent));
    EXPECT_TRUE(CheckWellFormed(mutant).ok());
    for (const MutationStep& step : MutationSteps()) {
      steps[std::string(step.name)] += absl::StrContains(mutant.origin, absl::StrCat("+", step.name)) ? 1 : 0;
    }
  }
  EXPECT_GT(steps["other-op"], 0);
  EXPECT_GT(steps["splice"], 0);
}

// A fuzzer's bytes end somewhere, and every draw behind them is 0.
TEST(MutationTest, EndsWithoutChoices) {
  const GeneratorOptions options = Options();
  for (const Case& parent : Parents()) {
    ByteChoices none({});
    EXPECT_TRUE(CheckWellFormed(Mutated({none, options, parent}, parent)).ok());
  }
}

TEST(MutationTest, AMutantOfAMutantStaysSmall) {
  const GeneratorOptions options = Options();
  Case mutant = Parents().front();
  for (uint64_t number = 0; number < 500; ++number) {
    SeededChoices choices(5, number);
    mutant = Mutated({choices, options, Parents()[number % Parents().size()]}, mutant);
    EXPECT_TRUE(CheckWellFormed(mutant).ok());
    EXPECT_LE(mutant.program.ops.size(), kMostOpsOfMutants);
    EXPECT_LE(mutant.program.arguments.size(), 15u);
  }
}

TEST(MutationTest, OnlyOpsThatTheOptionsAllowArePutIn) {
  GeneratorOptions options = Options();
  options.ops = {OpKind::kAdd, OpKind::kSub};
  Case parent = GenerateCase(1, 0, options);
  for (uint64_t number = 0; number < 200; ++number) {
    SeededChoices choices(9, number);
    parent = Mutated({choices, options, parent}, parent);
    for (const OpApplication& op : parent.program.ops) {
      EXPECT_TRUE(op.op == OpKind::kAdd || op.op == OpKind::kSub) << Name(op.op);
    }
  }
}

}  // namespace
}  // namespace tosaic
