// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/nightly/night_results.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "campaign/checking/files.h"
#include "codec/status.h"
#include "model/shell_word.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// The results of a toolchain that are there.
std::vector<Json> ResultsOf(const Tested& tested, const NightPaths& paths) {
  std::vector<Json> results;
  for (const std::string& path : {tested.CampaignIn(paths).summary(), tested.SuiteIn(paths)}) {
    if (absl::StatusOr<Json> result = ReadJson(path); result.ok()) results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace

absl::Status WriteKnown(const NightPaths& state, const Json& given) {
  const std::string reported = state / "reported.json";
  if (!Exists(reported)) {
    TOSAIC_RETURN_IF_ERROR(WriteJson(reported, KnownList({})));
  }
  TOSAIC_ASSIGN_OR_RETURN(const Json earlier, ReadJson(reported));
  TOSAIC_ASSIGN_OR_RETURN(const Json known, At(reported, JoinedLists(given, earlier)));
  return WriteJson(state / "known.json", known);
}

absl::Status CopyNewFindings(const Tested& tested, const NightPaths& paths) {
  std::error_code error;
  const std::string findings = tested.CampaignIn(paths).findings();
  for (const std::string& name : FoldersOf(findings)) {
    const std::string folder = absl::StrCat(findings, "/", name);
    const absl::StatusOr<Json> finding = ReadJson(FindingPaths{folder}.description());
    if (!finding.ok() || finding->value("status", "") != "new") continue;
    const std::string to = tested.is_other ? absl::StrCat(tested.campaign, "-", name) : name;
    fs::copy(folder, absl::StrCat(paths / "new", "/", to), fs::copy_options::recursive, error);
    if (error) return absl::UnavailableError(absl::StrCat(folder, ": cannot copy: ", error.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> AddReported(const NightPaths& state, const Night& night, const NightPaths& paths) {
  std::set<std::string> signatures;
  for (const Json& result : ResultsOf(kOwn, paths)) signatures.merge(NewSignatures(result));
  const std::string of_fuzzers = ReadFile(paths / "fuzz-signatures").value_or("");
  for (const absl::string_view line : absl::StrSplit(of_fuzzers, '\n', absl::SkipEmpty())) {
    signatures.insert(std::string(line));
  }
  Json entries = ReportedEntries(signatures, night.name);
  for (const Json& result : ResultsOf(kOther, paths)) {
    std::set<std::string> of_other = NewSignatures(result);
    for (const std::string& signature : signatures) of_other.erase(signature);
    for (Json& entry : ReportedEntries(of_other, night.name, VersionsOf(result))) entries.push_back(std::move(entry));
  }
  TOSAIC_RETURN_IF_ERROR(WriteJson(paths / "reported.json", entries));
  const std::string reported = state / "reported.json";
  TOSAIC_ASSIGN_OR_RETURN(const Json earlier, ReadJson(reported));
  TOSAIC_ASSIGN_OR_RETURN(const Json list, At(reported, ListWith(earlier, entries)));
  TOSAIC_RETURN_IF_ERROR(WriteJson(reported, list));
  return signatures.size();
}

std::string SummaryIn(const NightPaths& paths, const Night& night, const NightRow& row, const std::string& known_flag) {
  std::vector<SummaryPart> parts;
  for (const auto& [heading, name] : {std::pair("What the two versions do differently", "versions.md"),
                                      {"Campaign", "campaign.md"},
                                      {"Campaign of the other version", "other-campaign.md"},
                                      {"libFuzzer targets", "fuzzers.md"},
                                      {"Conformance suite", "conform.md"},
                                      {"Conformance suite of the other version", "other-conform.md"},
                                      {"The suite against the night before", "comparison.md"}}) {
    absl::StatusOr<std::string> part = ReadFile(paths / name);
    if (part.ok()) parts.push_back({heading, *std::move(part)});
  }
  const std::string replay = absl::StrCat(
      "tosaic fuzz --seed=", night.seed, " --cases=", std::max<uint64_t>(row.cases, 1),
      row.ops.empty() ? "" : absl::StrCat(" --ops=", row.ops),
      known_flag.empty() ? "" : absl::StrCat(" --known=", ShellQuoted(known_flag)), " --out=night-", night.name);
  return SummaryText(night, replay, row.alarms, parts);
}

}  // namespace tosaic
