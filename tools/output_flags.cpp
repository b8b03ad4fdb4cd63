// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/output_flags.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "checking/progress_line.h"
#include "results/finding.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

constexpr char kReset[] = "\x1b[0m";
constexpr absl::string_view kBold = "\x1b[1m", kRed = "\x1b[1;31m", kGreen = "\x1b[32m", kYellow = "\x1b[33m",
                            kSoft = "\x1b[2m";

struct Wanted {
  std::string color = "auto";
  bool quiet = false, details = false;
};
// One per process, which runs one command.
Wanted& TheWanted() {
  static Wanted wanted;
  return wanted;
}

bool UsesColour() {
  if (TheWanted().color != "auto") return TheWanted().color == "always";
  const char *no_color = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  return isatty(STDOUT_FILENO) != 0 && term != nullptr && absl::string_view(term) != "dumb";
}

absl::string_view ColourOf(Verdict verdict) {
  if (verdict == Verdict::kAgree) return kGreen;
  return IsDivergence(verdict) || verdict == Verdict::kHarnessFault ? kRed : kSoft;
}

absl::string_view ColourOf(Finding::Status status) { return IsUrgent(status) ? kRed : kYellow; }

std::optional<absl::string_view> ColourOf(absl::string_view word) {
  if (const std::optional<Verdict> verdict = Find<Verdict>(word)) return ColourOf(*verdict);
  if (const auto status = Find<Finding::Status>(word)) return ColourOf(*status);
  return std::nullopt;
}

std::string In(absl::string_view colour, absl::string_view text) { return absl::StrCat(colour, text, kReset); }

std::string PaintedLine(absl::string_view line) {
  if (absl::EndsWith(line, ":") && !absl::StartsWith(line, " ")) return In(kBold, line);
  if (!absl::StartsWith(line, "  ")) return std::string(line);
  const size_t end = std::min(line.find_first_of(" :", 2), line.size());
  const std::optional<absl::string_view> colour = ColourOf(line.substr(2, end - 2));
  if (!colour) return std::string(line);
  return absl::StrCat("  ", In(*colour, line.substr(2, end - 2)), line.substr(end));
}

}  // namespace

void AddOutputFlags(CLI::App& command, bool shows_progress) {
  command
      .add_option("--color", TheWanted().color,
                  "colour verdicts and headings; auto does so on a terminal if NO_COLOR is not set")
      ->check(OneOf({"auto", "always", "never"}))
      ->capture_default_str();
  if (!shows_progress) return;
  command.add_flag_callback(
      "--quiet",
      [] {
        TheWanted().quiet = true;
        ProgressLine::TurnOff();
      },
      "show no progress, and print only what was found");
}

bool IsQuiet() { return TheWanted().quiet; }

void AddDetails(CLI::App& command) {
  command.add_flag("--details", TheWanted().details, "print notes, tables of ops and chains, and coverage too");
}

SummaryLength LengthOfSummary() {
  if (TheWanted().quiet) return SummaryLength::kFound;
  return TheWanted().details ? SummaryLength::kDetails : SummaryLength::kShort;
}

std::string Painted(absl::string_view text) {
  if (!UsesColour()) return std::string(text);
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  return absl::StrJoin(lines, "\n",
                       [](std::string* out, absl::string_view line) { absl::StrAppend(out, PaintedLine(line)); });
}

std::string Painted(Verdict verdict) {
  return UsesColour() ? In(ColourOf(verdict), Name(verdict)) : std::string(Name(verdict));
}

}  // namespace tosaic
