// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile: the element of a report's mosaic, op x element types x class of shapes, with what became of its cases.
#ifndef TOSAIC_RESULTS_TILE_H_
#define TOSAIC_RESULTS_TILE_H_

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

struct Tile {
  std::string op;      // without the dialect's prefix
  std::string types;   // "f32", "i8-i32"
  std::string shapes;  // the class of shapes: "static-broadcast"
  VerdictCounts verdicts;
  uint64_t cases = 0;
  uint64_t runs = 0;                         // executed
  uint64_t compared = 0;                     // elements
  std::vector<FindingSignature> signatures;  // of what diverges, sorted

  friend bool operator==(const Tile& a, const Tile& b) = default;
};
TileOutcome OutcomeOf(const Tile& tile);
void Fields(Visitor& v, Tile& tile);
// This has all keys but the findings.
void CountFields(Visitor& v, Tile& tile);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_TILE_H_
