// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/tiles.h"

#include <tuple>
#include <utility>

#include "absl/strings/str_split.h"
#include "model/element_type.h"
#include "model/op_catalogue.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

// Places in the order of a mosaic; what has no place in it comes last.
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

// The place of a record, and that of a tile.
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

void Fields(Visitor& v, CountedTile& tile) {
  CountFields(v, tile);
  v("findings", tile.keys, "the keys of their groups");
}

std::vector<CountedTile> TilesOf(const std::vector<const CaseRecord*>& records,
                                 const std::map<uint64_t, std::string>& keys) {
  std::map<Place, CountedTile> tiles;
  for (const CaseRecord* record : records) {
    CountedTile& tile = tiles[PlaceOf(*record)];
    tile.op = record->op;
    tile.types = record->types;
    tile.shapes = record->shapes;
    ++tile.verdicts[record->verdict];
    ++tile.cases;
    tile.runs += record->runs;
    tile.compared += record->compared;
    if (record->signature.empty()) continue;
    const auto key = keys.find(record->number);
    tile.keys.insert(key == keys.end() ? ToString(record->signature) : key->second);
  }
  std::vector<CountedTile> ordered;
  for (auto& [place, tile] : tiles) ordered.push_back(std::move(tile));
  return ordered;
}

std::vector<CountedTile> United(std::vector<CountedTile> tiles, const std::vector<CountedTile>& others) {
  std::map<Place, CountedTile> by_place;
  for (CountedTile& tile : tiles) by_place[PlaceOf(tile)] = std::move(tile);
  for (const CountedTile& other : others) {
    const auto [it, inserted] = by_place.try_emplace(PlaceOf(other), other);
    if (inserted) continue;
    CountedTile& tile = it->second;
    AddCounts(other.verdicts, &tile.verdicts);
    tile.cases += other.cases;
    tile.runs += other.runs;
    tile.compared += other.compared;
    tile.keys.insert(other.keys.begin(), other.keys.end());
  }
  tiles.clear();
  for (auto& [place, tile] : by_place) tiles.push_back(std::move(tile));
  return tiles;
}

}  // namespace tosaic
