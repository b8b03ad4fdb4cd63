// tosaic report --format=json: docs/report-format.md.
#include <utility>

#include "reports/formats.h"
#include "results/result_file.h"

namespace tosaic {
namespace {

Json FactsToJson(const std::vector<Fact>& facts) {
  Json json = Json::array();
  for (const Fact& fact : facts) json.push_back(Json{{"name", fact.name}, {"value", fact.value}});
  return json;
}

Json TileToJson(const ReportTile& one) {
  Json json = ToJson(one.tile);
  json["standing"] = std::string(Info(one.standing).name);
  if (!one.change) return json;
  json["base"] = Json{{"outcome", std::string(Name(OutcomeOf(one.change->base)))},
                      {"verdicts", ToJson(one.change->base.verdicts)},
                      {"findings", one.change->base.signatures}};
  json["changes"] = Json{{"regressed", one.change->regressed},
                         {"fixed", one.change->fixed},
                         {"changed", one.change->changed},
                         {"unchanged", one.change->unchanged}};
  return json;
}

Json FindingToJson(const ReportFinding& finding) {
  return Json{{"signature", finding.signature},
              {"status", finding.status},
              {"verdict", std::string(Name(finding.verdict))},
              {"stage", finding.stage},
              {"op", finding.op},
              {"route", finding.route},
              {"cause", finding.cause},
              {"reason", finding.reason},
              {"count", finding.count},
              {"first", finding.first},
              {"rule", finding.rule},
              {"expected", finding.expected},
              {"actual", finding.actual},
              {"facts", FactsToJson(finding.facts)},
              {"program", finding.program},
              {"data", finding.data},
              {"reproducer", finding.reproducer},
              {"script", finding.script},
              {"script_file", finding.script_file},
              {"location", finding.location}};
}

Json AccuracyToJson(const AccuracyRow& row) {
  return Json{{"op", row.op},
              {"types", row.types},
              {"setting", row.setting},
              {"accuracy", row.accuracy},
              {"exhaustive", row.exhaustive},
              {"compared", row.compared},
              {"disagreements", row.disagreements},
              {"mean_error_ulp", row.mean_error},
              {"max_error_ulp", row.max_error},
              {"max_error_inputs", row.max_error_inputs},
              {"bound_used", row.bound_used}};
}

Json ResultToJson(const SuiteCase& one) {
  return Json{{"verdict", std::string(Name(one.verdict))}, {"rule", one.rule}, {"finding", one.signature}};
}

Json NamedCase(const SuiteCase& one) {
  return Json{{"name", one.name}, {"op", one.op}, {"types", one.types}, {"shapes", one.shapes}};
}

template <typename T>
Json ListOf(const std::vector<T>& values, Json (*to_json)(const T&)) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(to_json(value));
  return json;
}

Json TotalsToJson(const ResultReport& report) {
  Json tiles = Json::object(), findings = Json::object();
  for (const StandingInfo& info : AllStandings()) {
    const uint64_t count = CountTiles(report, info.standing);
    if (count > 0) tiles[std::string(info.name)] = count;
  }
  for (const char* status : {"regressed", "new", "beyond-spec", "known"}) {
    findings[status] = CountFindings(report, status);
  }
  Json json{{"cases", report.cases},
            {"runs", report.runs},
            {"verdicts", ToJson(report.verdicts)},
            {"tiles", std::move(tiles)},
            {"findings", std::move(findings)}};
  if (report.kind != kComparisonKind) return json;
  const CaseCounts counts = CountChanges(report);
  json["changes"] = Json{{"regressed", counts.regressed},
                         {"fixed", counts.fixed},
                         {"changed", counts.changed},
                         {"unchanged", counts.unchanged}};
  return json;
}

}  // namespace

Json ReportToJson(const ResultReport& report) {
  Json json;
  json["tosaic_report"] = kReportVersion;
  json["kind"] = "report";
  json["of"] = report.kind;
  json["title"] = report.title;
  json["headline"] = Headline(report);
  json["good"] = IsGood(report);
  json["sides"] = ListOf<Side>(report.sides, [](const Side& side) {
    return Json{{"name", side.name}, {"toolchain", side.toolchain}, {"provenance", FactsToJson(side.provenance)}};
  });
  json["facts"] = FactsToJson(report.facts);
  json["totals"] = TotalsToJson(report);
  json["findings"] = ListOf(report.findings, FindingToJson);
  json["tiles"] = ListOf(report.tiles, TileToJson);
  json["accuracy"] = ListOf(report.accuracy, AccuracyToJson);
  json["cases"] = ListOf<SuiteCase>(report.suite_cases, [](const SuiteCase& one) {
    Json result = NamedCase(one);
    result.update(ResultToJson(one));
    result["runs"] = one.runs;
    return result;
  });
  json["changes"] = ListOf<CaseChange>(report.changes, [](const CaseChange& one) {
    Json change{{"change", std::string(Name(one.change))}};
    change.update(NamedCase(one.patch));
    change["base"] = ResultToJson(one.base);
    change["patch"] = ResultToJson(one.patch);
    return change;
  });
  json["harness_faults"] = report.harness_faults;
  json["notes"] = report.notes;
  json["unseen_known"] = report.unseen_known;
  json["interrupted"] = report.interrupted;
  json["elapsed_seconds"] = report.elapsed_seconds;
  return json;
}

}  // namespace tosaic
