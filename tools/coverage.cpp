// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic coverage: which basic blocks of the MLIR in this process cases reach.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "campaign/case_source.h"
#include "checking/check_case.h"
#include "checking/files.h"
#include "checking/progress_line.h"
#include "checking/provenance.h"
#include "codec/status.h"
#include "generators/suite.h"
#include "model/counted.h"
#include "model/signature.h"
#include "results/text.h"
#include "toolchain/coverage/block_coverage.h"
#include "tools/case_input.h"
#include "tools/formatted.h"
#include "tools/subcommands.h"
#include "tools/validators.h"
#include "workers/map.h"

namespace tosaic {
namespace {

struct CoverageFlags {
  ToolchainFlags toolchain;
  CaseInput input;
  std::vector<std::string> paths;
  bool suite = false;
  uint64_t seed = 1;
  uint64_t cases = 2000;
  int jobs = 1;
  std::vector<std::string> watch;
  bool only_watched = false;
  bool all_blocks = false;
  std::string out;
  FormatFlag format;
};

// The cases that are run.
struct Subject {
  std::string of;     // "seed 1"
  std::string route;  // empty: each has its own
  uint64_t cases = 0;
  std::vector<std::string> routes;                // that they have
  std::function<std::optional<uint64_t>()> next;  // a number for a worker
  std::function<Case(uint64_t number)> at;        // asked there
};

Subject SubjectOf(std::string of, std::string route, uint64_t count, std::function<Case(uint64_t)> at) {
  Subject subject{.of = std::move(of), .route = std::move(route), .cases = count, .at = std::move(at)};
  subject.next = [at = uint64_t{0}, count]() mutable { return at < count ? std::optional(at++) : std::nullopt; };
  return subject;
}

absl::StatusOr<Subject> OfFiles(const CoverageFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, CaseFilesAt(flags.paths));
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<LoadedCase> loaded, flags.input.LoadAll(files, &flags.toolchain));
  for (const LoadedCase& loaded_case : loaded) TOSAIC_RETURN_IF_ERROR(loaded_case.unread);
  auto cases = std::make_shared<std::vector<Case>>(CasesIn(loaded));
  if (cases->empty())
    return absl::InvalidArgumentError(absl::StrCat(absl::StrJoin(files, ", "), ": ", WhyNoCase(loaded)));
  return SubjectOf(Counted(files.size(), "file"), flags.toolchain.RouteAskedFor(), cases->size(),
                   [cases](uint64_t i) { return (*cases)[i]; });
}

Subject OfSuite(const CoverageFlags& flags) {
  auto tiles = std::make_shared<std::vector<SuiteTile>>(SuiteTiles(SuiteProfile::kAll));
  auto places = std::make_shared<std::vector<std::pair<size_t, size_t>>>();
  for (size_t tile = 0; tile < tiles->size(); ++tile) {
    for (size_t i = 0; i < (*tiles)[tile].cases.size(); ++i) places->emplace_back(tile, i);
  }
  const std::string asked_for = flags.toolchain.RouteAskedFor();
  const std::string route = asked_for.empty() ? "loops" : asked_for;
  return SubjectOf("the conformance suite", route, places->size(), [tiles, places, route](uint64_t i) {
    Case test_case = SuiteCaseOf((*tiles)[(*places)[i].first], (*places)[i].second);
    test_case.route = route;
    return test_case;
  });
}

// The cases that `tosaic fuzz` has of the same seed.
Subject OfCampaign(const CoverageFlags& flags, const Toolchain& toolchain) {
  auto options = std::make_shared<CampaignOptions>();
  options->seed = flags.seed;
  options->cases = flags.cases;
  options->generator = FuzzGenerator();
  options->generator.routes = CampaignRoutes(flags.toolchain, toolchain);
  options->steer = true;
  auto source = std::make_shared<CaseSource>(*options);
  Subject subject{
      .of = absl::StrCat("seed ", flags.seed), .route = flags.toolchain.RouteAskedFor(), .cases = flags.cases};
  subject.next = [options, source] { return source->NextTask([](uint64_t) { return false; }); };
  subject.at = [options, source](uint64_t task) { return source->CaseOfTask(task); };
  return subject;
}

std::vector<WatchPattern> WatchListOf(const CoverageFlags& flags) {
  std::vector<WatchPattern> list = flags.only_watched ? std::vector<WatchPattern>() : DefaultWatchList();
  for (const std::string& glob : flags.watch) list.push_back({"asked for", glob});
  return list;
}

// Runs the cases, their twins with them.
absl::Status RunSubject(const CoverageFlags& flags, const Subject& subject, Toolchain& toolchain,
                        Breakpoints& breakpoints, BlockReport* report) {
  const std::atomic<bool>* stop = StopOnSignals();
  const JudgeOptions judge = ForToolchain(toolchain, {});
  const auto observe = [&](const Case& test_case) { return toolchain.Observe(test_case); };
  ProgressLine progress;
  const absl::Status status = MapNumbers<bool>(
      {.jobs = flags.jobs, .limits = flags.toolchain.limits}, stop, [&] { return subject.next(); },
      [&](uint64_t number) {
        CheckWith(observe, subject.at(number), judge);
        return true;
      },
      [&](uint64_t, const WorkerResult<bool>& result) {
        report->deaths += result.death ? 1 : 0;
        if (result.death) breakpoints.DisarmSeen();  // the worker that takes over need not stop where others did
        progress.Show(absl::StrFormat("%d/%d cases", ++report->cases, subject.cases));
      });
  report->interrupted = stop->load();
  return status;
}

std::string WhyUnreachable(const std::string& name) {
  for (const Unreachable& unreachable : UnreachableFunctions()) {
    if (MatchesGlob(std::string(unreachable.glob), name)) return std::string(unreachable.reason);
  }
  return "";
}

FunctionBlocks BlocksOf(const WatchedFunction& watched) {
  FunctionBlocks function{.group = watched.group, .name = watched.name, .address = watched.address};
  for (const WatchedBlock& block : watched.blocks) {
    ++function.blocks;
    function.reached += block.is_seen ? 1 : 0;
    if (!block.is_seen) function.unreached.push_back({block.offset, block.calls});
  }
  // A function that a case enters is not unreachable, whatever the list says.
  if (function.reached == 0) function.unreachable = WhyUnreachable(watched.name);
  return function;
}

// Watches from before the toolchain is made: what it runs only then counts as reached.
absl::StatusOr<BlockReport> Measure(const CoverageFlags& flags, const std::string& command_line) {
  const absl::Time started = absl::Now();
  if (flags.toolchain.IsExternal()) return flags.toolchain.NeedsInProcess("coverage");
  std::optional<Subject> subject;
  if (!flags.paths.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(subject, OfFiles(flags));
  }
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<BlockCoverage> coverage,
                          At("coverage", BlockCoverage::Watch(kMlirLibrary, WatchListOf(flags))));
  for (const std::string& glob : flags.watch) {
    const auto matches = [&](const WatchedFunction& function) { return MatchesGlob(glob, function.name); };
    if (absl::c_any_of(coverage->Functions(), matches)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--watch=", glob, ": no function of ", coverage->library(), " that can be watched is called so"));
  }
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> toolchain, flags.toolchain.CreateCold());
  if (!subject) subject = flags.suite ? OfSuite(flags) : OfCampaign(flags, *toolchain);
  BlockReport report;
  report.provenance = ProvenanceOf(command_line, *toolchain, {subject->route.empty() ? "loops" : subject->route}, {});
  report.library = std::filesystem::path(coverage->library()).filename().string();
  report.of = subject->of;
  report.route = subject->route;
  report.left_out = coverage->left_out();
  const absl::Time ready = absl::Now();
  TOSAIC_RETURN_IF_ERROR(RunSubject(flags, *subject, *toolchain, coverage->breakpoints(), &report));
  report.startup_seconds = absl::ToDoubleSeconds(ready - started);
  report.elapsed_seconds = absl::ToDoubleSeconds(absl::Now() - ready);
  for (const WatchedFunction& function : coverage->Functions()) {
    if (!function.blocks.empty()) report.functions.push_back(BlocksOf(function));
  }
  SortForReaders(&report.functions);
  return report;
}

absl::StatusOr<int> RunCoverage(const CoverageFlags& flags, const std::string& command_line) {
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, flags.paths));
  TOSAIC_ASSIGN_OR_RETURN(const BlockReport report, Measure(flags, command_line));
  TOSAIC_RETURN_IF_ERROR(flags.format.WriteAndPrint(report, flags.out, ToText(report, flags.all_blocks), /*indent=*/1));
  return report.interrupted ? kExitInterrupted : kExitAgree;
}

// The flags that say which cases.
void AddCases(CLI::App& coverage, CoverageFlags* flags) {
  auto* files = coverage.add_option("files", flags->paths, "case files, .mlir files, or directories of either");
  auto* suite = coverage.add_flag("--suite", flags->suite, "the cases of the conformance suite")->excludes(files);
  coverage.add_option("--seed", flags->seed, "the cases of this campaign")
      ->check(IsSeed)
      ->capture_default_str()
      ->excludes(files)
      ->excludes(suite);
  coverage.add_option("--cases", flags->cases, "how many of them")
      ->check(NumberFrom(uint64_t{1}, uint64_t{1} << 40))
      ->capture_default_str()
      ->excludes(files)
      ->excludes(suite);
}

}  // namespace

void AddCoverage(CLI::App& app, CommandLine& command_line) {
  CLI::App* coverage = app.add_subcommand("coverage", "say which basic blocks of MLIR's functions cases reach");
  auto flags = std::make_shared<CoverageFlags>();
  AddCases(*coverage, flags.get());
  coverage
      ->add_option("--watch", flags->watch,
                   "watch also the functions whose names these globs match: 'mlir::arith::AddIOp::fold*'")
      ->delimiter(',')
      ->type_name("PATTERN");
  coverage->add_flag("--only-watched", flags->only_watched, "watch those of --watch alone")->needs("--watch");
  coverage->add_flag("--all-blocks", flags->all_blocks, "list the blocks that are not reached, with what they call");
  AddJobs(*coverage, &flags->jobs);
  coverage->add_option("--out", flags->out, "write the result to this file, as JSON")->type_name("FILE");
  flags->format.AddTo(*coverage);
  flags->input.AddTo(*coverage);
  flags->toolchain.AddTo(*coverage, /*mixed=*/true);
  coverage->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunCoverage(*flags, command_line.text); };
  });
}

}  // namespace tosaic
