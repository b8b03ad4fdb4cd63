// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic fuzz: a campaign.
#include <unistd.h>

#include <cstdio>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "campaign/campaign.h"
#include "campaign/guidance.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/work_paths.h"
#include "results/text.h"
#include "toolchain/coverage/block_coverage.h"
#include "toolchain/coverage/patch_code.h"
#include "tools/case_input.h"
#include "tools/formatted.h"
#include "tools/output_flags.h"
#include "tools/stock_mlir.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct FuzzFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  uint64_t seed = 1;
  uint64_t cases = 2000;
  std::string duration;
  int jobs = 1;
  std::vector<std::string> ops;
  std::vector<std::string> types;
  std::string shard = "1/1";
  std::string out = "tosaic-out";
  std::string known = kDefaultKnown;
  bool no_reduce = false;
  bool changed_only = false;
  std::string base;
  bool guided = false;
  std::optional<int> mutant_percent;
  std::string corpus;
  FormatFlag format;
  std::optional<int> illegal_percent;
  std::optional<int> beyond_spec_percent;
  GeneratorOptions generator = FuzzGenerator();

  bool IsGuided() const { return guided || !corpus.empty(); }
};

}  // namespace

GeneratorOptions FuzzGenerator() {
  GeneratorOptions generator;
  generator.misfit_percent = 3;
  generator.twin_percent = 8;
  generator.reshape_percent = 8;  // some cases have no operand for it
  return generator;
}

// tosa-validate lowers nothing: any route does.
std::vector<std::pair<std::string, int>> CampaignRoutes(const ToolchainFlags& flags, const Toolchain& toolchain) {
  const std::string asked_for = flags.target.empty() ? flags.RouteAskedFor() : "loops";
  if (asked_for.empty()) return MixedRoutes(toolchain.description().routes);
  if (asked_for != kAllRoutes) return {{asked_for, 1}};
  std::vector<std::pair<std::string, int>> routes;
  for (const Route* route : toolchain.description().routes) routes.emplace_back(route->name, 1);
  return routes;
}

namespace {

std::string ToText(const GuidedOutcome& guided) {
  const std::string blocks =
      guided.blocks == 0
          ? ""
          : absl::StrFormat("  %d of %d basic blocks of MLIR (%.1f %%)\n", guided.blocks_reached, guided.blocks,
                            100.0 * static_cast<double>(guided.blocks_reached) / static_cast<double>(guided.blocks));
  return absl::StrCat("guided\n", blocks, "  ", Counted(guided.corpus, "case"), " reached something new\n");
}

// Eyes on the MLIR of this process; none where it is another that is tested, or where they do not work, which is said.
std::unique_ptr<BlockCoverage> EyesOf(const FuzzFlags& flags) {
  if (!flags.IsGuided()) return nullptr;
  std::string why = "the MLIR under test is not the one in this process";
  if (!flags.toolchain.IsExternal()) {
    absl::StatusOr<std::unique_ptr<BlockCoverage>> eyes = BlockCoverage::Watch(kMlirLibrary, GuidingWatchList());
    if (eyes.ok()) return *std::move(eyes);
    why = std::string(eyes.status().message());
  }
  std::fprintf(stderr, "tosaic: rules guide this campaign, and no blocks: %s\n", why.c_str());
  return nullptr;
}

// The generator's options by flags and toolchain, but for ops, types and routes.
GeneratorOptions GeneratorFor(const FuzzFlags& flags, const JudgeOptions& judge, const Toolchain& toolchain) {
  GeneratorOptions generator = flags.generator;
  generator.for_validator = judge.validation.has_value();
  generator.as_tosa = flags.toolchain.as_tosa;
  generator.spec_version = judge.policies.spec_version;
  if (generator.spec_version == SpecVersion::k1_1) {
    generator.draft_attributes = toolchain.description().ReadsDraftAttributes();
    generator.blocks = toolchain.description().BlocksRead();
  }
  // A share that is not given makes room for the one that is.
  int& illegal = generator.illegal_percent;
  int& beyond_spec = generator.beyond_spec_percent;
  illegal = flags.illegal_percent.value_or(std::min(illegal, 100 - flags.beyond_spec_percent.value_or(0)));
  beyond_spec = flags.beyond_spec_percent.value_or(std::min(beyond_spec, 100 - illegal));
  return generator;
}

// How it is known which programs the patch under review changes, if that is asked for. `base`: the MLIR without the
// patch; may be null.
absl::Status SetChanged(const FuzzFlags& flags, Toolchain* base, Toolchain& toolchain, CampaignOptions* options) {
  if (!flags.base.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(options->changed, At("--base", ChangedPrograms::ByPatch(*base, toolchain)));
  } else if (flags.changed_only) {
    TOSAIC_ASSIGN_OR_RETURN(options->changed, At("--changed-only", ChangedPrograms::ByEdit(toolchain)));
  }
  return absl::OkStatus();
}

// What the patch's own code says, as far as it can be read. Without it a campaign only takes longer to come by an op or
// a limit. `base`: as above.
void SetPatchCode(const FuzzFlags& flags, const Toolchain* base, const Toolchain& toolchain,
                  GeneratorOptions* generator) {
  std::vector<absl::StatusOr<PatchCode>> read;
  if (!flags.base.empty()) {
    const std::string &before = base->description().directory, &after = toolchain.description().directory;
    // Empty: the MLIR of this process.
    if (!before.empty() && !after.empty()) read.push_back(CodeOfBuild(after, before));
  } else if (flags.changed_only) {
    for (const std::string& plugin : flags.toolchain.plugins) read.push_back(CodeOfPlugin(plugin));
  }
  for (const absl::StatusOr<PatchCode>& code : read) {
    if (!code.ok()) continue;
    absl::c_copy(code->numbers, std::back_inserter(generator->numbers));
    absl::c_copy(code->ops, std::back_inserter(generator->patch_ops));
  }
}

absl::StatusOr<CampaignOptions> ToOptions(const FuzzFlags& flags, const StockMlir& base, Toolchain& toolchain,
                                          BlockWatcher* eyes, const std::string& command_line) {
  CampaignOptions options;
  options.seed = flags.seed;
  options.cases = flags.cases;
  options.jobs = flags.jobs;
  options.limits = flags.toolchain.limits;
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  options.judge = std::move(judge);
  options.generator = GeneratorFor(flags, options.judge, toolchain);
  options.out = flags.out;
  options.command_line = command_line;
  options.reduce = !flags.no_reduce;
  options.steer = true;
  options.read = ReaderFor(flags.toolchain);
  options.base = base.base;
  TOSAIC_RETURN_IF_ERROR(SetChanged(flags, base.build.get(), toolchain, &options));
  options.generator.routes = CampaignRoutes(flags.toolchain, toolchain);
  if (options.generator.routes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--toolchain: ", toolchain.description().name, " has no route that a campaign draws cases for"));
  }
  TOSAIC_RETURN_IF_ERROR(ParseShard(flags.shard, &options.shard, &options.shards));
  if (!flags.duration.empty()) {
    TOSAIC_ASSIGN_OR_RETURN(options.duration, ParseTime("--duration", flags.duration, "60s"));
  }
  TOSAIC_RETURN_IF_ERROR(ParseOps(flags.ops, &options.generator.ops));
  TOSAIC_RETURN_IF_ERROR(ParseElementTypes(flags.types, &options.generator.types));
  TOSAIC_RETURN_IF_ERROR(CheckOptions(options.generator));
  if (!flags.IsGuided() && flags.mutant_percent) {
    return absl::InvalidArgumentError("--mutant-percent: this is of a guided campaign; give --guided or --corpus too");
  }
  if (flags.IsGuided()) {
    options.guided = {.blocks = eyes,
                      .mutant_percent = flags.mutant_percent.value_or(Guided().mutant_percent),
                      .directory = flags.corpus};
    TOSAIC_ASSIGN_OR_RETURN(options.guided->start, StartOf(flags.corpus, flags.out));
  }
  const bool validation = options.judge.validation.has_value();
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, toolchain, validation, &options.known));
  // In a campaign about a patch, nothing explains what the base has right.
  if (options.changed) options.known.NoteThoseOfMlir(options.known);
  TOSAIC_ASSIGN_OR_RETURN(options.known_cases, CasesOf(options.known));
  SetPatchCode(flags, base.build.get(), toolchain, &options.generator);  // last: it takes seconds
  return options;
}

// The MLIR without the patch under review, if there is one.
absl::StatusOr<StockMlir> BaseOf(const FuzzFlags& flags, Toolchain& toolchain) {
  if (flags.changed_only) {
    TOSAIC_ASSIGN_OR_RETURN(const PatchBase as_it_is, At("--changed-only", PatchBase::OfEdit(toolchain)));
    return StockMlir{nullptr, as_it_is};
  }
  if (flags.base.empty()) return StockMlirOf(flags.toolchain, toolchain);
  if (!flags.toolchain.plugins.empty()) {
    return absl::InvalidArgumentError(
        "--base: the plugin's passes would run on both sides; --changed-only compares the route with and without them");
  }
  ToolchainFlags of_base = flags.toolchain;
  of_base.toolchain = flags.base;
  of_base.named_by = "--base";
  StockMlir named;
  TOSAIC_ASSIGN_OR_RETURN(named.build, of_base.Create());
  named.base.emplace(*named.build);
  return named;
}

absl::StatusOr<int> RunFuzz(const FuzzFlags& flags, const std::string& command_line) {
  const std::unique_ptr<BlockCoverage> eyes = EyesOf(flags);
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain));
  TOSAIC_ASSIGN_OR_RETURN(const StockMlir base, BaseOf(flags, *toolchain));
  TOSAIC_ASSIGN_OR_RETURN(CampaignOptions options, ToOptions(flags, base, *toolchain, eyes.get(), command_line));
  GuidedOutcome guided;
  if (options.guided) options.guided->take = [&](const GuidedOutcome& outcome) { guided = outcome; };
  TOSAIC_ASSIGN_OR_RETURN(CampaignSummary summary, RunCampaign(*toolchain, options, StopOnSignals()));
  const std::string file = WorkPaths{options.out}.summary();
  std::string text = ToText(summary, options.out, LengthOfSummary());
  if (options.guided && !IsQuiet()) text.insert(0, ToText(guided));
  TOSAIC_RETURN_IF_ERROR(flags.format.Print(summary, file, text));
  if (!summary.harness_faults.empty()) return kExitHarness;
  if (summary.interrupted) return kExitInterrupted;  // what was not reached may diverge
  return AnyUrgent(summary.findings) ? kExitDivergence : kExitAgree;
}

void AddWhichCases(CLI::App* fuzz, FuzzFlags* flags) {
  fuzz->option_defaults()->group("Which cases");
  fuzz->add_option("--ops", flags->ops, "only these ops: add,mul; some cases also reshape their values")
      ->delimiter(',')
      ->type_name("LIST");
  fuzz->add_option("--types", flags->types, "only these element types: f32,i32")->delimiter(',')->type_name("LIST");
  fuzz->add_option("--runs", flags->generator.runs, "runs per case")->check(NumberFrom(1, 1000))->capture_default_str();
  fuzz->add_option("--max-elements", flags->generator.max_elements, "the largest number of elements of a tensor")
      ->check(NumberFrom(int64_t{1}, int64_t{1} << 20))
      ->capture_default_str();
  fuzz->add_option("--illegal-percent", flags->illegal_percent, "percentage of illegal cases")
      ->check(NumberFrom(0, 100))
      ->default_str(absl::StrCat(flags->generator.illegal_percent));
  fuzz->add_option("--beyond-spec-percent", flags->beyond_spec_percent,
                   "percentage of cases with element types that only the dialect accepts")
      ->check(NumberFrom(0, 100))
      ->default_str(absl::StrCat(flags->generator.beyond_spec_percent));
  auto* changed_only =
      fuzz->add_flag("--changed-only", flags->changed_only,
                     "run only programs of which --insert-before, --insert-after or --replace changes the IR, and call "
                     "known what the route shows without");
  auto* base = fuzz->add_option("--base", flags->base,
                                "the MLIR without the patch that --toolchain has: run only programs of which the two "
                                "make other IR, and call known what this one shows too")
                   ->type_name("MLIR")
                   ->excludes(changed_only);
  ToolchainFlags& patch = flags->toolchain;
  fuzz->add_option("--patch", patch.toolchain, "the same as --toolchain, by the name that 'tosaic compare' gives it")
      ->type_name("MLIR")
      ->each([&patch](const std::string&) { patch.named_by = "--patch"; })
      ->needs(base);
  fuzz->add_flag("--guided", flags->guided,
                 "mutate cases that reach blocks of MLIR which no earlier case reached (docs/coverage.md)");
  fuzz->add_option("--corpus", flags->corpus,
                   "run a guided campaign that begins with the case files there, and write new ones to it")
      ->type_name("DIR");
  fuzz->add_flag("--no-swarm")->group("");  // without effect: no campaign leaves out ops, types or features any more
  fuzz->add_option("--mutant-percent", flags->mutant_percent, "percentage of mutants in a guided campaign")
      ->check(NumberFrom(0, 100))
      ->default_str(absl::StrCat(Guided().mutant_percent));
}

}  // namespace

std::string IsSeed(const std::string& text) {
  uint64_t seed = 0;
  if (absl::SimpleAtoi(text, &seed)) return "";
  return absl::StrCat("'", text, "' is not an integer from 0 to 2^64 - 1");
}

void AddFuzz(CLI::App& app, CommandLine& command_line) {
  CLI::App* fuzz = app.add_subcommand("fuzz", "generate cases, judge them, reduce what diverges");
  auto flags = std::make_shared<FuzzFlags>();
  fuzz->add_option("--seed", flags->seed, "the campaign's seed")->check(IsSeed)->capture_default_str();
  auto* cases = fuzz->add_option("--cases", flags->cases, "how many cases")
                    ->check(NumberFrom(uint64_t{1}, uint64_t{1} << 40))
                    ->capture_default_str();
  fuzz->add_option("--duration", flags->duration, "generate as many cases as fit into this time: 60s, 5m")
      ->type_name("TIME")
      ->excludes(cases);
  AddJobs(*fuzz, &flags->jobs);
  fuzz->add_option("--shard", flags->shard, "run only every N-th case, beginning with the I-th")
      ->type_name("I/N")
      ->capture_default_str();
  fuzz->add_option("--out", flags->out, "the work directory; an interrupted campaign in it is continued")
      ->type_name("DIR")
      ->capture_default_str();
  AddKnown(*fuzz, &flags->known);
  fuzz->add_flag("--no-reduce", flags->no_reduce, "do not reduce the findings");
  AddDetails(*fuzz);
  flags->format.AddTo(*fuzz);
  AddWhichCases(fuzz, flags.get());
  flags->toolchain.AddTo(*fuzz, /*mixed=*/true);
  fuzz->get_option("--toolchain")->excludes("--patch");
  flags->policy.AddTo(*fuzz);
  fuzz->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunFuzz(*flags, command_line.text); };
  });
}

}  // namespace tosaic
