// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/typed_op.h"

#include <algorithm>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

bool Passes(const GeneratorOptions& options, const TypeTuple& tuple) {
  return options.types.empty() || std::any_of(options.types.begin(), options.types.end(), [&](ElementType type) {
           return type == tuple.input || type == tuple.result;
         });
}

// How often a tuple is drawn, relative to the op's others. No default route can lower fp8 (mlir-notes.md), and a tuple
// of a draft of the specification matters more than one of no version. So does one of i4, whose elements do not fill a
// byte.
int Weight(const OpInfo& op, const TypeTuple& tuple) {
  if (IsFp8(tuple.input) || IsFp8(tuple.result)) return 1;
  if (tuple.input == ElementType::kI4 || tuple.result == ElementType::kI4) return 4;
  return FindSpecTuple(op, tuple.input, tuple.result, SpecVersion::k1_1) != nullptr ? 4 : 1;
}

// How often an op is drawn: 1, and 3 for cast with its 46 tuples.
int Weight(const OpInfo& op) { return 1 + static_cast<int>(op.spec_types.size()) / 16; }

// An op's tuples of one column, and how often each is drawn.
struct TupleRow {
  std::vector<TypeTuple> tuples;
  std::vector<int> weights;
};

struct TupleTable {
  std::vector<TupleRow> columns[2];  // by TypeColumn, then by op
};

TupleRow RowOf(const OpInfo& op, TypeColumn column, SpecVersion version) {
  TupleRow row;
  if (column == TypeColumn::kSpec) row.tuples = TuplesOf(op, version);
  for (const ElementTypeInfo& input : AllElementTypes()) {
    for (const ElementTypeInfo& result : AllElementTypes()) {
      if (column == TypeColumn::kSpec || !DialectAccepts(op, input.type, result.type)) continue;
      if (FindSpecTuple(op, input.type, result.type, version) != nullptr) continue;
      row.tuples.push_back({input.type, result.type, Profile::kProIntOrFp});
    }
  }
  for (const TypeTuple& tuple : row.tuples) row.weights.push_back(Weight(op, tuple));
  return row;
}

// By op.
const std::vector<TupleRow>& RowsOf(TypeColumn column, SpecVersion version) {
  static const auto& tables = *[] {
    auto* all = new std::vector<TupleTable>;
    for (const SpecVersion each : All<SpecVersion>()) {
      TupleTable& table = all->emplace_back();
      for (const TypeColumn column : {TypeColumn::kSpec, TypeColumn::kBeyondSpec}) {
        for (const OpInfo& row : AllOps())
          table.columns[static_cast<size_t>(column)].push_back(RowOf(row, column, each));
      }
    }
    return all;
  }();
  return tables[static_cast<size_t>(version)].columns[static_cast<size_t>(column)];
}

}  // namespace

absl::Span<const TypeTuple> Tuples(const OpInfo& op, TypeColumn column, SpecVersion version) {
  return RowsOf(column, version)[static_cast<size_t>(op.kind)].tuples;
}

bool Allows(const GeneratorOptions& options, OpKind op) {
  return options.ops.empty() || std::find(options.ops.begin(), options.ops.end(), op) != options.ops.end();
}

bool Allows(const GeneratorOptions& options, const TypedOp& op) {
  const TypeTuple* tuple = FindSpecTuple(Info(op.op), op.input, op.result, options.spec_version);
  return tuple != nullptr && Allows(options, op.op) && Passes(options, *tuple);
}

std::optional<TypedOp> DrawTypedOp(ChoiceSource& choices, const GeneratorOptions& options, TypeColumn column,
                                   TypedOpFilter filter) {
  // It is most of what a campaign's walk over all case numbers costs: no memory is allocated as a rule.
  constexpr size_t kManyOps = 64, kManyTuples = 128;
  absl::InlinedVector<const OpInfo*, kManyOps> ops;
  absl::InlinedVector<int, kManyTuples> weights;
  const std::vector<TupleRow>& rows = RowsOf(column, options.spec_version);
  const bool any_types = options.types.empty();
  auto passes = [&](const OpInfo& op, const TypeTuple& tuple) {
    return (any_types || Passes(options, tuple)) && filter(op, tuple.input, tuple.result);
  };
  for (const OpInfo& op : AllOps()) {
    if (!Allows(options, op.kind)) continue;
    const std::vector<TypeTuple>& tuples = rows[static_cast<size_t>(op.kind)].tuples;
    if (std::none_of(tuples.begin(), tuples.end(), [&](const TypeTuple& t) { return passes(op, t); })) continue;
    ops.push_back(&op);
    weights.push_back(Weight(op));
  }
  if (ops.empty()) return std::nullopt;
  const OpInfo& op = *ops[choices.Weighted(weights)];
  const TupleRow& row = rows[static_cast<size_t>(op.kind)];
  weights.clear();
  for (size_t i = 0; i < row.tuples.size(); ++i) weights.push_back(passes(op, row.tuples[i]) ? row.weights[i] : 0);
  const TypeTuple& tuple = row.tuples[choices.Weighted(weights)];
  return TypedOp{op.kind, tuple.input, tuple.result};
}

absl::Status CheckOptions(const GeneratorOptions& options) {
  if (options.runs < 0) return absl::InvalidArgumentError(absl::StrCat("runs: ", options.runs, " is below 0"));
  if (options.max_elements < 1) {
    return absl::InvalidArgumentError(absl::StrCat("max_elements: ", options.max_elements, " is below 1"));
  }
  for (int percent : {options.illegal_percent, options.beyond_spec_percent}) {
    if (percent < 0 || percent > 100) {
      return absl::InvalidArgumentError(absl::StrCat("a percentage of ", percent, " is not in 0..100"));
    }
  }
  if (options.illegal_percent + options.beyond_spec_percent > 100) {
    return absl::InvalidArgumentError("--illegal-percent and --beyond-spec-percent exceed 100 together");
  }
  for (int percent : {options.chain_percent, options.graph_percent, options.identity_percent}) {
    if (percent < 0) return absl::InvalidArgumentError(absl::StrCat("a percentage of ", percent, " is below 0"));
  }
  if (options.chain_percent + options.graph_percent + options.identity_percent > 100) {
    return absl::InvalidArgumentError("the shares of chains, graphs and identities exceed 100 together");
  }
  for (const OpInfo& op : AllOps()) {
    if (!Allows(options, op.kind)) continue;
    for (TypeColumn column : {TypeColumn::kSpec, TypeColumn::kBeyondSpec}) {
      for (const TypeTuple& tuple : Tuples(op, column, options.spec_version)) {
        if (Passes(options, tuple)) return absl::OkStatus();
      }
    }
  }
  return absl::InvalidArgumentError("none of the ops (--ops) accepts any of the element types (--types)");
}

}  // namespace tosaic
