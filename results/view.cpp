// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/view.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/mlir_text.h"
#include "model/pass_pipeline.h"
#include "model/routes.h"
#include "model/shell_word.h"
#include "results/sorted.h"

namespace tosaic {
namespace {

constexpr char kPipeline[] = "pipeline";

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

using Statuses = std::map<FindingSignature, Finding::Status>;

// A tile that diverges stands as the one of its findings that asks for attention first.
Standing StandingOfFindings(const Tile& tile, const Statuses& statuses) {
  if (tile.signatures.empty()) return Standing::kNew;
  Standing worst = tile.verdicts.contains(Verdict::kHarnessFault) ? Standing::kHarnessFault : Standing::kKnown;
  for (const FindingSignature& signature : tile.signatures) {
    const auto at = statuses.find(signature);
    if (at == statuses.end() || at->second < Finding::Status::kNotReduced) return Standing::kNew;
    if (at->second == Finding::Status::kNotReduced) worst = std::min(worst, Standing::kNotReduced);
  }
  return worst;
}

Standing StandingOf(const Tile& tile, const Statuses& statuses) {
  const TileOutcome outcome = OutcomeOf(tile);
  return outcome == TileOutcome::kDiverges ? StandingOfFindings(tile, statuses) : *Find<Standing>(Name(outcome));
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

Side SideOf(const std::string& name, const Provenance& provenance) {
  constexpr absl::string_view kFirst[] = {"toolchain", "toolchain_version", "tosaic_revision", "runtime",
                                          "command_line"};
  Side side{name, provenance.toolchain, {}};
  const std::string& version = provenance.toolchain_version;
  if (!version.empty()) absl::StrAppend(&side.toolchain, side.toolchain.empty() ? "" : ", ", version);
  Json facts = Json::object();
  const Json all = ToJson(provenance);
  for (const absl::string_view key : kFirst) {
    if (const auto found = all.find(key); found != all.end()) facts[std::string(key)] = *found;
  }
  facts.update(all);  // which keeps the places of the first
  for (const auto& [key, value] : facts.items()) {
    if (key != "other_pipelines") {
      side.provenance.push_back(FactInWords(key, value));
      continue;
    }
    for (const auto& [route, pipeline] : provenance.other_pipelines) {
      side.provenance.push_back({"pipeline of " + route, pipeline});
    }
  }
  return side;
}

std::string FactOf(const Side& side, absl::string_view name) {
  const auto found = absl::c_find_if(side.provenance, [&](const Fact& fact) { return fact.name == name; });
  return found == side.provenance.end() ? "" : found->value;
}

std::string SideInWords(const Side& side, Quote quote) {
  std::string words = quote(side.toolchain);
  const std::string directory = FactOf(side, "toolchain directory"), plugins = FactOf(side, "plugins");
  const std::string cpu = FactOf(side, "cpu");
  if (!directory.empty()) absl::StrAppend(&words, " in ", quote(directory));
  if (!cpu.empty()) absl::StrAppend(&words, " on ", quote(cpu));
  if (!plugins.empty()) absl::StrAppend(&words, ", plugins ", quote(plugins));
  return words;
}

std::string PipelinesInWords(const Side& base, const Side& patch, Quote quote) {
  const PipelineChange change = ComparePipelines(FactOf(base, kPipeline), FactOf(patch, kPipeline));
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

void AddTiles(std::vector<Tile> tiles, ResultReport* report) {
  Statuses statuses;
  for (const ReportFinding& finding : report->findings) {
    const auto [at, is_first] = statuses.try_emplace(finding.signature, finding.status);
    at->second = std::min(at->second, finding.status);  // of several causes the one that asks for attention first
  }
  for (Tile& tile : tiles) {
    const Standing standing = StandingOf(tile, statuses);
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
