// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic report --format=junit: the common form of JUnit's XML (tests/schemas/junit.xsd).
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/escape.h"
#include "reports/formats.h"
#include "results/view.h"

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

// "known: WHY".
std::string InShort(const ReportFinding& finding) {
  return absl::StrCat(Name(finding.status), ": ",
                      finding.known_reason.empty() ? ToString(finding.signature) : finding.known_reason);
}

// The outcome that follows from the findings of these signatures: urgent ones are a failure.
Outcome OutcomeOf(const std::vector<FindingSignature>& signatures, const FindingsBySignature& findings) {
  Outcome outcome;
  std::vector<std::string> urgent, quiet;
  for (const FindingSignature& signature : signatures) {
    const auto found = findings.find(signature);
    if (found == findings.end()) {
      urgent.push_back(ToString(signature));
      absl::StrAppend(&outcome.details, ToString(signature), "\n");
      continue;
    }
    if (IsUrgent(*found->second.front())) urgent.push_back(ToString(signature));
    for (const ReportFinding* finding : found->second) {
      IsUrgent(*finding) ? absl::StrAppend(&outcome.details, Details(*finding)) : quiet.push_back(InShort(*finding));
    }
  }
  outcome.failure = absl::StrJoin(urgent, "; ");
  if (urgent.empty()) {
    outcome.skipped = absl::StrJoin(quiet, "; ");
  } else {
    for (const std::string& line : quiet) absl::StrAppend(&outcome.details, line, "\n");
  }
  return outcome;
}

// Of a tile that no finding explains.
std::string FailureOf(Standing standing) {
  return standing == Standing::kHarnessFault ? "harness fault" : std::string(Info(standing).name);
}

Outcome OutcomeOf(const ReportTile& tile, const FindingsBySignature& findings) {
  switch (tile.standing) {
    case Standing::kNew:
    case Standing::kHarnessFault:
    case Standing::kNotReduced: {
      Outcome outcome = OutcomeOf(tile.tile.signatures, findings);
      if (outcome.failure.empty()) outcome = {FailureOf(tile.standing), outcome.skipped, ""};
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
  const std::string details =
      change.patch.signature.empty() ? "" : OutcomeOf({change.patch.signature}, findings).details;
  return {absl::StrCat("regressed: ", Name(change.base.verdict), " -> ", Name(change.patch.verdict), " [",
                       ToString(change.patch.rule), "]"),
          details, ""};
}

// By op, in the order of the tiles.
class TestSuites {
 public:
  void Add(const std::string& op, const std::string& name, const Outcome& outcome) {
    const auto [at, is_new] = places_.emplace(op, suites_.size());
    if (is_new) suites_.emplace_back(op, TestSuite());
    AppendTestCase(op, name, outcome, &suites_[at->second].second);
  }
  const std::vector<std::pair<std::string, TestSuite>>& suites() const { return suites_; }

 private:
  std::vector<std::pair<std::string, TestSuite>> suites_;
  std::map<std::string, size_t> places_;
};

TestSuites SuitesOf(const ResultReport& report) {
  const FindingsBySignature findings = BySignature(report.findings);
  TestSuites suites;
  std::set<FindingSignature> shown;
  for (const CaseChange& change : report.changes) {
    suites.Add(change.patch.op, change.patch.name, OutcomeOf(change, findings));
    if (change.change == Change::kRegressed) shown.insert(change.patch.signature);
  }
  for (const ReportTile& tile : report.tiles) {
    if (tile.change) continue;  // its cases stand above
    const std::string name = absl::StrCat(tile.tile.types, tile.tile.types.empty() ? "" : " ", tile.tile.shapes);
    suites.Add(tile.tile.op, name, OutcomeOf(tile, findings));
    shown.insert(tile.tile.signatures.begin(), tile.tile.signatures.end());
  }
  for (const ReportFinding& finding : report.findings) {
    const std::string signature = ToString(finding.signature);
    if (!IsUrgent(finding) || shown.contains(finding.signature)) continue;
    suites.Add(finding.op, finding.first.empty() ? signature : finding.first, {signature, Details(finding), ""});
  }
  for (const std::string& fault : report.harness_faults) suites.Add("harness", fault, {"harness fault", fault, ""});
  for (const std::string& part : report.not_run)
    suites.Add("harness", part, {"", "", std::string(NotRunInWords(report))});
  if (report.interrupted) suites.Add("harness", "the run ends", {kInterrupted, "", ""});
  return suites;
}

}  // namespace

std::string ReportToJunit(const ResultReport& report) {
  TestSuite total;
  std::string body;
  const TestSuites suites = SuitesOf(report);
  for (const auto& [op, suite] : suites.suites()) {
    total.tests += suite.tests;
    total.failures += suite.failures;
    absl::StrAppend(&body, "  <testsuite", XmlAttribute("name", "tosa." + op),
                    absl::StrFormat(" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n", suite.tests,
                                    suite.failures, suite.skipped),
                    suite.cases, "  </testsuite>\n");
  }
  return absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", XmlAttribute("name", report.title),
                      absl::StrFormat(" tests=\"%d\" failures=\"%d\" errors=\"0\" time=\"%.3f\">\n", total.tests,
                                      total.failures, report.elapsed_seconds),
                      body, "</testsuites>\n");
}

}  // namespace tosaic
