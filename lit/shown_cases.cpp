// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/shown_cases.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generators/suite.h"
#include "lit/program_text.h"
#include "oracle/float_format.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_values.h"

namespace tosaic {
namespace {

// A class of the suite, and which of its programs is shown: that whose first operands have these shapes, and whose
// result has.
struct ShownRow {
  absl::string_view name;  // in the function's
  absl::string_view shapes;
  std::vector<absl::string_view> operands;  // of one operand the first
  absl::string_view result;
  bool of_every_type = false;
};

const std::vector<ShownRow>& Rows() {
  static const auto& rows = *new std::vector<ShownRow>{
      {"static", "static-equal", {"2x3", "2x3"}, "2x3", true},
      {"rank_0", "rank-0", {"", ""}, ""},
      {"static_broadcast", "static-broadcast", {"1x3", "2x3"}, "2x3"},
      {"static_broadcast_of_both", "static-broadcast", {"2x1", "1x3"}, "2x3"},
      {"dynamic", "dynamic-equal", {"?", "?"}, "?"},
      {"dynamic_2d", "dynamic-equal", {"?x?", "?x?"}, "?x?"},
      {"dynamic_against_static", "dynamic-against-static", {"?", "3"}, "3"},
      {"one_against_dynamic", "dynamic-against-static", {"1", "?"}, "?"},
      {"partly_dynamic", "mixed", {"?x3", "?x3"}, "?x3"},
      {"result_more_general", "result-more-general", {"2x3", "2x3"}, "?x3"},
      {"result_more_specific", "result-more-specific", {"?x3", "?x3"}, "2x3"},
  };
  return rows;
}

// "2x3".
std::string TextOf(const Shape& shape) {
  const std::string type = ToString(TensorType{shape, ElementType::kF32});
  return std::string(absl::StrReplaceAll(type, {{"tensor<", ""}, {"xf32>", ""}, {"f32>", ""}}));
}

bool IsShown(const ShownRow& row, const Program& program) {
  const OpApplication& op = program.ops[0];
  if (TextOf(op.result.shape) != row.result) return false;
  const size_t operands = BroadcastOperandCount(Info(op.op));
  // With a condition the two values meet as two operands do, and the condition is as the first.
  for (size_t i = 0; i < operands; ++i) {
    if (TextOf(TypeOf(program, op.operands[i]).shape) != row.operands[std::min<size_t>(i, 1)]) return false;
  }
  return true;
}

uint64_t SmallBits(ElementType type, double on_floats, int64_t on_integers) {
  return IsFloat(type) ? NearestBits(type, on_floats) : static_cast<uint64_t>(on_integers) & BitMask(type);
}

// The same program with bounds, zero points and a shift that one can read.
void MakeReadable(Program* program) {
  OpApplication& op = program->ops[0];
  ForEachAttribute(op.attributes, [&](const AttributeInfo& info, auto& value) {
    if (PresenceIn(Info(op.op), info.attribute) == AttributePresence::kOptional) value.reset();
  });
  ForEachValue(op.attributes,
               ByKind{[](const AttributeInfo& info, TypedBits& number) {
                        number.bits = info.at_most ? SmallBits(number.type, -1, -1) : SmallBits(number.type, 1.5, 2);
                      },
                      [](const AttributeInfo&, bool& value) { value = false; }, [](const AttributeInfo&, auto&) {}});
  for (Tensor& constant : program->constants) {
    for (size_t i = 0; i < constant.element_count(); ++i) constant.SetBits(i, 0);
  }
}

// The tiles of an op of one class, that of its plainest types first.
std::vector<SuiteTile> TilesOf(OpKind op, absl::string_view shapes) {
  std::vector<SuiteTile> tiles;
  const std::vector<OpKind> ops = {op};
  for (SuiteTile& tile : SuiteTiles(SuiteProfile::kAll, ops)) {
    if (tile.shapes == shapes && !IsFp8(tile.op.input) && !IsFp8(tile.op.result)) tiles.push_back(std::move(tile));
  }
  for (const ElementType plainest : {ElementType::kI32, ElementType::kF32}) {
    const auto first = absl::c_find_if(tiles, [&](const SuiteTile& tile) { return tile.op.input == plainest; });
    if (first != tiles.end()) std::rotate(tiles.begin(), first, first + 1);
  }
  return tiles;
}

std::string NameOf(const SuiteTile& tile, absl::string_view ending) {
  return absl::StrReplaceAll(
      absl::StrCat(Name(tile.op.op), "_", ToString(TypePair{tile.op.input, tile.op.result}), "_", ending),
      {{"-", "_"}});
}

// The programs of a row that are new, of the first types or of all.
void AddRow(OpKind op, const ShownRow& row, std::set<std::string>* seen, std::vector<ShownCase>* shown) {
  size_t types = 0;
  for (const SuiteTile& tile : TilesOf(op, row.shapes)) {
    if (types++ > 0 && !row.of_every_type) break;
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      Program program = SuiteCaseOf(tile, i).program;
      if (!IsShown(row, program) || !seen->insert(Signature(program, program.ops[0])).second) continue;
      MakeReadable(&program);
      shown->push_back({NameOf(tile, row.name), std::move(program)});
    }
  }
}

// The elements of an argument: numbers that are exact in every type, other ones in each argument.
Tensor Numbers(ElementType type, std::vector<int64_t> sizes, size_t argument, bool negative) {
  constexpr double kFloats[] = {0.5, 1, 2, 1.5, 3, 4, 2.5};
  constexpr int64_t kIntegers[] = {2, 1, 5, 3, 7, 4, 6};
  Tensor tensor(type, std::move(sizes));
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const size_t at = (i + (i % 3 == 2 ? 0 : 3 * argument)) % std::size(kFloats);  // in each row one is the same
    const int sign = negative && (i + argument) % 3 == 1 ? -1 : 1;
    tensor.SetBits(
        i, type == ElementType::kI1 ? (i + argument) % 2 : SmallBits(type, sign * kFloats[at], sign * kIntegers[at]));
  }
  return tensor;
}

bool HasUndefined(const Program& program, const Run& run) {
  const std::vector<AllowedSet> sets = AllowedIn(program, run);
  return sets.empty() || absl::c_any_of(sets, [](const AllowedSet& set) { return set.IsUndefined(); });
}

// Two rows of three, or the dynamic first operand of several as one row.
Run NumbersFor(const Program& program, bool negative) {
  Run run;
  const bool broadcasts = program.arguments.size() > 1 && program.arguments[0].shape[0].IsDynamic();
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    run.push_back(Numbers(program.arguments[i].element_type, {broadcasts && i == 0 ? 1 : 2, 3}, i, negative));
  }
  return run;
}

// tosa.const itself refuses some types, before the op can.
bool HasWritableConstants(const Program& program) {
  return absl::c_all_of(program.constants,
                        [](const Tensor& constant) { return Info(constant.element_type()).constants.has_value(); });
}

// How much there is to read.
size_t Length(const ShownCase& shown) { return FunctionText(shown.program, "").size(); }

bool IsPrinted(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kI1 || type == ElementType::kI8 ||
         type == ElementType::kI16 || type == ElementType::kI32;
}

}  // namespace

std::vector<ShownCase> ShownLowerings(OpKind op) {
  std::vector<ShownCase> shown;
  std::set<std::string> seen;
  for (const ShownRow& row : Rows()) AddRow(op, row, &seen, &shown);
  return shown;
}

std::vector<ShownCase> ShownIllegal(OpKind op) {
  std::vector<ShownCase> shown;
  std::map<std::string, size_t> places;  // by the way to be illegal
  for (const SuiteTile& tile : TilesOf(op, "illegal")) {
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      const std::string illegality(tile.cases[i].substr(tile.cases[i].rfind('/') + 1));
      ShownCase candidate{NameOf(tile, illegality), SuiteCaseOf(tile, i).program};
      if (JudgeLegality(candidate.program, {}).answer != Answer::kRefuse || !HasWritableConstants(candidate.program))
        continue;
      const auto [place, is_new] = places.try_emplace(illegality, shown.size());
      if (is_new) {
        shown.push_back(std::move(candidate));
      } else if (Length(candidate) < Length(shown[place->second])) {
        shown[place->second] = std::move(candidate);
      }
    }
  }
  return shown;
}

std::vector<ShownRun> ShownRuns(OpKind op) {
  std::vector<ShownRun> runs;
  for (ShownCase& shown : ShownLowerings(op)) {
    Program& program = shown.program;
    const OpApplication& applied = program.ops[0];
    const bool is_printed =
        IsPrinted(applied.result.element_type) &&
        absl::c_all_of(program.arguments, [](const TensorType& type) { return IsPrinted(type.element_type); });
    const bool is_shown = absl::EndsWith(shown.function, "_static") || absl::EndsWith(shown.function, "_dynamic_2d");
    if (!is_printed || !is_shown || applied.result.shape.rank() != 2) continue;
    ForEachValue(program.ops[0].attributes,
                 ByKind{[](const AttributeInfo&, bool& value) { value = true; }, [](const AttributeInfo&, auto&) {}});
    Run run = NumbersFor(program, /*negative=*/true);
    if (HasUndefined(program, run)) run = NumbersFor(program, /*negative=*/false);
    const bool is_plainest = runs.empty() || absl::EndsWith(shown.function, "_dynamic_2d");
    runs.push_back({std::move(shown), std::move(run)});
    if (!is_plainest) continue;
    ShownRun transposed = runs.back();
    transposed.shown.function += "_transposed";
    transposed.transposes = true;
    runs.push_back(std::move(transposed));
  }
  return runs;
}

std::vector<AllowedSet> AllowedIn(const Program& program, const Run& run) {
  std::vector<AllowedSet> allowed;
  const auto sizes = SizesOfAllOps(program, run);
  if (!sizes) return allowed;
  const OpApplication& op = program.ops[0];
  const Case shown = {.program = program, .runs = {run}};
  for (const Expected& expected : Evaluate(program, op, OperandsIn(shown, 0, {}, op), (*sizes)[0], {})) {
    allowed.push_back(AllowedSet::OfExpected(op.result.element_type, expected));
  }
  return allowed;
}

}  // namespace tosaic
