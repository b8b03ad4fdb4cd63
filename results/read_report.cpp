// The readers: from a result file of each kind to a ResultReport.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "model/shell_word.h"
#include "model/work_paths.h"
#include "results/campaign.h"
#include "results/report.h"
#include "results/result_file.h"
#include "results/type_sweep.h"
#include "results/value_sweep.h"

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

// What every kind says of a finding.
ReportFinding ViewOf(const Finding& one, const std::string& file) {
  ReportFinding finding;
  finding.signature = one.signature;
  finding.status = StatusOf(one);
  finding.verdict = one.judgement.verdict;
  finding.op = one.op;
  finding.route = one.route;
  finding.cause = one.cause;
  finding.reason = one.known_reason;
  finding.count = one.count;
  finding.location = file;
  return finding;
}

ReportFinding OfSuite(const Finding& one, const std::string& file, const Json& provenance) {
  ReportFinding finding = ViewOf(one, file);
  finding.first = one.case_name;
  FillFromJudgement(one.judgement, &finding);
  FillFromCase(one.reduced, "", provenance, &finding);
  return finding;
}

// New and regressed ones first.
void Sort(std::vector<ReportFinding>* findings) {
  const auto place = [](const ReportFinding& one) {
    return std::make_tuple(IsUrgent(one) ? 0 : one.status == Finding::Status::kKnown ? 1 : 2, one.signature);
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

void AddFaults(const std::vector<HarnessFault>& faults, ResultReport* report) {
  for (const HarnessFault& fault : faults) {
    report->harness_faults.push_back(absl::StrCat("case ", fault.case_number, ": ", fault.what));
  }
}

void AddNotes(const std::map<std::string, uint64_t>& notes, ResultReport* report) {
  for (const auto& [note, count] : notes) report->notes.push_back(absl::StrCat(count, " x ", note));
}

std::vector<Fact> FactsOf(const Suite& suite) {
  return {{"suite", absl::StrCat("version ", suite.version, ", ", suite.cases, " cases")},
          {"profile", suite.profile},
          {"route", suite.route}};
}

// --- a campaign ---

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
    const absl::StatusOr<Finding> described = FromText<Finding>(*text);
    if (!described.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(paths.description(), ": ", described.status().message()));
    }
    const Verdict verdict = finding->verdict;  // the summary's, if the reduction died
    FillFromJudgement(described->judgement, finding);
    finding->verdict = verdict;
  }
  if (auto script = read(paths.script())) {
    finding->script = *std::move(script);
    finding->script_file = directory + paths.script();
  }
  return absl::OkStatus();
}

absl::StatusOr<ResultReport> ViewOf(CampaignSummary summary, const std::string& file, ReadBeside read) {
  ResultReport report;
  report.sides = {ReadSide("", summary.provenance)};
  report.title = absl::StrCat("Campaign, seed ", summary.seed);
  report.facts = {{"seed", absl::StrCat(summary.seed)}};
  report.cases = summary.cases;
  report.runs = summary.runs;
  report.verdicts = std::move(summary.verdicts);
  for (const Finding& one : summary.findings) {
    ReportFinding finding = ViewOf(one, file);
    finding.first = absl::StrCat("case ", one.case_number);
    const std::string reduced = FindingPaths{one.folder}.reduced_case();
    absl::Status folder = ReadFolder(reduced, DirectoryOf(file), summary.provenance, read, &finding);
    if (!folder.ok()) return folder;
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  AddTiles(std::move(summary.tiles), &report);
  AddFaults(summary.harness_faults, &report);
  AddNotes(summary.notes, &report);
  report.unseen_known = std::move(summary.unseen_known);
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

// --- the conformance suite ---

ResultReport ViewOf(ConformanceReport read, const std::string& file) {
  ResultReport report;
  report.title = absl::StrCat("Conformance, profile ", read.suite.profile);
  report.sides = {ReadSide("", read.provenance)};
  report.facts = FactsOf(read.suite);
  report.cases = read.cases.size();
  for (const SuiteCase& one : read.cases) {
    report.runs += one.runs;
    ++report.verdicts[one.verdict];
  }
  for (const Finding& one : read.findings) report.findings.push_back(OfSuite(one, file, read.provenance));
  Sort(&report.findings);
  AddTiles(std::move(read.tiles), &report);
  report.suite_cases = std::move(read.cases);
  AddFaults(read.harness_faults, &report);
  report.unseen_known = std::move(read.unseen_known);
  report.interrupted = read.interrupted;
  report.elapsed_seconds = read.elapsed_seconds;
  return report;
}

ResultReport ViewOf(Comparison read, const std::string& file) {
  ResultReport report;
  report.sides = {ReadSide("base", read.base), ReadSide("patch", read.patch)};
  report.title = absl::StrCat("Comparison, profile ", read.suite.profile);
  report.facts = FactsOf(read.suite);
  for (const Finding& one : read.regressions) {
    report.findings.push_back(OfSuite(one, file, read.patch));
    report.findings.back().status = Finding::Status::kRegressed;
  }
  Sort(&report.findings);
  for (TileChange& change : read.tiles) {
    const bool any = !change.base.verdicts.empty() || !change.patch.verdicts.empty();
    const Standing standing = any ? StandingOf(change.change) : Standing::kNotApplicable;
    report.cases += change.patch.cases;
    report.runs += change.patch.runs;
    AddVerdicts(change.patch.verdicts, &report.verdicts);
    Tile patch = change.patch;
    report.tiles.push_back({standing, std::move(patch), std::move(change)});
  }
  report.changes = std::move(read.cases);
  absl::c_stable_sort(report.changes, [](const CaseChange& a, const CaseChange& b) { return a.change > b.change; });
  return report;
}

// --- sweeps ---

ResultReport ViewOf(const SweepSummary& summary, const std::string& file) {
  ResultReport report;
  report.title = "Sweep of types";
  report.sides = {ReadSide("", summary.provenance)};
  for (const auto& [key, value] : summary.options.items()) report.facts.push_back({key, TextOf(value)});
  report.cases = summary.total.decisions;
  std::map<std::string, Tile> disagreements;  // by op
  for (const auto& [signature, one] : summary.total.disagreements) {
    ReportFinding finding = ViewOf(one, file);
    finding.expected = one.judgement.expected;
    finding.actual = one.judgement.actual;
    finding.first = finding.program = one.decisions.front();
    finding.reproducer = absl::StrCat("tosaic explain ", ShellQuoted(one.decisions.front()), "\n");
    Tile& tile = disagreements[finding.op];
    tile.verdicts[finding.verdict] += finding.count;
    tile.signatures.push_back(finding.signature);
    report.findings.push_back(std::move(finding));
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  for (const auto& [op, counts] : summary.by_op) {
    Tile tile = disagreements[op];
    uint64_t wrong = 0;
    for (const auto& [verdict, count] : tile.verdicts) wrong += count;
    tile.op = op;
    tile.shapes = "every-combination";
    tile.cases = counts.decisions;
    if (tile.cases > wrong) tile.verdicts[Verdict::kAgree] = tile.cases - wrong;
    AddVerdicts(tile.verdicts, &report.verdicts);
    tiles.push_back(std::move(tile));
  }
  AddTiles(std::move(tiles), &report);
  AddNotes(summary.total.notes, &report);
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

AccuracyRow ViewOf(const ValueSweepRow& row) {
  return {.op = row.op,
          .types = row.types,
          .setting = row.setting,
          .accuracy = row.accuracy,
          .exhaustive = row.exhaustive,
          .compared = row.profile.compared,
          .disagreements = row.profile.disagreements,
          .mean_error = row.mean_error,
          .max_error = row.profile.error.value,
          .max_error_inputs = row.profile.error.inputs,
          .bound_used = row.profile.bound_used.value};
}

// One tile for all settings of an op's attributes.
Tile& TileOf(const ValueSweepRow& row, std::vector<Tile>* tiles) {
  const std::string shapes = row.exhaustive ? "all-inputs" : "spread-inputs";
  auto tile = absl::c_find_if(
      *tiles, [&](const Tile& one) { return one.op == row.op && one.types == row.types && one.shapes == shapes; });
  if (tile != tiles->end()) return *tile;
  Tile& added = tiles->emplace_back();
  added.op = row.op, added.types = row.types, added.shapes = shapes;
  return added;
}

ResultReport ViewOf(const ValueSweepSummary& summary, const std::string& file) {
  ResultReport report;
  report.title = "Sweep of values";
  report.sides = {ReadSide("", summary.provenance)};
  report.facts = {{"route", summary.route}, {"inputs wanted", absl::StrCat(summary.inputs_wanted)}};
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> signatures;  // by op and types
  for (const Finding& one : summary.findings) {
    ReportFinding finding = ViewOf(one, file);
    if (!one.listed.empty()) {
      FillFromJudgement(one.listed.front().judgement, &finding);
      finding.first = absl::StrCat("inputs ", absl::StrJoin(one.listed.front().input_bits, ", "));
    }
    finding.route = one.reduced.route;
    FillFromCase(one.reduced, "", summary.provenance, &finding);
    report.findings.push_back(std::move(finding));
    signatures[{one.op, one.types}].push_back(one.signature);
  }
  Sort(&report.findings);
  std::vector<Tile> tiles;
  for (const ValueSweepRow& row : summary.rows) {
    Tile& tile = TileOf(row, &tiles);
    report.cases += row.inputs;
    tile.cases += row.inputs;
    tile.compared += row.profile.compared;
    AddVerdicts(row.verdicts, &report.verdicts);
    AddVerdicts(row.verdicts, &tile.verdicts);
    if (OutcomeOf(tile) == TileOutcome::kDiverges) tile.signatures = signatures[{row.op, row.types}];
    report.accuracy.push_back(ViewOf(row));
  }
  AddTiles(std::move(tiles), &report);
  report.harness_faults = summary.harness_faults;
  report.notes = summary.notes;
  report.interrupted = summary.interrupted;
  report.elapsed_seconds = summary.elapsed_seconds;
  return report;
}

// A value of the kind, and its view.
template <typename T>
absl::StatusOr<ResultReport> Read(const Json& json, const std::string& file) {
  absl::StatusOr<T> read = FromJson<T>(json);
  if (!read.ok()) return read.status();
  return ViewOf(*std::move(read), file);
}

absl::StatusOr<ResultReport> Read(ResultKind kind, const Json& json, const std::string& file, ReadBeside beside) {
  switch (kind) {
    case ResultKind::kCampaign: {
      absl::StatusOr<CampaignSummary> read = FromJson<CampaignSummary>(json);
      if (!read.ok()) return read.status();
      return ViewOf(*std::move(read), file, beside);
    }
    case ResultKind::kConformance:
      return Read<ConformanceReport>(json, file);
    case ResultKind::kComparison:
      return Read<Comparison>(json, file);
    case ResultKind::kSweep:
      return Read<SweepSummary>(json, file);
    case ResultKind::kValues:
      return Read<ValueSweepSummary>(json, file);
  }
  return absl::InternalError("no kind of result");
}

}  // namespace

absl::StatusOr<ResultReport> ReadReport(absl::string_view text, const std::string& file, ReadBeside read_beside) {
  const absl::StatusOr<Json> json = ParseResultFile(text);
  if (!json.ok()) return json.status();
  const std::string kind = (*json)["kind"].get<std::string>();
  const std::optional<ResultKind> known = Find<ResultKind>(kind);
  if (!known) {
    return absl::InvalidArgumentError(
        absl::StrCat("a result of the kind ", Dump((*json)["kind"], -1), ", which has no report"));
  }
  absl::StatusOr<ResultReport> report = Read(*known, *json, file, read_beside);
  if (report.ok()) {
    report->kind = kind;
    report->file = file;
  }
  return report;
}

}  // namespace tosaic
