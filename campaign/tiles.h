// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mosaic of a campaign: its cases by op, element types and class of shapes.
#ifndef TOSAIC_CAMPAIGN_TILES_H_
#define TOSAIC_CAMPAIGN_TILES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/case_record.h"
#include "results/tile.h"

namespace tosaic {

// In the order of the op catalogue, of the element types and of the classes of shapes; tiles of programs of several
// ops are those of their last op, of the class "several-ops". `named`: the signature that a case's finding has, by its
// number, where it has one.
std::vector<Tile> TilesOf(const std::vector<const CaseRecord*>& records, const std::map<uint64_t, std::string>& named);

// The tiles of both, in that order.
std::vector<Tile> United(std::vector<Tile> tiles, const std::vector<Tile>& others);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_TILES_H_
