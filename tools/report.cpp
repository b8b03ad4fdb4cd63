// tosaic report: a result file in a form for people or for other tools.
#include <cstdio>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "campaign/checking/files.h"
#include "model/work_paths.h"
#include "reports/formats.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct ReportFlags {
  std::string file;
  std::string format = "text";
  std::string out;
};

// What lies beside a result file; never what lies elsewhere, whatever the result file says.
std::optional<std::string> ReadBelow(const std::filesystem::path& directory, const std::string& name) {
  const std::filesystem::path relative(name);
  if (relative.is_absolute()) return std::nullopt;
  for (const std::filesystem::path& part : relative) {
    if (part == "..") return std::nullopt;
  }
  absl::StatusOr<std::string> content = ReadFile((directory / relative).string());
  if (!content.ok()) return std::nullopt;
  return *std::move(content);
}

int PrintAll(const std::string& text) {
  const bool printed = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return printed ? kExitAgree : Report(absl::UnavailableError("standard output: cannot write"));
}

int RunReport(const ReportFlags& flags) {
  if (absl::Status status = CheckOutput(flags.out); !status.ok()) return Report(status);
  std::error_code ignored;
  std::string file = flags.file;
  if (std::filesystem::is_directory(file, ignored)) {
    file = WorkPaths{file}.summary();
    if (!std::filesystem::exists(file, ignored)) {
      return Report(
          absl::NotFoundError(absl::StrCat(flags.file, ": no work directory of a campaign: no summary.json")));
    }
  }
  const absl::StatusOr<std::string> text = ReadFile(file);
  if (!text.ok()) return Report(text.status());
  const std::filesystem::path directory = std::filesystem::path(file).parent_path();
  const absl::StatusOr<ResultReport> report =
      ReadReport(*text, file, [&](const std::string& name) { return ReadBelow(directory, name); });
  if (!report.ok()) {
    return Report(absl::InvalidArgumentError(absl::StrCat(file, ": ", report.status().message())));
  }
  for (const ReportFormat& format : AllReportFormats()) {
    if (format.name != flags.format) continue;
    const std::string written = format.write(*report);
    if (flags.out.empty()) return PrintAll(written);
    const absl::Status status = WriteFile(flags.out, written);
    return status.ok() ? kExitAgree : Report(status);
  }
  return kExitUsage;  // the parser knows the formats
}

}  // namespace

void AddReport(CLI::App& app, CommandLine& command_line) {
  CLI::App* report = app.add_subcommand("report", "a result file for people or other tools");
  auto flags = std::make_shared<ReportFlags>();
  report
      ->add_option("FILE", flags->file,
                   "a result file of fuzz (summary.json, or its work directory), conform, compare or sweep")
      ->required();
  std::vector<std::string> names;
  for (const ReportFormat& format : AllReportFormats()) names.push_back(std::string(format.name));
  report->add_option("--format", flags->format, "what to write")->check(CLI::IsMember(names))->capture_default_str();
  report->add_option("--out", flags->out, "write to this file (default: standard output)");
  report->callback([flags, &command_line] { command_line.action = [flags] { return RunReport(*flags); }; });
}

}  // namespace tosaic
