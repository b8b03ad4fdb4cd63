// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report: a result file in a form for people or for other tools.
#include <filesystem>
#include <fstream>
#include <string>

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

// How many cases a journal has: a whole line each, behind one that says whose they are.
uint64_t CasesIn(const std::string& journal) {
  std::error_code ignored;
  std::ifstream in;
  if (std::filesystem::is_regular_file(journal, ignored)) in.open(journal);  // a pipe would be waited for
  std::string line;
  std::getline(in, line);
  uint64_t cases = 0;
  while (std::getline(in, line) && !in.eof()) ++cases;
  return cases;
}

absl::StatusOr<int> RunReport(const ReportFlags& flags) {
  std::error_code ignored;
  std::string file = flags.file;
  uint64_t journalled = 0;
  if (std::filesystem::is_directory(file, ignored)) {
    const WorkPaths paths{file};
    file = paths.summary();
    if (!std::filesystem::exists(file, ignored)) {
      const bool is_begun = std::filesystem::exists(paths.journal(), ignored);
      return absl::NotFoundError(absl::StrCat(
          flags.file, is_begun ? ": the campaign has no results yet: it is at work, or was killed (start it again)"
                               : ": this is not the work directory of a campaign: it has no summary.json"));
    }
    journalled = CasesIn(paths.journal());
  }
  TOSAIC_RETURN_IF_ERROR(CheckOutput(flags.out, {file}));
  TOSAIC_ASSIGN_OR_RETURN(ResultReport report, ReadResult(file));
  std::string stale;
  if (journalled > report.cases) {
    stale = absl::StrCat("its journal has ", journalled, " cases, its results are of ", report.cases,
                         ": it went on after them; start it again, or wait for its end");
    report.notes.push_back(stale);
    report.interrupted = true;
  }
  const std::string written = Formatted(std::move(report), flags.format);
  TOSAIC_RETURN_IF_ERROR(flags.out.empty() ? PrintFormatted(written, flags.format) : WriteFile(flags.out, written));
  return stale.empty() ? absl::StatusOr<int>(kExitAgree) : absl::InternalError(absl::StrCat(flags.file, ": ", stale));
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
