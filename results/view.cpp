// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/view.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "model/shell_word.h"
#include "results/sorted.h"

namespace tosaic {
namespace {

// The flags that say what was tested. What is in this process, or was, is the default.
std::string FlagsOf(const Case& test_case, const Provenance& provenance) {
  std::string flags;
  const auto& [name, directory] = std::tie(provenance.toolchain, provenance.toolchain_directory);
  // It goes by its name if other machines have it under that name too.
  const bool is_named = absl::StartsWith(directory, "/usr/") || name == "mlir-trunk";
  if (!directory.empty()) absl::StrAppend(&flags, " --toolchain=", ShellQuoted(is_named ? name : directory));
  if (!provenance.cpu.empty()) absl::StrAppend(&flags, " --cpu=", CpuNameOf(provenance));
  for (const std::string& flag : provenance.policies) absl::StrAppend(&flags, " ", flag);
  if (test_case.route != kCustomRoute) return flags;
  for (const std::string& flag : CustomFlagsOf(provenance)) absl::StrAppend(&flags, " ", ShellFlag(flag));
  return flags;
}

// Commands that replay a case, the case included unless it is long.
std::string ReplayOf(const Case& test_case, const std::string& file, const Provenance& provenance) {
  constexpr size_t kLong = 20000;
  const std::string check = absl::StrCat("tosaic check", FlagsOf(test_case, provenance));
  const std::string text = Dump(ToJson(test_case), -1);
  if (text.size() > kLong && !file.empty()) return absl::StrCat(check, " ", ShellQuoted(file), "\n");
  return absl::StrCat("cat > case.json << 'END'\n", text, "\nEND\n", check, " case.json\n");
}

// A tile that diverges stands as the one of its findings that asks for attention first.
Standing StandingOfFindings(const Tile& tile, const FindingsBySignature& findings) {
  if (tile.signatures.empty()) return Standing::kNew;
  Standing worst = tile.verdicts.contains(Verdict::kHarnessFault) ? Standing::kHarnessFault : Standing::kKnown;
  for (const FindingSignature& signature : tile.signatures) {
    const auto at = findings.find(signature);
    if (at == findings.end()) return Standing::kNew;
    const Finding::Status status = at->second.front()->status;
    if (status < Finding::Status::kNotReduced) return Standing::kNew;
    if (status == Finding::Status::kNotReduced) worst = std::min(worst, Standing::kNotReduced);
  }
  return worst;
}

Standing StandingOf(const Tile& tile, const FindingsBySignature& findings) {
  switch (OutcomeOf(tile)) {
    case TileOutcome::kConforms:
      return Standing::kConforms;
    case TileOutcome::kDiverges:
      return StandingOfFindings(tile, findings);
    case TileOutcome::kHarnessFault:
      return Standing::kHarnessFault;
    case TileOutcome::kUnsupported:
      return Standing::kUnsupported;
    case TileOutcome::kUndefinedOnly:
      return Standing::kUndefinedOnly;
    case TileOutcome::kNotApplicable:
      break;
  }
  return Standing::kNotApplicable;
}

ReportFinding Regressed(const std::string& op, const std::string& name, Verdict verdict, const std::string& file) {
  ReportFinding finding;
  finding.status = Finding::Status::kRegressed;
  finding.signature.detail = finding.cause = finding.first = name;
  finding.op = op;
  finding.count = 1;
  finding.location = file;
  finding.judgement.verdict = verdict;
  return finding;
}

}  // namespace

std::string TextOf(const Json& json) { return json.is_string() ? json.get<std::string>() : Dump(json, -1); }

Fact FactInWords(absl::string_view key, const Json& value) {
  std::string text;
  for (const Json& element : value.is_array() ? value : Json::array({value})) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", TextOf(element));
  }
  return {absl::StrReplaceAll(key, {{"_", " "}}), std::move(text)};
}

std::string ToolchainInWords(const Provenance& provenance) {
  const auto& [toolchain, version] = std::tie(provenance.toolchain, provenance.toolchain_version);
  return absl::StrCat(toolchain, toolchain.empty() || version.empty() ? "" : ", ", version);
}

std::vector<Fact> FactsOf(const Provenance& provenance) {
  constexpr absl::string_view kFirst[] = {"toolchain", "toolchain_version", "tosaic_revision", "runtime",
                                          "command_line"};
  Json by_key = Json::object();
  const Json all = ToJson(provenance);
  for (const absl::string_view key : kFirst) {
    if (const auto found = all.find(key); found != all.end()) by_key[std::string(key)] = *found;
  }
  by_key.update(all);  // which keeps the places of the first
  std::vector<Fact> facts;
  for (const auto& [key, value] : by_key.items()) {
    if (key != "other_pipelines") {
      facts.push_back(FactInWords(key, value));
      continue;
    }
    for (const auto& [route, pipeline] : provenance.other_pipelines) {
      facts.push_back({"pipeline of " + route, pipeline});
    }
  }
  return facts;
}

std::string SideInWords(const Provenance& side, Quote quote) {
  std::string words = quote(ToolchainInWords(side));
  if (!side.toolchain_directory.empty()) absl::StrAppend(&words, " in ", quote(side.toolchain_directory));
  if (!side.cpu.empty()) absl::StrAppend(&words, " on ", quote(side.cpu));
  if (!side.plugins.empty()) absl::StrAppend(&words, ", plugins ", quote(absl::StrJoin(side.plugins, ", ")));
  return words;
}

std::string PipelinesInWords(const Provenance& base, const Provenance& patch, Quote quote) {
  const PipelineChange change = ComparePipelines(base.pipeline, patch.pipeline);
  if (change.before.empty() && change.after.empty()) return "";
  const auto passes = [&](const std::string& text) { return text.empty() ? "nothing" : quote(text); };
  return absl::StrCat(change.behind.empty() ? "at the beginning" : absl::StrCat("after ", quote(change.behind)),
                      ", base runs ", passes(change.before), " and patch runs ", passes(change.after));
}

ReportFinding ViewOf(const Finding& source, const std::string& file) {
  ReportFinding finding = {source};
  finding.status = StatusOf(source);
  finding.location = file;
  return finding;
}

void ShowCase(const Case& reduced, const std::string& file, const Provenance& provenance, ReportFinding* finding) {
  finding->program = ToMlir(reduced.program);
  finding->data = RunsToText(reduced);
  finding->replay = ReplayOf(reduced, file, provenance);
}

void Sort(std::vector<ReportFinding>* findings) {
  const auto place = [](const ReportFinding& finding) {
    const bool is_known = finding.status == Finding::Status::kKnown;  // before what is beyond the specification
    return std::make_tuple(is_known ? Finding::Status::kBeyondSpec : finding.status, !is_known, finding.signature);
  };
  SortBy(findings, place);
}

std::string VerdictInWords(const SuiteCase& result) {
  return absl::StrCat(Name(result.verdict), " [", ToString(result.rule), "]");
}

FindingsBySignature BySignature(const std::vector<ReportFinding>& findings) {
  FindingsBySignature by_signature;
  for (const ReportFinding& finding : findings) by_signature[finding.signature].push_back(&finding);
  for (auto& [signature, causes] : by_signature) {
    SortBy(&causes, [](const ReportFinding* finding) { return finding->status; });
  }
  return by_signature;
}

std::vector<ReportFinding> RegressionsWithoutFinding(const ResultReport& report) {
  const FindingsBySignature found = BySignature(report.findings);
  std::vector<ReportFinding> regressions;
  for (const auto& [change, base, patch] : report.changes) {
    if (change != Change::kRegressed || found.contains(patch.signature)) continue;
    ReportFinding& finding = regressions.emplace_back(Regressed(patch.op, patch.name, patch.verdict, report.file));
    finding.judgement.rule = patch.rule.id;
    finding.judgement.expected = VerdictInWords(base);
    finding.judgement.actual = absl::StrCat(VerdictInWords(patch), " in ", patch.name);
  }
  // Of values: an op that computes less than before.
  for (const ReportTile& tile : report.tiles) {
    const auto is_found = [&](const FindingSignature& signature) { return found.contains(signature); };
    if (tile.standing != Standing::kRegressed || tile.change || absl::c_any_of(tile.tile.signatures, is_found))
      continue;
    const std::string name = absl::StrCat(tile.tile.op, " ", tile.tile.types, " ", tile.tile.shapes);
    ReportFinding& finding =
        regressions.emplace_back(Regressed(tile.tile.op, name, Verdict::kUnsupported, report.file));
    finding.judgement.expected = "as many results as before";
    finding.judgement.actual = "fewer in " + name;
  }
  return regressions;
}

void AddTiles(std::vector<Tile> tiles, ResultReport* report) {
  const FindingsBySignature findings = BySignature(report->findings);
  for (Tile& tile : tiles) {
    const Standing standing = StandingOf(tile, findings);
    report->tiles.push_back({standing, std::move(tile), std::nullopt});
  }
}

void AddFaults(const std::vector<HarnessFault>& faults, ResultReport* report) {
  for (const HarnessFault& fault : faults) {
    report->harness_faults.push_back(absl::StrCat("case ", fault.case_number, ": ", fault.text));
  }
}

void AddNotes(const std::map<std::string, uint64_t>& notes, ResultReport* report) {
  for (const auto& [note, count] : notes) report->notes.push_back(absl::StrCat(count, " x ", NoteInWords(note)));
}

}  // namespace tosaic
