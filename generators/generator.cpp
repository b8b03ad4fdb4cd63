// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/generator.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "generators/blocks.h"
#include "generators/chains.h"
#include "generators/graph.h"
#include "generators/identities.h"
#include "generators/intents.h"
#include "generators/one_op.h"
#include "generators/pass_sequences.h"
#include "generators/program_builder.h"
#include "generators/reshapes.h"
#include "generators/run_sizes.h"
#include "generators/shapes.h"
#include "generators/twins.h"
#include "generators/typed_op.h"

namespace tosaic {
namespace {

// The share of programs that get a twin, among those that do not return every op's result and so are judged by what
// they return.
constexpr int kTwinPercentOfHiding = 8;

// Mistakes that begin at the size of a tile or of a page are met only there. One in five of the cases that favour these
// has one as an extent. The greater is here more often because shapes take it less often.
constexpr double kRoundNumbers[] = {1024, 4096, 4096, 4096};
constexpr uint64_t kRoundPercent = 10;

// Which broadcast operands are constants: mostly none, sometimes one, rarely all.
std::vector<bool> DrawConstants(ChoiceSource& choices, const Intent& intent) {
  const size_t count = BroadcastOperandCount(Info(intent.typed_op.op));
  std::vector<bool> constant(count, false);
  if (intent.illegality != nullptr) return constant;
  const int single = count > 1 ? 250 : 0;
  // Beyond the specification, constants are folded in special ways, and there are few cases of each, especially of
  // casts, and of i4, whose elements do not fill a byte.
  const TypedOp& op = intent.typed_op;
  const int beyond_spec = op.input == ElementType::kI4 ? 650 : op.op == OpKind::kCast ? 450 : 300;
  const int all = intent.Is(kBeyondSpec) ? beyond_spec : count > 1 ? 50 : 40;
  const int weights[] = {1000 - single - all, single, all};
  switch (choices.Weighted(weights)) {
    case 1:
      constant[choices.Below(count)] = true;
      break;
    case 2:
      constant.assign(count, true);
      break;
    default:
      break;
  }
  return constant;
}

// Makes an element of the divisor 0, if it is an argument.
void PutZeroDivisor(ChoiceSource& choices, const Program& program, Run& run) {
  const ValueRef divisor = program.ops.front().operands[1];
  if (divisor.kind != ValueRef::Kind::kArgument) return;
  Tensor& tensor = run[divisor.index];
  tensor.SetBits(choices.Below(tensor.element_count()), 0);
}

// Draws the arguments' sizes and data. A division without a quotient leaves its whole run open, and may trap, which
// ends the case. So only the last run has one.
Run DrawRun(ChoiceSource& choices, const Intent& intent, const OneOp& drawn, int64_t max_elements, bool is_last,
            Program& program) {
  std::vector<std::vector<int64_t>> sizes = DrawRunSizes(choices, drawn.shapes, max_elements);
  const bool misfit =
      intent.Is(kMisfitExtents) && choices.Chance(1, 2) && MisfitSizes(choices, program, max_elements, sizes);
  const bool divides = Info(drawn.op.op).unpredictable == Unpredictable::kDivision;
  const bool repair = !drawn.any_value || (divides && !is_last);
  // Sizes that do not fit have no pairs of elements to repair.
  Run run = DrawOneOpRun(choices, drawn, sizes, repair && !misfit, program);
  if (divides && !repair) PutZeroDivisor(choices, program, run);
  return run;
}

// This takes one draw, however many routes there are.
absl::string_view DrawRoute(ChoiceSource& choices, const GeneratorOptions& options) {
  absl::InlinedVector<int, 16> weights;
  for (const auto& [route, weight] : options.routes) weights.push_back(weight);
  return options.routes[choices.Weighted(weights)].first;
}

// A case without its program and data. It is cheap, so several can be considered.
struct Head {
  absl::string_view route;  // of the options
  Intent intent;
  std::vector<IdentityOp> identities;  // one to four ops side by side: there are far more of them than cases
  // For a program of one op:
  std::vector<bool> constant;
  ShapePlan shapes;
};

// The oracle needs longer for a million floats than a case may take.
int64_t MostElements(const TypedOp& op, const GeneratorOptions& options) {
  const bool is_cheap = IsInteger(op.input) && IsInteger(op.result);
  return is_cheap ? options.max_elements : std::min(options.max_elements, kMostElementsOfRuns);
}

// One operand of one element whose type does not say so, unlike the result's: only a reshape of it may have rank 0.
void MakeSingle(ChoiceSource& choices, ShapePlan& plan) {
  std::vector<Dim> dims(std::max<size_t>(plan.full.size(), 1), Dim::Dynamic());
  for (size_t d = 1; d < dims.size(); ++d) {
    if (choices.Chance(1, 2)) dims[d] = Dim::Static(1);
  }
  plan.full.assign(dims.size(), 1);
  plan.operands = {Shape(std::move(dims))};
  plan.result = Shape::OfSizes(plan.full);
}

void DrawOneOp(ChoiceSource& choices, const GeneratorOptions& options, Head& head) {
  const Intent& intent = head.intent;
  const bool legal = intent.illegality == nullptr;
  head.constant = DrawConstants(choices, intent);
  // Constants of rank 0 whose result is unranked combine two rare things, which matter for folds to a constant.
  const bool is_scalar = legal && !intent.is_static && absl::c_linear_search(head.constant, true) &&
                         !absl::c_linear_search(head.constant, false) && choices.Chance(1, 8);
  const bool is_reshaped = HasNewShape(Info(intent.typed_op.op));
  const ShapeOptions shape_options = {.allow_unranked = legal,
                                      .unranked_operands = !is_reshaped,  // MLIR dies of them (findings.md, F20)
                                      .min_rank = legal ? 0u : 1u,
                                      .max_rank = is_scalar          ? 0
                                                  : intent.is_static ? kMaxRankOfLevels
                                                                     : ShapeOptions().max_rank,
                                      .max_elements = MostElements(intent.typed_op, options)};
  head.shapes = DrawShapes(choices, intent.is_static ? std::vector<bool>(head.constant.size(), true) : head.constant,
                           shape_options);
  if (intent.is_static) head.shapes.result = *ImpliedShape(head.shapes.operands);
  if (is_scalar) head.shapes.result = Shape::Unranked();
  const bool may_be_single = is_reshaped && legal && !intent.is_static && !head.constant[0];
  if (may_be_single && choices.Chance(1, 12)) MakeSingle(choices, head.shapes);
}

std::vector<IdentityOp> DrawIdentities(ChoiceSource& choices, const GeneratorOptions& options) {
  std::vector<IdentityOp> drawn;
  for (uint64_t left = 1 + choices.Below(4); left > 0; --left) {
    const std::optional<IdentityOp> identity = DrawIdentityOp(choices, options);
    if (!identity) break;
    drawn.push_back(*identity);
  }
  return drawn;
}

// Draws heads of one kind and route until `take` accepts one.
Head DrawHead(ChoiceSource& choices, const GeneratorOptions& options, absl::FunctionRef<bool(const Head&)> take) {
  Head head;
  head.route = DrawRoute(choices, options);
  const IntentKind& kind = DrawKind(choices, options);
  do {
    head.intent = DrawIntent(choices, options, kind);
    if (head.intent.Is(kIdentity)) head.identities = DrawIdentities(choices, options);
    if (!head.intent.IsComposed()) DrawOneOp(choices, options, head);
  } while (!take(head));
  return head;
}

// Builds the program of an intent and names its patterns; none if the options lack the ops for it.
std::optional<std::string> BuildComposed(ChoiceSource& choices, const GeneratorOptions& options, const Head& head,
                                         ProgramBuilder& builder) {
  const Intent& intent = head.intent;
  if (!head.identities.empty()) {
    BuildIdentities(choices, head.identities, builder);
    return std::string(head.identities.back().identity->name);
  }
  if (intent.Is(kChain)) {
    std::string names = BuildChains(choices, options, builder);
    return names.empty() ? std::nullopt : std::optional<std::string>(std::move(names));
  }
  const bool built = intent.Is(kGraph)  ? BuildGraphs(choices, options, builder)
                     : intent.Is(kTrap) ? BuildTrap(choices, options, builder)
                                        : false;
  return built ? std::optional<std::string>("") : std::nullopt;
}

// A program of several ops, or one around an identity; none if the options lack the ops for it.
std::optional<Case> GenerateComposed(ChoiceSource& choices, const GeneratorOptions& options, const Head& head) {
  if (head.intent.Is(kBlockScaled)) return GenerateBlocks(choices, options, head.intent.is_static);
  ProgramBuilder builder(choices, options, head.intent.is_static);
  const std::optional<std::string> patterns = BuildComposed(choices, options, head, builder);
  if (!patterns) return std::nullopt;
  Case generated = builder.Finish();
  generated.origin = absl::StrCat("intent=", head.intent.name, patterns->empty() ? "" : "/", *patterns);
  return generated;
}

Case GenerateOneOp(ChoiceSource& choices, const GeneratorOptions& options, const Head& head) {
  const Intent& intent = head.intent;
  Case generated;
  // MLIR also accepts a shift for i64, which the specification does not mention.
  const bool is_open_shift =
      intent.Is(kBeyondSpec) && intent.typed_op.input == ElementType::kI64 && choices.Chance(7, 8);
  const OneOp one_op = {.op = intent.typed_op,
                        .shapes = head.shapes,
                        .constant = head.constant,
                        .special_at_run_time = intent.Is(kNonconstantSpecial),
                        .any_value = intent.Is(kUndefinedData) || is_open_shift,
                        .min_rank = intent.illegality == nullptr ? 0u : 1u};
  generated.program = BuildOneOp(choices, one_op);
  if (intent.illegality != nullptr) {
    intent.illegality->apply(choices, generated.program);
  } else {
    const int runs = generated.program.arguments.empty() ? std::min(1, options.runs) : options.runs;
    const int64_t most = MostElements(one_op.op, options);
    int64_t drawn = 0;
    for (int i = 0; i < runs && drawn < MostElementsOfRuns(choices); ++i) {
      generated.runs.push_back(DrawRun(choices, intent, one_op, most, i + 1 == runs, generated.program));
      for (const Tensor& argument : generated.runs.back()) drawn += static_cast<int64_t>(argument.element_count());
    }
  }
  generated.origin = absl::StrCat("intent=", intent.name);
  return generated;
}

// Whether some op's result is not returned.
bool HidesSome(const Program& program) {
  const auto returned = absl::c_count_if(program.results, [](ValueRef ref) { return ref.kind == ValueRef::Kind::kOp; });
  return static_cast<size_t>(returned) < program.ops.size();
}

// Whether it has too much data for constants.
bool IsLarge(const Case& generated) {
  return absl::c_any_of(generated.runs, [](const Run& run) {
    return absl::c_any_of(run, [](const Tensor& tensor) { return tensor.element_count() > kLargeElements; });
  });
}

// Half of the casts of integers read them as unsigned.
void PutDraftAttributes(ChoiceSource& choices, Program& program) {
  for (OpApplication& op : program.ops) {
    const bool may_have = op.op == OpKind::kCast && HasSpecTypes(program, op, SpecVersion::k1_1);
    const ElementType input = InputElementType(program, op);
    if (!may_have || !IsInteger(input) || input == ElementType::kI1) continue;
    if (choices.Chance(3, 4)) op.attributes.input_unsigned = choices.Chance(2, 3);
  }
}

// The choices of a case. A stream of its own says whether it favours numbers, because this one begins with the head.
SeededChoices ChoicesOf(uint64_t seed, uint64_t number, const GeneratorOptions& options) {
  constexpr uint64_t kNumbers = 0x6e756d62657273;
  SeededChoices choices(seed, number), favours(seed ^ kNumbers, number);
  const auto share = static_cast<uint64_t>(options.numbers_percent);
  if (!options.numbers.empty() && favours.Chance(share, 100)) {
    choices.Favour(options.numbers, /*strongly=*/true);
  } else if (favours.Chance(kRoundPercent, 100)) {
    choices.Favour(kRoundNumbers);
  }
  return choices;
}

Combination CombinationOf(const Head& head) {
  Combination combination = {head.route, head.intent.name};
  if (!head.identities.empty()) {
    combination.op = head.identities.back().op;
    combination.identity = head.identities.back().identity->name;
  }
  if (head.intent.IsComposed()) return combination;
  combination.op = head.intent.typed_op;
  combination.shapes = ClassOf(head.shapes.operands, head.shapes.result);
  return combination;
}

}  // namespace

Case GenerateCase(ChoiceSource& choices, const GeneratorOptions& options, int head_index) {
  Head head = DrawHead(choices, options, [&](const Head&) { return head_index-- == 0; });
  std::optional<Case> generated;
  if (head.intent.IsComposed()) {
    generated = GenerateComposed(choices, options, head);
    if (!generated) {
      head.intent = DrawPlainIntent(choices, options, head.intent.is_static);
      DrawOneOp(choices, options, head);
    }
  }
  if (!generated) generated = GenerateOneOp(choices, options, head);
  // These are the last draws, so the rest of the case does not depend on them.
  if (options.draft_attributes && !generated->runs.empty()) PutDraftAttributes(choices, generated->program);
  generated->route = WithDrawnPasses(choices, std::string(head.route));
  if (head.intent.Is(kBlockScaled)) return *std::move(generated);  // nothing runs them on a route; it reshapes itself
  if (options.twin_percent > 0 && !IsLarge(*generated)) {
    const int percent = HidesSome(generated->program) ? kTwinPercentOfHiding : options.twin_percent;
    if (choices.Chance(static_cast<uint64_t>(percent), 100)) {
      generated->twin = DrawTwin(choices, *generated, options.routes.front().first);
    }
  }
  if (options.reshape_percent > 0 && choices.Chance(static_cast<uint64_t>(options.reshape_percent), 100)) {
    if (PutReshape(choices, *generated) && !head.intent.is_static) HideReshapedSizes(choices, generated->program);
  }
  return *std::move(generated);
}

Case GenerateCase(uint64_t seed, uint64_t number, const GeneratorOptions& options, int head_index) {
  SeededChoices choices = ChoicesOf(seed, number, options);
  Case generated = GenerateCase(choices, options, head_index);
  generated.origin = absl::StrCat("seed=", seed, " case=", number, " ", generated.origin);
  return generated;
}

std::vector<Combination> CombinationsOf(uint64_t seed, uint64_t number, const GeneratorOptions& options, int count) {
  SeededChoices choices = ChoicesOf(seed, number, options);
  std::vector<Combination> combinations;
  combinations.reserve(static_cast<size_t>(count));
  DrawHead(choices, options, [&](const Head& head) {
    combinations.push_back(CombinationOf(head));
    return (head.intent.IsComposed() && head.identities.empty()) || static_cast<int>(combinations.size()) == count;
  });
  return combinations;
}

}  // namespace tosaic
