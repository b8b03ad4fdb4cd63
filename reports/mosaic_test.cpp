// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/mosaic.h"

#include <gtest/gtest.h>

namespace tosaic {
namespace {

ReportTile TileOf(const std::string& op, const std::string& types, const std::string& shapes) {
  ReportTile tile;
  tile.tile.op = op;
  tile.tile.types = types;
  tile.tile.shapes = shapes;
  return tile;
}

TEST(MosaicTest, RowsAreOpsAndResultsColumnsAreInputs) {
  const Mosaic mosaic =
      MosaicOf({TileOf("mul", "i8-i32", "dynamic"), TileOf("mul", "f32", "rank-0"), TileOf("mul", "f32", "chains"),
                TileOf("abs", "f32", "dynamic"), TileOf("mul", "i8", "dynamic")});
  EXPECT_EQ(mosaic.columns, (std::vector<std::string>{"i8", "f32"}));
  EXPECT_EQ(mosaic.shapes, (std::vector<std::string>{"rank-0", "dynamic", "chains"}));
  ASSERT_EQ(mosaic.rows.size(), 3u);
  EXPECT_EQ(mosaic.rows[0].op + mosaic.rows[0].result, "mul");
  EXPECT_EQ(mosaic.rows[1].op + mosaic.rows[1].result, "muli32");
  EXPECT_EQ(mosaic.rows[2].op, "abs");
  using Cells = std::map<size_t, std::map<size_t, size_t>>;
  EXPECT_EQ(mosaic.rows[0].cells, (Cells{{0, {{1, 4}}}, {1, {{0, 1}, {2, 2}}}}));
  EXPECT_EQ(mosaic.rows[1].cells, (Cells{{0, {{1, 0}}}}));
  EXPECT_EQ(mosaic.rows[2].cells, (Cells{{1, {{1, 3}}}}));
}

TEST(MosaicTest, Empty) { EXPECT_TRUE(MosaicOf({}).rows.empty()); }

}  // namespace
}  // namespace tosaic
