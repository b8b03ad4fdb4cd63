// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report: a result file in a form for people or for other tools.
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/status.h"
#include "model/work_paths.h"
#include "tools/formatted.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct ReportFlags {
  std::string file;
  std::string format = "text";
  std::string out;
};

absl::StatusOr<int> RunReport(const ReportFlags& flags) {
  std::error_code ignored;
  std::string file = flags.file;
  if (std::filesystem::is_directory(file, ignored)) {
    file = WorkPaths{file}.summary();
    if (!std::filesystem::exists(file, ignored)) {
      return absl::NotFoundError(
          absl::StrCat(flags.file, ": this is not the work directory of a campaign: it has no summary.json"));
    }
  }
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, {file}));
  TOSAIC_ASSIGN_OR_RETURN(ResultReport report, ReadResult(file));
  const std::string written = Formatted(std::move(report), flags.format);
  TOSAIC_RETURN_IF_ERROR(flags.out.empty() ? PrintFormatted(written, flags.format) : WriteFile(flags.out, written));
  return kExitAgree;
}

}  // namespace

void AddReport(CLI::App& app, CommandLine& command_line) {
  CLI::App* report = app.add_subcommand("report", "show a result file to people or other tools");
  auto flags = std::make_shared<ReportFlags>();
  report
      ->add_option(
          "FILE", flags->file,
          "a result file of fuzz (summary.json, or its work directory), conform, compare, sweep, prove or coverage")
      ->required();
  report->add_option("--format", flags->format, "the format to write")
      ->check(OneOf(FormatNames()))
      ->capture_default_str();
  report->add_option("--out", flags->out, "write to this file (default: standard output)")->type_name("FILE");
  report->callback([flags, &command_line] { command_line.action = [flags] { return RunReport(*flags); }; });
}

}  // namespace tosaic
