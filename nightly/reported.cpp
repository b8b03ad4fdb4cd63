// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/reported.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"

namespace tosaic {
namespace {

// The list's path without its ending.
std::string Stem(const NightPaths& state, const NightFlags& flags) {
  return state / (flags.edits.empty() ? "reported" : absl::StrCat("reported-", NameFor(EditsText(flags.edits))));
}

}  // namespace

std::string ReportedList(const NightPaths& state, const NightFlags& flags) {
  return absl::StrCat(Stem(state, flags), ".json");
}

absl::StatusOr<KnownEntries> ReadReported(const NightPaths& state, const NightFlags& flags) {
  const std::string list = ReportedList(state, flags);
  if (!Exists(list)) return KnownEntries();
  TOSAIC_ASSIGN_OR_RETURN(const KnownDivergences read, KnownDivergences::FromFile(list));
  return read.entries();
}

std::string CaseOfReported(const NightPaths& state, const NightFlags& flags, const KnownDivergences::Entry& entry) {
  const std::string name = NameFor(absl::StrCat(entry.signature, " ", ToLine(entry.versions)));
  return absl::StrCat(Stem(state, flags), "/", name, ".json");
}

absl::Status WriteKnown(const NightPaths& state, const NightFlags& flags, const KnownDivergences& given) {
  TOSAIC_ASSIGN_OR_RETURN(const KnownEntries earlier, ReadReported(state, flags));
  KnownEntries known = given.entries();
  known.insert(known.end(), earlier.begin(), earlier.end());
  return WriteJson(state / "known.json", ToJson(KnownDivergences(std::move(known))));
}

absl::Status TakeOutFixed(const NightPaths& state, const Night& night, const NightPaths& paths,
                          const NightlyOptions& options, const CommandRunner& run) {
  TOSAIC_ASSIGN_OR_RETURN(const KnownEntries entries, ReadReported(state, night.flags));
  const auto file_of = [&](const KnownDivergences::Entry& entry) { return CaseOfReported(state, night.flags, entry); };
  std::string output;
  for (const bool is_other : {false, true}) {
    if (is_other && options.other.empty()) continue;
    Command command = {.arguments = {options.tosaic, "check", "--color=never"},
                       .log = paths / "reported.log",
                       .seconds = 60 * options.minutes / 10};
    if (is_other) command.arguments.push_back(absl::StrCat("--toolchain=", options.other));
    absl::c_copy(night.flags.edits, std::back_inserter(command.arguments));
    const size_t flags = command.arguments.size();
    for (const KnownDivergences::Entry& entry : entries) {
      if (entry.versions.empty() != is_other && Exists(file_of(entry))) command.arguments.push_back(file_of(entry));
    }
    if (command.arguments.size() == flags) continue;
    run(command);
    absl::StrAppend(&output, "\n", ReadFile(command.log).value_or(""));
  }
  const auto says = [&](const KnownDivergences::Entry& entry, absl::string_view what) {
    return absl::StrContains(output, absl::StrCat("\n", OneLine(file_of(entry)), ": ", what));
  };
  KnownEntries fixed, left;
  size_t untried = 0;
  for (const KnownDivergences::Entry& entry : entries) {
    (says(entry, "agree [") ? fixed : left).push_back(entry);
    untried += says(entry, "") ? 0 : 1;
  }
  if (untried > 0) {
    std::printf("nightly: of the %zu reported earlier, %zu could not be tried again and stay known\n", entries.size(),
                untried);
  }
  if (fixed.empty()) return absl::OkStatus();
  std::string page = ReadFile(paths / "fixed.md").value_or("");
  for (const KnownDivergences::Entry& entry : fixed) {
    absl::StrAppend(&page, "- ", MarkdownCode(entry.signature), ", ", entry.reason, "\n");
    std::printf("nightly: right now: %s, %s\n", OneLine(entry.signature).c_str(), OneLine(entry.reason).c_str());
  }
  TOSAIC_RETURN_IF_ERROR(WriteFile(paths / "fixed.md", page));
  TOSAIC_RETURN_IF_ERROR(WriteJson(ReportedList(state, night.flags), ToJson(KnownDivergences(std::move(left)))));
  std::error_code ignored;
  for (const KnownDivergences::Entry& entry : fixed) std::filesystem::remove(file_of(entry), ignored);
  return absl::OkStatus();
}

}  // namespace tosaic
