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

TileOutcome OutcomeOf(const Tile& tile) {
  if (tile.verdicts.empty()) return TileOutcome::kNotApplicable;
  const bool diverges = std::any_of(tile.verdicts.begin(), tile.verdicts.end(),
                                    [](const auto& entry) { return IsDivergence(entry.first); });
  if (diverges) return TileOutcome::kDiverges;
  if (tile.verdicts.contains(Verdict::kHarnessFault)) return TileOutcome::kHarnessFault;
  if (tile.verdicts.contains(Verdict::kAgree)) return TileOutcome::kConforms;
  return tile.verdicts.contains(Verdict::kUnsupported) ? TileOutcome::kUnsupported : TileOutcome::kUndefinedOnly;
}

void CountFields(Visitor& v, Tile& tile) {
  v("op", tile.op);
  v("types", tile.types);
  v("shapes", tile.shapes, "the class of shapes, or `several-ops`");
  v.Derived("outcome", OutcomeOf(tile));
  v("cases", tile.cases);
  v("runs", tile.runs, "executed");
  v("compared", tile.compared, "elements");
  v("verdicts", tile.verdicts, "cases by verdict");
}

void Fields(Visitor& v, Tile& tile) {
  CountFields(v, tile);
  v("findings", tile.signatures, "signatures of what diverges");
}

}  // namespace tosaic
