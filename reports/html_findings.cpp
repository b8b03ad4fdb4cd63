// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of the HTML report, and a comparison's cases.
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/counted.h"
#include "model/escape.h"
#include "model/shell_word.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

// The mark of a finding's status: that of the tiles which it makes.
absl::string_view MarkOf(Finding::Status status) {
  switch (status) {
    case Finding::Status::kRegressed:
      return Info(Standing::kRegressed).mark;
    case Finding::Status::kNew:
      return Info(Standing::kNew).mark;
    case Finding::Status::kNotReduced:
      return Info(Standing::kNotReduced).mark;
    case Finding::Status::kBeyondSpec:
    case Finding::Status::kKnown:
      break;
  }
  return Info(Standing::kKnown).mark;
}

std::string Block(const std::string& heading, absl::string_view text, const std::string& attributes = "") {
  if (text.empty()) return "";
  return HtmlPart("findings.html", "block",
                  {{"HEADING", heading}, {"ATTRIBUTES", attributes}, {"TEXT", EscapeMarkup(text)}});
}

// Commands to copy.
std::string Commands(const std::string& heading, const std::string& text, const std::string& id) {
  if (text.empty()) return "";
  return HtmlPart("findings.html", "commands", {{"HEADING", heading}, {"ID", id}, {"TEXT", EscapeMarkup(text)}});
}

std::string Script(const ReportFinding& finding, size_t number) {
  if (finding.script.empty()) return "";
  return absl::StrCat(
      Commands("Reproduce without Tosaic", absl::StrCat("bash ", ShellQuoted(finding.script_file), "\n"),
               absl::StrCat("s", number)),
      HtmlPart("findings.html", "script", {{"TEXT", EscapeMarkup(finding.script)}}));
}

std::string Sides(const ReportFinding& finding) {
  if (finding.judgement.expected.empty() && finding.judgement.actual.empty()) return "";
  return HtmlPart("findings.html", "sides",
                  {{"EXPECTED", Block("Expected", finding.judgement.expected)},
                   {"ACTUAL", Block("Actual", finding.judgement.actual, " class=\"actual\"")}});
}

// `result_file`: where a finding without a file of its own stands, which is nothing to look for.
std::string FactsOf(const ReportFinding& finding, const std::string& result_file) {
  std::vector<Fact> facts = {{"rule", RuleOf(finding)}, {"stage", StageOf(finding)}};
  for (Fact& fact : FactsOf(finding.judgement)) facts.push_back(std::move(fact));
  facts.push_back({"first seen", finding.first});
  if (finding.location != result_file) facts.push_back({"file", finding.location});
  return HtmlFacts(facts);
}

std::string FindingToHtml(const ResultReport& report, size_t number, bool open) {
  const ReportFinding& finding = report.findings[number];
  return HtmlPart(
      "findings.html", "finding",
      {{"STATUS", std::string(Name(finding.status))},
       {"NUMBER", absl::StrCat(number)},
       {"OPEN", open ? " open" : ""},
       {"MARK", HtmlMark(Name(finding.status), MarkOf(finding.status))},
       {"VERDICT", std::string(Name(finding.judgement.verdict))},
       {"OP", EscapeMarkup(finding.op)},
       {"CASES", Counted(finding.count, "case")},
       {"ROUTE", finding.route.empty() ? "" : absl::StrCat(", route ", EscapeMarkup(finding.route))},
       {"SIGNATURE", EscapeMarkup(ToString(finding.signature))},
       {"REASON",
        finding.known_reason.empty() ? "" : absl::StrCat("<p>", EscapeMarkup(finding.known_reason), "</p>\n")},
       {"SIDES", Sides(finding)},
       {"FACTS", FactsOf(finding, report.file)},
       {"BLOCKS",
        absl::StrCat(Block("Reduced case", finding.program), Block("Its data", finding.data), Script(finding, number),
                     Commands("Reproduce", finding.replay, absl::StrCat("r", number)))}});
}

// "New", "New and not reduced". REQUIRES: one of them asks for attention.
std::string UrgentHeading(const ResultReport& report) {
  if (CountFindings(report, Finding::Status::kRegressed) > 0) return "Regressed";
  const bool is_new = CountFindings(report, Finding::Status::kNew) > 0;
  const bool is_open = CountFindings(report, Finding::Status::kNotReduced) > 0;
  return is_new ? is_open ? "New and not reduced" : "New" : "Not reduced";
}

std::string UrgentFindings(const ResultReport& report) {
  constexpr size_t kOpen = 10;  // of many, the others wait to be opened
  std::string urgent;
  size_t count = 0;
  for (size_t i = 0; i < report.findings.size(); ++i) {
    if (!IsUrgent(report.findings[i])) continue;
    urgent += FindingToHtml(report, i, count++ < kOpen);
  }
  if (count == 0) return "";
  return HtmlPart(
      "findings.html", "",
      {{"HEADING", UrgentHeading(report)}, {"COUNT", absl::StrCat(count)}, {"FINDINGS", std::move(urgent)}});
}

std::string HarnessFaults(const ResultReport& report) {
  if (report.harness_faults.empty()) return "";
  std::string faults;
  for (const std::string& fault : report.harness_faults) {
    absl::StrAppend(&faults, "<p class=\"fault\">", EscapeMarkup(fault), "</p>\n");
  }
  return HtmlPart("findings.html", "faults",
                  {{"COUNT", absl::StrCat(report.harness_faults.size())}, {"FAULTS", std::move(faults)}});
}

// "F12": an entry of docs/findings.md.
bool IsNumbered(absl::string_view cause) {
  return cause.size() > 1 && absl::ascii_isupper(static_cast<unsigned char>(cause[0])) &&
         absl::c_all_of(cause.substr(1), [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

// The section of docs/findings.md about the cause, folded.
std::string Examined(const std::string& cause) {
  const std::string text = IsNumbered(cause) ? HtmlDocumentation(cause) : "";
  return text.empty() ? "" : HtmlPart("findings.html", "examined", {{"NAME", EscapeMarkup(cause)}, {"TEXT", text}});
}

std::string CauseToHtml(const ResultReport& report, const Cause& cause) {
  std::string findings;
  for (const ReportFinding* finding : cause.findings) {
    findings += FindingToHtml(report, static_cast<size_t>(finding - report.findings.data()), false);
  }
  const absl::string_view tag = cause.reason.empty() ? "code" : "b";
  return HtmlPart("findings.html", "cause",
                  {{"MARK", HtmlMark(Name(cause.status), MarkOf(cause.status))},
                   {"NAME", absl::StrCat("<", tag, ">", EscapeMarkup(cause.name), "</", tag, ">")},
                   {"REASON", EscapeMarkup(cause.reason)},
                   {"STATUS", std::string(Name(cause.status))},
                   {"CASES", Counted(cause.count, "case")},
                   {"COUNT", Counted(cause.findings.size(), "finding")},
                   {"ID", IsNumbered(cause.name) ? absl::StrCat(" id=\"", EscapeMarkup(cause.name), "\"") : ""},
                   {"FINDINGS", std::move(findings)},
                   {"EXAMINED", Examined(cause.name)}});
}

// Explains the letters that the names of these causes begin with.
std::string Letters(const std::vector<Cause>& causes) {
  constexpr std::pair<char, absl::string_view> kLetters[] = {
      {'F', "inside the specification"},
      {'R', "in the passes of one route"},
      {'L', "in the lowering as a contract on the IR"},
      {'T', "in the Broadcastable trait alone"},
      {'I', "in tosa-infer-shapes"},
      {'V', "in tosa-validate"},
      {'O', "in versions of MLIR before 22"},
      {'B', "beyond the specification"},
  };
  std::vector<std::string> meanings;
  for (const auto& [letter, meaning] : kLetters) {
    const bool occurs = absl::c_any_of(
        causes, [letter = letter](const Cause& cause) { return IsNumbered(cause.name) && cause.name[0] == letter; });
    if (occurs) meanings.push_back(absl::StrCat("<b>", std::string(1, letter), "</b> ", meaning));
  }
  if (meanings.empty()) return "";
  return absl::StrCat("<p class=\"soft\">The first letter says where a cause lies: ", absl::StrJoin(meanings, ", "),
                      ". Open a cause to see its findings and to read what is known about it.</p>\n");
}

std::string UnseenKnown(const ResultReport& report) {
  if (report.unseen_known.empty()) return "";
  std::string signatures;
  for (const std::string& cause : report.unseen_known) {
    absl::StrAppend(&signatures, "<li><code>", EscapeMarkup(cause), "</code></li>\n");
  }
  return HtmlPart("findings.html", "unseen",
                  {{"COUNT", absl::StrCat(report.unseen_known.size())}, {"SIGNATURES", std::move(signatures)}});
}

std::string KnownFindings(const ResultReport& report) {
  const std::vector<Cause> causes = QuietCauses(report);
  if (causes.empty()) return UnseenKnown(report);
  std::string details;
  for (const Cause& cause : causes) details += CauseToHtml(report, cause);
  return HtmlPart("findings.html", "known",
                  {{"CAUSES", Counted(causes.size(), "cause")},
                   {"LETTERS", Letters(causes)},
                   {"DETAILS", std::move(details)},
                   {"UNSEEN", UnseenKnown(report)}});
}

// The cases that changed in this way.
std::string ChangesTo(const ResultReport& report, const StandingInfo& info) {
  constexpr size_t kShown = 200;  // the tiles list all
  std::string rows;
  size_t all = 0;
  for (const CaseChange& change : report.changes) {
    if (Name(change.change) != info.name || ++all > kShown) continue;
    rows += HtmlPart("findings.html", "change",
                     {{"CASE", EscapeMarkup(change.patch.name)},
                      {"BEFORE", std::string(Name(change.base.verdict))},
                      {"AFTER", std::string(Name(change.patch.verdict))}});
  }
  if (all == 0) return "";
  const std::string more =
      all > kShown ? absl::StrCat("<p class=\"soft\">", all - kShown, " more: see the tiles.</p>") : "";
  return HtmlPart("findings.html", "table",
                  {{"MARK", HtmlMark(info.name, info.mark)},
                   {"CASES", Counted(all, "case")},
                   {"CHANGE", std::string(info.name)},
                   {"ROWS", std::move(rows)},
                   {"MORE", more}});
}

}  // namespace

std::string HtmlFindings(const ResultReport& report) {
  return absl::StrCat(UrgentFindings(report), HarnessFaults(report), KnownFindings(report));
}

std::string HtmlChanges(const ResultReport& report) {
  std::string tables;
  for (const Standing standing :
       {Standing::kRegressed, Standing::kHarnessFault, Standing::kFixed, Standing::kSupported, Standing::kChanged}) {
    tables += ChangesTo(report, Info(standing));
  }
  return tables.empty() ? "" : HtmlPart("findings.html", "changes", {{"TABLES", std::move(tables)}});
}

}  // namespace tosaic
