// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/formats.h"

#include "codec/codec.h"
#include "model/escape.h"

namespace tosaic {
namespace {

std::string JsonText(const ResultReport& report) { return Dump(ToJson(report), 1) + "\n"; }
std::string CommandText(const ResultReport& report) { return EscapeControls(report.text); }
std::string SarifText(const ResultReport& report) { return Dump(ReportToSarif(report), 1) + "\n"; }

constexpr ReportFormat kFormats[] = {{"csv", ReportToCsv},           {"html", ReportToHtml}, {"json", JsonText},
                                     {"junit", ReportToJunit},       {"sarif", SarifText},   {"tap", ReportToTap},
                                     {"markdown", ReportToMarkdown}, {"text", CommandText}};

}  // namespace

absl::Span<const ReportFormat> AllReportFormats() { return kFormats; }

std::vector<Fact> LinesOf(const ReportFinding& finding) {
  std::vector<Fact> lines = {{"signature", ToString(finding.signature)},
                             {"rule", RuleOf(finding)},
                             {"expected", finding.judgement.expected},
                             {"actual", finding.judgement.actual}};
  for (Fact& fact : FactsOf(finding.judgement)) lines.push_back(std::move(fact));
  lines.push_back({"first", finding.first});
  std::erase_if(lines, [](const Fact& line) { return line.value.empty(); });
  return lines;
}

}  // namespace tosaic
