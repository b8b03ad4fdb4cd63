// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/counted.h"
#include "results/text.h"

namespace tosaic {
namespace {

// Says of tests that others wrote what became of those that run, who refuses which, and which were not run.
std::string GivenTestsToText(const ConformanceReport& report) {
  std::map<std::string, uint64_t> verdicts, refusals, tolerances;
  std::string nobody;
  for (const SuiteCase& suite_case : report.cases) {
    if (!suite_case.test) continue;
    if (suite_case.test->error.empty()) {
      ++verdicts[std::string(Name(suite_case.verdict))];
      ++tolerances[suite_case.test->tolerance.empty() ? "not judged" : suite_case.test->tolerance];
      continue;
    }
    ++refusals[suite_case.test->refused_by.empty() ? "not the verifier, and tosa-validate was not asked"
                                                   : suite_case.test->refused_by];
    if (suite_case.test->refused_by == "nobody") absl::StrAppend(&nobody, "  nobody refuses ", suite_case.name, "\n");
  }
  std::vector<UnwritableTest> left_out;
  for (const UnwritableTest& test : report.unwritable) {
    const std::string& by = test.test.refused_by;
    test.test.error.empty() ? left_out.push_back(test) : void(++refusals[by.empty() ? "not representable" : by]);
  }
  for (const std::string& line : WronglyAccepted(report.unwritable)) absl::StrAppend(&nobody, "  ", line, "\n");
  std::string text;
  const auto add = [&](absl::string_view label, const std::map<std::string, uint64_t>& counts) {
    if (counts.empty()) return;
    absl::StrAppend(&text, label);
    for (const auto& [name, count] : counts) absl::StrAppend(&text, " ", name, " ", count);
    absl::StrAppend(&text, "\n");
  };
  add("tests that run:", verdicts);
  add("the same by the tolerance that each states:", tolerances);
  add("tests that must be refused, by who refuses them:", refusals);
  for (const std::string& line : WhyNotRun(left_out)) absl::StrAppend(&text, line, "\n");
  return text + nobody;
}

}  // namespace

std::string ToText(const ConformanceReport& report) {
  std::map<std::string, uint64_t> outcomes;
  uint64_t runs = 0;
  for (const Tile& tile : report.tiles) ++outcomes[std::string(Name(OutcomeOf(tile)))];
  for (const SuiteCase& suite_case : report.cases) runs += suite_case.runs;
  const uint64_t open = CountNotReduced(report.findings);
  std::string text = absl::StrCat(Counted(report.tiles.size(), "tile"), ":");
  for (const auto& [outcome, count] : outcomes) absl::StrAppend(&text, " ", outcome, " ", count);
  absl::StrAppendFormat(&text, "\n%s, %s, %.1f s%s\n%s, %d new%s\n", Counted(report.cases.size(), "case"),
                        Counted(runs, "run"), report.elapsed_seconds,
                        report.interrupted ? " (interrupted: the same command goes on)" : "",
                        Counted(report.findings.size(), "finding"), CountNew(report.findings),
                        open == 0 ? "" : absl::StrCat(", ", open, " not reduced, so not told from what is known"));
  text += GivenTestsToText(report);
  for (const Finding& finding : report.findings) {
    if (!IsUrgent(finding)) continue;
    absl::StrAppendFormat(&text, "  %s %6d x  %s\n%15s%s\n", Name(StatusOf(finding)), finding.count,
                          ToString(finding.signature), "", finding.cases().case_name);
  }
  for (const std::string& cause : report.unseen_known) {
    absl::StrAppendFormat(
        &text, "  listed as known, but no case of the suite shows it; if it is fixed, remove its entry: %s\n", cause);
  }
  for (const HarnessFault& fault : report.harness_faults) {
    absl::StrAppendFormat(&text, "harness-fault: case %d: %s\n", fault.case_number, fault.text);
  }
  if (report.values) absl::StrAppend(&text, "\nvalues, over all inputs\n", ToText(*report.values));
  return text;
}

}  // namespace tosaic
