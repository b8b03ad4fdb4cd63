// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/formatted.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "checking/file_writer.h"
#include "checking/files.h"
#include "codec/status.h"
#include "model/escape.h"
#include "reports/formats.h"
#include "tools/output_flags.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

// Reads a file below the result file's directory, and none elsewhere, whatever the result file says.
std::optional<std::string> ReadBelow(const std::string& directory, const std::string& name) {
  const absl::StatusOr<std::string> path = PathBelow(directory, name);
  if (!path.ok()) return std::nullopt;
  absl::StatusOr<std::string> content = ReadFile(*path);
  if (!content.ok()) return std::nullopt;
  return *std::move(content);
}

// "2026-11-22 03:10 UTC": of a file, or of now if there is none yet.
std::string WrittenOn(const std::string& file) {
  struct stat status = {};
  const bool is_there = !file.empty() && stat(file.c_str(), &status) == 0;
  return absl::FormatTime("%Y-%m-%d %H:%M UTC", is_there ? absl::FromTimeT(status.st_mtime) : absl::Now(),
                          absl::UTCTimeZone());
}

}  // namespace

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const ReportFormat& format : AllReportFormats()) names.push_back(std::string(format.name));
  return names;
}

absl::StatusOr<ResultReport> ReadResult(const std::string& file) {
  const std::string directory = std::filesystem::path(file).parent_path().string();
  TOSAIC_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  return At(file, ReadReport(text, file, [&](const std::string& name) { return ReadBelow(directory, name); }));
}

std::string Formatted(ResultReport report, absl::string_view format) {
  // Result files have no date, so that equal campaigns leave equal files. A page is looked at weeks later.
  if (format == "html") report.facts.insert(report.facts.begin(), {kDateFact, WrittenOn(report.file)});
  const auto is_asked_for = [&](const ReportFormat& known_format) { return known_format.name == format; };
  const absl::Span<const ReportFormat> formats = AllReportFormats();
  return absl::c_find_if(formats, is_asked_for)->write(report);
}

absl::Status PrintAll(absl::string_view text, const std::string& file) {
  if (!file.empty()) return WriteFile(file, text);
  errno = 0;
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return absl::OkStatus();
  // Of an earlier write nothing says any more why it failed, but one more does.
  if (errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1) errno = EIO;
  if (errno == EPIPE) {  // the reader has left: end as programs do that start no others, in silence
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  return WriteError("standard output", errno);
}

absl::Status PrintFormatted(absl::string_view text, absl::string_view format) {
  return format == "text" ? PrintAll(Painted(EscapeControls(text))) : PrintAll(text);
}

void FormatFlag::AddTo(CLI::App& app) {
  app.add_option("--format", format, "print the result as 'tosaic report' does")->check(OneOf(FormatNames()));
}

}  // namespace tosaic
