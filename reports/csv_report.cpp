// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --format=csv: a table for spreadsheets and scripts (RFC 4180, lines end in a newline alone). A row per finding, per
// regression without one, and per harness fault.
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "codec/codec.h"
#include "model/escape.h"
#include "reports/formats.h"
#include "results/view.h"

namespace tosaic {
namespace {

// Keys of a finding (report_fields.cpp).
constexpr const char* kColumns[] = {"status", "verdict",  "op",     "route", "stage",  "rule",      "count",
                                    "first",  "expected", "actual", "cause", "reason", "signature", "location"};

// Keeps a spreadsheet from evaluating a text that begins like a formula and is no number.
std::string Field(absl::string_view text) {
  double ignored = 0;
  const bool is_formula =
      !text.empty() && absl::StrContains("=+-@\t", text.substr(0, 1)) && !absl::SimpleAtod(text, &ignored);
  std::string field = absl::StrCat(is_formula ? "'" : "", OneLine(text));
  if (field.find_first_of("\",") == std::string::npos) return field;
  return absl::StrCat("\"", absl::StrReplaceAll(field, {{"\"", "\"\""}}), "\"");
}

}  // namespace

std::string ReportToCsv(const ResultReport& report) {
  ResultReport shown = {.kind = report.kind};
  shown.findings = report.findings;
  for (ReportFinding& row : RegressionsWithoutFinding(report)) shown.findings.push_back(std::move(row));
  for (const std::string& fault : report.harness_faults) {
    ReportFinding& row = shown.findings.emplace_back();
    row.judgement.verdict = Verdict::kHarnessFault;
    row.judgement.actual = fault;
    row.count = 1;
  }
  Json json = ToJson(shown);
  for (size_t i = report.findings.size(); i < shown.findings.size(); ++i) json["findings"][i]["stage"] = "";  // unknown
  std::string text = absl::StrCat("toolchain,", absl::StrJoin(kColumns, ","), "\n");
  const std::string toolchain = Field(report.sides.empty() ? "" : ToolchainInWords(report.sides.back().provenance));
  for (const Json& finding : json.at("findings")) {
    absl::StrAppend(&text, toolchain);
    for (const char* column : kColumns) {
      const Json& value = finding.at(column);
      absl::StrAppend(&text, ",", Field(TextOf(value)));
    }
    text += '\n';
  }
  for (const std::string& part : report.not_run) {
    absl::StrAppend(&text, ",not-run", std::string(9, ','), Field(part), ",,,,\n");
  }
  if (report.interrupted) absl::StrAppend(&text, ",interrupted", std::string(std::size(kColumns) - 1, ','), "\n");
  return text;
}

}  // namespace tosaic
