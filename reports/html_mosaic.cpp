// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mosaic of the HTML report.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/counted.h"
#include "model/escape.h"
#include "model/op_catalogue.h"
#include "reports/html_parts.h"
#include "reports/mosaic.h"

namespace tosaic {
namespace {

std::string RowName(const MosaicRow& row) {
  return row.result.empty() ? row.op : absl::StrCat(row.op, " \xe2\x86\x92 ", row.result);
}

// Whether the specification has the op on these element types. A tile of several ops has no op of its own, and
// counts.
bool IsOfSpec(const Tile& tile) {
  const std::optional<OpKind> op = FindOp(tile.op);
  if (!op || tile.types.empty()) return true;
  const std::optional<TypePair> types = FindTypePair(tile.types);
  return types && FindSpecTuple(Info(*op), types->input, types->result) != nullptr;
}

// How many classes of shapes stand side by side in a cell.
size_t PerLine(size_t shapes) { return std::clamp<size_t>(shapes, 1, shapes <= 8 ? 4 : 5); }

// "add, f32: 5 conforms, 1 new": what a cell says to those who do not see it.
std::string CellLabel(const ResultReport& report, const Mosaic& mosaic, const MosaicRow& row, size_t column) {
  std::map<Standing, size_t> counts;
  for (const auto& [shape, tile] : row.cells.at(column)) ++counts[report.tiles[tile].standing];
  std::string label = RowName(row);
  if (!mosaic.columns[column].empty()) absl::StrAppend(&label, ", ", mosaic.columns[column]);
  absl::string_view separator = ": ";
  for (const auto& [standing, count] : counts) {
    absl::StrAppend(&label, separator, count, " ", Info(standing).name);
    separator = ", ";
  }
  return label;
}

std::string Cell(const ResultReport& report, const Mosaic& mosaic, size_t row, size_t column) {
  const std::map<size_t, size_t>& cell = mosaic.rows[row].cells.at(column);
  std::string marks;
  bool urgent = false;
  for (size_t shape = 0; shape < mosaic.shapes.size(); ++shape) {
    const auto at = cell.find(shape);
    if (at == cell.end()) {
      absl::StrAppend(&marks, "<i></i>");
      continue;
    }
    const StandingInfo& info = Info(report.tiles[at->second].standing);
    urgent = urgent || IsUrgent(info.standing);
    absl::StrAppend(&marks, HtmlMark(info.name, info.mark));
  }
  return FillTemplateLine(TemplatePart(HtmlTemplates(), "mosaic.html", "cell"),
                          {{"URGENT", urgent ? " urgent" : ""},
                           {"ROW", absl::StrCat(row)},
                           {"COLUMN", absl::StrCat(column)},
                           {"LABEL", EscapeMarkup(CellLabel(report, mosaic, mosaic.rows[row], column))},
                           {"MARKS", marks}});
}

// Which mark of a cell is which class of shapes.
std::string Key(const Mosaic& mosaic) {
  if (mosaic.shapes.size() < 2) return "";
  std::string marks, names;
  for (size_t i = 0; i < mosaic.shapes.size(); ++i) {
    absl::StrAppend(&marks, "<i class=\"m\">", i + 1, "</i>");
    absl::StrAppend(&names, "<span>", i + 1, "\xc2\xa0", EscapeMarkup(mosaic.shapes[i]), "</span>");
  }
  return HtmlPart("mosaic.html", "key", {{"MARKS", marks}, {"NAMES", names}});
}

// A word's number; words come often, so they stand once.
class Words {
 public:
  size_t NumberOf(const std::string& word) {
    const auto [at, is_new] = numbers_.emplace(word, numbers_.size());
    if (is_new) json_.push_back(word);
    return at->second;
  }
  const Json& json() const { return json_; }

 private:
  std::map<std::string, size_t> numbers_;
  Json json_ = Json::array();
};

// "12 cases, 96 runs; agree 10, wrong-value 2".
std::string Says(const ReportTile& tile) {
  std::string says = absl::StrCat(Counted(tile.tile.cases, "case"), ", ", Counted(tile.tile.runs, "run"));
  absl::string_view separator = "; ";
  for (const auto& [verdict, count] : tile.tile.verdicts) {
    absl::StrAppend(&says, separator, Name(verdict), " ", count);
    separator = ", ";
  }
  if (!tile.change) return says;
  separator = "; before: ";
  for (const auto& [verdict, count] : tile.change->base.verdicts) {
    absl::StrAppend(&says, separator, Name(verdict), " ", count);
    separator = ", ";
  }
  return says;
}

// Cases by tile, each a name, what became of it, and the rule.
std::map<TileName, Json> CasesByTile(const ResultReport& report, Words* words) {
  std::map<TileName, Json> cases;
  const auto add = [&](const SuiteCase& suite_case, const std::string& verdict) {
    // The tile's own name need not stand before each of its cases.
    const std::string tile = absl::StrCat(suite_case.op, "/", suite_case.types, "/", suite_case.shapes, "/");
    const std::string name =
        absl::StartsWith(suite_case.name, tile) ? suite_case.name.substr(tile.size()) : suite_case.name;
    cases[suite_case].push_back(
        Json::array({name, words->NumberOf(verdict), words->NumberOf(ToString(suite_case.rule))}));
  };
  for (const SuiteCase& suite_case : report.suite_cases) add(suite_case, std::string(Name(suite_case.verdict)));
  for (const CaseChange& change : report.changes) {
    add(change.patch, absl::StrCat(Name(change.change), ": ", Name(change.base.verdict), " \xe2\x86\x92 ",
                                   Name(change.patch.verdict)));
  }
  return cases;
}

// The rows, columns and cells of the grid: those of the specification; all, if there are none.
struct Places {
  std::set<size_t> rows, columns;
  std::set<std::pair<size_t, size_t>> cells;
};
Places PlacesOfSpec(const ResultReport& report, const Mosaic& mosaic) {
  Places of_spec, all;
  for (size_t row = 0; row < mosaic.rows.size(); ++row) {
    for (const auto& [column, cell] : mosaic.rows[row].cells) {
      const bool is_of_spec = IsOfSpec(report.tiles[cell.begin()->second].tile);
      for (Places* places : {&all, is_of_spec ? &of_spec : &all}) {
        places->rows.insert(row);
        places->columns.insert(column);
        places->cells.insert({row, column});
      }
    }
  }
  return of_spec.cells.empty() ? all : of_spec;
}

// Cells beyond the specification are few and far between: each row has those that it has, with their types.
std::string Apart(const ResultReport& report, const Mosaic& mosaic, const Places& shown) {
  std::string rows;
  size_t count = 0;
  bool urgent = false;
  for (size_t row = 0; row < mosaic.rows.size(); ++row) {
    std::string cells;
    for (const auto& [column, cell] : mosaic.rows[row].cells) {
      if (shown.cells.contains({row, column})) continue;
      ++count;
      for (const auto& [shape, tile] : cell) urgent = urgent || IsUrgent(report.tiles[tile].standing);
      absl::StrAppend(&cells, "<span>", EscapeMarkup(mosaic.columns[column]), Cell(report, mosaic, row, column),
                      "</span>");
    }
    if (!cells.empty())
      rows +=
          HtmlPart("mosaic.html", "apart row", {{"NAME", EscapeMarkup(RowName(mosaic.rows[row]))}, {"CELLS", cells}});
  }
  if (rows.empty()) return "";
  return HtmlPart("mosaic.html", "apart",
                  {{"OPEN", urgent ? " open" : ""}, {"COUNT", Counted(count, "combination")}, {"ROWS", rows}});
}

}  // namespace

std::string HtmlMosaic(const ResultReport& report) {
  if (report.tiles.empty()) return "";
  const Mosaic mosaic = MosaicOf(report.tiles);
  std::string legend, columns, rows;
  for (const StandingInfo& info : AllStandings()) {
    if (CountTiles(report, info.standing) == 0) continue;
    legend += HtmlPart("mosaic.html", "standing",
                       {{"MARK", HtmlMark(info.name, info.mark)},
                        {"NAME", std::string(info.name)},
                        {"MEANING", std::string(info.meaning)}});
  }
  const Places shown = PlacesOfSpec(report, mosaic);
  for (const size_t column : shown.columns) {
    const std::string& name = mosaic.columns[column];
    absl::StrAppend(&columns, "<th scope=\"col\">", EscapeMarkup(name.empty() ? "all" : name), "</th>");
  }
  for (const size_t row : shown.rows) {
    absl::StrAppend(&rows, "<tr><th scope=\"row\">", EscapeMarkup(RowName(mosaic.rows[row])), "</th>");
    for (const size_t column : shown.columns) {
      if (!shown.cells.contains({row, column})) {
        absl::StrAppend(&rows, "<td></td>");
        continue;
      }
      absl::StrAppend(&rows, "<td data-of=\"", EscapeMarkup(mosaic.columns[column]), "\">",
                      Cell(report, mosaic, row, column), "</td>");
    }
    absl::StrAppend(&rows, "</tr>\n");
  }
  return HtmlPart("mosaic.html", "",
                  {{"PER_LINE", absl::StrCat(PerLine(mosaic.shapes.size()))},
                   {"LEGEND", legend},
                   {"KEY", Key(mosaic)},
                   {"COLUMNS", columns},
                   {"ROWS", rows},
                   {"APART", Apart(report, mosaic, shown)}});
}

std::string HtmlData(const ResultReport& report) {
  const Mosaic mosaic = MosaicOf(report.tiles);
  Words words;
  const std::map<TileName, Json> cases = CasesByTile(report, &words);
  std::map<FindingSignature, size_t> findings;
  Json json;
  json["rows"] = Json::array();
  for (const MosaicRow& row : mosaic.rows) json["rows"].push_back(OneLine(RowName(row)));
  json["columns"] = mosaic.columns;
  json["shapes"] = mosaic.shapes;
  json["standings"] = Json::array();
  for (const StandingInfo& info : AllStandings()) {
    json["standings"].push_back(Json{{"name", std::string(info.name)}, {"mark", std::string(HtmlGlyph(info.mark))}});
  }
  json["findings"] = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i) {
    findings[report.findings[i].signature] = i;
    json["findings"].push_back(ToString(report.findings[i].signature));
  }
  json["tiles"] = Json::array();
  for (size_t row = 0; row < mosaic.rows.size(); ++row) {
    for (const auto& [column, cell] : mosaic.rows[row].cells) {
      for (const auto& [shape, tile] : cell) {
        const ReportTile& shown_tile = report.tiles[tile];
        Json linked = Json::array();
        for (const FindingSignature& signature : shown_tile.tile.signatures) {
          const auto at = findings.find(signature);
          if (at != findings.end()) linked.push_back(at->second);
        }
        const auto at = cases.find(shown_tile.tile);
        json["tiles"].push_back(
            Json::array({row, column, shape, static_cast<int>(shown_tile.standing), Says(shown_tile), std::move(linked),
                         at == cases.end() ? Json::array() : at->second}));
      }
    }
  }
  json["words"] = words.json();
  // No tag can begin or end in it, whatever a case is called; and no control character is left.
  return absl::StrReplaceAll(EscapeControls(Dump(json, -1)), {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}});
}

}  // namespace tosaic
