// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutation/mutation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generators/blocks.h"
#include "generators/pass_sequences.h"
#include "generators/program_runs.h"
#include "generators/shapes.h"
#include "generators/twins.h"
#include "mutation/program_growth.h"

namespace tosaic {
namespace {

constexpr MutationStep kSteps[] = {
    {"other-op", "another op of the same operands and element types", 4, ReplaceOp},
    {"op-before-use", "an op between a value and its use", 4, InsertOp},
    {"op-behind", "an op behind another, its result returned", 3, AppendOp},
    {"same-op-twice", "an op's copy, for one of its uses", 2, DuplicateOp},
    {"identity", "a value written as an identity has it", 4, Rewrite},
    {"shared-value", "a value of the program in the place of another", 2, ShareValue},
    {"splice", "another program beside it, joined where a value fits", 3, Splice},
    {"results", "an op's result more, or less, to return", 1, ChangeResults},
    {"element-types", "other element types of an op, casts around it", 3, ChangeElementTypes},
    {"attributes", "other bounds, modes, rounding, shift, zero points", 2, ChangeAttributes},
    {"rule-broken", "an illegality of those that have names", 1, BreakARule},
    {"constant-as-argument", "a constant's value given at run time", 2, ConstantAsArgument},
    {"argument-as-constant", "an argument's data of a run as a constant", 4, ArgumentAsConstant},
    {"splat", "a constant with one value everywhere", 3, SplatConstant},
    {"dense", "a constant with other elements", 2, DenseConstant},
    {"special-values", "some elements that break arithmetic", 3, SpecialElements},
    {"fresh-runs", "other runs", 1, FreshRuns},
    {"looser-type", "a dimension dynamic, or no rank", 3, LoosenType},
    {"tighter-type", "sizes of the runs in a type", 2, TightenType},
    {"one-and-many", "a size of 1 for another, and back", 3, OneAndMany},
    {"rank-raised", "a leading dimension of 1 more", 1, RaiseRank},
    {"rank-lowered", "a dimension less", 1, LowerRank},
    {"passes", "a pass more, less, or elsewhere in a sequence of passes", 4, ChangePasses},
};

constexpr size_t kMostRunsOfMutants = 4;

// Whether a static size is another than what is implied.
bool Contradicts(const Shape& declared, const Shape& implied) {
  if (!declared.IsRanked()) return false;
  if (declared.rank() != implied.rank()) return true;
  for (size_t i = 0; i < implied.rank(); ++i) {
    if (declared[i].IsStatic() && implied[i].IsStatic() && declared[i] != implied[i]) return true;
  }
  return false;
}

// Whether operands of the implied rank have sizes that are equal or 1.
bool Broadcast(const std::vector<Shape>& ranked, const Shape& implied) {
  return absl::c_all_of(ranked, [&](const Shape& operand) {
    for (size_t i = 0; i < implied.rank(); ++i) {
      const Dim dim = operand[i];
      if (dim.IsStatic() && !dim.Is(1) && dim != implied[i]) return false;
    }
    return true;
  });
}

// Declares results that contradict their operands as those imply. False: the operands contradict each other.
bool SettleResults(Program& program) {
  for (OpApplication& op : program.ops) {
    if (HasNewShape(Info(op.op))) continue;  // says its result itself
    std::vector<Shape> ranked;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      ranked.push_back(TypeOf(program, op.operands[k]).shape);
      if (!ranked.back().IsRanked()) ranked.pop_back();
    }
    if (ranked.empty()) continue;
    const std::optional<Shape> implied = ImpliedShape(program, op);
    if (!implied || !Broadcast(ranked, *implied)) return false;
    if (Contradicts(op.result.shape, *implied)) op.result.shape = *implied;
  }
  return true;
}

// Runs that still fit are kept and repaired; if none fits, others are drawn.
void SettleRuns(const MutationTools& tools, Case& mutant) {
  const Program& program = mutant.program;
  std::erase_if(mutant.runs, [&](const Run& run) { return !FitsProgram(program, run); });
  if (program.arguments.empty()) mutant.runs.clear();
  if (mutant.runs.size() > kMostRunsOfMutants) mutant.runs.resize(kMostRunsOfMutants);
  for (Run& run : mutant.runs) RepairRun(program, run);
  if (!mutant.runs.empty()) return;
  const int count = std::min(tools.options.runs, static_cast<int>(kMostRunsOfMutants));
  const int64_t most = std::min(tools.options.max_elements, kLargeElements);
  mutant.runs = DrawProgramRuns(tools.choices, count, most, program);
}

std::string DrawRoute(const MutationTools& tools) {
  std::vector<int> weights;
  for (const auto& [route, weight] : tools.options.routes) weights.push_back(weight);
  return WithDrawnPasses(tools.choices, tools.options.routes[tools.choices.Weighted(weights)].first);
}

// One mutant in twelve gets a twin, as generated programs do. The case's own twin may no longer exist for the mutant.
void DrawTwinOf(const MutationTools& tools, Case& mutant) {
  mutant.twin.clear();
  const auto percent = static_cast<uint64_t>(tools.options.twin_percent);
  if (percent == 0 || mutant.runs.empty() || !tools.choices.Chance(percent, 100)) return;
  mutant.twin = DrawTwin(tools.choices, mutant, tools.options.routes.front().first);
}

}  // namespace

absl::Span<const MutationStep> MutationSteps() { return kSteps; }

// MLIR takes the sizes from whatever lies in memory then (docs/findings.md, F20), and no two runs are alike.
static bool ReshapesUnranked(const Program& program) {
  return absl::c_any_of(program.ops, [&](const OpApplication& op) {
    return HasNewShape(Info(op.op)) && TakesUnrankedForRanked(program, op);
  });
}

std::optional<Case> ApplyStep(const MutationStep& step, const MutationTools& tools, const Case& test_case) {
  Case mutant = test_case;
  mutant.twin.clear();
  if (!step.apply(tools, mutant)) return std::nullopt;
  if (step.apply != BreakARule) {
    if (!SettleResults(mutant.program)) return std::nullopt;
    SettleRuns(tools, mutant);
    if (mutant.runs.empty() && !test_case.runs.empty()) return std::nullopt;  // no sizes fit
    const bool is_same = mutant.program == test_case.program && mutant.runs == test_case.runs;
    if (is_same && mutant.route == test_case.route) return std::nullopt;  // settling undid it
    absl::StrAppend(&mutant.origin, " +", step.name);
  }
  // Steps change one size at a time, where a block has 32 elements.
  const bool keeps_blocks = step.apply == BreakARule || HasWholeBlocks(mutant.program);
  if (!keeps_blocks || !CheckWellFormed(mutant).ok()) return std::nullopt;
  if (ReshapesUnranked(mutant.program) && !ReshapesUnranked(test_case.program)) return std::nullopt;
  return mutant;
}

Case Mutated(const MutationTools& tools, const Case& test_case) {
  constexpr int kAttempts = 32;
  std::vector<int> weights;
  for (const MutationStep& step : kSteps) weights.push_back(step.weight);
  Case mutant = test_case;
  // Half have one step, a quarter two.
  uint64_t left = 1;
  while (left < 4 && tools.choices.Chance(1, 2)) ++left;
  for (int attempt = 0; left > 0 && attempt < kAttempts; ++attempt) {
    const MutationStep& step = kSteps[tools.choices.Weighted(weights)];
    std::optional<Case> changed = ApplyStep(step, tools, mutant);
    if (!changed) continue;
    mutant = *std::move(changed);
    --left;
    if (step.apply == BreakARule) break;  // after it, no step could be attributed
  }
  if (tools.choices.Chance(1, 2)) mutant.route = DrawRoute(tools);
  DrawTwinOf(tools, mutant);
  return mutant;
}

}  // namespace tosaic
