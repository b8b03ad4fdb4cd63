// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/nightly.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/directory_lock.h"
#include "checking/files.h"
#include "codec/status.h"
#include "nightly/fuzz_targets.h"
#include "nightly/history.h"
#include "nightly/night.h"
#include "nightly/night_folder.h"
#include "nightly/night_results.h"
#include "nightly/reported.h"
#include "results/nights.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// The meanings of the parts' exit statuses.
enum PartStatus : int { kNothingNew = 0, kSomethingNew = 1, kWrongUsage = 2, kHarnessFailed = 3, kCutShort = 4 };
constexpr int kCutShortAtOnce = 128 + SIGTERM;  // before it took signals

class Nightly {
 public:
  Nightly(const NightlyOptions& options, const CommandRunner& run, const std::atomic<bool>* stop)
      : options_(options),
        run_(run),
        stop_(stop),
        state_{options.state},
        flags_{options.ops, options.edits},
        end_(options.clock() + 60 * options.minutes) {}

  absl::StatusOr<int> Run() {
    TOSAIC_ASSIGN_OR_RETURN(Night night, Choose());
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> finished, FinishInterrupted());
    TOSAIC_RETURN_IF_ERROR(Begin(&night));
    const NightPaths paths = PathsOf(night);
    TOSAIC_RETURN_IF_ERROR(TakeOutFixed(state_, night, paths, options_, run_));
    TOSAIC_RETURN_IF_ERROR(WriteKnown(state_, flags_, options_.known));
    TOSAIC_RETURN_IF_ERROR(Suite(kOwn, night));
    TOSAIC_RETURN_IF_ERROR(CompareWithLast(night));
    if (HasOther()) TOSAIC_RETURN_IF_ERROR(Suite(kOther, night));
    CompareVersions(paths);
    const bool has_fuzzers = !options_.fuzzers.empty();
    TOSAIC_RETURN_IF_ERROR(Campaign(kOwn, night, CampaignSeconds(SecondsLeft(), HasOther(), has_fuzzers)));
    if (HasOther()) TOSAIC_RETURN_IF_ERROR(Campaign(kOther, night, OtherCampaignSeconds(SecondsLeft(), has_fuzzers)));
    TOSAIC_RETURN_IF_ERROR(Fuzz(night));
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "finished.md", absl::StrJoin(finished, "\n\n")));
    TOSAIC_RETURN_IF_ERROR(Finish(night).status());
    for (const std::string& headline : finished) std::printf("nightly: finished: %s\n", headline.c_str());
    return worst_;
  }

 private:
  NightPaths PathsOf(const Night& night) const { return {absl::StrCat(state_ / "nights", "/", night.name)}; }
  bool HasOther() const { return !options_.other.empty() && !lacks_other_; }
  const std::string& NameOf(const Tested& tested) const { return tested.is_other ? options_.other : options_.own; }
  double SecondsLeft() const { return end_ - options_.clock(); }
  // The worst exit status is the night's.
  void Watch(int status) { worst_ = std::max(worst_, status); }
  void Fail(std::string text) { failures_.push_back(std::move(text)), Watch(kHarnessFailed); }
  // The same for a campaign or a suite. One that ends with kSomethingNew is named, even without a new signature.
  void Watch(int status, const Tested& tested, const char* name, const NightPaths& paths) {
    const std::string& toolchain = NameOf(tested);
    const std::string subject = absl::StrCat("the ", name == tested.suite ? "suite" : "campaign");
    if (status > kSomethingNew) {
      failures_.push_back(absl::StrCat(subject, " on ", toolchain, " ended with exit status ", status));
    } else if (status == kSomethingNew && !HasNew(tested, name, paths)) {
      const std::string title = absl::StrCat(subject, " has a finding that was not reduced, so it may be new");
      nameless_.push_back({"", title, toolchain, absl::StrCat(name, ".html")});
    }
    Watch(status > kSomethingNew ? kHarnessFailed : status);
  }
  absl::Status Stopped() const {
    if (stop_ == nullptr || !*stop_) return absl::OkStatus();
    return absl::CancelledError("interrupted; the same command goes on with it today, and finishes it on another day");
  }

  int Tosaic(std::vector<std::string> arguments, double seconds = 0) {
    arguments.insert(arguments.begin(), options_.tosaic);
    return run_({.arguments = std::move(arguments), .seconds = seconds});
  }
  // A part that takes its time, and the night's flags.
  int Test(const Tested& tested, const NightFlags& flags, std::vector<std::string> arguments, absl::string_view out,
           double seconds = 0) {
    if (tested.is_other) arguments.insert(arguments.begin() + 1, absl::StrCat("--toolchain=", options_.other));
    arguments.insert(arguments.end(), {absl::StrCat("--jobs=", options_.jobs),
                                       absl::StrCat("--known=", state_ / "known.json"), absl::StrCat("--out=", out)});
    if (!flags.ops.empty()) arguments.push_back(absl::StrCat("--ops=", absl::StrJoin(flags.ops, ",")));
    arguments.insert(arguments.end(), flags.edits.begin(), flags.edits.end());
    if (options_.quiet) arguments.push_back("--quiet");
    return Tosaic(std::move(arguments), seconds);
  }
  // Whether a part did not run because the other toolchain does not, which is there and was asked for.
  bool LacksOther(const Tested& tested, int status) {
    if (!tested.is_other || status != kWrongUsage) return false;
    Fail(absl::StrCat(options_.other, " is left out: it does not run"));
    std::printf("nightly: %s\n", failures_.back().c_str());
    return lacks_other_ = true;
  }
  absl::Status Campaign(const Tested& tested, const Night& night, int seconds) {
    const NightPaths paths = PathsOf(night);
    const int status = CampaignStatus(tested, night, seconds);
    TOSAIC_RETURN_IF_ERROR(Stopped());
    if (!LacksOther(tested, status)) Watch(status, tested, tested.campaign, paths);
    return absl::OkStatus();
  }
  int CampaignStatus(const Tested& tested, const Night& night, int seconds) {
    const std::string seed = absl::StrCat("--seed=", night.seed), duration = absl::StrCat("--duration=", seconds, "s");
    return Test(tested, night.flags, {"fuzz", seed, duration}, PathsOf(night) / tested.campaign);
  }
  // A suite that is not done in its time is left out: of a part of it nothing could be compared.
  absl::Status Suite(const Tested& tested, const Night& night) {
    const NightPaths paths = PathsOf(night);
    const std::string result = tested.SuiteIn(paths);
    std::string why = "--suite-minutes=0";
    if (options_.suite_minutes > 0) {
      const double seconds = SuiteSeconds(options_.suite_minutes, HasOther());
      const int status = Test(tested, night.flags, {"conform"}, result, seconds);
      TOSAIC_RETURN_IF_ERROR(Stopped());
      if (LacksOther(tested, status)) return absl::OkStatus();
      if (status != kCutShort && status != kCutShortAtOnce) {
        Watch(status, tested, tested.suite, paths);
        return absl::OkStatus();
      }
      why = absl::StrCat("it was not done in ", static_cast<int>(seconds), " s; --suite-minutes gives it more");
      left_out_.push_back(absl::StrCat("the suite on ", NameOf(tested)));
    }
    std::error_code ignored;
    fs::remove(result, ignored);
    fs::remove_all(result + ".part", ignored);
    const std::string line = absl::StrCat("the suite on ", NameOf(tested), " is left out: ", why);
    std::printf("nightly: %s\n", line.c_str());
    return WriteFile(paths / absl::StrCat(tested.suite, ".md"), absl::StrCat(line, "\n"));
  }
  int Compare(const std::string& before, const std::string& after, const std::string& out) {
    return Tosaic({"compare", before, after, "--format=markdown", absl::StrCat("--out=", out)});
  }

  // It is nothing new by itself that one version is wrong where another is right.
  void CompareVersions(const NightPaths& paths) {
    if (!Exists(kOwn.SuiteIn(paths)) || !Exists(kOther.SuiteIn(paths))) return;
    if (Compare(kOwn.SuiteIn(paths), kOther.SuiteIn(paths), paths / "versions.md") <= kSomethingNew) return;
    Fail("the suites of the two versions could not be compared");
  }

  // Finishes nights that were cut short, each with its own flags: their findings are confirmed, reduced and reported.
  // Returns their headlines.
  absl::StatusOr<std::vector<std::string>> FinishInterrupted() {
    std::vector<std::string> headlines;
    for (const std::string& name : InterruptedNights(NightsIn(state_ / "nights"), options_.date)) {
      std::printf("nightly: finishing the interrupted night %s\n", name.c_str());
      const NightPaths paths = PathsOf({name});
      const absl::StatusOr<uint64_t> seed = SeedIn(paths);
      const absl::StatusOr<NightFlags> flags = FlagsIn(paths, flags_);
      if (!seed.ok()) Fail(std::string(seed.status().message()));
      if (!flags.ok()) Fail(std::string(flags.status().message()));
      const Night night = {name, seed.value_or(0), flags.value_or(flags_)};
      TOSAIC_RETURN_IF_ERROR(WriteKnown(state_, night.flags, options_.known));
      for (const Tested& tested : {kOwn, kOther}) {
        const WorkPaths campaign = tested.CampaignIn(paths);
        if (!Exists(campaign.journal())) continue;
        const bool can_go_on = seed.ok() && flags.ok() && (!tested.is_other || HasOther());
        const int status = can_go_on ? CampaignStatus(tested, night, 1) : kWrongUsage;
        if (status != kWrongUsage) Watch(status, tested, tested.campaign, paths);
        if (status == kWrongUsage) Fail(absl::StrCat("a campaign cannot go on; its cases are in ", campaign.journal()));
      }
      TOSAIC_RETURN_IF_ERROR(Stopped());
      TOSAIC_RETURN_IF_ERROR(CompareWithLast(night));
      TOSAIC_RETURN_IF_ERROR(TakeCrashes(paths));
      left_out_.emplace_back("what its interruption cut short");
      TOSAIC_ASSIGN_OR_RETURN(headlines.emplace_back(), Finish(night));
    }
    return headlines;
  }

  // The night of today that was cut short, or another one. A night whose folder is removed was done all the same: its
  // name, its seed and its row in the history are taken. Error: the one that was cut short has other flags.
  absl::StatusOr<Night> Choose() const {
    TOSAIC_ASSIGN_OR_RETURN(const NightHistory history, ReadHistory(options_.state));
    Night night = Tonight(options_.date, options_.seed, [&](const std::string& name) {
      const auto is_it = [&](const NightRow& row) { return row.name == name; };
      const NightPaths folder = PathsOf({name});
      return Exists(folder / "done") || (!Exists(folder.folder) && absl::c_any_of(history.nights, is_it));
    });
    night.flags = flags_;
    TOSAIC_RETURN_IF_ERROR(ReadReported(state_, flags_).status());
    TOSAIC_RETURN_IF_ERROR(CheckFlags(PathsOf(night), flags_));
    return night;
  }

  absl::Status Begin(Night* night) {
    const NightPaths paths = PathsOf(*night);
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(paths / "crashes"));
    if (!Exists(paths / "seed")) TOSAIC_RETURN_IF_ERROR(WriteNight(paths, *night));
    TOSAIC_ASSIGN_OR_RETURN(night->seed, SeedIn(paths));
    std::printf("nightly: seed %s, %s minute%s, results in %s\n%s", absl::StrCat(night->seed).c_str(),
                absl::StrCat(options_.minutes).c_str(), options_.minutes == 1 ? "" : "s", paths.folder.c_str(),
                PlanText(options_.suite_minutes, options_.own, options_.other, !options_.fuzzers.empty()).c_str());
    return absl::OkStatus();
  }

  // The libFuzzer targets, one after the other.
  absl::Status Fuzz(const Night& night) {
    const NightPaths paths = PathsOf(night);
    TOSAIC_RETURN_IF_ERROR(KeepSignatures(paths));
    std::vector<TargetResult> results;
    const TargetRun run = {options_, run_, state_, paths, night.seed, SecondsLeft()};
    for (const NightlyTarget& target : NightlyTargets()) {
      results.push_back(RunTarget(run, target));
      if (results.back().failed) Fail(absl::StrCat(target.name, " did not run, see ", target.name, ".log"));
      TOSAIC_RETURN_IF_ERROR(Stopped());
    }
    if (absl::c_any_of(results, WasDue)) left_out_.emplace_back("libFuzzer targets");
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "fuzzers.md", TargetsText(results, CrashesIn(paths))));
    return TakeCrashes(paths);
  }

  absl::Status TakeCrashes(const NightPaths& paths) {
    TOSAIC_RETURN_IF_ERROR(KeepSignatures(paths));
    const uint64_t crashes = CrashesIn(paths);
    if (crashes == 0) return absl::OkStatus();
    SayCrashes(paths, crashes);
    if (SignaturesIn(paths).empty()) {
      nameless_.push_back({"", "inputs that stop libFuzzer's targets", options_.own, "crashes"});
    }
    Watch(kSomethingNew);
    return absl::OkStatus();
  }

  absl::Status CompareWithLast(const Night& night) {
    const NightPaths paths = PathsOf(night);
    const std::string before = SuiteBefore(state_, night.flags);
    if (!Exists(before) || !Exists(kOwn.SuiteIn(paths))) return absl::OkStatus();
    const int status = Compare(before, kOwn.SuiteIn(paths), paths / "comparison.md");
    bool has_regressed = status == kSomethingNew;
    if (status == kHarnessFailed) {  // of some cases, which says nothing of the others
      Fail("not all cases of the suite are compared with the night before: see comparison.md");
      Tosaic({"compare", before, kOwn.SuiteIn(paths), "--format=json", "--out=" + (paths / "comparison.json")});
      has_regressed = HasRegressed(paths / "comparison.json");
    } else if (status > kSomethingNew) {
      return SayNotCompared(before, paths);
    }
    if (!has_regressed) return absl::OkStatus();
    if (!HasNew(kOwn, kOwn.suite, paths)) {
      nameless_.push_back({"", "cases of the suite regressed since the night before", options_.own, "comparison.md"});
    }
    Watch(kSomethingNew);
    return absl::OkStatus();
  }

  // Another suite than last night's is no failure of tonight's, but last night's report that cannot be read is one.
  absl::Status SayNotCompared(const std::string& before, const NightPaths& paths) {
    const bool is_readable = ReadJson(before).ok();
    const std::string text =
        absl::StrCat("the suite is not compared with that of the night before: ",
                     is_readable ? "that was another suite (other ops, or another Tosaic)" : "its report is damaged");
    std::printf("nightly: %s\n", text.c_str());
    if (!is_readable) Fail(text);
    return WriteFile(paths / "comparison.md", absl::StrCat(text, "\n"));
  }

  // Reports, what is new, and the state for the next night. What is new is known only after the night has said it: if
  // it dies or finds the disk full in between, it or the next one says it again. Returns the headline.
  absl::StatusOr<std::string> Finish(const Night& night) {
    const NightPaths paths = PathsOf(night);
    std::error_code ignored;
    fs::remove_all(paths / "new", ignored);
    TOSAIC_RETURN_IF_ERROR(MakeDirectories(paths / "new"));
    for (const Tested& tested : {kOwn, kOther}) {
      TOSAIC_RETURN_IF_ERROR(CopyNewFindings(tested, paths));
      if (Exists(tested.CampaignIn(paths).summary())) WriteReports(tested.campaign, paths / tested.campaign, paths);
      WriteReports(tested.suite, tested.SuiteIn(paths), paths);
    }
    if (night.flags.edits.empty()) DateNewFindings(paths, options_.tosaic, run_);  // no build has passes put in
    TOSAIC_ASSIGN_OR_RETURN(NightHistory history, ReadHistory(options_.state));
    const NightRow row = RowOf(night, paths, history.nights);
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "summary.md", SummaryIn(paths, row, options_.known_flag)));
    TOSAIC_RETURN_IF_ERROR(RemoveOldNights(options_.state, options_.keep, night.name));
    TOSAIC_RETURN_IF_ERROR(WriteHistory(options_.state, std::move(history), row));
    Say(row, paths, state_ / "index.html");
    TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "done", ""));
    TOSAIC_RETURN_IF_ERROR(AddReported(state_, night, paths));
    const absl::StatusOr<std::string> suite = ReadFile(kOwn.SuiteIn(paths));
    if (suite.ok()) TOSAIC_RETURN_IF_ERROR(WriteFile(LastSuite(state_, night.flags), *suite));
    return ShortHeadline(row);
  }

  // The row of the history about the night, with its alarms. A night that tests much less than usual has failed.
  NightRow RowOf(const Night& night, const NightPaths& paths, absl::Span<const NightRow> before) {
    NightRow row = RowIn(night, paths, options_.own, options_.other);
    row.found.insert(row.found.end(), nameless_.begin(), nameless_.end());
    row.fresh = row.found.size();
    nameless_.clear();
    if (!row.found.empty()) Watch(kSomethingNew);
    if (lacks_other_) row.other = options_.other;
    row.left_out = std::exchange(left_out_, {});
    row.alarms = std::exchange(failures_, {});
    for (std::string& alarm : AlarmsOf(before, row)) {
      row.alarms.push_back(std::move(alarm));
      Watch(kHarnessFailed);
    }
    return row;
  }

  // A result in the forms for people and other tools, if there is one.
  void WriteReports(const std::string& name, const std::string& result, const NightPaths& paths) {
    if (!Exists(result)) return;
    for (const auto& [format, extension] :
         {std::pair("html", "html"), {"junit", "xml"}, {"sarif", "sarif"}, {"markdown", "md"}}) {
      const int status = Tosaic({"report", result, absl::StrCat("--format=", format),
                                 absl::StrCat("--out=", paths / absl::StrCat(name, ".", extension))});
      if (status != 0) Fail(absl::StrCat(name, ".", extension, " could not be written"));
    }
  }

  const NightlyOptions& options_;
  const CommandRunner& run_;
  const std::atomic<bool>* stop_;
  const NightPaths state_;
  const NightFlags flags_;  // tonight's
  const double end_;        // of the night, by the clock
  int worst_ = kNothingNew;
  std::vector<NewOfNight> nameless_;   // what is new tonight and has no signature
  std::vector<std::string> failures_;  // tonight's
  std::vector<std::string> left_out_;  // tonight, for want of time
  bool lacks_other_ = false;           // tonight
};

}  // namespace

absl::StatusOr<int> RunNightly(const NightlyOptions& options, const CommandRunner& run, const std::atomic<bool>* stop) {
  TOSAIC_RETURN_IF_ERROR(At("--state=" + options.state, MakeDirectories(options.state + "/nights")));
  const absl::StatusOr<DirectoryLock> lock = DirectoryLock::Take(options.state);
  if (!lock.ok()) return absl::InvalidArgumentError(absl::StrCat("--state=", lock.status().message()));
  return Nightly(options, run, stop).Run();
}

}  // namespace tosaic
