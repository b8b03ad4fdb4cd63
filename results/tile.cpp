// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/tile.h"

#include <algorithm>

#include "codec/visitor.h"

namespace tosaic {

EnumNames NamesOf(TileOutcome) {
  static constexpr absl::string_view kNames[] = {"conforms",    "diverges",       "harness-fault",
                                                 "unsupported", "undefined-only", "not-applicable"};
  return NamesFor<TileOutcome>(kNames, "an outcome of a tile");
}

void NameFields(Visitor& v, TileName& name) {
  v("op", name.op);
  v("types", name.types);
  v("shapes", name.shapes, "the class of shapes, or a word in its place such as `several-ops`");
}

void TileCounts::Add(const TileCounts& other) {
  AddCounts(other.verdicts, &verdicts);
  cases += other.cases;
  runs += other.runs;
  compared += other.compared;
}

TileOutcome OutcomeOf(const TileCounts& counts) {
  if (counts.verdicts.empty()) return TileOutcome::kNotApplicable;
  const bool diverges = std::any_of(counts.verdicts.begin(), counts.verdicts.end(),
                                    [](const auto& entry) { return IsDivergence(entry.first); });
  if (diverges) return TileOutcome::kDiverges;
  if (counts.verdicts.contains(Verdict::kHarnessFault)) return TileOutcome::kHarnessFault;
  if (counts.verdicts.contains(Verdict::kAgree)) return TileOutcome::kConforms;
  return counts.verdicts.contains(Verdict::kUnsupported) ? TileOutcome::kUnsupported : TileOutcome::kUndefinedOnly;
}

void CountFields(Visitor& v, TileCounts& counts) {
  v.Derived("outcome", OutcomeOf(counts));
  v("cases", counts.cases);
  v("runs", counts.runs, "executed");
  v("compared", counts.compared, "elements");
  v("verdicts", counts.verdicts, "cases by verdict");
}

void Fields(Visitor& v, Tile& tile) {
  NameFields(v, tile);
  CountFields(v, tile);
  v("findings", tile.signatures, "signatures of what diverges");
}

}  // namespace tosaic
