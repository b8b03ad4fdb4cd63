// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/mosaic.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_split.h"
#include "model/element_type.h"
#include "model/shape_class.h"

namespace tosaic {
namespace {

// Known names in their own order, then others in the order in which they come.
class Order {
 public:
  explicit Order(std::vector<std::string> known) : names_(std::move(known)) {}
  size_t PlaceOf(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<size_t>(at - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

std::vector<std::string> ElementTypes() {
  std::vector<std::string> names;
  for (const ElementTypeInfo& type : AllElementTypes()) names.push_back(std::string(type.name));
  return names;
}

std::vector<std::string> ShapeClasses() {
  const absl::Span<const absl::string_view> names = NamesOf(ShapeClass()).names;
  return {names.begin(), names.end()};
}

// Numbers the places that occur without gaps, and collects their names.
std::map<size_t, size_t> Closed(const std::map<size_t, bool>& used, const Order& order,
                                std::vector<std::string>* names) {
  std::map<size_t, size_t> places;
  for (const auto& [place, is_used] : used) {
    places[place] = names->size();
    names->push_back(order.names()[place]);
  }
  return places;
}

}  // namespace

Mosaic MosaicOf(const std::vector<ReportTile>& tiles) {
  Order ops({}), types(ElementTypes()), shapes(ShapeClasses());
  std::map<size_t, bool> columns_used, shapes_used;
  // They are ordered by op and result; the inputs' own type comes first.
  std::map<std::tuple<size_t, bool, size_t>, MosaicRow> rows;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const Tile& tile = tiles[i].tile;
    const std::pair<std::string, std::string> type = absl::StrSplit(tile.types, absl::MaxSplits('-', 1));
    const size_t column = types.PlaceOf(type.first), shape = shapes.PlaceOf(tile.shapes);
    const bool widens = !type.second.empty();
    columns_used[column] = shapes_used[shape] = true;
    MosaicRow& row = rows[{ops.PlaceOf(tile.op), widens, widens ? types.PlaceOf(type.second) : 0}];
    row.op = tile.op;
    row.result = type.second;
    row.cells[column][shape] = i;
  }
  Mosaic mosaic;
  const std::map<size_t, size_t> column_places = Closed(columns_used, types, &mosaic.columns);
  const std::map<size_t, size_t> shape_places = Closed(shapes_used, shapes, &mosaic.shapes);
  for (auto& [key, row] : rows) {
    MosaicRow closed{row.op, row.result, {}};
    for (const auto& [column, cell] : row.cells) {
      for (const auto& [shape, tile] : cell) closed.cells[column_places.at(column)][shape_places.at(shape)] = tile;
    }
    mosaic.rows.push_back(std::move(closed));
  }
  return mosaic;
}

}  // namespace tosaic
