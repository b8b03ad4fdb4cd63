// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/night.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codec/codec.h"
#include "model/escape.h"
#include "model/shell_word.h"

namespace tosaic {

Night Tonight(absl::string_view date, std::optional<uint64_t> seed,
              absl::FunctionRef<bool(const std::string&)> is_done) {
  const std::string digits = absl::StrReplaceAll(date, {{"-", ""}});
  for (int ordinal = 1;; ++ordinal) {
    const std::string suffix = ordinal > 1 ? absl::StrCat(ordinal) : "";
    Night night = {absl::StrCat(date, seed ? absl::StrCat("-seed-", *seed) : "", suffix.empty() ? "" : "-", suffix),
                   seed.value_or(0)};
    if (!seed) night.seed = std::strtoull((digits + suffix).c_str(), nullptr, 10);
    if (!is_done(night.name)) return night;
  }
}

void Fields(Visitor& v, NightFlags& flags) {
  v("ops", flags.ops);
  v("edits", flags.edits);
}

std::vector<std::string> InterruptedNights(absl::Span<const NightBefore> nights, absl::string_view date) {
  std::vector<std::string> names;
  for (const NightBefore& night : nights) {
    if (night.has_seed && !night.is_done && !absl::StartsWith(night.name, date)) names.push_back(night.name);
  }
  absl::c_sort(names);
  return names;
}

absl::Span<const NightlyTarget> NightlyTargets() {
  static constexpr NightlyTarget kTargets[] = {{"fuzz_verifier", 1, "fuzz_verifier"},
                                               {"fuzz_trait", 1, "fuzz_trait"},
                                               {"fuzz_numeric", 1, "fuzz_numeric"},
                                               {"fuzz_program", 2, "rules,regressions,spec"}};
  return kTargets;
}

namespace {

int AtLeastOne(double seconds) { return std::max(1, static_cast<int>(seconds + 1e-6)); }

}  // namespace

double SuiteSeconds(double suite_minutes, bool has_other) { return 60 * suite_minutes / (has_other ? 2 : 1); }

int CampaignSeconds(double left, bool has_other, bool has_fuzzers) {
  return AtLeastOne(left * (has_fuzzers ? 2. / 3 : 5. / 6) * (has_other ? 2. / 3 : 1));
}

int OtherCampaignSeconds(double left, bool has_fuzzers) { return AtLeastOne(left * (has_fuzzers ? 0.4 : 0.6)); }

int FuzzerSeconds(double left, const NightlyTarget& target) { return AtLeastOne(left * target.fifths / 5); }

std::string EditsText(const std::vector<std::string>& flags) {
  return absl::StrJoin(flags, " ", [](std::string* out, absl::string_view flag) { out->append(ShellFlag(flag)); });
}

std::string PlanText(double suite_minutes, const std::string& own, const std::string& other, bool has_fuzzers) {
  const std::string on = absl::StrCat(" on ", own, other.empty() ? "" : absl::StrCat(" and on ", other));
  const std::string suite =
      suite_minutes == 0 ? ""
                         : absl::StrFormat("the conformance suite%s (at most %.0f s%s), then ", on,
                                           SuiteSeconds(suite_minutes, !other.empty()), other.empty() ? "" : " each");
  return absl::StrCat("nightly: first ", suite, other.empty() ? "a campaign" : "campaigns", on,
                      ", what is found being reduced", has_fuzzers ? ", then the libFuzzer targets" : "", "\n");
}

bool WasDue(const TargetResult& target) {
  return target.left_out == kNoTimeLeft || absl::StartsWith(target.left_out, kNoProgram);
}

std::set<std::string> SignaturesInLog(absl::string_view log) {
  std::set<std::string> signatures;
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    if (absl::ConsumePrefix(&line, "tosaic: a new divergence: ")) signatures.insert(std::string(line));
  }
  return signatures;
}

bool HasRun(absl::string_view log) {
  const std::vector<absl::string_view> lines = absl::StrSplit(log, '\n');
  return absl::c_any_of(lines, [](absl::string_view line) {
    return line.size() > 1 && line[0] == '#' && absl::ascii_isdigit(static_cast<unsigned char>(line[1]));
  });
}

KnownEntries ReportedEntries(const std::set<std::string>& signatures, absl::string_view date,
                             const std::vector<VersionRange>& versions) {
  KnownEntries entries;
  for (const std::string& signature : signatures) {
    entries.push_back({.signature = signature,
                       .reason = absl::StrCat("reported in the night of ", date),
                       .versions = versions,
                       .since = std::string(date)});
  }
  return entries;
}

std::vector<VersionRange> VersionsOf(const Provenance& provenance) {
  const std::vector<int> numbers = NumbersOfVersion(provenance.toolchain_version);
  VersionRange range;
  if (numbers.empty() || !ReadText(absl::StrCat(numbers.front()), range).ok()) return {};
  return {range};
}

KnownEntries Joined(KnownEntries list, const KnownEntries& entries) {
  std::map<std::pair<std::string, std::string>, KnownDivergences::Entry> by_signature;
  list.insert(list.end(), entries.begin(), entries.end());
  for (KnownDivergences::Entry& entry : list) {
    by_signature.try_emplace({entry.signature, ToLine(entry.versions)}, entry);
  }
  list.clear();
  for (auto& [signature, entry] : by_signature) list.push_back(std::move(entry));
  return list;
}

namespace {

// A report has a heading of its own, which the summary's stands for.
std::string WithoutHeading(absl::string_view markdown) {
  absl::string_view rest = markdown;
  while (absl::ConsumePrefix(&rest, "#")) continue;
  if (rest.size() == markdown.size()) return std::string(markdown);
  rest = absl::StripLeadingAsciiWhitespace(rest);
  const size_t end = std::min(rest.find('\n'), rest.size());
  return absl::StrCat("**", rest.substr(0, end), "**", rest.substr(end));
}

}  // namespace

std::string SummaryText(const NightRow& night, const std::string& replay, absl::Span<const SummaryPart> parts) {
  std::string text = absl::StrCat("# Tosaic: ", Headline(night, EscapeMarkdown, MarkdownCode), "\n\n");
  for (const NewOfNight& new_finding : night.found) {
    absl::StrAppend(&text, "- ", EscapeMarkdown(InWords(new_finding)), ", [", new_finding.place, "](",
                    new_finding.place, ")\n");
  }
  if (!night.found.empty()) absl::StrAppend(&text, "\n");
  for (const std::string& alarm : night.alarms) absl::StrAppend(&text, "**Alarm: ", alarm, "**\n\n");
  absl::StrAppend(&text, "The seed is ", night.seed, ". To run the campaign again:\n\n    ", replay, "\n");
  for (const SummaryPart& part : parts) {
    absl::StrAppend(&text, "\n## ", part.heading, "\n\n", WithoutHeading(part.markdown));
  }
  return text;
}

uint64_t InputsInLog(absl::string_view log) {
  uint64_t inputs = 0;
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    if (!absl::ConsumePrefix(&line, "#")) continue;
    const size_t end = std::min(line.find_first_not_of("0123456789"), line.size());
    if (uint64_t number = 0; absl::SimpleAtoi(line.substr(0, end), &number)) inputs = number;
  }
  return inputs;
}

std::string TargetsText(absl::Span<const TargetResult> targets, uint64_t crashes) {
  std::string text = "| target | inputs | new causes |\n|---|---|---|\n", signatures;
  for (const TargetResult& target : targets) {
    absl::StrAppend(&text, "| ", target.name, " | ",
                    target.left_out.empty() ? absl::StrCat(target.inputs) : absl::StrCat("left out: ", target.left_out),
                    " | ", target.signatures.size(), " |\n");
    for (const std::string& signature : target.signatures) absl::StrAppend(&signatures, "- `", signature, "`\n");
  }
  if (!signatures.empty()) absl::StrAppend(&text, "\n", signatures);
  if (crashes > 0) {
    absl::StrAppend(&text, "\n", crashes, crashes == 1 ? " input lies" : " inputs lie", " in `crashes/`.\n");
  }
  return text;
}

}  // namespace tosaic
