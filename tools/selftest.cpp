// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic selftest: does a campaign find each of a plugin's deliberately broken lowerings?
#include "mutants/selftest.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "campaign/campaign.h"
#include "checking/progress_line.h"
#include "checking/provenance.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/did_you_mean.h"
#include "model/json.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "tools/printed.h"
#include "tools/subcommands.h"
#include "tools/validators.h"
#include "workers/command.h"

namespace tosaic {
namespace {

// The CPU time within which a broken lowering must be found.
constexpr double kCpuSeconds = 60;

constexpr char kDefaultPlugin[] = "tosaic_broken_lowerings.so";

struct SelftestFlags {
  std::string plugin;
  std::vector<std::string> only;
  SelftestOptions options;
  bool json = false;
};

// Beside the executable, where the build puts it.
std::string DefaultPlugin() { return (OwnProgram().parent_path() / kDefaultPlugin).string(); }

// There are many: those that share a word with `name`, or else the first, the last, and how many there are.
std::string NamesLike(absl::string_view name, const std::vector<std::string>& known) {
  const std::vector<absl::string_view> words = absl::StrSplit(name, '-', absl::SkipEmpty());
  std::vector<std::string> like;
  for (const std::string& candidate : known) {
    const std::vector<absl::string_view> of_one = absl::StrSplit(candidate, '-');
    if (absl::c_find_first_of(of_one, words) != of_one.end()) like.push_back(candidate);
  }
  if (!like.empty()) return absl::StrCat("these are like it: ", absl::StrJoin(like, ", "));
  return absl::StrCat("there are ", known.size(), ", from ", known.front(), " to ", known.back());
}

absl::StatusOr<std::vector<BrokenLowering>> Choose(std::vector<BrokenLowering> all,
                                                   const std::vector<std::string>& only) {
  for (const std::string& name : only) {
    if (std::any_of(all.begin(), all.end(), [&](const BrokenLowering& mistake) { return mistake.name == name; }))
      continue;
    std::vector<std::string> known;
    for (const BrokenLowering& mistake : all) known.push_back(std::string(mistake.name));
    const std::string meant = DidYouMean(name, known);
    return absl::InvalidArgumentError(absl::StrCat("--only: no broken lowering is named '", name, "'",
                                                   meant.empty() ? "; " + NamesLike(name, known) : meant));
  }
  std::erase_if(all, [&](const BrokenLowering& mistake) {
    return !only.empty() && std::find(only.begin(), only.end(), mistake.name) == only.end();
  });
  return all;
}

// Why it was not found, if no case came to the place where it stands.
std::string WhyNotFound(const SelftestResult& result, const SelftestOptions& options) {
  if (result.FoundBy() > 0) return "not found by the median";
  if (result.Median().ran > 0) return "not found";
  const auto is_its_route = [&](const auto& route) { return route.first == result.broken.route; };
  const bool is_drawn = !options.mixed || absl::c_any_of(options.generator.routes, is_its_route);
  return absl::StrCat("not found, for no case ran ", PlaceInWords(result.broken),
                      is_drawn ? "" : ", which the mix does not have");
}

void PrintRow(const SelftestResult& result, const SelftestOptions& options) {
  const SelftestCampaign& median = result.Median();
  std::printf("%-28s %d/%d %7d %6d %8.2f  %s\n", result.broken.name.c_str(), static_cast<int>(result.FoundBy()),
              static_cast<int>(result.campaigns.size()), static_cast<int>(median.cases), static_cast<int>(median.ran),
              result.MedianCpuSeconds(),
              (median.found ? absl::StrCat(Name(median.verdict), " [", median.rule, "]") : WhyNotFound(result, options))
                  .c_str());
  std::fflush(stdout);
}

// The JSON that --json prints.
struct SelftestAnswer {
  Provenance provenance;
  SelftestOptions options;
  bool interrupted = false;
  std::string totals;
  std::vector<SelftestResult> results;
};

std::optional<Verdict> VerdictOf(const SelftestCampaign& campaign) {
  return campaign.found ? std::optional(campaign.verdict) : std::nullopt;
}

// Of a mistake that is not found in time.
std::string HowMissed(const SelftestResult& result) {
  if (result.Median().found) return "found later";
  return result.FoundBy() > 0 ? "found by some seeds, but not by the median" : "not found";
}

// "45 broken lowerings: 44 found within 60 CPU seconds each (median 0.4, at most 12.1 after 2290 cases); not found: x".
std::string Totals(const std::vector<SelftestResult>& results) {
  std::vector<double> seconds;
  std::vector<uint64_t> cases;
  std::map<std::string, std::vector<std::string>> missed;
  for (const SelftestResult& result : results) {
    if (!result.FoundWithin(kCpuSeconds)) {
      missed[HowMissed(result)].push_back(result.broken.name);
      continue;
    }
    seconds.push_back(result.MedianCpuSeconds());
    cases.push_back(result.Median().cases);
  }
  std::sort(seconds.begin(), seconds.end());
  std::sort(cases.begin(), cases.end());
  std::string line = absl::StrFormat("%s: %d found within %.0f CPU seconds", Counted(results.size(), "broken lowering"),
                                     seconds.size(), kCpuSeconds);
  if (!seconds.empty()) {
    absl::StrAppendFormat(&line, " (median %.2f s and %s, at most %.2f s and %s)", seconds[seconds.size() / 2],
                          Counted(cases[cases.size() / 2], "case"), seconds.back(), Counted(cases.back(), "case"));
  }
  for (const auto& [how, names] : missed) absl::StrAppend(&line, "; ", how, ": ", absl::StrJoin(names, ", "));
  return line;
}

}  // namespace

void Fields(Visitor& v, SelftestCampaign& campaign) {
  v("seed", campaign.seed);
  v("found", campaign.found);
  v("cases", campaign.cases);
  v("ran", campaign.ran, "those of them with a broken op that were taken through the route");
  v("cpu_seconds", campaign.cpu_seconds);
  v.Derived("verdict", VerdictOf(campaign));
  v("rule", campaign.rule);
}

void Fields(Visitor& v, SelftestResult& result) {
  BrokenLowering& broken = result.broken;
  if (result.campaigns.empty()) result.campaigns.resize(1);  // of a description
  const SelftestCampaign& median = result.Median();
  v("name", broken.name);
  v.Derived("ops", absl::StrJoin(broken.ops, ",", [](std::string* out, OpKind op) { absl::StrAppend(out, Name(op)); }));
  v("breaks", broken.breaks);
  v("route", broken.route);
  v("after", broken.after);
  v("pass", broken.pass);
  v.Derived("found_by", result.FoundBy(), "campaigns");
  v.Derived("found_in_time", result.FoundWithin(kCpuSeconds));
  v.Derived("cases", median.cases, "of the median campaign");
  v.Derived("cpu_seconds", result.MedianCpuSeconds(), "of the median campaign");
  v.Derived("verdict", VerdictOf(median),
            "the verdict of the median campaign, as is the rule; null if it found nothing");
  v.Derived("rule", median.rule);
  v("campaigns", result.campaigns);
}

namespace {

void Fields(Visitor& v, SelftestAnswer& answer) {
  v("provenance", answer.provenance);
  v("seeds", answer.options.seeds);
  v("cases", answer.options.cases);
  v("broken_ops_only", answer.options.broken_ops_only);
  v("mixed", answer.options.mixed, "the routes are those of 'tosaic fuzz'");
  v("changed_only", answer.options.changed_only);
  v("interrupted", answer.interrupted);
  v("totals", answer.totals, "the line at the end");
  v("broken_lowerings", answer.results);
}

absl::StatusOr<int> RunSelftestCommand(const SelftestFlags& flags, const std::string& command_line) {
  SelftestOptions options = flags.options;
  options.plugin = flags.plugin.empty() ? DefaultPlugin() : flags.plugin;
  options.generator = FuzzGenerator();
  ToolchainOptions toolchain_options;
  toolchain_options.plugins = {options.plugin};
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> toolchain, CreateMlirToolchain(toolchain_options));
  options.generator.routes = MixedRoutes(toolchain->description().routes);
  TOSAIC_ASSIGN_OR_RETURN(std::vector<BrokenLowering> all, BrokenLoweringsOf(options.plugin));
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<BrokenLowering> chosen, Choose(std::move(all), flags.only));

  const std::atomic<bool>* stop = StopOnSignals();
  std::vector<SelftestResult> results;
  ProgressLine progress;
  if (!flags.json)
    std::printf("%-28s found cases    ran    CPU s  verdict and rule of the median\n", "broken lowering");
  for (const BrokenLowering& broken : chosen) {
    progress.Show(absl::StrCat(results.size(), "/", chosen.size(), " broken lowerings, now ", broken.name));
    TOSAIC_ASSIGN_OR_RETURN(SelftestResult result, RunSelftest(broken, options, stop));
    if (*stop) break;
    if (!flags.json) PrintRow(result, options);
    results.push_back(std::move(result));
  }
  progress.Finish();
  const bool interrupted = *stop;
  const std::string totals = Totals(results);
  if (flags.json) {
    const SelftestAnswer answer = {ProvenanceOf(command_line, *toolchain, {"loops"}, {}), options, interrupted, totals,
                                   results};
    std::printf("%s\n", Dump(ToJson(answer), 2).c_str());
  } else {
    std::printf("%s%s\n", totals.c_str(), interrupted ? "; interrupted" : "");
  }
  if (interrupted) return kExitInterrupted;  // what was not finished is no pass
  return std::all_of(results.begin(), results.end(),
                     [](const SelftestResult& result) { return result.FoundWithin(kCpuSeconds); })
             ? kExitAgree
             : kExitDivergence;
}

}  // namespace

Json SchemaOfSelftest() { return Schema<SelftestAnswer>(); }

void AddSelftest(CLI::App& app, CommandLine& command_line) {
  CLI::App* selftest =
      app.add_subcommand("selftest", "run a campaign against each of a list of deliberately broken lowerings");
  auto flags = std::make_shared<SelftestFlags>();
  SelftestOptions& options = flags->options;
  selftest
      ->add_option(
          "--load-pass-plugin", flags->plugin,
          absl::StrCat("the plugin with the broken lowerings (default: ", kDefaultPlugin, " beside the executable)"))
      ->type_name("FILE");
  selftest->add_option("--only", flags->only, "test only the broken lowerings of these names")->delimiter(',');
  selftest->add_option("--seeds", options.seeds, "campaigns against each: seeds 1, 2, ...")
      ->check(NumberFrom(uint64_t{1}, uint64_t{1000}))
      ->capture_default_str();
  selftest->add_option("--cases", options.cases, "the largest number of cases of a campaign")
      ->check(NumberFrom(uint64_t{1}, uint64_t{1} << 40))
      ->capture_default_str();
  AddJobs(*selftest, &options.jobs);
  selftest->add_flag("--broken-ops-only", options.broken_ops_only,
                     "generate only the ops that are broken, which tells quickly whether a mistake is found at all");
  selftest->add_flag("--mixed", options.mixed,
                     "draw the routes as 'tosaic fuzz' does, and run only cases of the broken one, to count the cases "
                     "until such a campaign finds the mistake");
  selftest->add_flag("--changed-only", options.changed_only,
                     "run only programs of which the mistake changes the IR, as 'tosaic fuzz --changed-only' does");
  selftest->add_flag("--json", flags->json, "print the results as JSON");
  selftest->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunSelftestCommand(*flags, command_line.text); };
  });
}

}  // namespace tosaic
