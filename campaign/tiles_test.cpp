// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/tiles.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace tosaic {
namespace {

CaseRecord Record(const std::string& op, const std::string& types, const std::string& shapes,
                  Verdict verdict = Verdict::kAgree, const std::string& signature = "") {
  CaseRecord record;
  record.op = FindOp(op).value();
  record.types = FindTypePair(types).value();
  record.shapes = Find<ShapeClass>(shapes).value();
  record.verdict = verdict;
  record.signature = ParseFindingSignature(signature);
  record.runs = 3;
  record.compared = 5;
  return record;
}

std::vector<CountedTile> Tiles(const std::vector<CaseRecord>& records,
                               const std::map<uint64_t, std::string>& named = {}) {
  std::vector<const CaseRecord*> pointers;
  for (const CaseRecord& record : records) pointers.push_back(&record);
  return TilesOf(pointers, named);
}

TEST(TilesTest, CountsWhatBecameOfTheCases) {
  const std::vector<CountedTile> tiles =
      Tiles({Record("add", "f32", "dynamic"), Record("add", "f32", "dynamic", Verdict::kCrash, "b"),
             Record("add", "f32", "dynamic", Verdict::kWrongValue, "a"),
             Record("add", "f32", "dynamic", Verdict::kWrongValue, "a")});
  ASSERT_EQ(tiles.size(), 1u);
  const TileCounts counts = {{{Verdict::kAgree, 1}, {Verdict::kWrongValue, 2}, {Verdict::kCrash, 1}}, 4, 12, 20};
  const TypePair f32 = {ElementType::kF32, ElementType::kF32};
  EXPECT_EQ(tiles[0], (CountedTile{counts, OpKind::kAdd, f32, ShapeClass::kDynamic, {"a", "b"}}));
}

TEST(TilesTest, StandInTheCataloguesOrder) {
  std::vector<std::string> names;
  for (const CountedTile& tile :
       Tiles({Record("tanh", "f32", "rank-0"), Record("add", "f32", "several-ops"), Record("add", "f32", "dynamic"),
              Record("add", "f32", "rank-0"), Record("add", "i32", "dynamic"), Record("mul", "i8-i32", "dynamic"),
              Record("mul", "i8", "dynamic")})) {
    names.push_back(absl::StrCat(Name(tile.op), " ", ToString(tile.types), " ", Name(tile.shapes)));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"tanh f32 rank-0", "add i32 dynamic", "add f32 rank-0", "add f32 dynamic",
                                             "add f32 several-ops", "mul i8 dynamic", "mul i8-i32 dynamic"}));
}

TEST(TilesTest, WhatOnlyAnotherVersionHasIsNamed) {
  const std::string line = ToLine(Tiles({Record("add", "f32", "dynamic")})[0]);
  for (const char* name : {"add", "f32", "dynamic"}) {
    const std::string other = absl::StrReplaceAll(line, {{absl::StrCat("\"", name, "\""), "\"moon\""}});
    EXPECT_TRUE(absl::StrContains(FromText<CountedTile>(other).status().message(), "\"moon\" is n")) << name;
  }
}

TEST(TilesTest, KeysAreThoseOfTheGroups) {
  const std::vector<CountedTile> tiles =
      Tiles({Record("add", "f32", "dynamic", Verdict::kCrash, "crash/several-ops")}, {{0, "crash/add"}});
  EXPECT_EQ(tiles[0].keys, std::set<std::string>{"crash/add"});
}

}  // namespace
}  // namespace tosaic
