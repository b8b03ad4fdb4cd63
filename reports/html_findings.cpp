// The findings of the HTML report, and a comparison's cases.
#include "absl/strings/str_cat.h"
#include "reports/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

// The mark of a finding's status: that of the tiles which it makes.
absl::string_view MarkOf(absl::string_view status) {
  if (status == "new") return Info(Standing::kNew).mark;
  if (status == "regressed") return Info(Standing::kRegressed).mark;
  return Info(Standing::kKnown).mark;
}

std::string Cases(uint64_t count) { return absl::StrCat(count, count == 1 ? " case" : " cases"); }

std::string Block(absl::string_view heading, absl::string_view text, absl::string_view attributes = "") {
  if (text.empty()) return "";
  return absl::StrCat("<h3>", heading, "</h3><pre tabindex=\"0\"", attributes, ">", EscapeMarkup(text), "</pre>\n");
}

// Commands to copy.
std::string Commands(absl::string_view heading, const std::string& text, const std::string& id) {
  if (text.empty()) return "";
  return absl::StrCat("<div class=\"repro\"><h3>", heading, "</h3><button type=\"button\" class=\"copy\" data-copy=\"",
                      id, "\" aria-label=\"Copy: ", heading, "\">Copy</button></div><pre tabindex=\"0\" id=\"", id,
                      "\">", EscapeMarkup(text), "</pre>\n");
}

std::string Script(const ReportFinding& finding, size_t number) {
  if (finding.script.empty()) return "";
  return absl::StrCat(
      Commands("Reproduce without Tosaic", absl::StrCat("bash ", ShellQuoted(finding.script_file), "\n"),
               absl::StrCat("s", number)),
      "<details class=\"fold\"><summary>The script</summary><pre tabindex=\"0\">", EscapeMarkup(finding.script),
      "</pre></details>\n");
}

std::string FindingToHtml(const ReportFinding& finding, size_t number, bool open) {
  const std::string status = EscapeMarkup(finding.status);
  std::string html =
      absl::StrCat("<details class=\"finding ", status, "\" id=\"f", number, "\"", open ? " open" : "", "><summary>",
                   HtmlMark(finding.status, MarkOf(finding.status)), " <b>", Name(finding.verdict), "</b> in <code>",
                   EscapeMarkup(finding.op), "</code> <small>", status, ", ", Cases(finding.count));
  if (!finding.route.empty()) absl::StrAppend(&html, ", route ", EscapeMarkup(finding.route));
  absl::StrAppend(&html, "</small></summary>\n<div><p class=\"signature\"><code>", EscapeMarkup(finding.signature),
                  "</code></p>\n");
  if (!finding.reason.empty()) absl::StrAppend(&html, "<p>", EscapeMarkup(finding.reason), "</p>\n");
  if (!finding.expected.empty() || !finding.actual.empty()) {
    absl::StrAppend(&html, "<div class=\"sides\"><div>", Block("Expected", finding.expected), "</div><div>",
                    Block("Actual", finding.actual, " class=\"actual\""), "</div></div>\n");
  }
  std::vector<Fact> facts;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) facts.push_back({name, value});
  };
  add("rule", finding.rule);
  add("stage", finding.stage);
  facts.insert(facts.end(), finding.facts.begin(), finding.facts.end());
  add("first seen", finding.first);
  add("file", finding.location);
  absl::StrAppend(&html, HtmlFacts(facts), Block("Reduced case", finding.program), Block("Its data", finding.data),
                  Script(finding, number), Commands("Reproduce", finding.reproducer, absl::StrCat("r", number)),
                  "</div></details>\n");
  return html;
}

}  // namespace

std::string HtmlFindings(const ResultReport& report) {
  constexpr size_t kOpen = 10;  // of many, the others wait to be opened
  std::string urgent;
  size_t count = 0;
  for (size_t i = 0; i < report.findings.size(); ++i) {
    if (!IsUrgent(report.findings[i])) continue;
    absl::StrAppend(&urgent, FindingToHtml(report.findings[i], i, count++ < kOpen));
  }
  std::string html;
  if (count > 0) {
    absl::StrAppend(&html, "<section aria-labelledby=\"h-new\"><h2 id=\"h-new\">",
                    report.findings.front().status == "regressed" ? "Regressed" : "New", " <small>", count,
                    "</small></h2>\n", urgent, "</section>\n");
  }
  if (!report.harness_faults.empty()) {
    absl::StrAppend(&html, "<section aria-labelledby=\"h-faults\"><h2 id=\"h-faults\">Harness faults <small>",
                    report.harness_faults.size(), "</small></h2>\n");
    for (const std::string& fault : report.harness_faults) {
      absl::StrAppend(&html, "<p class=\"fault\">", EscapeMarkup(fault), "</p>\n");
    }
    absl::StrAppend(&html, "</section>\n");
  }
  const std::vector<Cause> causes = QuietCauses(report);
  if (!causes.empty()) {
    absl::StrAppend(
        &html, "<section aria-labelledby=\"h-known\"><h2 id=\"h-known\">Known, or beyond the specification <small>",
        causes.size(), causes.size() == 1 ? " cause" : " causes", "</small></h2>\n");
  }
  for (const Cause& cause : causes) {
    absl::StrAppend(&html, "<details class=\"fold\"><summary>", HtmlMark(cause.status, MarkOf(cause.status)),
                    cause.reason.empty() ? " <code>" : " <b>", EscapeMarkup(cause.name),
                    cause.reason.empty() ? "</code> " : "</b> ", EscapeMarkup(cause.reason), " <small>",
                    EscapeMarkup(cause.status), ", ", Cases(cause.count), "</small></summary>\n");
    for (const ReportFinding* finding : cause.findings) {
      absl::StrAppend(&html, FindingToHtml(*finding, static_cast<size_t>(finding - report.findings.data()), false));
    }
    absl::StrAppend(&html, "</details>\n");
  }
  if (!report.unseen_known.empty()) {
    absl::StrAppend(&html, "<details class=\"fold\"><summary>Known ones that did not show: fixed upstream? <small>",
                    report.unseen_known.size(), "</small></summary><ul>\n");
    for (const std::string& one : report.unseen_known) {
      absl::StrAppend(&html, "<li><code>", EscapeMarkup(one), "</code></li>\n");
    }
    absl::StrAppend(&html, "</ul></details>\n");
  }
  if (!causes.empty()) absl::StrAppend(&html, "</section>\n");
  return html;
}

std::string HtmlChanges(const ResultReport& report) {
  constexpr size_t kShown = 200;  // the tiles list all
  std::string html;
  for (Standing standing : {Standing::kRegressed, Standing::kFixed, Standing::kChanged}) {
    const StandingInfo& info = Info(standing);
    std::string rows;
    size_t all = 0;
    for (const CaseChange& one : report.changes) {
      if (Name(one.change) != info.name || ++all > kShown) continue;
      absl::StrAppend(&rows, "<tr><td class=\"case\"><code>", EscapeMarkup(one.patch.name), "</code></td><td>",
                      Name(one.base.verdict), "</td><td>", Name(one.patch.verdict), "</td></tr>\n");
    }
    if (all == 0) continue;
    absl::StrAppend(&html, "<details class=\"fold\"><summary>", HtmlMark(info.name, info.mark), " ", Cases(all), " ",
                    info.name,
                    "</summary><div class=\"wide\"><table class=\"data\"><thead><tr><th scope=\"col\">case</th><th "
                    "scope=\"col\">before</th><th scope=\"col\">after</th></tr></thead><tbody>\n",
                    rows, "</tbody></table></div>");
    if (all > kShown) absl::StrAppend(&html, "<p class=\"soft\">", all - kShown, " more: see the tiles.</p>");
    absl::StrAppend(&html, "</details>\n");
  }
  if (html.empty()) return "";
  return absl::StrCat("<section aria-labelledby=\"h-changes\"><h2 id=\"h-changes\">Case by case</h2>\n", html,
                      "</section>\n");
}

}  // namespace tosaic
