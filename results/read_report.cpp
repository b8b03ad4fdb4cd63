// The readers: from a result file of each kind to a ResultReport.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "codec/json_reader.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "model/shell_word.h"
#include "model/work_paths.h"
#include "results/report.h"
#include "results/result_file.h"

namespace tosaic {
namespace {

constexpr char kCustomRoute[] = "custom";  // docs/case-format.md
constexpr char kPipeline[] = "pipeline";

std::string DirectoryOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

std::string TextOf(const Json& json) { return json.is_string() ? json.get<std::string>() : Dump(json, -1); }

std::string StringAt(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) ? TextOf(json[key]) : "";
}

// What is said of where results come from, in the order in which people ask.
Side ReadSide(const std::string& name, const Json& provenance) {
  constexpr absl::string_view kFirst[] = {"toolchain", "toolchain_version", "tosaic_revision", "runtime",
                                          "command_line"};
  Side side{name, StringAt(provenance, "toolchain"), {}};
  const std::string version = StringAt(provenance, "toolchain_version");
  if (!version.empty()) absl::StrAppend(&side.toolchain, side.toolchain.empty() ? "" : ", ", version);
  const auto add = [&](const std::string& key, const Json& value) {
    side.provenance.push_back({absl::StrReplaceAll(key, {{"_", " "}}), TextOf(value)});
  };
  if (!provenance.is_object()) return side;
  for (absl::string_view key : kFirst) {
    if (provenance.contains(std::string(key))) add(std::string(key), provenance[std::string(key)]);
  }
  for (const auto& [key, value] : provenance.items()) {
    if (std::find(std::begin(kFirst), std::end(kFirst), key) != std::end(kFirst)) continue;
    if (key != "other_pipelines" || !value.is_object()) {
      add(key, value);
      continue;
    }
    for (const auto& [route, pipeline] : value.items()) add("pipeline of " + route, pipeline);
  }
  return side;
}

// Commands that replay a case, the case included unless it is long.
std::string ReplayOf(const Case& test_case, const std::string& file, const Json& provenance) {
  constexpr size_t kLong = 20000;
  std::string check = "tosaic check";
  if (test_case.route == kCustomRoute && provenance.is_object() && provenance.contains(kPipeline)) {
    absl::StrAppend(&check, " --pipeline=", ShellQuoted(StringAt(provenance, kPipeline)));
  }
  const std::string text = Dump(ToJson(test_case), -1);
  if (text.size() > kLong && !file.empty()) return absl::StrCat(check, " ", ShellQuoted(file), "\n");
  return absl::StrCat("cat > case.json << 'END'\n", text, "\nEND\n", check, " case.json\n");
}

void FillFromCase(const Case& reduced, const std::string& file, const Json& provenance, ReportFinding* finding) {
  finding->program = ToMlir(reduced.program);
  finding->data = RunsToText(reduced);
  finding->reproducer = ReplayOf(reduced, file, provenance);
}

void FillFromJudgement(const Judgement& judgement, ReportFinding* finding) {
  finding->verdict = judgement.verdict;
  finding->stage = std::string(Name(judgement.stage));
  finding->rule = std::string(Name(judgement.rule));
  finding->expected = judgement.expected;
  finding->actual = judgement.actual;
  finding->facts = FactsOf(judgement);
}

ReportFinding FromSuite(const SuiteFinding& one, const std::string& file, const Json& provenance) {
  ReportFinding finding;
  finding.signature = one.finding.signature;
  finding.status = std::string(FindingStatus(one.finding.known_reason, one.finding.judgement.beyond_spec));
  finding.op = one.finding.op;
  finding.route = one.finding.route;
  finding.cause = one.finding.cause;
  finding.reason = one.finding.known_reason;
  finding.count = one.finding.count;
  finding.first = one.case_name;
  FillFromJudgement(one.finding.judgement, &finding);
  FillFromCase(one.finding.reduced, "", provenance, &finding);
  finding.location = file;
  return finding;
}

// New and regressed ones first.
void Sort(std::vector<ReportFinding>* findings) {
  const auto place = [](const ReportFinding& one) {
    return std::make_tuple(IsUrgent(one) ? 0 : one.status == "known" ? 1 : 2, one.signature);
  };
  std::stable_sort(findings->begin(), findings->end(),
                   [&](const ReportFinding& a, const ReportFinding& b) { return place(a) < place(b); });
}

// How a tile stands by itself. `quiet`: the signatures that ask for no attention.
Standing StandingOf(const Tile& tile, const std::set<std::string>& quiet) {
  switch (OutcomeOf(tile)) {
    case TileOutcome::kConforms:
      return Standing::kConforms;
    case TileOutcome::kUnsupported:
      return Standing::kUnsupported;
    case TileOutcome::kUndefinedOnly:
      return Standing::kUndefinedOnly;
    case TileOutcome::kNotApplicable:
      return Standing::kNotApplicable;
    case TileOutcome::kDiverges:
      break;
  }
  const bool all_quiet =
      !tile.signatures.empty() && !tile.verdicts.contains(Verdict::kHarnessFault) &&
      std::all_of(tile.signatures.begin(), tile.signatures.end(), [&](const auto& one) { return quiet.contains(one); });
  return all_quiet ? Standing::kKnown : Standing::kNew;
}

Standing StandingOf(Change change) {
  switch (change) {
    case Change::kUnchanged:
      return Standing::kUnchanged;
    case Change::kChanged:
      return Standing::kChanged;
    case Change::kFixed:
      return Standing::kFixed;
    case Change::kRegressed:
      return Standing::kRegressed;
  }
  return Standing::kNotApplicable;
}

// Adds tiles, judged by the findings that the report has.
void AddTiles(std::vector<Tile> tiles, ResultReport* report) {
  std::set<std::string> quiet;
  for (const ReportFinding& finding : report->findings) {
    if (!IsUrgent(finding)) quiet.insert(finding.signature);
  }
  for (Tile& tile : tiles) {
    const Standing standing = StandingOf(tile, quiet);
    report->tiles.push_back({standing, std::move(tile), std::nullopt});
  }
}

void AddVerdicts(const VerdictCounts& from, VerdictCounts* to) {
  for (const auto& [verdict, count] : from) (*to)[verdict] += count;
}

std::vector<Fact> FactsOf(const Suite& suite) {
  return {{"suite", absl::StrCat("version ", suite.version, ", ", suite.cases, " cases")},
          {"profile", suite.profile},
          {"route", suite.route}};
}

// --- a campaign ---

Verdict ReadVerdict(const JsonReader& reader) { return reader.Take(Find<Verdict>(reader.String()), "a verdict"); }

// What a finding's folder has to add to its line in the summary. A folder that is not there adds nothing.
absl::Status ReadFolder(const std::string& reduced, const std::string& directory, const Json& provenance,
                        ReadBeside read, ReportFinding* finding) {
  const FindingPaths paths = {DirectoryOf(reduced)};
  if (const auto text = read(reduced)) {
    const absl::StatusOr<Case> test_case = CaseFromText(*text);
    if (!test_case.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(reduced, ": ", test_case.status().message()));
    }
    FillFromCase(*test_case, directory + reduced, provenance, finding);
    finding->location = directory + reduced;
  }
  if (const auto text = read(paths.description())) {
    const absl::StatusOr<Json> json = ParseJson(*text);
    const absl::StatusOr<Judgement> judgement = json.ok() && json->is_object() && json->contains("judgement_of_reduced")
                                                    ? FromJson<Judgement>((*json)["judgement_of_reduced"])
                                                    : absl::InvalidArgumentError("no finding: cut short?");
    if (!judgement.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(paths.description(), ": ", judgement.status().message()));
    }
    const Verdict verdict = finding->verdict;  // the summary's, if the reduction died
    FillFromJudgement(*judgement, finding);
    finding->verdict = verdict;
  }
  if (auto script = read(paths.script())) {
    finding->script = *std::move(script);
    finding->script_file = directory + paths.script();
  }
  return absl::OkStatus();
}

absl::StatusOr<ResultReport> ReadCampaign(const Json& json, const std::string& file, ReadBeside read) {
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  ResultReport report;
  const Json& provenance = reader.Field("provenance").json();
  report.sides = {ReadSide("", provenance)};
  const uint64_t seed = reader.Field("seed").Count();
  report.title = absl::StrCat("Campaign, seed ", seed);
  report.facts = {{"seed", absl::StrCat(seed)}};
  report.cases = reader.Field("cases").Count();
  report.runs = reader.Field("runs").Count();
  report.verdicts = ReadVerdictCounts(reader.Field("verdicts"));
  for (const JsonReader& one : reader.Field("findings").Elements()) {
    ReportFinding finding;
    finding.signature = one.Field("signature").String();
    finding.status = one.Field("status").String();
    finding.verdict = ReadVerdict(one.Field("verdict"));
    finding.op = one.Field("op").String();
    finding.route = one.Field("route").String();
    finding.cause = one.Field("cause").String();
    finding.reason = one.Field("reason").String();
    finding.count = one.Field("count").Count();
    finding.first = absl::StrCat("case ", one.Field("case_number").Count());
    finding.location = file;
    const std::string reduced = one.Field("reduced").String();
    if (!status.ok()) return status;
    if (absl::Status folder = ReadFolder(reduced, DirectoryOf(file), provenance, read, &finding); !folder.ok()) {
      return folder;
    }
    report.findings.push_back(std::move(finding));
  }
  std::vector<Tile> tiles;
  for (const JsonReader& tile : reader.Field("tiles").Elements()) tiles.push_back(ReadTile(tile));
  Sort(&report.findings);
  AddTiles(std::move(tiles), &report);
  for (const JsonReader& fault : reader.Field("harness_faults").Elements()) {
    report.harness_faults.push_back(
        absl::StrCat("case ", fault.Field("case").Count(), ": ", fault.Field("what").String()));
  }
  const Json& notes = reader.Field("notes").json();
  for (const auto& [note, count] : notes.items()) report.notes.push_back(absl::StrCat(TextOf(count), " x ", note));
  report.unseen_known = reader.Field("unseen_known").Strings();
  report.interrupted = reader.Field("interrupted").Bool();
  report.elapsed_seconds = reader.Field("elapsed_seconds").Double();
  if (!status.ok()) return status;
  return report;
}

// --- the conformance suite ---

absl::StatusOr<ResultReport> ReadConformance(absl::string_view text, const std::string& file) {
  absl::StatusOr<ConformanceReport> read = ConformanceFromText(text);
  if (!read.ok()) return read.status();
  ResultReport report;
  report.title = absl::StrCat("Conformance, profile ", read->suite.profile);
  report.sides = {ReadSide("", read->provenance)};
  report.facts = FactsOf(read->suite);
  report.cases = read->cases.size();
  for (const SuiteCase& one : read->cases) {
    report.runs += one.runs;
    ++report.verdicts[one.verdict];
  }
  for (const SuiteFinding& one : read->findings) report.findings.push_back(FromSuite(one, file, read->provenance));
  Sort(&report.findings);
  AddTiles(std::move(read->tiles), &report);
  report.suite_cases = std::move(read->cases);
  for (const HarnessFault& fault : read->harness_faults) {
    report.harness_faults.push_back(absl::StrCat("case ", fault.case_number, ": ", fault.what));
  }
  report.unseen_known = std::move(read->unseen_known);
  report.interrupted = read->interrupted;
  report.elapsed_seconds = read->elapsed_seconds;
  return report;
}

absl::StatusOr<ResultReport> ReadComparison(absl::string_view text, const std::string& file) {
  absl::StatusOr<Comparison> read = ComparisonFromText(text);
  if (!read.ok()) return read.status();
  ResultReport report;
  report.sides = {ReadSide("base", read->base), ReadSide("patch", read->patch)};
  report.title = absl::StrCat("Comparison, profile ", read->suite.profile);
  report.facts = FactsOf(read->suite);
  for (const SuiteFinding& one : read->regressions) {
    report.findings.push_back(FromSuite(one, file, read->patch));
    report.findings.back().status = "regressed";
  }
  Sort(&report.findings);
  for (TileChange& change : read->tiles) {
    const bool any = !change.base.verdicts.empty() || !change.patch.verdicts.empty();
    const Standing standing = any ? StandingOf(change.change) : Standing::kNotApplicable;
    report.cases += change.patch.cases;
    report.runs += change.patch.runs;
    AddVerdicts(change.patch.verdicts, &report.verdicts);
    Tile patch = change.patch;
    report.tiles.push_back({standing, std::move(patch), std::move(change)});
  }
  report.changes = std::move(read->cases);
  std::stable_sort(report.changes.begin(), report.changes.end(),
                   [](const CaseChange& a, const CaseChange& b) { return a.change > b.change; });
  return report;
}

// --- sweeps ---

absl::StatusOr<ResultReport> ReadSweep(const Json& json, const std::string& file) {
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  ResultReport report;
  report.title = "Sweep of types";
  report.sides = {ReadSide("", reader.Field("provenance").json())};
  const Json& options = reader.Field("options").json();
  for (const auto& [key, value] : options.items()) report.facts.push_back({key, TextOf(value)});
  report.cases = reader.Field("decisions").Count();
  std::map<std::string, Tile> disagreements;  // by op
  for (const JsonReader& one : reader.Field("disagreements").Elements()) {
    ReportFinding finding;
    finding.signature = finding.cause = one.Field("signature").String();
    finding.verdict = ReadVerdict(one.Field("verdict"));
    finding.op = one.Field("op").String();
    finding.reason = one.Field("known_reason").String();
    finding.status = std::string(FindingStatus(finding.reason, one.Field("beyond_spec").Bool()));
    finding.count = one.Field("count").Count();
    finding.expected = one.Field("expected").String();
    finding.actual = one.Field("actual").String();
    const std::vector<std::string> cases = one.Field("cases").Strings();
    if (!cases.empty()) {
      finding.first = finding.program = cases.front();
      finding.reproducer = absl::StrCat("tosaic explain ", ShellQuoted(cases.front()), "\n");
    }
    finding.location = file;
    Tile& tile = disagreements[finding.op];
    tile.verdicts[finding.verdict] += finding.count;
    tile.signatures.push_back(finding.signature);
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  const Json& by_op = reader.Field("by_op").json();
  for (const auto& [op, counts] : by_op.items()) {
    Tile tile = disagreements[op];
    uint64_t wrong = 0;
    for (const auto& [verdict, count] : tile.verdicts) wrong += count;
    tile.op = op;
    tile.shapes = "every-combination";
    tile.cases = reader.Field("by_op").Field(op).Field("decisions").Count();
    if (tile.cases > wrong) tile.verdicts[Verdict::kAgree] = tile.cases - wrong;
    AddVerdicts(tile.verdicts, &report.verdicts);
    tiles.push_back(std::move(tile));
  }
  AddTiles(std::move(tiles), &report);
  const Json& notes = reader.Field("notes").json();
  for (const auto& [note, count] : notes.items()) report.notes.push_back(absl::StrCat(TextOf(count), " x ", note));
  report.interrupted = reader.Field("interrupted").Bool();
  report.elapsed_seconds = reader.Field("elapsed_seconds").Double();
  if (!status.ok()) return status;
  return report;
}

AccuracyRow ReadAccuracy(const JsonReader& reader) {
  AccuracyRow row;
  row.op = reader.Field("op").String();
  row.types = reader.Field("types").String();
  row.setting = reader.Field("setting").String();
  row.accuracy = reader.Field("accuracy").String();
  row.exhaustive = reader.Field("exhaustive").Bool();
  row.compared = reader.Field("compared").Count();
  row.disagreements = reader.Field("disagreements").Count();
  row.mean_error = reader.Field("mean_error_ulp").Double();
  if (const JsonReader error = reader.Field("max_error_ulp"); error.ok() && !error.IsNull()) {
    row.max_error = error.Field("value").Double();
    row.max_error_inputs = error.Field("inputs").Strings();
  }
  if (const JsonReader used = reader.Field("max_bound_used"); used.ok() && !used.IsNull()) {
    row.bound_used = used.Field("value").Double();
  }
  return row;
}

ReportFinding ReadValueFinding(const JsonReader& reader, const std::string& file, const Json& provenance) {
  ReportFinding finding;
  finding.signature = finding.cause = reader.Field("signature").String();
  finding.op = reader.Field("op").String();
  finding.status = reader.Field("status").String();
  finding.reason = reader.Field("reason").String();
  finding.count = reader.Field("count").Count();
  const JsonReader example = reader.Field("example");
  const std::vector<JsonReader> listed = reader.Field("listed").Elements();
  if (!reader.ok()) return finding;
  if (!listed.empty()) {
    const JsonReader judgement = listed.front().Field("judgement");
    if (!reader.ok()) return finding;
    FillFromJudgement(judgement.Take(FromJson<Judgement>(judgement.json())), &finding);
    finding.first = absl::StrCat("inputs ", absl::StrJoin(listed.front().Field("input_bits").Strings(), ", "));
  }
  const Case test_case = example.Take(CaseFromJson(example.json()));
  if (!reader.ok()) return finding;
  finding.route = test_case.route;
  FillFromCase(test_case, "", provenance, &finding);
  finding.location = file;
  return finding;
}

absl::StatusOr<ResultReport> ReadValues(const Json& json, const std::string& file) {
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  ResultReport report;
  report.title = "Sweep of values";
  const Json& provenance = reader.Field("provenance").json();
  report.sides = {ReadSide("", provenance)};
  report.facts = {{"route", reader.Field("route").String()},
                  {"inputs wanted", absl::StrCat(reader.Field("inputs_wanted").Count())}};
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> signatures;  // by op and types
  for (const JsonReader& one : reader.Field("findings").Elements()) {
    report.findings.push_back(ReadValueFinding(one, file, provenance));
    signatures[{report.findings.back().op, one.Field("types").String()}].push_back(report.findings.back().signature);
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  for (const JsonReader& one : reader.Field("sweeps").Elements()) {
    const AccuracyRow row = ReadAccuracy(one);
    const std::string shapes = row.exhaustive ? "all-inputs" : "spread-inputs";
    // One tile for all settings of an op's attributes.
    const auto same = [&](const Tile& tile) {
      return tile.op == row.op && tile.types == row.types && tile.shapes == shapes;
    };
    auto tile = std::find_if(tiles.begin(), tiles.end(), same);
    if (tile == tiles.end()) {
      tile = tiles.emplace(tiles.end());
      tile->op = row.op, tile->types = row.types, tile->shapes = shapes;
    }
    const uint64_t inputs = one.Field("inputs").Count();
    const VerdictCounts verdicts = ReadVerdictCounts(one.Field("verdicts"));
    report.cases += inputs;
    tile->cases += inputs;
    tile->compared += row.compared;
    AddVerdicts(verdicts, &report.verdicts);
    AddVerdicts(verdicts, &tile->verdicts);
    if (OutcomeOf(*tile) == TileOutcome::kDiverges) tile->signatures = signatures[{row.op, row.types}];
    report.accuracy.push_back(row);
  }
  AddTiles(std::move(tiles), &report);
  report.harness_faults = reader.Field("harness_faults").Strings();
  report.notes = reader.Field("notes").Strings();
  report.interrupted = reader.Field("interrupted").Bool();
  report.elapsed_seconds = reader.Field("elapsed_seconds").Double();
  if (!status.ok()) return status;
  return report;
}

}  // namespace

absl::StatusOr<ResultReport> ReadReport(absl::string_view text, const std::string& file, ReadBeside read_beside) {
  const absl::StatusOr<Json> json = ParseResultFile(text);
  if (!json.ok()) return json.status();
  const std::string kind = (*json)["kind"].get<std::string>();
  absl::StatusOr<ResultReport> report =
      kind == kCampaignKind      ? ReadCampaign(*json, file, read_beside)
      : kind == kConformanceKind ? ReadConformance(text, file)
      : kind == kComparisonKind  ? ReadComparison(text, file)
      : kind == kSweepKind       ? ReadSweep(*json, file)
      : kind == kValuesKind      ? ReadValues(*json, file)
                                 : absl::InvalidArgumentError(absl::StrCat(
                                       "a result of the kind ", Dump((*json)["kind"], -1), ", which has no report"));
  if (report.ok()) {
    report->kind = kind;
    report->file = file;
  }
  return report;
}

}  // namespace tosaic
