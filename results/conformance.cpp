#include "results/conformance.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/json_reader.h"
#include "model/signature.h"

namespace tosaic {
namespace {

Json ToJson(const SuiteCase& one) {
  return Json{{"name", one.name},
              {"op", one.op},
              {"types", one.types},
              {"shapes", one.shapes},
              {"verdict", std::string(Name(one.verdict))},
              {"rule", one.rule},
              {"signature", one.signature},
              {"runs", one.runs}};
}

Json ToJson(const Suite& suite) {
  return Json{{"version", suite.version},
              {"profile", suite.profile},
              {"route", suite.route},
              {"cases", suite.cases},
              {"digest", suite.digest}};
}

Json ToJson(const SuiteFinding& one) {
  const Finding& finding = one.finding;
  return Json{{"signature", finding.signature},
              {"verdict", std::string(Name(finding.judgement.verdict))},
              {"op", finding.op},
              {"route", finding.route},
              {"status", std::string(FindingStatus(finding.known_reason, finding.judgement.beyond_spec))},
              {"cause", finding.cause},
              {"reason", finding.known_reason},
              {"count", finding.count},
              {"case_name", one.case_name},
              {"judgement", ToJson(finding.judgement)},
              {"original", ToJson(finding.original)},
              {"reduced", ToJson(finding.reduced)}};
}

Json ToJson(const std::vector<SuiteFinding>& findings) {
  Json json = Json::array();
  for (const SuiteFinding& finding : findings) json.push_back(ToJson(finding));
  return json;
}

Verdict ReadVerdict(const JsonReader& reader) { return reader.Take(Find<Verdict>(reader.String()), "a verdict"); }

SuiteCase ReadSuiteCase(const JsonReader& reader) {
  SuiteCase one;
  one.name = reader.Field("name").String();
  one.op = reader.Field("op").String();
  one.types = reader.Field("types").String();
  one.shapes = reader.Field("shapes").String();
  one.verdict = ReadVerdict(reader.Field("verdict"));
  one.rule = reader.Field("rule").String();
  one.signature = reader.Field("signature").String();
  one.runs = reader.Field("runs").Count();
  return one;
}

Suite ReadSuite(const JsonReader& reader) {
  Suite suite;
  suite.version = static_cast<int>(reader.Field("version").Count());
  suite.profile = reader.Field("profile").String();
  suite.route = reader.Field("route").String();
  suite.cases = reader.Field("cases").Count();
  suite.digest = reader.Field("digest").String();
  return suite;
}

SuiteFinding ReadFinding(const JsonReader& reader) {
  SuiteFinding one;
  Finding& finding = one.finding;
  finding.signature = reader.Field("signature").String();
  finding.op = reader.Field("op").String();
  finding.route = reader.Field("route").String();
  finding.cause = reader.Field("cause").String();
  finding.known_reason = reader.Field("reason").String();
  finding.count = reader.Field("count").Count();
  one.case_name = reader.Field("case_name").String();
  const JsonReader judgement = reader.Field("judgement");
  const JsonReader original = reader.Field("original");
  const JsonReader reduced = reader.Field("reduced");
  if (!reader.ok()) return one;
  finding.judgement = judgement.Take(FromJson<Judgement>(judgement.json()));
  finding.original = original.Take(CaseFromJson(original.json()));
  finding.reduced = reduced.Take(CaseFromJson(reduced.json()));
  return one;
}

// The document if it is a report of the kind.
absl::StatusOr<Json> ParseReport(absl::string_view text, absl::string_view kind) {
  absl::StatusOr<Json> json = ParseResultFile(text);
  if (json.ok() && (*json)["kind"] != std::string(kind)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a result of kind ", Dump((*json)["kind"], -1), " where one of kind \"", kind, "\" is needed"));
  }
  return json;
}

// What stands for a case in a comparison.
enum class Standing : uint8_t { kFine, kUnsupported, kWrong };

Standing StandingOf(const SuiteCase& one) {
  if (IsDivergence(one.verdict) || one.verdict == Verdict::kHarnessFault) return Standing::kWrong;
  return one.verdict == Verdict::kUnsupported ? Standing::kUnsupported : Standing::kFine;
}

}  // namespace

uint64_t CountNew(const ConformanceReport& report) {
  return static_cast<uint64_t>(std::count_if(report.findings.begin(), report.findings.end(),
                                             [](const SuiteFinding& one) { return IsNew(one.finding); }));
}

Json ToJson(const ConformanceReport& report) {
  VerdictCounts verdicts;
  std::map<std::string, uint64_t> outcomes;
  uint64_t runs = 0;
  Json json;
  json["tosaic_report"] = kReportVersion;
  json["kind"] = kConformanceKind;
  json["provenance"] = report.provenance;
  json["suite"] = ToJson(report.suite);
  for (const Tile& tile : report.tiles) ++outcomes[std::string(Name(OutcomeOf(tile)))];
  for (const SuiteCase& one : report.cases) {
    ++verdicts[one.verdict];
    runs += one.runs;
  }
  json["totals"] =
      Json{{"tiles", outcomes}, {"cases", report.cases.size()}, {"runs", runs}, {"verdicts", ToJson(verdicts)}};
  json["tiles"] = Json::array();
  for (const Tile& tile : report.tiles) json["tiles"].push_back(ToJson(tile));
  json["cases"] = Json::array();
  for (const SuiteCase& one : report.cases) json["cases"].push_back(ToJson(one));
  json["findings"] = ToJson(report.findings);
  json["new_findings"] = CountNew(report);
  json["harness_faults"] = Json::array();
  for (const HarnessFault& fault : report.harness_faults) {
    json["harness_faults"].push_back(Json{{"case", fault.case_number}, {"what", fault.what}});
  }
  json["unseen_known"] = report.unseen_known;
  json["interrupted"] = report.interrupted;
  json["elapsed_seconds"] = report.elapsed_seconds;
  return json;
}

absl::StatusOr<ConformanceReport> ConformanceFromText(absl::string_view text) {
  const absl::StatusOr<Json> json = ParseReport(text, kConformanceKind);
  if (!json.ok()) return json.status();
  absl::Status status;
  const JsonReader reader(&*json, "", &status);
  ConformanceReport report;
  report.provenance = reader.Field("provenance").json();
  report.suite = ReadSuite(reader.Field("suite"));
  for (const JsonReader& tile : reader.Field("tiles").Elements()) report.tiles.push_back(ReadTile(tile));
  for (const JsonReader& one : reader.Field("cases").Elements()) report.cases.push_back(ReadSuiteCase(one));
  for (const JsonReader& one : reader.Field("findings").Elements()) report.findings.push_back(ReadFinding(one));
  for (const JsonReader& fault : reader.Field("harness_faults").Elements()) {
    report.harness_faults.push_back({fault.Field("case").Count(), fault.Field("what").String(), 0});
  }
  report.unseen_known = reader.Field("unseen_known").Strings();
  report.interrupted = reader.Field("interrupted").Bool();
  report.elapsed_seconds = reader.Field("elapsed_seconds").Double();
  if (!status.ok()) return status;
  return report;
}

absl::string_view Name(Change change) {
  switch (change) {
    case Change::kUnchanged:
      return "unchanged";
    case Change::kChanged:
      return "changed";
    case Change::kFixed:
      return "fixed";
    case Change::kRegressed:
      return "regressed";
  }
  return "";
}

Change ChangeOf(const SuiteCase& base, const SuiteCase& patch) {
  const Standing before = StandingOf(base), after = StandingOf(patch);
  if (before == after) {
    const bool same = base.verdict == patch.verdict && base.signature == patch.signature;
    return same ? Change::kUnchanged : Change::kChanged;
  }
  // Between a refusal and a divergence: the latter is worse, but the former computes nothing either.
  if (after == Standing::kFine) return Change::kFixed;
  if (before == Standing::kFine || after == Standing::kWrong) return Change::kRegressed;
  return Change::kChanged;
}

absl::StatusOr<Comparison> Compare(const ConformanceReport& base, const ConformanceReport& patch) {
  Suite suite = patch.suite;
  suite.route = base.suite.route;
  if (base.suite != suite || base.cases.size() != patch.cases.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the reports are of different suites: ", Dump(ToJson(base.suite), -1), " and ",
                     Dump(ToJson(patch.suite), -1), "; run both with the same Tosaic, --profile and --route"));
  }
  if (base.interrupted || patch.interrupted) {
    return absl::InvalidArgumentError(
        absl::StrCat("the ", base.interrupted ? "base" : "patch", "'s report was interrupted: run it again"));
  }
  Comparison comparison;
  comparison.base = base.provenance;
  comparison.patch = patch.provenance;
  comparison.suite = base.suite;
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, size_t> places;
  for (size_t i = 0; i < base.tiles.size() && i < patch.tiles.size(); ++i) {
    const Tile& tile = base.tiles[i];
    places[{tile.op, tile.types, tile.shapes}] = comparison.tiles.size();
    comparison.tiles.push_back({.base = tile, .patch = patch.tiles[i]});
  }
  std::set<std::string> regressed;
  for (size_t i = 0; i < base.cases.size(); ++i) {
    const SuiteCase& before = base.cases[i];
    const SuiteCase& after = patch.cases[i];
    // A signature has the route in it: the same divergence on another one is no change.
    FindingSignature signature = ParseFindingSignature(after.signature);
    if (signature.route == patch.suite.route) signature.route = base.suite.route;
    SuiteCase on_base_route = after;
    on_base_route.signature = ToString(signature);
    const auto place = places.find({before.op, before.types, before.shapes});
    if (before.name != after.name || place == places.end()) {
      return absl::InvalidArgumentError(absl::StrCat("the reports do not fit each other at case ", before.name));
    }
    const Change change = ChangeOf(before, on_base_route);
    TileChange& tile = comparison.tiles[place->second];
    ++(change == Change::kFixed       ? tile.fixed
       : change == Change::kRegressed ? tile.regressed
       : change == Change::kChanged   ? tile.changed
                                      : tile.unchanged);
    tile.change = std::max(tile.change, change);
    if (change != Change::kUnchanged) comparison.cases.push_back({change, before, after});
    if (change == Change::kRegressed) regressed.insert(after.signature);
  }
  for (const SuiteFinding& finding : patch.findings) {
    if (regressed.contains(finding.finding.signature)) comparison.regressions.push_back(finding);
  }
  return comparison;
}

bool HasRegressed(const Comparison& comparison) {
  return std::any_of(comparison.tiles.begin(), comparison.tiles.end(),
                     [](const TileChange& tile) { return tile.regressed > 0; });
}

Json ToJson(const Comparison& comparison) {
  std::map<std::string, uint64_t> tiles, cases;
  for (Change change : {Change::kFixed, Change::kRegressed, Change::kChanged, Change::kUnchanged}) {
    tiles[std::string(Name(change))] = cases[std::string(Name(change))] = 0;
  }
  Json json;
  json["tosaic_report"] = kReportVersion;
  json["kind"] = kComparisonKind;
  json["base"] = comparison.base;
  json["patch"] = comparison.patch;
  json["suite"] = ToJson(comparison.suite);
  Json rows = Json::array();
  for (const TileChange& tile : comparison.tiles) {
    ++tiles[std::string(Name(tile.change))];
    cases["fixed"] += tile.fixed;
    cases["regressed"] += tile.regressed;
    cases["changed"] += tile.changed;
    cases["unchanged"] += tile.unchanged;
    rows.push_back(Json{{"change", std::string(Name(tile.change))},
                        {"base", ToJson(tile.base)},
                        {"patch", ToJson(tile.patch)},
                        {"fixed", tile.fixed},
                        {"regressed", tile.regressed},
                        {"changed", tile.changed},
                        {"unchanged", tile.unchanged}});
  }
  json["totals"] = Json{{"tiles", tiles}, {"cases", cases}};
  json["tiles"] = std::move(rows);
  json["cases"] = Json::array();
  for (const CaseChange& one : comparison.cases) {
    json["cases"].push_back(
        Json{{"change", std::string(Name(one.change))}, {"base", ToJson(one.base)}, {"patch", ToJson(one.patch)}});
  }
  json["regressions"] = ToJson(comparison.regressions);
  return json;
}

absl::StatusOr<Comparison> ComparisonFromText(absl::string_view text) {
  const absl::StatusOr<Json> json = ParseReport(text, kComparisonKind);
  if (!json.ok()) return json.status();
  absl::Status status;
  const JsonReader reader(&*json, "", &status);
  const auto change = [](const JsonReader& place) {
    std::optional<Change> found;
    for (Change one : {Change::kUnchanged, Change::kChanged, Change::kFixed, Change::kRegressed}) {
      if (place.ok() && place.String() == Name(one)) found = one;
    }
    return place.Take(found, "a change");
  };
  Comparison comparison;
  comparison.base = reader.Field("base").json();
  comparison.patch = reader.Field("patch").json();
  comparison.suite = ReadSuite(reader.Field("suite"));
  for (const JsonReader& row : reader.Field("tiles").Elements()) {
    comparison.tiles.push_back({change(row.Field("change")), ReadTile(row.Field("base")), ReadTile(row.Field("patch")),
                                row.Field("fixed").Count(), row.Field("regressed").Count(),
                                row.Field("changed").Count(), row.Field("unchanged").Count()});
  }
  for (const JsonReader& row : reader.Field("cases").Elements()) {
    comparison.cases.push_back(
        {change(row.Field("change")), ReadSuiteCase(row.Field("base")), ReadSuiteCase(row.Field("patch"))});
  }
  for (const JsonReader& one : reader.Field("regressions").Elements()) {
    comparison.regressions.push_back(ReadFinding(one));
  }
  if (!status.ok()) return status;
  return comparison;
}

}  // namespace tosaic
