// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic merge: the shards of a campaign become one work directory; different campaigns, one list of causes.
#include <cstdio>

#include "campaign/merging.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/work_paths.h"
#include "results/text.h"
#include "tools/formatted.h"
#include "tools/output_flags.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct MergeFlags {
  ToolchainFlags toolchain;
  std::vector<std::string> directories;
  std::string out;
  std::string known;
  bool partial = false;
  FormatFlag format;
};

absl::StatusOr<int> RunMerge(const MergeFlags& flags, const std::string& command_line) {
  if (!flags.toolchain.route.empty() && !flags.toolchain.EditsRoute()) {
    return absl::InvalidArgumentError(
        "--route: the campaigns' own routes are merged; with the flags that edited one only");
  }
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  CampaignOptions options;
  options.out = flags.out;
  options.command_line = command_line;
  options.limits = flags.toolchain.limits;
  TOSAIC_ASSIGN_OR_RETURN(options.judge, flags.toolchain.WithValidation(options.judge));
  const Naming naming = flags.known.empty() ? Naming::kByShards : Naming::kByThisList;
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known.empty() ? kDefaultKnown : flags.known, *toolchain,
                                   options.judge.validation.has_value(), &options.known));
  TOSAIC_ASSIGN_OR_RETURN(options.known_cases, CasesOf(options.known));
  TOSAIC_ASSIGN_OR_RETURN(Merged merged,
                          MergeCampaigns(*toolchain, options, naming, flags.directories, StopOnSignals()));
  for (const std::string& directory : merged.missing)
    std::fprintf(stderr, "tosaic: incomplete: %s\n", OneLine(directory).c_str());
  const std::string text = ToText(merged.summary, flags.out, LengthOfSummary());
  TOSAIC_RETURN_IF_ERROR(flags.format.Print(merged.summary, WorkPaths{flags.out}.summary(), text));
  if (!merged.summary.harness_faults.empty() || (!merged.missing.empty() && !flags.partial)) return kExitHarness;
  return AnyUrgent(merged.summary.findings) ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddMerge(CLI::App& app, CommandLine& command_line) {
  CLI::App* merge = app.add_subcommand("merge", "unite the work directories of a campaign's shards, or of campaigns");
  auto flags = std::make_shared<MergeFlags>();
  merge->add_option("DIRS", flags->directories, "work directories of fuzz")->required();
  merge->add_option("--out", flags->out, "the work directory of all")->type_name("DIR")->required();
  merge->add_flag("--partial", flags->partial,
                  "take missing and unfinished shards as they are; without it they are exit status 3");
  merge
      ->add_option("--known", flags->known,
                   "the known divergences: a file, 'default' or 'none' (default: what each shard called known)")
      ->type_name("FILE");
  AddDetails(*merge);
  flags->format.AddTo(*merge);
  flags->toolchain.AddTo(*merge);
  merge->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunMerge(*flags, command_line.text); };
  });
}

}  // namespace tosaic
