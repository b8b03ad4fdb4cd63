// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mosaic of a campaign: its cases by op, element types and class of shapes.
#ifndef TOSAIC_CAMPAIGN_TILES_H_
#define TOSAIC_CAMPAIGN_TILES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/case_record.h"
#include "results/tile.h"

namespace tosaic {

// A tile before its findings have names: it has the keys of their groups (campaign/finding_group.h) instead.
struct CountedTile : TileCounts {
  OpKind op = {};
  TypePair types;
  ShapeClass shapes = {};
  std::set<std::string> keys;

  friend bool operator==(const CountedTile& a, const CountedTile& b) = default;
};
void Fields(Visitor& v, CountedTile& tile);

// In the order of the op catalogue, of the element types and of the classes of shapes; tiles of programs of several
// ops are those of their last op, of the class "several-ops". `keys`: of the groups, by the cases' numbers.
std::vector<CountedTile> TilesOf(const std::vector<const CaseRecord*>& records,
                                 const std::map<uint64_t, std::string>& keys);

// The tiles of both, in that order.
std::vector<CountedTile> United(const std::vector<CountedTile>& tiles, const std::vector<CountedTile>& others);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_TILES_H_
