// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile: the element of a report's mosaic, op x element types x class of shapes, with what became of its cases.
#ifndef TOSAIC_RESULTS_TILE_H_
#define TOSAIC_RESULTS_TILE_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codec/names.h"
#include "model/signature.h"
#include "model/verdict.h"

namespace tosaic {

using VerdictCounts = std::map<Verdict, uint64_t>;
template <typename Key>
void AddCounts(const std::map<Key, uint64_t>& from, std::map<Key, uint64_t>* to) {
  for (const auto& [key, count] : from) (*to)[key] += count;
}

enum class TileOutcome : uint8_t {
  kConforms,       // at least one case agrees, and none diverges
  kDiverges,       // at least one case diverges
  kHarnessFault,   // none diverges, and of at least one nothing is known, because Tosaic or the toolchain failed
  kUnsupported,    // all that is not undefined was refused cleanly, as the support table says
  kUndefinedOnly,  // the documents leave every case open
  kNotApplicable,  // the tile can have no case
};
EnumNames NamesOf(TileOutcome outcome);  // "undefined-only"

// Which tile it is. These are texts because results of sweeps and of foreign suites have ops and classes of their own
// there ("broadcastable", "every-combination"), and files of later versions may have any.
struct TileName {
  std::string op;      // without the dialect's prefix
  std::string types;   // "f32", "i8-i32"; empty: all
  std::string shapes;  // the class of shapes: "static-broadcast"

  friend auto operator<=>(const TileName& a, const TileName& b) = default;
};
void NameFields(Visitor& v, TileName& name);

// What became of its cases.
struct TileCounts {
  VerdictCounts verdicts;
  uint64_t cases = 0;
  uint64_t runs = 0;      // executed
  uint64_t compared = 0;  // elements

  void Add(const TileCounts& other);

  friend bool operator==(const TileCounts& a, const TileCounts& b) = default;
};
TileOutcome OutcomeOf(const TileCounts& counts);
void CountFields(Visitor& v, TileCounts& counts);

struct Tile : TileName, TileCounts {
  std::vector<FindingSignature> signatures;  // of what diverges, sorted

  friend bool operator==(const Tile& a, const Tile& b) = default;
};
void Fields(Visitor& v, Tile& tile);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_TILE_H_
