// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/nightly/nightly.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "campaign/checking/files.h"
#include "campaign/nightly/history.h"
#include "campaign/nightly/night.h"
#include "campaign/nightly/night_folder.h"
#include "codec/status.h"
#include "model/shell_word.h"
#include "model/work_paths.h"
#include "results/nights.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// What the parts' exit statuses mean.
enum PartStatus : int { kNothingNew = 0, kSomethingNew = 1, kWrongUsage = 2, kHarnessFailed = 3 };

class Nightly {
 public:
  Nightly(const NightlyOptions& options, const CommandRunner& run, const std::atomic<bool>* stop)
      : options_(options), run_(run), stop_(stop), state_{options.state} {}

  absl::StatusOr<int> Run() {
    TOSAIC_RETURN_IF_ERROR(WriteKnown());
    TOSAIC_RETURN_IF_ERROR(FinishInterrupted());
    TOSAIC_ASSIGN_OR_RETURN(const Night night, Begin());
    const NightPaths paths = PathsOf(night);
    const int of_other = options_.other.empty() ? 0 : OtherCampaignSeconds(options_.minutes);
    Watch(Campaign(night, std::max(1, CampaignSeconds(options_.minutes) - of_other)));
    TOSAIC_RETURN_IF_ERROR(Stopped());
    TOSAIC_RETURN_IF_ERROR(Fuzz(night));
    Watch(Tosaic({"conform", Jobs(), Known(), absl::StrCat("--out=", paths / "conform.json")}, true));
    TOSAIC_RETURN_IF_ERROR(Stopped());
    CompareWithLast(paths);
    TOSAIC_RETURN_IF_ERROR(RunOther(night));
    TOSAIC_RETURN_IF_ERROR(Finish(night));
    const size_t fresh = FoldersOf(paths / "new").size();
    std::printf("nightly: %s new finding%s of the campaign; reports: %s, %s, %s; all nights: %s\n",
                absl::StrCat(fresh).c_str(), fresh == 1 ? "" : "s", (paths / "campaign.html").c_str(),
                (paths / "conform.html").c_str(), (paths / "summary.md").c_str(), (state_ / "index.html").c_str());
    return worst_;
  }

 private:
  NightPaths PathsOf(const Night& night) const { return {absl::StrCat(state_ / "nights", "/", night.name)}; }
  std::string Jobs() const { return absl::StrCat("--jobs=", options_.jobs); }
  std::string Known() const { return absl::StrCat("--known=", state_ / "known.json"); }
  // The worst exit status is the night's.
  void Watch(int status) { worst_ = std::max(worst_, status); }
  absl::Status Stopped() const {
    if (stop_ == nullptr || !*stop_) return absl::OkStatus();
    return absl::InternalError("interrupted; the next night finishes this one");
  }

  // Runs a subcommand. `is_long`: one that takes its time and the ops that are asked for.
  int Tosaic(std::vector<std::string> arguments, bool is_long = false) {
    arguments.insert(arguments.begin(), options_.tosaic);
    if (is_long && !options_.ops.empty()) {
      arguments.push_back(absl::StrCat("--ops=", absl::StrJoin(options_.ops, ",")));
    }
    if (is_long && options_.quiet) arguments.push_back("--quiet");
    return run_({.arguments = std::move(arguments)});
  }
  int Campaign(const Night& night, int seconds) {
    return Tosaic({"fuzz", absl::StrCat("--seed=", night.seed), absl::StrCat("--duration=", seconds, "s"), Jobs(),
                   Known(), absl::StrCat("--out=", PathsOf(night) / "campaign")},
                  true);
  }
  int OtherCampaign(const Night& night, int seconds) {
    return Tosaic({"fuzz", Other(), absl::StrCat("--seed=", night.seed), absl::StrCat("--duration=", seconds, "s"),
                   Jobs(), Known(), absl::StrCat("--out=", PathsOf(night) / "other-campaign")},
                  true);
  }
  std::string Other() const { return absl::StrCat("--toolchain=", options_.other); }

  // The same of another toolchain, and what its suite has otherwise. That one version is wrong where another is right
  // is nothing new by itself.
  absl::Status RunOther(const Night& night) {
    if (options_.other.empty()) return absl::OkStatus();
    const NightPaths paths = PathsOf(night);
    const int suite =
        Tosaic({"conform", Other(), Jobs(), Known(), absl::StrCat("--out=", paths / "other-conform.json")}, true);
    TOSAIC_RETURN_IF_ERROR(Stopped());
    if (suite == kWrongUsage) {
      std::printf("nightly: %s is left out: it does not run\n", options_.other.c_str());
      return absl::OkStatus();
    }
    Watch(suite);
    if (Tosaic({"compare", paths / "conform.json", paths / "other-conform.json", "--format=markdown",
                absl::StrCat("--out=", paths / "versions.md")}) > kSomethingNew) {
      Watch(kHarnessFailed);
    }
    Watch(OtherCampaign(night, OtherCampaignSeconds(options_.minutes)));
    return Stopped();
  }

  // known.json: the list that is given and what earlier nights reported.
  absl::Status WriteKnown() {
    const std::string reported = state_ / "reported.json";
    if (!Exists(reported)) {
      TOSAIC_RETURN_IF_ERROR(WriteJson(reported, KnownList({})));
    }
    TOSAIC_ASSIGN_OR_RETURN(const Json earlier, ReadJson(reported));
    TOSAIC_ASSIGN_OR_RETURN(const Json known, At(reported, JoinedLists(options_.known, earlier)));
    return WriteJson(state_ / "known.json", known);
  }

  // What nights found that were cut short is confirmed, reduced and reported. A campaign of another revision of Tosaic
  // cannot be gone on with: it stays as it is.
  absl::Status FinishInterrupted() {
    std::vector<NightBefore> nights;
    for (const std::string& name : FoldersOf(state_ / "nights")) {
      const NightPaths paths = PathsOf({name});
      nights.push_back({name, Exists(paths / "seed"), Exists(paths / "done")});
    }
    for (const std::string& name : InterruptedNights(nights, options_.date)) {
      std::printf("nightly: finishing the interrupted night %s\n", name.c_str());
      TOSAIC_ASSIGN_OR_RETURN(uint64_t seed, SeedIn(PathsOf({name})));
      const Night night = {name, seed};
      if (Exists(WorkPaths{PathsOf(night) / "campaign"}.journal())) {
        const int status = Campaign(night, 1);
        if (status != kWrongUsage) Watch(status);
      }
      if (!options_.other.empty() && Exists(WorkPaths{PathsOf(night) / "other-campaign"}.journal())) {
        const int status = OtherCampaign(night, 1);
        if (status != kWrongUsage) Watch(status);
      }
      TOSAIC_RETURN_IF_ERROR(Stopped());
      TOSAIC_RETURN_IF_ERROR(Finish(night));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> SeedIn(const NightPaths& paths) const {
    TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(paths / "seed"));
    uint64_t seed = 0;
    if (absl::SimpleAtoi(absl::StripAsciiWhitespace(text), &seed)) return seed;
    return absl::InvalidArgumentError(absl::StrCat(paths / "seed", ": it holds no number"));
  }

  // The night of today that was cut short, or another one.
  absl::StatusOr<Night> Begin() {
    Night night = Tonight(options_.date, options_.seed,
                          [&](const std::string& name) { return Exists(PathsOf({name}) / "done"); });
    const NightPaths paths = PathsOf(night);
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(paths / "crashes"));
    if (!Exists(paths / "seed")) {
      TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "seed", absl::StrCat(night.seed, "\n")));
    }
    TOSAIC_ASSIGN_OR_RETURN(night.seed, SeedIn(paths));
    std::printf("nightly: seed %s, %s minute%s, results in %s\n", absl::StrCat(night.seed).c_str(),
                absl::StrCat(options_.minutes).c_str(), options_.minutes == 1 ? "" : "s", paths.folder.c_str());
    return night;
  }

  // The libFuzzer targets, one after the other.
  absl::Status Fuzz(const Night& night) {
    const NightPaths paths = PathsOf(night);
    std::string signatures;
    std::vector<TargetResult> results;
    for (const FuzzTarget& target : FuzzTargets()) {
      results.push_back(RunTarget(night, target));
      for (const std::string& signature : results.back().signatures) absl::StrAppend(&signatures, signature, "\n");
      TOSAIC_RETURN_IF_ERROR(Stopped());
    }
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "fuzz-signatures", signatures));
    std::error_code ignored;
    const auto crashes = std::distance(fs::recursive_directory_iterator(paths / "crashes", ignored), {});
    const std::string text = TargetsText(results, static_cast<uint64_t>(crashes));
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "fuzzers.md", text));
    if (crashes == 0) return absl::OkStatus();
    std::printf("nightly: the libFuzzer targets left %d inputs in %s\n", static_cast<int>(crashes),
                (paths / "crashes").c_str());
    for (const absl::string_view line : absl::StrSplit(signatures, '\n', absl::SkipEmpty())) {
      std::printf("  %s\n", std::string(line).c_str());
    }
    Watch(kSomethingNew);
    return absl::OkStatus();
  }

  TargetResult RunTarget(const Night& night, const FuzzTarget& target) {
    const std::string name(target.name), program = absl::StrCat(options_.fuzzers, "/", name);
    if (options_.fuzzers.empty() || !Exists(program)) {
      const std::string why = options_.fuzzers.empty() ? "no --fuzzers" : absl::StrCat("there is no ", program);
      std::printf("nightly: %s is left out: %s\n", name.c_str(), why.c_str());
      return {name, why, 0, {}};
    }
    const NightPaths paths = PathsOf(night);
    const std::string corpus = absl::StrCat(state_ / "corpus", "/", name), log = paths / (name + ".log");
    Command command = {
        .arguments = {program, absl::StrCat("-fork=", options_.jobs), "-ignore_crashes=1", "-ignore_timeouts=1",
                      "-ignore_ooms=1", absl::StrCat("-max_total_time=", FuzzerSeconds(options_.minutes, target)),
                      absl::StrCat("-seed=", night.seed),
                      absl::StrCat("-artifact_prefix=", paths / "crashes/", name, "-"), corpus},
        .environment = {{"TOSAIC_KNOWN", state_ / "known.json"}},
        .log = log};
    const std::string seeds = absl::StrCat(options_.fuzzer_corpus, "/", name);
    if (!options_.fuzzer_corpus.empty() && Exists(seeds)) command.arguments.push_back(seeds);
    if (MakeDirectories(corpus).ok()) run_(command);
    const std::string text = ReadFile(log).value_or("");
    if (!HasRun(text)) {
      std::fprintf(stderr, "nightly: %s did not run, see %s\n", name.c_str(), log.c_str());
      Watch(kHarnessFailed);
    }
    return {name, "", InputsInLog(text), SignaturesInLog(text)};
  }

  // Another suite than last night's is no failure of tonight's.
  void CompareWithLast(const NightPaths& paths) {
    if (!Exists(state_ / "conform.json")) return;
    const int status = Tosaic({"compare", state_ / "conform.json", paths / "conform.json", "--format=markdown",
                               absl::StrCat("--out=", paths / "comparison.md")});
    if (status == kSomethingNew) Watch(kSomethingNew);
  }

  // Reports, what is new, and the state for the next night.
  absl::Status Finish(const Night& night) {
    const NightPaths paths = PathsOf(night);
    std::error_code ignored;
    fs::remove_all(paths / "new", ignored);
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(paths / "new"));
    for (const char* campaign : {"campaign", "other-campaign"}) {
      TOSAIC_RETURN_IF_ERROR(CopyNewFindings(campaign, paths));
      WriteReports(campaign, paths / campaign, paths);
    }
    WriteReports("conform", paths / "conform.json", paths);
    WriteReports("other-conform", paths / "other-conform.json", paths);
    TOSAIC_ASSIGN_OR_RETURN(const size_t fresh, AddReported(night, paths));
    TOSAIC_ASSIGN_OR_RETURN(NightHistory history, ReadHistory(options_.state));
    const NightRow row = RowOf(night, paths, fresh, history.nights);
    TOSAIC_RETURN_IF_ERROR(WriteSummary(night, paths, row));
    if (const absl::StatusOr<std::string> suite = ReadFile(paths / "conform.json"); suite.ok()) {
      TOSAIC_RETURN_IF_ERROR(WriteFile(state_ / "conform.json", *suite));
    }
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "done", ""));
    TOSAIC_RETURN_IF_ERROR(RemoveOldNights(options_.state, options_.keep));
    return WriteHistory(options_.state, std::move(history), row);
  }

  // What stays of the night, with its alarms. A night that tests much less than usual has failed.
  NightRow RowOf(const Night& night, const NightPaths& paths, size_t fresh, absl::Span<const NightRow> before) {
    NightRow row;
    row.name = night.name;
    row.seed = night.seed;
    row.ops = absl::StrJoin(options_.ops, ",");
    row.fresh = fresh;
    if (const absl::StatusOr<Json> json = ReadJson(WorkPaths{paths / "campaign"}.summary()); json.ok()) {
      FillFromCampaign(*json, &row);
    }
    row.alarms = AlarmsOf(before, row);
    for (const std::string& alarm : row.alarms) {
      std::printf("nightly: alarm: %s\n", alarm.c_str());
      Watch(kHarnessFailed);
    }
    return row;
  }

  absl::Status WriteSummary(const Night& night, const NightPaths& paths, const NightRow& row) {
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
    const std::string replay =
        absl::StrCat("tosaic fuzz --seed=", night.seed, " --cases=", std::max<uint64_t>(row.cases, 1),
                     row.ops.empty() ? "" : absl::StrCat(" --ops=", row.ops),
                     options_.known_flag.empty() ? "" : absl::StrCat(" --known=", ShellQuoted(options_.known_flag)),
                     " --out=night-", night.name);
    return WriteFile(paths / "summary.md", SummaryText(night, replay, row.alarms, parts));
  }

  // Those of the other toolchain's campaign have its name in front.
  absl::Status CopyNewFindings(absl::string_view campaign, const NightPaths& paths) {
    std::error_code error;
    const std::string before = campaign == "campaign" ? "" : absl::StrCat(campaign, "-");
    const std::string findings = WorkPaths{paths / campaign}.findings();
    for (const std::string& name : FoldersOf(findings)) {
      const std::string folder = absl::StrCat(findings, "/", name);
      const absl::StatusOr<Json> finding = ReadJson(FindingPaths{folder}.description());
      if (!finding.ok() || finding->value("status", "") != "new") continue;
      fs::copy(folder, absl::StrCat(paths / "new", "/", before, name), fs::copy_options::recursive, error);
      if (error) return absl::UnavailableError(absl::StrCat(folder, ": cannot copy: ", error.message()));
    }
    return absl::OkStatus();
  }

  // A result in the forms for people and other tools, if there is one.
  void WriteReports(const std::string& name, const std::string& result, const NightPaths& paths) {
    if (!Exists(result)) return;
    for (const auto& [format, extension] :
         {std::pair("html", "html"), {"junit", "xml"}, {"sarif", "sarif"}, {"markdown", "md"}}) {
      const int status = Tosaic({"report", result, absl::StrCat("--format=", format),
                                 absl::StrCat("--out=", paths / absl::StrCat(name, ".", extension))});
      if (status != 0) Watch(kHarnessFailed);
    }
  }

  // What was reported tonight is known tomorrow. Returns how many signatures that is.
  absl::StatusOr<size_t> AddReported(const Night& night, const NightPaths& paths) {
    std::set<std::string> signatures;
    for (const std::string& result : {WorkPaths{paths / "campaign"}.summary(), paths / "conform.json"}) {
      if (const absl::StatusOr<Json> json = ReadJson(result); json.ok()) signatures.merge(NewSignatures(*json));
    }
    const std::string of_fuzzers = ReadFile(paths / "fuzz-signatures").value_or("");
    for (const absl::string_view line : absl::StrSplit(of_fuzzers, '\n', absl::SkipEmpty())) {
      signatures.insert(std::string(line));
    }
    Json entries = ReportedEntries(signatures, night.name);
    for (const std::string& result : {WorkPaths{paths / "other-campaign"}.summary(), paths / "other-conform.json"}) {
      const absl::StatusOr<Json> json = ReadJson(result);
      if (!json.ok()) continue;
      std::set<std::string> of_other = NewSignatures(*json);
      for (const std::string& signature : signatures) of_other.erase(signature);
      for (Json& entry : ReportedEntries(of_other, night.name, VersionsOf(*json))) entries.push_back(std::move(entry));
    }
    TOSAIC_RETURN_IF_ERROR(WriteJson(paths / "reported.json", entries));
    const std::string reported = state_ / "reported.json";
    TOSAIC_ASSIGN_OR_RETURN(const Json earlier, ReadJson(reported));
    TOSAIC_ASSIGN_OR_RETURN(const Json list, At(reported, ListWith(earlier, entries)));
    TOSAIC_RETURN_IF_ERROR(WriteJson(reported, list));
    return signatures.size();
  }

  const NightlyOptions& options_;
  const CommandRunner& run_;
  const std::atomic<bool>* stop_;
  NightPaths state_;
  int worst_ = kNothingNew;
};

}  // namespace

absl::StatusOr<int> RunNightly(const NightlyOptions& options, const CommandRunner& run, const std::atomic<bool>* stop) {
  if (!MakeDirectories(options.state + "/nights").ok()) {
    return absl::InvalidArgumentError(absl::StrCat("--state=", options.state, ": cannot be made"));
  }
  const StateLock lock(options.state + "/lock");
  if (!lock.Take()) {
    return absl::InvalidArgumentError(absl::StrCat("--state=", options.state, ": another night is at work there"));
  }
  return Nightly(options, run, stop).Run();
}

}  // namespace tosaic
