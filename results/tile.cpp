#include "results/tile.h"

#include <algorithm>

namespace tosaic {

Json ToJson(const VerdictCounts& counts) {
  Json json = Json::object();
  for (const auto& [verdict, count] : counts) json[std::string(Name(verdict))] = count;
  return json;
}

VerdictCounts ReadVerdictCounts(const JsonReader& reader) {
  VerdictCounts counts;
  for (Verdict verdict : All<Verdict>()) {
    if (reader.Has(Name(verdict))) counts[verdict] = reader.Field(Name(verdict)).Count();
  }
  return counts;
}

absl::string_view Name(TileOutcome outcome) {
  switch (outcome) {
    case TileOutcome::kConforms:
      return "conforms";
    case TileOutcome::kDiverges:
      return "diverges";
    case TileOutcome::kUnsupported:
      return "unsupported";
    case TileOutcome::kUndefinedOnly:
      return "undefined-only";
    case TileOutcome::kNotApplicable:
      return "not-applicable";
  }
  return "";
}

TileOutcome OutcomeOf(const Tile& tile) {
  if (tile.verdicts.empty()) return TileOutcome::kNotApplicable;
  const bool diverges = std::any_of(tile.verdicts.begin(), tile.verdicts.end(), [](const auto& entry) {
    return IsDivergence(entry.first) || entry.first == Verdict::kHarnessFault;
  });
  if (diverges) return TileOutcome::kDiverges;
  if (tile.verdicts.contains(Verdict::kAgree)) return TileOutcome::kConforms;
  return tile.verdicts.contains(Verdict::kUnsupported) ? TileOutcome::kUnsupported : TileOutcome::kUndefinedOnly;
}

Json ToJson(const Tile& tile) {
  return Json{{"op", tile.op},
              {"types", tile.types},
              {"shapes", tile.shapes},
              {"outcome", std::string(Name(OutcomeOf(tile)))},
              {"cases", tile.cases},
              {"runs", tile.runs},
              {"compared", tile.compared},
              {"verdicts", ToJson(tile.verdicts)},
              {"findings", tile.signatures}};
}

Tile ReadTile(const JsonReader& reader) {
  Tile tile;
  tile.op = reader.Field("op").String();
  tile.types = reader.Field("types").String();
  tile.shapes = reader.Field("shapes").String();
  tile.cases = reader.Field("cases").Count();
  tile.runs = reader.Field("runs").Count();
  tile.compared = reader.Field("compared").Count();
  tile.verdicts = ReadVerdictCounts(reader.Field("verdicts"));
  tile.signatures = reader.Field("findings").Strings();
  return tile;
}

}  // namespace tosaic
