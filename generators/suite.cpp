// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/suite.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generators/choice_source.h"
#include "generators/illegality.h"
#include "generators/one_op.h"
#include "generators/program_builder.h"
#include "generators/shapes.h"
#include "model/digest.h"

namespace tosaic {
namespace {

constexpr absl::string_view kChainShapes = "chains";
constexpr absl::string_view kIllegalShapes = "illegal";
constexpr int kChainsPerTile = 4;
constexpr size_t kRunsPerCase = 8;
constexpr uint64_t kSuiteSeed = 1;
constexpr int64_t kMaxSuiteElements = 256;

// Which operands that broadcast are constants. If all are, only a folder computes.
enum class Constants : uint8_t { kNone, kOne, kAll };

// The sizes of dynamic dimensions at run time, besides the full one.
enum class AtRunTime : uint8_t { kEqual, kStretched };

// Shapes of an op's operands that broadcast: one operand is `one`, all others are `others`; a case per place of the
// one. "." is rank 0, "*" unranked.
struct ShapeRow {
  absl::string_view shapes;  // the class
  absl::string_view one;
  absl::string_view others;
  absl::string_view result;
  AtRunTime at_run_time = AtRunTime::kEqual;
  Constants constants = Constants::kNone;
};

constexpr ShapeRow kRows[] = {
    {"rank-0", ".", ".", "."},
    {"static-equal", "1", "1", "1"},
    {"static-equal", "61", "61", "61"},
    {"static-equal", "2x3", "2x3", "2x3"},
    {"static-equal", "2x1x3x2", "2x1x3x2", "2x1x3x2"},
    {"static-equal", "3x89", "3x89", "3x89"},  // more than any vector, unrolled
    {"static-broadcast", "1", "5", "5"},
    {"static-broadcast", "1x3", "2x3", "2x3"},
    {"static-broadcast", "2x1", "1x3", "2x3"},
    {"static-broadcast", "2x1x2", "2x3x1", "2x3x2"},
    {"dynamic-equal", "?", "?", "?"},
    {"dynamic-equal", "?x?", "?x?", "?x?"},
    {"dynamic-equal", "?x?x?", "?x?x?", "?x?x?"},
    {"dynamic-broadcast", "?", "?", "?", AtRunTime::kStretched},
    {"dynamic-broadcast", "?x?", "?x?", "?x?", AtRunTime::kStretched},
    {"dynamic-broadcast", "?x?x?", "?x?x?", "?x?x?", AtRunTime::kStretched},
    {"dynamic-against-static", "?", "3", "3", AtRunTime::kStretched},
    {"dynamic-against-static", "1", "?", "?", AtRunTime::kStretched},
    {"dynamic-against-static", "?x3", "2x?", "2x3", AtRunTime::kStretched},
    {"dynamic-against-static", "1x?", "?x1", "?x?", AtRunTime::kStretched},
    {"mixed", "2x?", "2x?", "2x?", AtRunTime::kStretched},
    {"mixed", "?x3", "?x3", "?x3", AtRunTime::kStretched},
    {"mixed", "1x?", "2x?", "2x?", AtRunTime::kStretched},
    {"mixed", "?x3x1", "?x1x2", "?x3x2", AtRunTime::kStretched},
    {"result-more-general", "2x3", "2x3", "?x3"},
    {"result-more-general", "2x3", "2x3", "?x?"},
    {"result-more-general", "2x?", "2x?", "?x?", AtRunTime::kStretched},
    {"result-more-general", "1x3", "2x3", "?x3"},
    {"result-more-specific", "?", "?", "5", AtRunTime::kStretched},
    {"result-more-specific", "?x?", "?x?", "2x3", AtRunTime::kStretched},
    {"result-more-specific", "?x3", "?x3", "2x3", AtRunTime::kStretched},
    {"unranked", "*", "*", "*"},
    {"unranked", "*", "2x3", "*"},
    {"unranked", "2x3", "2x3", "*"},
    {"unranked", "*", "?x3", "?x3"},
    {"constant", "2x3", "2x3", "2x3", AtRunTime::kEqual, Constants::kOne},
    {"constant", "1", "5", "5", AtRunTime::kEqual, Constants::kOne},
    {"constant", "3", "?", "3", AtRunTime::kStretched, Constants::kOne},
    {"constant", "1x3", "?x3", "?x3", AtRunTime::kEqual, Constants::kOne},
    {"constant", "1", "1", "1", AtRunTime::kEqual, Constants::kAll},
    {"constant", "2x3", "2x3", "2x3", AtRunTime::kEqual, Constants::kAll},
};

Shape ShapeOf(absl::string_view text) {
  if (text == "*") return Shape::Unranked();
  std::vector<Dim> dims;
  if (text == ".") return Shape(std::move(dims));
  for (absl::string_view dim : absl::StrSplit(text, 'x')) {
    int64_t size = 0;
    dims.push_back(absl::SimpleAtoi(dim, &size) ? Dim::Static(size) : Dim::Dynamic());
  }
  return Shape(std::move(dims));
}

// A case of a row: which operand is the one.
struct Placed {
  const ShapeRow* row;
  size_t place;
};

std::vector<Placed> PlacedRows(const OpInfo& op, absl::string_view shapes) {
  const size_t operands = BroadcastOperandCount(op);
  std::vector<Placed> placed;
  for (const ShapeRow& row : kRows) {
    if (HasNewShape(op) && row.one == "*") continue;  // MLIR dies of it (findings.md, F20)
    const bool alike = row.one == row.others && row.constants != Constants::kOne;
    // One operand cannot differ from the others.
    if (row.shapes != shapes || (operands == 1 && (!alike || shapes == "dynamic-broadcast"))) continue;
    for (size_t place = 0; place < (alike ? 1 : operands); ++place) placed.push_back({&row, place});
  }
  return placed;
}

ShapePlan PlanOf(const Placed& placed, size_t operands) {
  ShapePlan plan;
  for (size_t k = 0; k < operands; ++k) {
    plan.operands.push_back(ShapeOf(k == placed.place ? placed.row->one : placed.row->others));
  }
  plan.result = ShapeOf(placed.row->result);
  // The sizes of a full result: what some type fixes, else one that no other dimension has.
  constexpr int64_t kSizes[] = {4, 3, 2, 5};
  size_t rank = 2;  // of what is unranked throughout
  std::vector<Shape> all = plan.operands;
  all.push_back(plan.result);
  for (const Shape& shape : all) {
    if (shape.IsRanked()) rank = shape.rank();
  }
  for (size_t d = 0; d < rank; ++d) {
    int64_t size = 0;
    for (const Shape& shape : all) {
      if (shape.IsRanked() && shape[d].IsStatic()) size = std::max(size, shape[d].size());
    }
    // 1 against `?` leaves the size open.
    const bool open =
        std::any_of(all.begin(), all.end(), [&](const Shape& s) { return s.IsRanked() && s[d].IsDynamic(); });
    plan.full.push_back(size > 1 || (size == 1 && !open) ? size : kSizes[d]);
  }
  return plan;
}

using Sizes = std::vector<int64_t>;

// The sizes of all operands at run time, operand `shrunk` with 1 in its dynamic dimensions from `first_dim` on; none if
// no other operand gives such a dimension the size that the result's type asks for.
std::optional<std::vector<Sizes>> SizesOf(const ShapePlan& plan, std::optional<size_t> shrunk, size_t first_dim,
                                          const Sizes& full) {
  std::vector<Sizes> sizes;
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const Shape& shape = plan.operands[k];
    Sizes own = full;
    for (size_t d = 0; d < full.size(); ++d) {
      if (shape.IsRanked() && shape[d].IsStatic()) {
        own[d] = shape[d].size();
      } else if (shrunk == k && d >= first_dim) {
        own[d] = 1;
      }
    }
    sizes.push_back(std::move(own));
  }
  for (size_t d = 0; d < full.size(); ++d) {
    int64_t result = 1;
    for (const Sizes& own : sizes) result = std::max(result, own[d]);
    if (plan.result.IsRanked() && plan.result[d].IsStatic() && plan.result[d].size() != result) return std::nullopt;
  }
  return sizes;
}

// All ways to run a plan, without repetition.
std::vector<std::vector<Sizes>> RunsOf(const ShapePlan& plan, AtRunTime at_run_time) {
  std::vector<std::vector<Sizes>> runs;
  const auto add = [&](std::optional<size_t> shrunk, size_t first_dim, const Sizes& full) {
    const std::optional<std::vector<Sizes>> sizes = SizesOf(plan, shrunk, first_dim, full);
    if (sizes && std::find(runs.begin(), runs.end(), *sizes) == runs.end()) runs.push_back(*sizes);
  };
  add(std::nullopt, 0, plan.full);
  if (at_run_time == AtRunTime::kStretched) {
    for (size_t first_dim = 0; first_dim < plan.full.size(); ++first_dim) {
      for (size_t k = 0; k < plan.operands.size(); ++k) add(k, first_dim, plan.full);
    }
    return runs;
  }
  // Other sizes, the same for all: wherever every operand is dynamic.
  for (int64_t size : {1, 7}) {
    Sizes full = plan.full;
    for (size_t d = 0; d < full.size(); ++d) {
      const bool open = std::all_of(plan.operands.begin(), plan.operands.end(),
                                    [&](const Shape& s) { return !s.IsRanked() || s[d].IsDynamic(); });
      if (open && !(plan.result.IsRanked() && plan.result[d].IsStatic())) full[d] = size;
    }
    add(std::nullopt, 0, full);
  }
  return runs;
}

Case OfRow(ChoiceSource& choices, const TypedOp& op, const Placed& placed) {
  const size_t operands = BroadcastOperandCount(Info(op.op));
  OneOp drawn = {.op = op, .shapes = PlanOf(placed, operands), .constant = std::vector<bool>(operands, false)};
  for (size_t k = 0; k < operands; ++k) {
    const bool is_one = k == placed.place && placed.row->constants == Constants::kOne;
    drawn.constant[k] = is_one || placed.row->constants == Constants::kAll;
  }
  Case test_case;
  test_case.program = BuildOneOp(choices, drawn);
  const std::vector<std::vector<Sizes>> runs = RunsOf(drawn.shapes, placed.row->at_run_time);
  const bool is_given = !test_case.program.arguments.empty();  // without arguments all runs are alike
  for (size_t i = 0; i < (is_given ? std::max(kRunsPerCase, runs.size()) : 1); ++i) {
    test_case.runs.push_back(DrawOneOpRun(choices, drawn, runs[i % runs.size()], /*repair=*/true, test_case.program));
  }
  return test_case;
}

Case OfIllegality(ChoiceSource& choices, const TypedOp& op, const Illegality& illegality) {
  const size_t operands = BroadcastOperandCount(Info(op.op));
  const std::vector<bool> constant(operands, false);
  const ShapeOptions shapes = {.allow_unranked = false, .min_rank = 1, .max_elements = kMaxSuiteElements};
  const OneOp drawn = {
      .op = op, .shapes = DrawShapes(choices, constant, shapes), .constant = constant, .min_rank = shapes.min_rank};
  Case test_case;
  test_case.program = BuildOneOp(choices, drawn);
  illegality.apply(choices, test_case.program);
  return test_case;
}

// An op that can take this op's result: the op itself, or another of that type. fp8 has no route to the end.
std::optional<TypedOp> FollowerOf(const TypedOp& op) {
  if (IsFp8(op.input) || IsFp8(op.result)) return std::nullopt;
  if (op.input == op.result) return op;
  for (OpKind kind : {OpKind::kCast, OpKind::kLogicalNot, OpKind::kAdd, OpKind::kNegate}) {
    const ElementType to = kind == OpKind::kCast ? op.input : op.result;
    if (FindSpecTuple(Info(kind), op.result, to) != nullptr) return TypedOp{kind, op.result, to};
  }
  return std::nullopt;
}

Case OfChain(ChoiceSource& choices, const TypedOp& op) {
  GeneratorOptions options;
  options.max_elements = kMaxSuiteElements;
  ProgramBuilder builder(choices, options, /*all_static=*/false);
  const TypedOp follower = *FollowerOf(op);
  const ValueRef once = builder.Apply(op, {});
  std::vector<ValueRef> operands;
  if (HasRole(Info(follower.op), OperandRole::kCondition)) operands.push_back(builder.Leaf(ElementType::kI1));
  operands.push_back(once);
  builder.Apply(follower, operands);
  return builder.Finish();
}

bool IsIn(SuiteProfile suite, Profile profile) {
  if (suite == SuiteProfile::kProInt) return profile == Profile::kProInt || profile == Profile::kProIntOrFp;
  if (suite == SuiteProfile::kProFp) return profile == Profile::kProFp || profile == Profile::kProIntOrFp;
  return true;
}

// The names of a tile's cases, without the tile's own name and its slash.
std::vector<std::string> CasesOf(const TypedOp& op, absl::string_view shapes, bool in_specification) {
  std::vector<std::string> cases;
  const OpInfo& row = Info(op.op);
  size_t count = PlacedRows(row, shapes).size();
  if (shapes == kChainShapes && FollowerOf(op) && in_specification) count = kChainsPerTile;
  for (size_t i = 0; i < count; ++i) cases.push_back(absl::StrCat(i));
  if (shapes != kIllegalShapes) return cases;
  for (const Illegality& illegality : AllIllegalities()) {
    if (illegality.applicable(row, op.input, op.result)) cases.push_back(std::string(illegality.name));
  }
  return cases;
}

}  // namespace

EnumNames NamesOf(SuiteProfile) {
  static constexpr absl::string_view kNames[] = {"pro-int", "pro-fp", "all", "accepted"};
  return NamesFor<SuiteProfile>(kNames, "a profile of the suite");
}

absl::Span<const absl::string_view> SuiteClasses() {
  static const auto& classes = *[] {
    auto* names = new std::vector<absl::string_view>;
    for (const ShapeRow& row : kRows) {
      if (names->empty() || names->back() != row.shapes) names->push_back(row.shapes);
    }
    names->push_back(kChainShapes);
    names->push_back(kIllegalShapes);
    return names;
  }();
  return classes;
}

std::vector<SuiteTile> SuiteTiles(SuiteProfile profile, absl::Span<const OpKind> ops, SpecVersion version) {
  std::vector<SuiteTile> tiles;
  for (const OpInfo& row : AllOps()) {
    if (!ops.empty() && std::find(ops.begin(), ops.end(), row.kind) == ops.end()) continue;
    const auto add = [&](const TypeTuple& tuple, bool in_specification) {
      const TypedOp op = {row.kind, tuple.input, tuple.result};
      for (absl::string_view shapes : SuiteClasses()) {
        SuiteTile tile = {op, shapes, CasesOf(op, shapes, in_specification)};
        for (std::string& name : tile.cases) {
          name = absl::StrCat(row.name, "/", ToString(TypePair{tuple.input, tuple.result}), "/", shapes, "/", name);
        }
        tiles.push_back(std::move(tile));
      }
    };
    for (const TypeTuple& tuple : Tuples(row, TypeColumn::kSpec, version)) {
      if (IsIn(profile, tuple.profile)) add(tuple, true);
    }
    if (profile != SuiteProfile::kAccepted) continue;
    for (const TypeTuple& tuple : Tuples(row, TypeColumn::kBeyondSpec, version)) add(tuple, false);
  }
  return tiles;
}

Case SuiteCaseOf(const SuiteTile& tile, size_t index) {
  const std::string& name = tile.cases[index];
  SeededChoices choices(kSuiteSeed, Digest(name));  // a case's stream of choices is its name's
  Case test_case;
  if (tile.shapes == kIllegalShapes) {
    const absl::string_view illegality = absl::string_view(name).substr(name.rfind('/') + 1);
    for (const Illegality& candidate : AllIllegalities()) {
      if (candidate.name == illegality) test_case = OfIllegality(choices, tile.op, candidate);
    }
  } else if (tile.shapes == kChainShapes) {
    test_case = OfChain(choices, tile.op);
  } else {
    test_case = OfRow(choices, tile.op, PlacedRows(Info(tile.op.op), tile.shapes)[index]);
  }
  test_case.origin = absl::StrCat("suite=", kSuiteVersion, " ", name);
  return test_case;
}

}  // namespace tosaic
