// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic compare: what a patch, or another version, makes better and worse.
#include <cstdio>
#include <filesystem>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "conformance/conformance.h"
#include "conformance/ir_in_short.h"
#include "model/escape.h"
#include "results/proof_comparison.h"
#include "results/result_file.h"
#include "results/sweep_comparison.h"
#include "results/text.h"
#include "tools/formatted.h"
#include "tools/output_flags.h"
#include "tools/suite.h"
#include "tools/validators.h"
#include "workers/map.h"
#include "workers/temporary_folder.h"

namespace tosaic {
namespace {

constexpr size_t kSamples = 3;  // of IR that changed

struct CompareFlags {
  std::vector<std::string> reports;
  std::string base, patch;  // toolchains
  std::string save;         // a directory for the reports of both
  ToolchainFlags toolchain;
  SuiteFlags suite;
  std::string format;  // empty: what the command prints by itself
  std::string out;
};

// One side of the comparison, on which the suite is run.
struct RunSide {
  ToolchainFlags flags;
  std::unique_ptr<Toolchain> toolchain;
  ConformanceReport report;
};

absl::StatusOr<RunSide> SideOn(ToolchainFlags flags) {
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.Create());
  TOSAIC_RETURN_IF_ERROR(flags.CheckEndsInLlvm(*toolchain));
  return RunSide{std::move(flags), std::move(toolchain), {}};
}

// Runs the suite on one side, in a work directory that is gone afterwards.
absl::Status RunOn(const CompareFlags& flags, const std::string& command_line, const char* name, RunSide* side) {
  if (!IsQuiet()) std::fprintf(stderr, "tosaic: %s: the suite on %s\n", name, OneLine(side->flags.toolchain).c_str());
  TOSAIC_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Create("compare"));
  TOSAIC_ASSIGN_OR_RETURN(side->report,
                          RunSuite(flags.suite, side->flags, *side->toolchain, command_line, folder.path() + "/work"));
  if (side->report.interrupted) return absl::CancelledError("interrupted");
  return absl::OkStatus();
}

absl::Status Save(const std::string& directory, absl::string_view name, ConformanceReport& report) {
  if (directory.empty()) return absl::OkStatus();
  std::error_code ignored;
  std::filesystem::create_directories(directory, ignored);
  return WriteFile(absl::StrCat(directory, "/", name), Dump(ToJson(report), 1) + "\n");
}

// The IR that one side makes of each case, in a process of its own, because it may die.
absl::StatusOr<std::vector<std::string>> TextsOn(const RunSide& side, const SuiteFlags& suite,
                                                 const std::vector<std::string>& names, const std::string& place) {
  TOSAIC_ASSIGN_OR_RETURN(const ConformanceOptions options, SuiteOptionsOf(suite, side.flags));
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<Case> cases, CasesNamed(options, names));
  std::vector<std::string> texts;
  for (const Case& test_case : cases) {
    TOSAIC_ASSIGN_OR_RETURN(WorkerResult<std::string> text, InFreshProcess<std::string>(side.flags.limits, [&] {
                              return IrTextOf(*side.toolchain, test_case, place).value_or("");
                            }));
    texts.push_back(std::move(text.answer));
  }
  return texts;
}

// The IR of some cases before and after.
absl::Status AddSamples(const RunSide& base, const RunSide& patch, const SuiteFlags& suite, IrChange* change) {
  const auto [place, names] = WorthShowing(*change, kSamples);
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> before, TextsOn(base, suite, names, place));
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> after, TextsOn(patch, suite, names, place));
  for (size_t i = 0; i < names.size(); ++i) {
    change->samples.push_back({names[i], place, DiffOf(before[i], after[i])});
  }
  return absl::OkStatus();
}

// Creates both toolchains before it spends a minute on either.
absl::StatusOr<Comparison> CompareToolchains(const CompareFlags& flags, const std::string& command_line) {
  ToolchainFlags of_base = flags.toolchain.EditsRoute() ? flags.toolchain.WithoutEdits() : flags.toolchain;
  of_base.toolchain = flags.base;
  of_base.named_by = "--base";
  TOSAIC_ASSIGN_OR_RETURN(ToolchainFlags of_patch, flags.toolchain.OnToolchain(flags.patch));
  of_patch.named_by = "--patch";
  TOSAIC_ASSIGN_OR_RETURN(RunSide base, SideOn(std::move(of_base)));
  TOSAIC_ASSIGN_OR_RETURN(RunSide patch, SideOn(std::move(of_patch)));
  TOSAIC_RETURN_IF_ERROR(RunOn(flags, command_line, "base", &base));
  TOSAIC_RETURN_IF_ERROR(Save(flags.save, "base.json", base.report));
  TOSAIC_RETURN_IF_ERROR(RunOn(flags, command_line, "patch", &patch));
  TOSAIC_RETURN_IF_ERROR(Save(flags.save, "patch.json", patch.report));
  TOSAIC_ASSIGN_OR_RETURN(Comparison comparison, Compare(base.report, patch.report));
  if (comparison.ir) TOSAIC_RETURN_IF_ERROR(AddSamples(base, patch, flags.suite, &*comparison.ir));
  return comparison;
}

absl::StatusOr<Comparison> CompareReports(const CompareFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const ConformanceReport base,
                          ReadAs<ConformanceReport>(flags.reports[0], ConformanceFromText));
  TOSAIC_ASSIGN_OR_RETURN(const ConformanceReport patch,
                          ReadAs<ConformanceReport>(flags.reports[1], ConformanceFromText));
  return Compare(base, patch);
}

// Kinds are template arguments, because readers are plain functions.
template <const char* kKind>
bool IsOfKind(const std::string& path) {
  return ReadAs<Json>(path, [](absl::string_view text) { return ParseResultFile(text, kKind); }).ok();
}

// Two results of a command other than conform, whole and with something in common. `compare` makes a comparison of
// them, whose changes may have regressed.
template <typename Summary, const char* kKind, typename Compare>
absl::StatusOr<int> RunCompareResults(const CompareFlags& flags, Compare compare) {
  if (!flags.format.empty() && flags.format != "text" && flags.format != "json") {
    return absl::InvalidArgumentError(
        absl::StrCat("--format=", flags.format, ": a comparison of sweeps or proofs is printed as text or json"));
  }
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, flags.reports));
  TOSAIC_ASSIGN_OR_RETURN(const Summary base, ReadAs<Summary>(flags.reports[0], ResultFromText<Summary, kKind>));
  TOSAIC_ASSIGN_OR_RETURN(const Summary patch, ReadAs<Summary>(flags.reports[1], ResultFromText<Summary, kKind>));
  for (const auto& [path, summary] : {std::pair(flags.reports[0], &base), {flags.reports[1], &patch}}) {
    if (summary->interrupted) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": its command was interrupted: run it again"));
    }
    if constexpr (requires { summary->left_to_other_shards; }) {
      if (summary->left_to_other_shards == 0) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": it is of one shard alone: give the last shard's command --take with the folders of the others"));
    }
  }
  TOSAIC_RETURN_IF_ERROR(CheckSamePolicies(base.provenance, patch.provenance));
  auto comparison = compare(base, patch);
  if (comparison.compared == 0 && comparison.harness_faults.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(flags.reports[0], " and ", flags.reports[1],
                     " have nothing in common: give both commands the same ops, types and inputs"));
  }
  const bool as_json = flags.format == "json";
  TOSAIC_RETURN_IF_ERROR(
      PrintAll(as_json ? Dump(ToJson(comparison), 1) + "\n" : EscapeControls(ToText(comparison)), flags.out));
  if (!comparison.harness_faults.empty()) return kExitHarness;
  return absl::c_any_of(comparison.changes, [](const auto& change) { return change.HasRegressed(); }) ? kExitDivergence
                                                                                                      : kExitAgree;
}

// The text of a run, the result file, or a format of `tosaic report`.
std::string InFormat(const Comparison& comparison, const CompareFlags& flags) {
  if (flags.format.empty() || flags.format == "text") return EscapeControls(ToText(comparison));
  if (flags.format == "json") return Dump(ToJson(comparison), 1) + "\n";
  // A regression is found in the patch's report, if there is one that stays.
  const std::string saved = flags.save.empty() ? "" : absl::StrCat(flags.save, "/patch.json");
  return Formatted(ViewOf(comparison, flags.reports.empty() ? saved : flags.reports[1]), flags.format);
}

absl::StatusOr<int> RunCompare(const CompareFlags& flags, const std::string& command_line) {
  if (flags.reports.size() != (flags.base.empty() ? 2 : 0)) {
    return absl::InvalidArgumentError(
        "compare takes two reports of 'tosaic conform', or --base and --patch: toolchains to run it on "
        "(see 'tosaic compare --help')");
  }
  if (flags.base.empty() && IsOfKind<kValuesKind>(flags.reports[0])) {
    return RunCompareResults<ValueSweepSummary, kValuesKind>(flags, CompareSweeps);
  }
  if (flags.base.empty() && IsOfKind<kProofsKind>(flags.reports[0])) {
    return RunCompareResults<ProofSummary, kProofsKind>(flags, CompareProofs);
  }
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, flags.reports));
  TOSAIC_ASSIGN_OR_RETURN(const Comparison comparison,
                          flags.base.empty() ? CompareReports(flags) : CompareToolchains(flags, command_line));
  TOSAIC_RETURN_IF_ERROR(PrintAll(InFormat(comparison, flags), flags.out));
  if (HasHarnessFaults(comparison)) return kExitHarness;
  return HasRegressed(comparison) ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddCompare(CLI::App& app, CommandLine& command_line) {
  CLI::App* compare =
      app.add_subcommand("compare", "say what a patch breaks, mends and changes, of two toolchains or two reports");
  auto flags = std::make_shared<CompareFlags>();
  compare
      ->add_option("reports", flags->reports,
                   "the reports that conform, sweep --values or prove wrote of base and patch (without --base)")
      ->expected(0, 2);
  auto* base = compare->add_option("--base", flags->base, "run the suite on this toolchain, which is without the patch")
                   ->type_name("MLIR");
  auto* patch =
      compare
          ->add_option("--patch", flags->patch, "run the suite on this toolchain too, which has the patch, and compare")
          ->type_name("MLIR");
  base->needs(patch);
  patch->needs(base);
  compare
      ->add_option("--save", flags->save,
                   "write the reports of --base and --patch into this directory: base.json, patch.json")
      ->type_name("DIR")
      ->needs(base);
  compare->add_option("--format", flags->format, "write the result as 'tosaic report' does; json: the result file")
      ->check(OneOf(FormatNames()));
  compare->add_option("--out", flags->out, "write the result to this file instead of standard output")
      ->type_name("FILE");
  const size_t of_reports = compare->get_options().size();
  flags->toolchain.AddTo(*compare);
  compare->remove_option(compare->get_option("--target"));  // the suite judges the lowering
  flags->suite.AddTo(*compare);
  flags->suite.ir = true;
  compare->add_flag("!--no-ir", flags->suite.ir, "do not compare what the routes make of the IR and how large code is");
  // Two reports are compared as they are.
  const std::vector<CLI::Option*> options = compare->get_options();
  for (size_t i = of_reports; i < options.size(); ++i) options[i]->needs(base);
  compare->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunCompare(*flags, command_line.text); };
  });
}

}  // namespace tosaic
