// The mosaic of a campaign: its cases by op, element types and class of shapes.
#ifndef TOSAIC_CAMPAIGN_TILES_H_
#define TOSAIC_CAMPAIGN_TILES_H_

#include <map>
#include <string>
#include <vector>

#include "campaign/case_record.h"
#include "results/tile.h"

namespace tosaic {

// In the order of the op catalogue, of the element types and of the classes of shapes; tiles of programs of several
// ops are those of their last op, of the class "several-ops". `named`: what a record's signature is called among the
// findings, where that is something else.
std::vector<Tile> TilesOf(const std::vector<const CaseRecord*>& records,
                          const std::map<std::string, std::string>& named);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_TILES_H_
