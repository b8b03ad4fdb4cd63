// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/typed_op.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

// By op.
struct TupleTable {
  std::vector<std::vector<TypeTuple>> columns[2];  // by TypeColumn
};

TupleTable TableOf(SpecVersion version) {
  TupleTable table;
  for (const OpInfo& op : AllOps()) {
    table.columns[static_cast<size_t>(TypeColumn::kSpec)].push_back(TuplesOf(op, version));
    std::vector<TypeTuple>& row = table.columns[static_cast<size_t>(TypeColumn::kBeyondSpec)].emplace_back();
    for (const ElementTypeInfo& input : AllElementTypes()) {
      for (const ElementTypeInfo& result : AllElementTypes()) {
        if (!DialectAccepts(op, input.type, result.type)) continue;
        if (FindSpecTuple(op, input.type, result.type, version) != nullptr) continue;
        row.push_back({input.type, result.type, Profile::kProIntOrFp});
      }
    }
  }
  return table;
}

bool Passes(const GeneratorOptions& options, const TypeTuple& tuple) {
  return options.types.empty() || std::any_of(options.types.begin(), options.types.end(), [&](ElementType type) {
           return type == tuple.input || type == tuple.result;
         });
}

// How often a tuple is drawn, relative to the op's others. No default route can lower fp8 (mlir-notes.md), and a tuple
// of a draft of the specification matters more than one of no version.
int Weight(const OpInfo& op, const TypeTuple& tuple) {
  if (IsFp8(tuple.input) || IsFp8(tuple.result)) return 1;
  return FindSpecTuple(op, tuple.input, tuple.result, SpecVersion::k1_1) != nullptr ? 4 : 1;
}

// How often an op is drawn: 1, and 3 for cast with its 46 tuples.
int Weight(const OpInfo& op) { return 1 + static_cast<int>(op.spec_types.size()) / 16; }

}  // namespace

absl::Span<const TypeTuple> Tuples(const OpInfo& op, TypeColumn column, SpecVersion version) {
  static const auto& tables = *[] {
    auto* all = new std::vector<TupleTable>;
    for (const SpecVersion each : All<SpecVersion>()) all->push_back(TableOf(each));
    return all;
  }();
  return tables[static_cast<size_t>(version)].columns[static_cast<size_t>(column)][static_cast<size_t>(op.kind)];
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
  std::vector<const OpInfo*> ops;
  std::vector<int> weights;
  auto passes = [&](const OpInfo& op, const TypeTuple& tuple) {
    return Passes(options, tuple) && filter(op, tuple.input, tuple.result);
  };
  for (const OpInfo& op : AllOps()) {
    const absl::Span<const TypeTuple> tuples = Tuples(op, column, options.spec_version);
    if (!Allows(options, op.kind)) continue;
    if (std::none_of(tuples.begin(), tuples.end(), [&](const TypeTuple& t) { return passes(op, t); })) continue;
    ops.push_back(&op);
    weights.push_back(Weight(op));
  }
  if (ops.empty()) return std::nullopt;
  const OpInfo& op = *ops[choices.Weighted(weights)];
  const absl::Span<const TypeTuple> tuples = Tuples(op, column, options.spec_version);
  weights.clear();
  for (const TypeTuple& tuple : tuples) weights.push_back(passes(op, tuple) ? Weight(op, tuple) : 0);
  const TypeTuple& tuple = tuples[choices.Weighted(weights)];
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
