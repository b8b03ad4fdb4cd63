// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/night_results.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/names.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/observation.h"
#include "model/rules.h"
#include "model/shell_word.h"
#include "model/signature.h"
#include "model/verdict.h"
#include "nightly/fuzz_targets.h"
#include "nightly/history.h"
#include "nightly/reported.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "results/finding.h"
#include "results/result_file.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// What a campaign or a suite found anew, and its name in the night's folder.
struct Result {
  absl::string_view name;
  Provenance provenance;
  std::vector<Finding> found;

  std::set<std::string> Signatures() const {
    std::set<std::string> signatures;
    for (const Finding& finding : found) signatures.insert(ToString(finding.signature));
    return signatures;
  }
};

template <typename T>
std::optional<Result> Named(absl::string_view name, absl::StatusOr<T> read) {
  if (!read.ok()) return std::nullopt;
  std::erase_if(read->findings, [](const Finding& finding) { return !IsNew(finding); });
  return Result{name, std::move(read->provenance), std::move(read->findings)};
}

absl::StatusOr<CampaignSummary> ReadCampaign(const Tested& tested, const NightPaths& paths) {
  return ReadAs<CampaignSummary>(tested.CampaignIn(paths).summary(), ResultFromText<CampaignSummary, kCampaignKind>);
}

// The toolchain's result of that name, its campaign's or its suite's, if it is there.
std::optional<Result> ResultOf(const Tested& tested, absl::string_view name, const NightPaths& paths) {
  if (name == tested.campaign) return Named(name, ReadCampaign(tested, paths));
  return Named(name, ReadAs<ConformanceReport>(tested.SuiteIn(paths), ConformanceFromText));
}

// The results of a toolchain that are there.
std::vector<Result> ResultsOf(const Tested& tested, const NightPaths& paths) {
  std::vector<Result> results;
  for (const absl::string_view name : {tested.campaign, tested.suite}) {
    if (std::optional<Result> result = ResultOf(tested, name, paths)) results.push_back(*std::move(result));
  }
  return results;
}

// The folder below `new` of a campaign's finding that lies in that folder.
std::string FolderOfNew(const Tested& tested, absl::string_view name) {
  return tested.is_other ? absl::StrCat(tested.campaign, "-", name) : std::string(name);
}

// "wrong-value in add: 1, expected 2", "lowering-failed in add: illegal-ir at lower (PASS): ...", else with what is
// broken in general. The signature of a finding that does not say its rule.
std::string TitleOf(const Finding& finding) {
  const Judgement& judgement = finding.judgement;
  if (judgement.rule == RuleId::kNone) return ToString(finding.signature);
  std::string what(absl::StripSuffix(Info(judgement.rule).broken, "."));
  if (judgement.verdict == Verdict::kWrongValue && !judgement.actual.empty()) {
    what = absl::StrCat(judgement.actual, ", expected ", judgement.expected);
  } else if (judgement.stage == Stage::kLower && !judgement.actual.empty()) {
    what = judgement.actual;
  }
  return OneLine(absl::StrCat(Name(judgement.verdict), " in ", finding.op, ": ", what));
}

// A campaign's finding has a folder of its own, and there the title of its issue.
NewOfNight NewOf(const Finding& finding, const Tested& tested, const Result& result, const NightPaths& paths) {
  NewOfNight new_finding = {ToString(finding.signature), TitleOf(finding), "", absl::StrCat(result.name, ".html")};
  const std::string name = fs::path(finding.cases().folder).filename();
  if (name.empty()) return new_finding;
  new_finding.place = absl::StrCat("new/", FolderOfNew(tested, name));
  const std::string issue = ReadFile(paths / absl::StrCat(new_finding.place, "/issue.md")).value_or("");
  absl::string_view title = absl::string_view(issue).substr(0, issue.find('\n'));
  if (absl::ConsumePrefix(&title, "# ")) {
    new_finding.title = absl::StrReplaceAll(absl::StripPrefix(title, "[mlir][tosa] "), {{"&lt;", "<"}});
  }
  return new_finding;
}

// The text of a file with the smallest case of a finding, which only a suite's own file holds; empty if there is none.
std::string CaseIn(const Finding& finding, const Result& result, const NightPaths& paths) {
  const CaseEvidence& cases = finding.cases();
  if (!cases.reduced.program.ops.empty()) return ToLine(cases.reduced);
  const FindingPaths folder = {absl::StrCat(paths / result.name, "/", cases.folder)};
  return ReadFile(folder.reduced_case()).value_or("");
}

FindingSignature OnAnyRoute(const std::string& signature) {
  FindingSignature parsed = ParseFindingSignature(signature);
  parsed.route.clear();
  return parsed;
}

// Each cause has one entry, which names the toolchains and routes that show it.
void Add(NewOfNight new_finding, const std::string& toolchain, std::vector<NewOfNight>* found) {
  const std::string& signature = new_finding.signature;
  const FindingSignature cause = OnAnyRoute(signature);
  const auto there =
      absl::c_find_if(*found, [&](const NewOfNight& other) { return OnAnyRoute(other.signature) == cause; });
  if (there == found->end()) {
    new_finding.toolchain = toolchain;
    found->push_back(std::move(new_finding));
    return;
  }
  if (!absl::c_linear_search(absl::StrSplit(there->toolchain, ", "), toolchain)) {
    absl::StrAppend(&there->toolchain, ", ", toolchain);
  }
  if (there->signature != signature && !absl::c_linear_search(there->also, signature)) there->also.push_back(signature);
}

}  // namespace

std::vector<NewOfNight> FoundIn(const NightPaths& paths, const std::string& own, const std::string& other) {
  std::vector<NewOfNight> found;
  for (const Tested& tested : {kOwn, kOther}) {
    for (const Result& result : ResultsOf(tested, paths)) {
      for (const Finding& finding : result.found) {
        Add(NewOf(finding, tested, result, paths), tested.is_other ? other : own, &found);
      }
    }
  }
  for (const std::string& signature : SignaturesIn(paths)) Add({signature, signature, "", "crashes"}, own, &found);
  return found;
}

NightRow RowIn(const Night& night, const NightPaths& paths, const std::string& own, const std::string& other) {
  NightRow row;
  row.name = night.name;
  row.seed = night.seed;
  row.ops = absl::StrJoin(night.flags.ops, ",");
  row.edits = EditsText(night.flags.edits);
  row.found = FoundIn(paths, own, other);
  if (const auto summary = ReadCampaign(kOwn, paths); summary.ok()) FillFromCampaign(*summary, &row);
  if (const auto summary = ReadCampaign(kOther, paths); summary.ok()) {
    FillFromCampaign(*summary, &row.of_other);
    row.other = other;
  }
  return row;
}

std::string LastSuite(const NightPaths& state, const NightFlags& flags) {
  if (flags.ops.empty() && flags.edits.empty()) return state / "conform.json";
  const std::string text = absl::StrCat(absl::StrJoin(flags.ops, ","), " ", EditsText(flags.edits));
  return state / absl::StrCat("conform-", NameFor(text), ".json");
}

std::string SuiteBefore(const NightPaths& state, const NightFlags& flags) {
  const std::string of_flags = LastSuite(state, flags);
  return Exists(of_flags) ? of_flags : LastSuite(state, {});
}

bool HasRegressed(const std::string& comparison) {
  const absl::StatusOr<Comparison> cases = ReadAs<Comparison>(comparison, FromText<Comparison>);
  return cases.ok() && HasRegressed(*cases);
}

bool HasNew(const Tested& tested, absl::string_view name, const NightPaths& paths) {
  const std::optional<Result> result = ResultOf(tested, name, paths);
  return result && !result->found.empty();
}

absl::Status CopyNewFindings(const Tested& tested, const NightPaths& paths) {
  std::error_code error;
  const std::string findings = tested.CampaignIn(paths).findings();
  for (const std::string& name : FoldersOf(findings)) {
    const std::string folder = absl::StrCat(findings, "/", name);
    const absl::StatusOr<Finding> finding = ReadAs<Finding>(FindingPaths{folder}.description(), FromText<Finding>);
    if (!finding.ok() || !IsNew(*finding)) continue;
    fs::copy(folder, absl::StrCat(paths / "new", "/", FolderOfNew(tested, name)), fs::copy_options::recursive, error);
    if (error) return absl::UnavailableError(absl::StrCat(folder, ": cannot copy: ", error.message()));
  }
  return absl::OkStatus();
}

void DateNewFindings(const NightPaths& paths, const std::string& tosaic,
                     absl::FunctionRef<int(const Command& command)> run) {
  constexpr size_t kMost = 12;      // each takes some seconds
  constexpr double kSeconds = 120;  // behind the night's own time, so it is said
  const std::string cases = paths / "new-cases", log = paths / "history.log", table = paths / "history.md";
  std::error_code ignored;
  fs::remove_all(cases, ignored);
  fs::remove(table, ignored);
  fs::create_directory(cases, ignored);
  size_t count = 0;
  for (const std::string& name : FoldersOf(paths / "new")) {
    const FindingPaths finding = {absl::StrCat(paths / "new", "/", name)};
    if (count < kMost && fs::copy_file(finding.reduced_case(), absl::StrCat(cases, "/", name, ".json"), ignored))
      ++count;
  }
  if (count == 0) return;
  std::printf("nightly: asks since when %s (at most %.0f s)\n",
              count == 1 ? "a new finding is wrong" : "new findings are wrong", kSeconds);
  run({.arguments = {tosaic, "history", "--blame", cases}, .log = log, .seconds = kSeconds});
  // Beside the table stand the lines that say what takes its time.
  std::string text;
  for (const absl::string_view line : absl::StrSplit(ReadFile(log).value_or(""), '\n')) {
    if (!absl::StartsWith(line, "tosaic: ")) absl::StrAppend(&text, line, "\n");
  }
  if (absl::StartsWith(text, "| case")) (void)WriteFile(table, absl::StrReplaceAll(text, {{cases + "/", ""}}));
}

absl::Status AddReported(const NightPaths& state, const Night& night, const NightPaths& paths) {
  const std::vector<Result> own = ResultsOf(kOwn, paths);
  std::set<std::string> signatures = SignaturesIn(paths);
  for (const Result& result : own) signatures.merge(result.Signatures());
  KnownEntries entries = ReportedEntries(signatures, night.name);
  const auto keep_cases = [&](const Result& result, const std::vector<VersionRange>& versions) -> absl::Status {
    for (const Finding& finding : result.found) {
      const std::string text = CaseIn(finding, result, paths);
      const bool is_of_own = !versions.empty() && signatures.contains(ToString(finding.signature));
      if (text.empty() || is_of_own) continue;
      const std::string file =
          CaseOfReported(state, night.flags, {.signature = ToString(finding.signature), .versions = versions});
      TOSAIC_RETURN_IF_ERROR(MakeDirectories(fs::path(file).parent_path()));
      TOSAIC_RETURN_IF_ERROR(WriteFile(file, text));
    }
    return absl::OkStatus();
  };
  for (const Result& result : own) TOSAIC_RETURN_IF_ERROR(keep_cases(result, {}));
  for (const Result& result : ResultsOf(kOther, paths)) {
    const std::vector<VersionRange> versions = VersionsOf(result.provenance);
    std::set<std::string> of_other = result.Signatures();
    for (const std::string& signature : signatures) of_other.erase(signature);
    absl::c_move(ReportedEntries(of_other, night.name, versions), std::back_inserter(entries));
    TOSAIC_RETURN_IF_ERROR(keep_cases(result, versions));
  }
  TOSAIC_RETURN_IF_ERROR(WriteJson(paths / "reported.json", ToJson(entries)));
  TOSAIC_ASSIGN_OR_RETURN(const KnownEntries earlier, ReadReported(state, night.flags));
  return WriteJson(ReportedList(state, night.flags), ToJson(KnownDivergences(Joined(earlier, entries))));
}

std::string SummaryIn(const NightPaths& paths, const NightRow& row, const std::string& known_flag) {
  std::vector<SummaryPart> parts;
  for (const auto& [heading, name] : {std::pair("Interrupted nights that it finished", "finished.md"),
                                      {"Reported earlier, and right now", "fixed.md"},
                                      {"Since when, and by whose fault", "history.md"},
                                      {"Campaign", "campaign.md"},
                                      {"Campaign of the other version", "other-campaign.md"},
                                      {"libFuzzer targets", "fuzzers.md"},
                                      {"Conformance suite", "conform.md"},
                                      {"Conformance suite of the other version", "other-conform.md"},
                                      {"The suite against the night before", "comparison.md"},
                                      {"What the two versions do differently", "versions.md"}}) {
    absl::StatusOr<std::string> part = ReadFile(paths / name);
    if (part.ok() && !part->empty()) parts.push_back({heading, *std::move(part)});
  }
  const std::string replay = absl::StrCat(
      "tosaic fuzz --seed=", row.seed, " --cases=", std::max<uint64_t>(row.cases, 1),
      row.ops.empty() ? "" : absl::StrCat(" --ops=", row.ops), row.edits.empty() ? "" : " ", row.edits,
      known_flag.empty() ? "" : absl::StrCat(" --known=", ShellQuoted(known_flag)), " --out=night-", row.name);
  return SummaryText(row, replay, parts);
}

void Say(const NightRow& row, const NightPaths& paths, const std::string& all_nights) {
  constexpr size_t kSaid = 10;
  std::printf("nightly: the night in short: %s; all nights: %s\n", (paths / "summary.md").c_str(), all_nights.c_str());
  for (const std::string& alarm : row.alarms) std::printf("nightly: alarm: %s\n", EscapeControls(alarm).c_str());
  std::printf("nightly: %s%s\n", ShortHeadline(row).c_str(), row.found.empty() ? "" : ":");
  for (size_t i = 0; i < std::min(row.found.size(), kSaid); ++i) {
    std::printf("  %s\n      %s\n", OneLine(InWords(row.found[i])).c_str(), (paths / row.found[i].place).c_str());
  }
  if (row.found.size() > kSaid) std::printf("  and %zu more\n", row.found.size() - kSaid);
  if (row.found.size() > 2)
    std::puts("  One mistake may be several of these, and have others that the next night finds.");
}

}  // namespace tosaic
