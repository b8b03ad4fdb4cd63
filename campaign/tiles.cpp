// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/tiles.h"

#include <tuple>
#include <utility>

namespace tosaic {
namespace {

// In the order of a mosaic: a result of the inputs' type comes before others.
using Place = std::tuple<OpKind, ElementType, bool, ElementType, ShapeClass>;
using Mosaic = std::map<Place, CountedTile>;

void AddTo(Mosaic* mosaic, const CountedTile& tile) {
  const auto& [input, result] = tile.types;
  const auto [it, inserted] = mosaic->try_emplace({tile.op, input, input != result, result, tile.shapes}, tile);
  if (inserted) return;
  it->second.Add(tile);
  it->second.keys.insert(tile.keys.begin(), tile.keys.end());
}

std::vector<CountedTile> InOrder(Mosaic mosaic) {
  std::vector<CountedTile> tiles;
  for (auto& [place, tile] : mosaic) tiles.push_back(std::move(tile));
  return tiles;
}

}  // namespace

void Fields(Visitor& v, CountedTile& tile) {
  v("op", tile.op);
  v("types", tile.types);
  v("shapes", tile.shapes, "the class of shapes, or `several-ops`");
  CountFields(v, tile);
  v("findings", tile.keys, "the keys of their groups");
}

std::vector<CountedTile> TilesOf(const std::vector<const CaseRecord*>& records,
                                 const std::map<uint64_t, std::string>& keys) {
  Mosaic mosaic;
  for (const CaseRecord* record : records) {
    CountedTile tile{
        {{{record->verdict, 1}}, 1, record->runs, record->compared}, record->op, record->types, record->shapes, {}};
    const auto key = keys.find(record->number);
    if (!record->signature.empty()) {
      tile.keys.insert(key == keys.end() ? ToString(record->signature) : key->second);
    }
    AddTo(&mosaic, tile);
  }
  return InOrder(std::move(mosaic));
}

std::vector<CountedTile> United(const std::vector<CountedTile>& tiles, const std::vector<CountedTile>& others) {
  Mosaic mosaic;
  for (const auto* some : {&tiles, &others}) {
    for (const CountedTile& tile : *some) AddTo(&mosaic, tile);
  }
  return InOrder(std::move(mosaic));
}

}  // namespace tosaic
