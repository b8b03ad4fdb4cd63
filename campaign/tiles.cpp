// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/tiles.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_split.h"
#include "model/element_type.h"
#include "model/op_catalogue.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

// Where things stand in the order of a mosaic; what has no place in it comes last.
constexpr int kLast = 1000;

int PlaceOfOp(const std::string& name) {
  const std::optional<OpKind> op = FindOp(name);
  return op ? static_cast<int>(*op) : kLast;
}

int PlaceOfType(absl::string_view name) {
  const std::optional<ElementType> type = FindElementType(name);
  return type ? static_cast<int>(*type) : kLast;
}

int PlaceOfShapes(const std::string& name) {
  const std::optional<ShapeClass> found = Find<ShapeClass>(name);
  return found ? static_cast<int>(*found) : kLast;
}

// The names last: equal places (which no record of this version has) are told apart all the same.
using Place = std::tuple<int, int, int, int, std::string, std::string, std::string>;

// Of a record, and of a tile.
template <typename T>
Place PlaceOf(const T& record) {
  const std::pair<absl::string_view, absl::string_view> types = absl::StrSplit(record.types, absl::MaxSplits('-', 1));
  return {PlaceOfOp(record.op),
          PlaceOfType(types.first),
          types.second.empty() ? -1 : PlaceOfType(types.second),
          PlaceOfShapes(record.shapes),
          record.op,
          record.types,
          record.shapes};
}

}  // namespace

std::vector<Tile> TilesOf(const std::vector<const CaseRecord*>& records, const std::map<uint64_t, std::string>& named) {
  std::map<Place, Tile> tiles;
  std::map<Place, std::set<std::string>> signatures;
  for (const CaseRecord* record : records) {
    const Place place = PlaceOf(*record);
    Tile& tile = tiles[place];
    tile.op = record->op;
    tile.types = record->types;
    tile.shapes = record->shapes;
    ++tile.verdicts[record->verdict];
    ++tile.cases;
    tile.runs += record->runs;
    tile.compared += record->compared;
    if (record->signature.empty()) continue;
    const auto name = named.find(record->number);
    signatures[place].insert(name == named.end() ? ToString(record->signature) : name->second);
  }
  std::vector<Tile> ordered;
  for (auto& [place, tile] : tiles) {
    tile.signatures.assign(signatures[place].begin(), signatures[place].end());
    ordered.push_back(std::move(tile));
  }
  return ordered;
}

std::vector<Tile> United(std::vector<Tile> tiles, const std::vector<Tile>& others) {
  std::map<Place, Tile> by_place;
  for (Tile& tile : tiles) by_place[PlaceOf(tile)] = std::move(tile);
  for (const Tile& other : others) {
    const auto [it, inserted] = by_place.try_emplace(PlaceOf(other), other);
    if (inserted) continue;
    Tile& tile = it->second;
    for (const auto& [verdict, count] : other.verdicts) tile.verdicts[verdict] += count;
    tile.cases += other.cases;
    tile.runs += other.runs;
    tile.compared += other.compared;
    std::set<std::string> signatures(tile.signatures.begin(), tile.signatures.end());
    signatures.insert(other.signatures.begin(), other.signatures.end());
    tile.signatures.assign(signatures.begin(), signatures.end());
  }
  tiles.clear();
  for (auto& [place, tile] : by_place) tiles.push_back(std::move(tile));
  return tiles;
}

}  // namespace tosaic
