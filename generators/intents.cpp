// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/intents.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "absl/algorithm/container.h"
#include "generators/blocks.h"
#include "generators/repair.h"

namespace tosaic {

// An intent and how its case is drawn; in the order of DrawKind's weights.
struct IntentKind {
  absl::string_view name;
  bool may_be_static = false;  // half of the time, where the validator is tested
  bool is_composed = false;    // has no op of its own
  TypeColumn column = TypeColumn::kSpec;
  bool (*applicable)(const OpInfo& op, ElementType input, ElementType result) = nullptr;  // null: a plain op
};

namespace {

// Where they are drawn, of the cases that are legal and have one op or are block-scaled.
constexpr int kBlockPercentOfOneOp = 10;

constexpr absl::string_view kIllegalIntent = "illegal";  // the intent's name is the illegality's

bool AnyTypes(const OpInfo&, ElementType, ElementType) { return true; }

constexpr IntentKind kKinds[] = {
    {.name = kPlain, .may_be_static = true},
    {.name = kIllegalIntent, .may_be_static = true},
    {.name = kBeyondSpec, .column = TypeColumn::kBeyondSpec, .applicable = AnyTypes},
    {.name = kUndefinedData, .applicable = CanBeUndefined},
    {.name = kNonconstantSpecial, .applicable = HasSpecialOperand},
    {.name = kMisfitExtents, .applicable = AnyTypes},
    {.name = kChain, .may_be_static = true, .is_composed = true},
    {.name = kGraph, .may_be_static = true, .is_composed = true},
    {.name = kIdentity, .may_be_static = true, .is_composed = true},
    {.name = kTrap, .is_composed = true},
    {.name = kBlockScaled, .may_be_static = true, .is_composed = true},
};

}  // namespace

Intent DrawPlainIntent(ChoiceSource& choices, const GeneratorOptions& options, bool is_static) {
  for (TypeColumn column : {TypeColumn::kSpec, TypeColumn::kBeyondSpec}) {
    if (std::optional<TypedOp> op = DrawTypedOp(choices, options, column, AnyTypes)) {
      return {column == TypeColumn::kSpec ? kPlain : kBeyondSpec, *op, nullptr, is_static};
    }
  }
  std::fputs("GenerateCase: no op accepts the element types asked for; see CheckOptions\n", stderr);
  std::abort();
}

const IntentKind& DrawKind(ChoiceSource& choices, const GeneratorOptions& options) {
  // In 1/100,000; of what is legal and has one op, 3.6 % have undefined data, and 1.3 % more trap as they are folded.
  const int illegal = options.illegal_percent * 1000;
  const int beyond = options.beyond_spec_percent * 1000;
  const int rest = 100000 - illegal - beyond;
  const int chain = rest / 100 * options.chain_percent;
  const int graph = rest / 100 * options.graph_percent;
  const int identity = rest / 100 * options.identity_percent;
  const int one_op = rest - chain - graph - identity;
  const int undefined = one_op * 36 / 1000;
  const int nonconstant = one_op * 20 / 1000;
  const int trap = one_op * 13 / 1000;
  const int misfit = one_op / 100 * options.misfit_percent;
  const int blocks = DrawsBlocks(options) ? (one_op - misfit) / 100 * kBlockPercentOfOneOp : 0;
  const int weights[] = {one_op - undefined - nonconstant - trap - misfit - blocks,
                         illegal,
                         beyond,
                         undefined,
                         nonconstant,
                         misfit,
                         chain,
                         graph,
                         identity,
                         trap,
                         blocks};
  static_assert(std::size(weights) == std::size(kKinds));
  return kKinds[choices.Weighted(weights)];
}

// Draws a place, and one of the rows in it.
const Illegality& DrawRow(ChoiceSource& choices, absl::Span<const Illegality> rows) {
  const auto has_place = [](const Illegality& row) { return !row.shares_place; };
  size_t before = choices.Below(static_cast<uint64_t>(absl::c_count_if(rows, has_place)));
  const auto row = absl::c_find_if(rows, [&](const Illegality& each) { return has_place(each) && before-- == 0; });
  const auto end = std::find_if(row + 1, rows.end(), has_place);
  return row[end - row == 1 ? 0 : choices.Below(static_cast<uint64_t>(end - row))];
}

// Draws an illegality that the options have an op for, and that op; none if it finds none.
bool DrawIllegality(ChoiceSource& choices, const GeneratorOptions& options, Intent& intent) {
  // A verifier's rules are about every type that the dialect accepts: bounds of i1 have an order too.
  const bool beyond = options.beyond_spec_percent > 0 && !options.for_validator && choices.Chance(1, 8);
  const TypeColumn column = beyond ? TypeColumn::kBeyondSpec : TypeColumn::kSpec;
  constexpr int kTries = 8;  // a third of them suit a single op
  for (int i = 0; i < kTries; ++i) {
    const Illegality& drawn = DrawRow(choices, intent.is_static ? AllValidatorIllegalities() : AllIllegalities());
    const std::optional<TypedOp> op = DrawTypedOp(choices, options, column, drawn.applicable);
    if (!op) continue;
    intent.illegality = &drawn;
    intent.name = drawn.name;
    intent.typed_op = *op;
    return true;
  }
  return false;
}

// Draws an intent of a kind; where the options leave no op for it, a plain one.
Intent DrawIntent(ChoiceSource& choices, const GeneratorOptions& options, const IntentKind& kind) {
  Intent intent = {.name = kind.name};
  intent.is_static = kind.may_be_static && options.for_validator && choices.Chance(1, 2);
  if (kind.is_composed) return intent;
  if (kind.name == kIllegalIntent) {
    return DrawIllegality(choices, options, intent) ? intent : DrawPlainIntent(choices, options, intent.is_static);
  }
  const auto applicable = kind.applicable;
  const std::optional<TypedOp> op =
      applicable == nullptr ? std::nullopt : DrawTypedOp(choices, options, kind.column, applicable);
  if (!op) return DrawPlainIntent(choices, options, intent.is_static);
  intent.typed_op = *op;
  return intent;
}

}  // namespace tosaic
