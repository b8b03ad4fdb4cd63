// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report --format=junit: the common form of JUnit's XML (tests/schemas/junit.xsd).
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/escape.h"
#include "reports/formats.h"

namespace tosaic {
namespace {

std::string XmlAttribute(absl::string_view name, absl::string_view value) {
  return absl::StrCat(" ", name, "=\"", EscapeMarkup(value), "\"");
}

struct Outcome {
  std::string failure;  // its message; empty: none
  std::string details;  // of the failure
  std::string skipped;  // why; empty: it is not
};

struct TestSuite {
  std::string cases;
  uint64_t tests = 0, failures = 0, skipped = 0;
};

void AppendTestCase(const std::string& op, const std::string& name, const Outcome& outcome, TestSuite* suite) {
  ++suite->tests;
  absl::StrAppend(&suite->cases, "    <testcase", XmlAttribute("classname", "tosa." + op), XmlAttribute("name", name));
  if (!outcome.failure.empty()) {
    ++suite->failures;
    absl::StrAppend(&suite->cases, ">\n      <failure", XmlAttribute("message", outcome.failure), ">",
                    EscapeMarkup(outcome.details), "</failure>\n    </testcase>\n");
  } else if (!outcome.skipped.empty()) {
    ++suite->skipped;
    absl::StrAppend(&suite->cases, ">\n      <skipped", XmlAttribute("message", outcome.skipped),
                    "/>\n    </testcase>\n");
  } else {
    absl::StrAppend(&suite->cases, "/>\n");
  }
}

std::string Details(const ReportFinding& finding) {
  std::string text;
  const auto add = [&](absl::string_view name, absl::string_view value) {
    if (!value.empty()) absl::StrAppend(&text, name, value, "\n");
  };
  for (const Fact& line : LinesOf(finding)) add(line.name + ": ", line.value);
  add("reduced: ", finding.location);
  add("\n", finding.program);
  add("", finding.data);
  return text;
}

using FindingsBySignature = std::map<FindingSignature, const ReportFinding*>;

// The outcome that follows from the findings of these signatures: urgent ones are a failure.
Outcome OutcomeOf(const std::vector<FindingSignature>& signatures, const FindingsBySignature& findings) {
  Outcome outcome;
  std::vector<std::string> urgent, quiet;
  for (const FindingSignature& signature : signatures) {
    const auto found = findings.find(signature);
    if (found != findings.end() && !IsUrgent(*found->second)) {
      quiet.push_back(
          absl::StrCat(Name(found->second->status), ": ",
                       found->second->known_reason.empty() ? ToString(signature) : found->second->known_reason));
      continue;
    }
    urgent.push_back(ToString(signature));
    absl::StrAppend(&outcome.details, found == findings.end() ? ToString(signature) + "\n" : Details(*found->second));
  }
  outcome.failure = absl::StrJoin(urgent, "; ");
  if (urgent.empty()) outcome.skipped = absl::StrJoin(quiet, "; ");
  return outcome;
}

Outcome OutcomeOf(const ReportTile& tile, const FindingsBySignature& findings) {
  switch (tile.standing) {
    case Standing::kNew:
    case Standing::kHarnessFault:
    case Standing::kNotReduced: {
      Outcome outcome = OutcomeOf(tile.tile.signatures, findings);
      if (outcome.failure.empty()) outcome = {"harness fault", "", ""};
      return outcome;
    }
    case Standing::kKnown:
      return OutcomeOf(tile.tile.signatures, findings);
    case Standing::kUnsupported:
    case Standing::kUndefinedOnly:
    case Standing::kNotApplicable:
      return {"", "", std::string(Info(tile.standing).name)};
    case Standing::kRegressed: {
      Outcome outcome = OutcomeOf(tile.tile.signatures, findings);
      outcome.failure = absl::StrCat("regressed", outcome.failure.empty() ? "" : ": ", outcome.failure);
      return outcome;
    }
    case Standing::kChanged:
    case Standing::kFixed:
    case Standing::kSupported:
    case Standing::kConforms:
    case Standing::kUnchanged:
      break;
  }
  return {};
}

Outcome OutcomeOf(const CaseChange& change, const FindingsBySignature& findings) {
  if (change.change == Change::kHarnessFault) return {"harness fault", "", ""};
  if (change.change != Change::kRegressed) return {};
  const auto found = findings.find(change.patch.signature);
  return {absl::StrCat("regressed: ", Name(change.base.verdict), " -> ", Name(change.patch.verdict), " [",
                       ToString(change.patch.rule), "]"),
          found == findings.end() ? "" : Details(*found->second), ""};
}

}  // namespace

std::string ReportToJunit(const ResultReport& report) {
  FindingsBySignature findings;
  for (const ReportFinding& finding : report.findings) findings[finding.signature] = &finding;
  std::vector<std::pair<std::string, TestSuite>> suites;  // by op, in the order of the tiles
  std::map<std::string, size_t> places;
  const auto suite_of = [&](const std::string& op) -> TestSuite& {
    const auto [at, is_new] = places.emplace(op, suites.size());
    if (is_new) suites.emplace_back(op, TestSuite());
    return suites[at->second].second;
  };
  for (const CaseChange& change : report.changes) {
    AppendTestCase(change.patch.op, change.patch.name, OutcomeOf(change, findings), &suite_of(change.patch.op));
  }
  for (const ReportTile& tile : report.tiles) {
    if (tile.change) continue;  // its cases stand above
    const std::string name = absl::StrCat(tile.tile.types, tile.tile.types.empty() ? "" : " ", tile.tile.shapes);
    AppendTestCase(tile.tile.op, name, OutcomeOf(tile, findings), &suite_of(tile.tile.op));
  }
  for (const std::string& fault : report.harness_faults) {
    AppendTestCase("harness", fault, {"harness fault", fault, ""}, &suite_of("harness"));
  }
  for (const std::string& what : report.not_run)
    AppendTestCase("harness", what, {"", "", std::string(NotRunInWords(report))}, &suite_of("harness"));
  if (report.interrupted) AppendTestCase("harness", "the run ends", {kInterrupted, "", ""}, &suite_of("harness"));
  TestSuite total;
  std::string body;
  for (const auto& [op, suite] : suites) {
    total.tests += suite.tests;
    total.failures += suite.failures;
    total.skipped += suite.skipped;
    absl::StrAppend(&body, "  <testsuite", XmlAttribute("name", "tosa." + op),
                    absl::StrFormat(" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n", suite.tests,
                                    suite.failures, suite.skipped),
                    suite.cases, "  </testsuite>\n");
  }
  return absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", XmlAttribute("name", report.title),
                      absl::StrFormat(" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n",
                                      total.tests, total.failures, total.skipped, report.elapsed_seconds),
                      body, "</testsuites>\n");
}

}  // namespace tosaic
