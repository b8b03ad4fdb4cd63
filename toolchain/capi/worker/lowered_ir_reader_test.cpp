// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/lowered_ir_reader.h"

#include "gtest/gtest.h"

namespace tosaic {
namespace {

TEST(LoweredIrReader, ReadsIndexingMapsAsTheyArePrinted) {
  EXPECT_EQ(ToString(ParseIndexingMap("affine_map<(d0, d1) -> (0, d0, d1)>")), "(0, d0, d1)");
  EXPECT_EQ(ToString(ParseIndexingMap("affine_map<(d0, d1) -> (d0 + d1, -1)>")), "(?, -1)");
  EXPECT_EQ(ToString(ParseIndexingMap("affine_map<(d0, d1) -> ((d0 + d1) * 2, d12)>")), "(?, d12)");
  EXPECT_EQ(ToString(ParseIndexingMap("<(d0)[s0] -> (s0)>, ")), "(?)");
  EXPECT_EQ(ParseIndexingMap("affine_map<() -> ()>").size(), 0u);
}

TEST(LoweredIrReader, ReadsArraysAsTheyArePrinted) {
  EXPECT_EQ(ParseNumbers("array<i64: 1, 0>"), (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(ParseNumbers("array<i64>"), std::vector<int64_t>{});
}

TEST(LoweredIrReader, ReadsAListOfMaps) {
  const std::vector<IndexingMap> maps = ParseIndexingMaps("[affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]");
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(ToString(maps[0]), "(d0)");
  EXPECT_EQ(ToString(maps[1]), "()");
}

TEST(LoweredIrReader, ReadsReassociationsAsTheyArePrinted) {
  EXPECT_EQ(ParseGroups("[[0, 1], [2]]"), (std::vector<std::vector<int>>{{0, 1}, {2}}));
  EXPECT_EQ(ParseGroups("[[0 : i64, 1 : i64]]"), (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(ParseGroups("[]"), std::vector<std::vector<int>>{});
}

}  // namespace
}  // namespace tosaic
