// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mosaic: the tiles of a report in a grid: a row per op (and element type of the result, where that is another), a
// column per element type of the inputs, and within each cell a tile per class of shapes.
#ifndef TOSAIC_REPORTS_MOSAIC_H_
#define TOSAIC_REPORTS_MOSAIC_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "results/report.h"

namespace tosaic {

struct MosaicRow {
  std::string op;
  std::string result;  // empty: the inputs' element type
  // For each column, the index into the report's tiles by class of shapes; a class that is missing has no tile.
  std::map<size_t, std::map<size_t, size_t>> cells;
};

struct Mosaic {
  std::vector<std::string> columns;  // element types of the inputs; one empty name if there are none
  std::vector<std::string> shapes;   // classes, in one order for all cells
  std::vector<MosaicRow> rows;       // in the order of the tiles' ops
};

Mosaic MosaicOf(const std::vector<ReportTile>& tiles);

}  // namespace tosaic

#endif  // TOSAIC_REPORTS_MOSAIC_H_
