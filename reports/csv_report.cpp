// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --format=csv: a table for spreadsheets and scripts (RFC 4180, lines end in a newline alone). A row per finding, and
// one per harness fault; a column per fact that all of them have.
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "reports/escape.h"
#include "reports/formats.h"

namespace tosaic {
namespace {

struct Column {
  absl::string_view name;
  std::string (*of)(const ReportFinding& finding);
};
constexpr Column kColumns[] = {
    {"status", [](const ReportFinding& one) { return std::string(Name(one.status)); }},
    {"verdict", [](const ReportFinding& one) { return std::string(Name(one.verdict)); }},
    {"op", [](const ReportFinding& one) { return one.op; }},
    {"route", [](const ReportFinding& one) { return one.route; }},
    {"stage", [](const ReportFinding& one) { return one.stage; }},
    {"rule", [](const ReportFinding& one) { return one.rule; }},
    {"cases", [](const ReportFinding& one) { return absl::StrCat(one.count); }},
    {"first", [](const ReportFinding& one) { return one.first; }},
    {"expected", [](const ReportFinding& one) { return one.expected; }},
    {"actual", [](const ReportFinding& one) { return one.actual; }},
    {"cause", [](const ReportFinding& one) { return one.cause; }},
    {"reason", [](const ReportFinding& one) { return one.reason; }},
    {"signature", [](const ReportFinding& one) { return one.signature; }},
    {"file", [](const ReportFinding& one) { return one.location; }},
};

// To a spreadsheet, what begins like a formula and is no number would be one.
std::string Field(absl::string_view text) {
  double ignored = 0;
  const bool is_formula =
      !text.empty() && absl::StrContains("=+-@\t", text.substr(0, 1)) && !absl::SimpleAtod(text, &ignored);
  const std::string field = absl::StrCat(is_formula ? "'" : "", OneLine(text));
  if (field.find_first_of("\",") == std::string::npos) return field;
  return absl::StrCat("\"", absl::StrReplaceAll(field, {{"\"", "\"\""}}), "\"");
}

void AddRow(const std::string& toolchain, const ReportFinding& finding, std::string* text) {
  absl::StrAppend(text, Field(toolchain));
  for (const Column& column : kColumns) absl::StrAppend(text, ",", Field(column.of(finding)));
  text->push_back('\n');
}

}  // namespace

std::string ReportToCsv(const ResultReport& report) {
  const std::string toolchain = report.sides.empty() ? "" : report.sides.back().toolchain;
  std::string text = "toolchain";
  for (const Column& column : kColumns) absl::StrAppend(&text, ",", column.name);
  text += '\n';
  for (const ReportFinding& finding : report.findings) AddRow(toolchain, finding, &text);
  for (const std::string& fault : report.harness_faults) {
    AddRow(toolchain, {.verdict = Verdict::kHarnessFault, .count = 1, .actual = fault}, &text);
  }
  return text;
}

}  // namespace tosaic
