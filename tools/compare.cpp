// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic compare: what a patch, or another version, makes better and worse.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "campaign/checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "results/comparison_text.h"
#include "tools/formatted.h"
#include "tools/output_flags.h"
#include "tools/suite.h"

namespace tosaic {
namespace {

struct CompareFlags {
  std::vector<std::string> reports;
  std::string base, patch;  // toolchains
  ToolchainFlags toolchain;
  SuiteFlags suite;
  std::string format;  // empty: what the command prints by itself
  std::string out;
};

// Runs the suite on both toolchains, in work directories that are gone afterwards. Both are there before the first
// minute of work.
absl::Status RunBoth(const CompareFlags& flags, const std::string& command_line, ConformanceReport* base,
                     ConformanceReport* patch) {
  ToolchainFlags of_base = flags.toolchain, of_patch = flags.toolchain;
  of_base.toolchain = flags.base;
  // Passes that are put into a route are the patch.
  if (of_base.EditsRoute()) of_base.plugins.clear(), of_base.pipeline.clear();
  of_patch.toolchain = flags.patch;
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> first, of_base.Create());
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> second, of_patch.Create());
  TOSAIC_RETURN_IF_ERROR(of_base.CheckEndsInLlvm(*first));
  TOSAIC_RETURN_IF_ERROR(of_patch.CheckEndsInLlvm(*second));
  std::string directory = (std::filesystem::temp_directory_path() / "tosaic-compare-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) return absl::UnavailableError(absl::StrCat(directory, ": cannot create"));
  const auto run = [&](const ToolchainFlags& toolchain_flags, Toolchain& toolchain, ConformanceReport* report) {
    if (!IsQuiet()) std::fprintf(stderr, "tosaic: the suite on %s\n", toolchain_flags.toolchain.c_str());
    absl::StatusOr<ConformanceReport> ran =
        RunSuite(flags.suite, toolchain_flags, toolchain, command_line, directory + "/work");
    std::error_code ignored;
    std::filesystem::remove_all(directory + "/work", ignored);
    if (ran.ok()) *report = *std::move(ran);
    return ran.status();
  };
  absl::Status status = run(of_base, *first, base);
  if (status.ok() && !base->interrupted) status = run(of_patch, *second, patch);
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  if (status.ok() && (base->interrupted || patch->interrupted)) return absl::InternalError("interrupted");
  return status;
}

// The text of a run, the result file, or a format of `tosaic report`.
absl::StatusOr<std::string> InFormat(const Comparison& comparison, const CompareFlags& flags) {
  if (flags.format.empty()) return ComparisonToText(comparison);
  const std::string result = Dump(ToJson(comparison), 1) + "\n";
  if (flags.format == "json") return result;
  return Formatted(result, flags.out, flags.format);
}

absl::StatusOr<int> RunCompare(const CompareFlags& flags, const std::string& command_line) {
  if (flags.reports.size() != (flags.base.empty() ? 2 : 0)) {
    return absl::InvalidArgumentError(
        "compare takes two reports of 'tosaic conform', or --base and --patch: toolchains to run it on");
  }
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out));
  ConformanceReport base, patch;
  if (flags.base.empty()) {
    for (auto& [path, report] : {std::pair{flags.reports[0], &base}, std::pair{flags.reports[1], &patch}}) {
      TOSAIC_ASSIGN_OR_RETURN(*report, ReadAs<ConformanceReport>(path, ConformanceFromText));
    }
  } else {
    TOSAIC_RETURN_IF_ERROR(RunBoth(flags, command_line, &base, &patch));
  }
  TOSAIC_ASSIGN_OR_RETURN(const Comparison comparison, Compare(base, patch));
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, InFormat(comparison, flags));
  TOSAIC_RETURN_IF_ERROR(PrintAll(text, flags.out));
  return HasRegressed(comparison) ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddCompare(CLI::App& app, CommandLine& command_line) {
  CLI::App* compare = app.add_subcommand("compare", "compare two conformance reports: fixed, regressed, changed");
  auto flags = std::make_shared<CompareFlags>();
  compare->add_option("reports", flags->reports, "the reports of base and patch")->expected(0, 2);
  auto* base = compare->add_option("--base", flags->base, "run the suite on this toolchain, and ...");
  auto* patch = compare->add_option("--patch", flags->patch, "... on this one, and compare");
  base->needs(patch);
  patch->needs(base);
  compare->add_option("--format", flags->format, "write the result as 'tosaic report' does; json: the result file")
      ->check(CLI::IsMember(FormatNames()));
  compare->add_option("--out", flags->out, "write it there instead of to standard output");
  flags->toolchain.AddTo(*compare);
  flags->suite.AddTo(*compare);
  compare->callback([flags, &command_line] {
    command_line.action = [flags, &command_line] { return RunCompare(*flags, command_line.text); };
  });
}

}  // namespace tosaic
