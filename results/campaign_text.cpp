// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/counted.h"
#include "model/first_of.h"
#include "model/mlir_text.h"
#include "model/rules.h"
#include "model/shell_word.h"
#include "results/judged_text.h"
#include "results/judgement_text.h"
#include "results/text.h"

namespace tosaic {
namespace {

void AppendShare(absl::string_view label, const Share& share, std::string* out) {
  if (share.possible == 0) return;
  absl::StrAppendFormat(out, "  %-44s%6d of %6d (%.1f %%)\n", label, share.seen, share.possible,
                        100.0 * static_cast<double>(share.seen) / static_cast<double>(share.possible));
}

// "loops 1024, canonicalized 240": the most frequent first.
std::string Frequencies(const std::map<std::string, uint64_t>& counts) {
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [name, count] : counts) sorted.emplace_back(-static_cast<int64_t>(count), name);
  std::sort(sorted.begin(), sorted.end());
  return absl::StrJoin(sorted, ", ", [](std::string* out, const auto& entry) {
    absl::StrAppend(out, entry.second.empty() ? "none" : entry.second, " ", -entry.first);
  });
}

// A few of them: summary.json has all.
void AppendNeverFired(const std::vector<std::string>& patterns, std::string* out) {
  constexpr size_t kNamed = 4;
  std::vector<std::string> names;
  for (const std::string& pattern : patterns) {
    names.push_back(absl::StrReplaceAll(pattern, {{"(anonymous namespace)::", ""}}));
  }
  if (names.empty()) return;
  absl::StrAppend(out, "  never fired: ", FirstOf(names, kNamed),
                  names.size() > kNamed ? ", which summary.json lists" : "", "\n");
}

std::string CoverageToText(const Coverage& coverage) {
  std::string out = "\ncoverage\n";
  AppendShare("op x element types", coverage.op_types, &out);
  AppendShare("op x element types x shape class", coverage.op_types_shapes, &out);
  AppendShare("op x element types x shape class x route", coverage.op_types_shapes_routes, &out);
  AppendShare("rewrite patterns of TOSA's elementwise ops", coverage.patterns, &out);
  absl::StrAppend(&out, "  shape classes: ", Frequencies(coverage.shapes), "\n  routes: ", Frequencies(coverage.routes),
                  "\n");
  if (!coverage.twins.empty()) absl::StrAppend(&out, "  twins: ", Frequencies(coverage.twins), "\n");
  absl::StrAppendFormat(&out, "  %s, %d categories of refusals (counted in summary.json)\n",
                        Counted(coverage.rules.size(), "deciding rule"), coverage.categories.size());
  if (coverage.patterns.seen > 0) AppendNeverFired(coverage.never_fired, &out);
  return out;
}

// Findings of one cause.
struct FoundCause {
  const Finding* first = nullptr;  // the one that most cases show
  uint64_t cases = 0;
  std::vector<std::string> folders;
};

// Causes that ask for attention come first, then those that most cases show.
std::vector<FoundCause> CausesOf(const CampaignSummary& summary) {
  std::map<std::pair<Finding::Status, std::string>, FoundCause> by_cause;
  for (const Finding& finding : summary.findings) {
    FoundCause& cause = by_cause[{StatusOf(finding), finding.cause}];
    if (cause.first == nullptr || finding.count > cause.first->count) cause.first = &finding;
    cause.cases += finding.count;
    if (!finding.cases().folder.empty()) cause.folders.push_back(finding.cases().folder);
  }
  std::vector<FoundCause> causes;
  for (auto& [key, cause] : by_cause) causes.push_back(std::move(cause));
  std::sort(causes.begin(), causes.end(), [](const FoundCause& a, const FoundCause& b) {
    return std::make_tuple(StatusOf(*a.first), b.cases, a.first->signature) <
           std::make_tuple(StatusOf(*b.first), a.cases, b.first->signature);
  });
  return causes;
}

std::string InWords(Finding::Status status) {
  if (status == Finding::Status::kBeyondSpec) return "beyond the specification";
  return status == Finding::Status::kNotReduced ? "not reduced" : std::string(Name(status));
}

// "17 causes, all known:".
std::string Headline(const std::vector<FoundCause>& causes, const CampaignSummary& summary) {
  if (causes.empty() && TestsNoPatch(summary)) {
    return "No case tests the patch: nothing is known of it.\n";
  }
  if (causes.empty()) {
    return summary.interrupted ? "Nothing diverged from the documents until the campaign was interrupted.\n"
                               : "Nothing diverges from the documents.\n";
  }
  std::map<Finding::Status, uint64_t> by_status;
  for (const FoundCause& cause : causes) ++by_status[StatusOf(*cause.first)];
  std::vector<std::string> parts;
  for (const auto& [status, count] : by_status) {
    const std::string so_many = count < causes.size() ? absl::StrCat(count, " ") : count == 1 ? "" : "all ";
    parts.push_back(so_many + InWords(status));
  }
  return absl::StrCat(Counted(causes.size(), "cause"), ", ", absl::StrJoin(parts, ", "), ":\n");
}

constexpr char kBaseIsRight[] = "Without the patch MLIR is right.";

// "known  212 cases  F2: why", and where what is not known lies.
void AppendCause(const FoundCause& cause, std::string* out) {
  const Finding& finding = *cause.first;
  const bool is_known = StatusOf(finding) == Finding::Status::kKnown;
  std::string sentence = is_known ? finding.known_reason : Info(finding.judgement.rule).broken;
  if (finding.cases().base_agrees) absl::StrAppend(&sentence, absl::EndsWith(sentence, ".") ? " " : ". ", kBaseIsRight);
  absl::StrAppendFormat(out, "  %-12s%12s  %s: %s\n", Name(StatusOf(finding)), Counted(cause.cases, "case"),
                        is_known ? finding.cause : ToString(finding.signature), sentence);
  if (is_known || cause.folders.empty()) return;
  absl::StrAppendFormat(out, "%28s%s\n", "", absl::StrJoin(cause.folders, ", "));
}

std::string NumbersToText(const CampaignSummary& summary) {
  std::string out =
      absl::StrFormat("%s, %s, %s, %.1f s, %.0f cases/s%s\n", Counted(summary.cases, "case"),
                      Counted(summary.runs, "run"), SeedsInWords(summary), summary.elapsed_seconds,
                      summary.elapsed_seconds > 0 ? summary.cases_observed / summary.elapsed_seconds : 0.0,
                      summary.interrupted ? " (interrupted)" : "");
  for (const auto& [verdict, count] : summary.verdicts)
    absl::StrAppendFormat(&out, "  %-22s%8d\n", Name(verdict), count);
  return out;
}

std::string TablesToText(const CampaignSummary& summary) {
  std::string out;
  absl::StrAppend(&out, "\nop                      cases  divergent  elements compared       open\n");
  for (const auto& [op, entry] : summary.by_op) {
    uint64_t cases = 0, divergent = 0;
    for (const auto& [verdict, count] : entry.verdicts) {
      cases += count;
      if (IsDivergence(verdict)) divergent += count;
    }
    absl::StrAppendFormat(&out, "  %-22s%5d  %9d  %17s  %9d\n", op, cases, divergent,
                          entry.compared + entry.masked + entry.open == 0
                              ? "none"
                              : absl::StrFormat("%d (%.1f %%)", entry.compared, 100 * ComparedShare(entry)),
                          entry.open);
  }
  OpSummary all;
  for (const auto& [op, entry] : summary.by_op) {
    all.compared += entry.compared_beyond_spec;
    all.masked += entry.masked_beyond_spec;
    all.open += entry.open_beyond_spec;
  }
  if (all.compared + all.masked + all.open > 0) {
    absl::StrAppendFormat(&out, "  of these beyond the specification %d (%.1f %%)\n", all.compared,
                          100 * ComparedShare(all));
  }
  const std::string judged = JudgedToText(summary.judged_ops, summary.judged_chains);
  return absl::StrCat(out, judged.empty() ? "" : "\n", judged, CoverageToText(summary.coverage));
}

// Notes are no failures, but may interest those who look after Tosaic and its lists.
std::string NotesToText(const CampaignSummary& summary) {
  std::string out;
  if (!summary.notes.empty()) absl::StrAppend(&out, "Notes, which are not divergences:\n");
  for (const auto& [note, count] : summary.notes) {
    absl::StrAppend(&out, "  ", Counted(count, "case"), ": ", NoteInWords(note), "\n");
  }
  if (!summary.unused_support.empty()) {
    absl::StrAppend(
        &out, "Rows of the support table that no case needed: ", absl::StrJoin(summary.unused_support, ", "), "\n");
  }
  return out;
}

std::string FaultsToText(const CampaignSummary& summary) {
  std::string out;
  for (const HarnessFault& fault : summary.harness_faults) {
    absl::StrAppendFormat(&out, "harness-fault: case %d: %s (its worker had run cases from %d on)\n", fault.case_number,
                          fault.text, fault.first_preceding);
  }
  return out;
}

// Known causes that may have been mended because no case shows them.
std::string UnseenToText(const CampaignSummary& summary) {
  if (summary.unseen_known.empty()) return "";
  std::string out =
      "Listed as known, but no case showed it, though many might have; if it is fixed, remove its entry:\n";
  for (const std::string& cause : summary.unseen_known) absl::StrAppend(&out, "  ", cause, "\n");
  return out;
}

// Programs that a patch leaves as they are, and a campaign that could run nothing: neither is to be taken for
// agreement.
std::string NotRunToText(const CampaignSummary& summary) {
  std::string out;
  const std::map<std::string, uint64_t>& rules = summary.coverage.rules;
  if (const uint64_t unchanged = UnchangedIn(summary); unchanged > 0) {
    absl::StrAppend(&out, "The patch leaves ", unchanged, " of ", Counted(summary.cases, "case"),
                    " as they are; these were not run.\n");
  }
  const auto unsupported = summary.verdicts.find(Verdict::kUnsupported);
  const bool is_most = unsupported != summary.verdicts.end() && 2 * unsupported->second > summary.cases;
  if (summary.executed > 0 || !is_most || !out.empty()) return out;
  const auto most = std::max_element(rules.begin(), rules.end(),
                                     [](const auto& one, const auto& other) { return one.second < other.second; });
  return absl::StrCat("No program was run, so no value was judged",
                      most == rules.end() ? "" : absl::StrCat(": most cases are ", most->first), ".\n");
}

// The routes on which no case ran.
std::string UntestedToText(const CampaignSummary& summary) {
  if (summary.untested_routes.empty()) return "";
  return absl::StrCat("Not tested: ", RoutesInWords(summary.untested_routes), ".\n");
}

std::string MissingToText(const CampaignSummary& summary) {
  return summary.missing.empty() ? "" : absl::StrCat("Missing: ", absl::StrJoin(summary.missing, "; "), ".\n");
}

}  // namespace

std::string ToText(const CampaignSummary& summary, const std::string& directory, SummaryLength length) {
  const std::vector<FoundCause> causes = CausesOf(summary);
  std::string found =
      MissingToText(summary) + UntestedToText(summary) + NotRunToText(summary) + Headline(causes, summary);
  const std::string* folder = nullptr;
  for (const FoundCause& cause : causes) {
    AppendCause(cause, &found);
    if (folder == nullptr && !cause.folders.empty()) folder = &cause.folders.front();
  }
  if (CountNew(summary.findings) > 2) {
    absl::StrAppend(&found,
                    "One mistake may be several of the new ones: they differ in verdict, op, types, route or rule.\n");
  }
  if (CountNotReduced(summary.findings) > 0) {
    absl::StrAppend(
        &found, "Tosaic recognises known causes by reduced cases, so what is not reduced may be known. ",
        summary.interrupted ? "Run the same command again to continue." : "Run it without --no-reduce to see.", "\n");
  }
  if (length == SummaryLength::kFound) return found + FaultsToText(summary);
  std::string details;
  if (length == SummaryLength::kDetails) details = absl::StrCat(NotesToText(summary), TablesToText(summary));
  std::string more = absl::StrCat("  tosaic report ", ShellQuoted(directory), " --format=html --out=report.html\n");
  if (folder != nullptr) {
    absl::StrAppend(&more, "  cat ", ShellQuoted(absl::StrCat(directory, "/", *folder, "/issue.md")),
                    "     # one finding; repro.sh beside it shows it without Tosaic\n");
  }
  return absl::StrCat(
      NumbersToText(summary), details, "\n", FaultsToText(summary), UnseenToText(summary), found, "\nTo see more",
      length == SummaryLength::kDetails ? "" : " (--details: tables of ops and chains, coverage)", ":\n", more);
}

std::string FindingToText(const Finding& finding, Dialect dialect) {
  std::string out = absl::StrCat("signature: ", ToString(finding.signature), "\nseen:      ", finding.count,
                                 " times, first in case ", finding.cases().case_number, "\nroute:     ", finding.route,
                                 "\n", JudgementToText(finding.judgement));
  if (!finding.cases().pipeline.empty()) absl::StrAppend(&out, "passes:    ", finding.cases().pipeline, "\n");
  if (!finding.known_reason.empty()) absl::StrAppend(&out, "known:     ", finding.known_reason, "\n");
  if (finding.cases().base_agrees) absl::StrAppend(&out, "base:      ", kBaseIsRight, "\n");
  if (StatusOf(finding) == Finding::Status::kNotReduced) {
    absl::StrAppend(&out, "status:    its case was not reduced, so this may be a known cause\n");
  }
  absl::StrAppend(&out, "\nreduced program:\n", ToMlir(finding.cases().reduced.program, dialect),
                  RunsToText(finding.cases().reduced));
  return out;
}

}  // namespace tosaic
