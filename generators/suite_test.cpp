// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/suite.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

const std::vector<SuiteTile>& AllTiles() {
  static const auto& tiles = *new std::vector<SuiteTile>(SuiteTiles(SuiteProfile::kAll));
  return tiles;
}

const SuiteTile& TileOf(absl::string_view op, ElementType type, absl::string_view shapes) {
  for (const SuiteTile& tile : AllTiles()) {
    if (Name(tile.op.op) == op && tile.op.input == type && tile.shapes == shapes) return tile;
  }
  ADD_FAILURE() << op << " " << shapes;
  return AllTiles().front();
}

TEST(Suite, EveryTupleHasEveryClass) {
  std::map<std::string, std::set<absl::string_view>> classes;
  for (const SuiteTile& tile : AllTiles()) {
    classes[absl::StrCat(Name(tile.op.op), " ", ToString(TypePair{tile.op.input, tile.op.result}))].insert(tile.shapes);
  }
  size_t tuples = 0;
  for (const OpInfo& op : AllOps()) tuples += op.spec_types.size();
  EXPECT_EQ(classes.size(), tuples);
  for (const auto& [op, own] : classes) EXPECT_EQ(own.size(), SuiteClasses().size()) << op;
}

TEST(Suite, OnlyABroadcastOfOneOperandAndChainsOfFp8HaveNoCase) {
  for (const SuiteTile& tile : AllTiles()) {
    if (!tile.cases.empty()) continue;
    const bool single = BroadcastOperandCount(Info(tile.op.op)) == 1 &&
                        (absl::StrContains(tile.shapes, "broadcast") || tile.shapes == "dynamic-against-static");
    const bool fp8 = tile.shapes == "chains" && (IsFp8(tile.op.input) || IsFp8(tile.op.result));
    EXPECT_TRUE(single || fp8) << Name(tile.op.op) << " " << tile.shapes;
  }
}

TEST(Suite, TheDraftHasTilesForWhatItAdds) {
  std::set<std::string> more;
  for (const SuiteTile& tile : SuiteTiles(SuiteProfile::kAll, {}, SpecVersion::k1_1)) {
    if (FindSpecTuple(Info(tile.op.op), tile.op.input, tile.op.result) != nullptr) continue;
    more.insert(absl::StrCat(Name(tile.op.op), " ", ToString(TypePair{tile.op.input, tile.op.result})));
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      const absl::Status status = CheckWellFormed(SuiteCaseOf(tile, i));
      EXPECT_TRUE(status.ok()) << tile.cases[i] << status;
    }
  }
  size_t tuples = 0;
  for (const OpInfo& op : AllOps()) tuples += op.draft_types.size();
  EXPECT_EQ(more.size(), tuples);
  for (const char* name : {"add i64", "equal i64-i1", "cast f32-i1", "cast i1-f32"}) {
    EXPECT_TRUE(more.contains(name)) << name;
  }
}

TEST(Suite, NamesAreUniqueAndCasesAreWellFormed) {
  std::set<std::string> names;
  for (const SuiteTile& tile : AllTiles()) {
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      EXPECT_TRUE(names.insert(tile.cases[i]).second) << tile.cases[i];
      const Case test_case = SuiteCaseOf(tile, i);
      EXPECT_TRUE(CheckWellFormed(test_case).ok()) << tile.cases[i] << CheckWellFormed(test_case);
      EXPECT_EQ(test_case.runs.empty(), tile.shapes == "illegal") << tile.cases[i];
      EXPECT_EQ(test_case.program.ops.front().op, tile.op.op) << tile.cases[i];
      EXPECT_EQ(test_case.program.ops.size(), tile.shapes == "chains" ? 2u : 1u) << tile.cases[i];
    }
  }
}

TEST(Suite, ACaseDependsOnItsNameAlone) {
  const std::vector<SuiteTile> some = SuiteTiles(SuiteProfile::kProInt);
  size_t compared = 0;
  for (const SuiteTile& tile : some) {
    const auto same = std::find_if(AllTiles().begin(), AllTiles().end(),
                                   [&](const SuiteTile& other) { return other.cases == tile.cases; });
    ASSERT_NE(same, AllTiles().end());
    if (tile.cases.empty()) continue;
    EXPECT_EQ(SuiteCaseOf(tile, 0), SuiteCaseOf(*same, 0));
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}

// Sizes of both operands in all runs of a tile's cases.
std::set<std::string> SizesOfRuns(const SuiteTile& tile) {
  std::set<std::string> sizes;
  for (size_t i = 0; i < tile.cases.size(); ++i) {
    for (const Run& run : SuiteCaseOf(tile, i).runs) {
      sizes.insert(absl::StrCat(SizesToString(run[0].sizes()), " ", SizesToString(run[1].sizes())));
    }
  }
  return sizes;
}

// Only a folder computes them, so an author of one needs them.
TEST(Suite, EveryOpHasACaseOfConstantsAlone) {
  for (const SuiteTile& tile : AllTiles()) {
    if (tile.shapes != "constant") continue;
    size_t alone = 0;
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      const Case test_case = SuiteCaseOf(tile, i);
      if (!test_case.program.arguments.empty()) continue;
      ++alone;
      EXPECT_EQ(test_case.runs.size(), 1u) << tile.cases[i];
    }
    EXPECT_EQ(alone, 2u) << Name(tile.op.op);
  }
}

TEST(Suite, DynamicTilesRunWhatTheirNameSays) {
  for (const std::string& sizes : SizesOfRuns(TileOf("add", ElementType::kF32, "dynamic-equal"))) {
    const size_t middle = sizes.find(' ');
    EXPECT_EQ(sizes.substr(0, middle), sizes.substr(middle + 1));
  }
  const std::set<std::string> stretched = SizesOfRuns(TileOf("add", ElementType::kF32, "dynamic-broadcast"));
  for (const char* wanted : {"4 1", "1 4", "4x3 4x1", "4x1 4x3", "4x3 1x1", "1x1 4x3"}) {
    EXPECT_TRUE(stretched.contains(wanted)) << wanted;
  }
  const std::set<std::string> against = SizesOfRuns(TileOf("add", ElementType::kF32, "dynamic-against-static"));
  for (const char* wanted : {"3 3", "1 3", "3 1", "1 4", "4 1", "2x3 2x1", "1x3 2x3"}) {
    EXPECT_TRUE(against.contains(wanted)) << wanted;
  }
}

TEST(Suite, ShapeClassesAreWhatTheModelCallsThem) {
  const std::pair<absl::string_view, ShapeClass> rows[] = {{"rank-0", ShapeClass::kRank0},
                                                           {"static-equal", ShapeClass::kStaticEqual},
                                                           {"static-broadcast", ShapeClass::kStaticBroadcast},
                                                           {"dynamic-equal", ShapeClass::kDynamic},
                                                           {"dynamic-broadcast", ShapeClass::kDynamic},
                                                           {"dynamic-against-static", ShapeClass::kDynamicStatic},
                                                           {"unranked", ShapeClass::kUnranked}};
  for (const auto& [shapes, shape_class] : rows) {
    const SuiteTile& tile = TileOf("select", ElementType::kI8, shapes);
    for (size_t i = 0; i < tile.cases.size(); ++i) {
      const Program program = SuiteCaseOf(tile, i).program;
      EXPECT_EQ(Name(ClassOf(program, program.ops[0])), Name(shape_class)) << tile.cases[i];
    }
  }
}

TEST(Suite, ProfilesDifferInElementTypes) {
  const auto types = [](SuiteProfile profile) {
    std::set<ElementType> all;
    for (const SuiteTile& tile : SuiteTiles(profile)) all.insert(tile.op.input);
    return all;
  };
  EXPECT_FALSE(types(SuiteProfile::kProInt).contains(ElementType::kF32));
  EXPECT_TRUE(types(SuiteProfile::kProFp).contains(ElementType::kF16));
  EXPECT_FALSE(types(SuiteProfile::kProFp).contains(ElementType::kBF16));
  EXPECT_TRUE(types(SuiteProfile::kAll).contains(ElementType::kBF16));
  EXPECT_FALSE(types(SuiteProfile::kAll).contains(ElementType::kF64));
  EXPECT_TRUE(types(SuiteProfile::kAccepted).contains(ElementType::kF64));
  for (absl::string_view name : {"pro-int", "pro-fp", "all", "accepted"})
    EXPECT_EQ(Name(*Find<SuiteProfile>(name)), name);
  EXPECT_FALSE(Find<SuiteProfile>("pro"));
}

}  // namespace
}  // namespace tosaic
