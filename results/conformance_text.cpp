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
  for (const SuiteCase& one : report.cases) {
    if (!one.test) continue;
    if (one.test->error.empty()) {
      ++verdicts[std::string(Name(one.verdict))];
      ++tolerances[one.test->tolerance.empty() ? "not judged" : one.test->tolerance];
      continue;
    }
    ++refusals[one.test->refused_by.empty() ? "not the verifier, and tosa-validate was not asked"
                                            : one.test->refused_by];
    if (one.test->refused_by == "nobody") absl::StrAppend(&nobody, "  nobody refuses ", one.name, "\n");
  }
  std::vector<UnwritableTest> left_out;
  for (const UnwritableTest& one : report.unwritable) {
    one.test.error.empty() ? left_out.push_back(one) : void(++refusals["not representable"]);
  }
  std::string text;
  const auto add = [&](absl::string_view what, const std::map<std::string, uint64_t>& counts) {
    if (counts.empty()) return;
    absl::StrAppend(&text, what);
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
  for (const SuiteCase& one : report.cases) runs += one.runs;
  const uint64_t open = CountNotReduced(report.findings);
  std::string text = absl::StrCat(Counted(report.tiles.size(), "tile"), ":");
  for (const auto& [outcome, count] : outcomes) absl::StrAppend(&text, " ", outcome, " ", count);
  absl::StrAppendFormat(&text, "\n%s, %s, %.1f s%s\n%s, %d new%s\n", Counted(report.cases.size(), "case"),
                        Counted(runs, "run"), report.elapsed_seconds,
                        report.interrupted ? " (interrupted: the same command goes on)" : "",
                        Counted(report.findings.size(), "finding"), CountNew(report.findings),
                        open == 0 ? "" : absl::StrCat(", ", open, " not reduced, so not told from what is known"));
  text += GivenTestsToText(report);
  for (const Finding& one : report.findings) {
    if (!IsUrgent(one)) continue;
    absl::StrAppendFormat(&text, "  %s %6d x  %s\n%15s%s\n", Name(StatusOf(one)), one.count, ToString(one.signature),
                          "", one.cases().case_name);
  }
  for (const std::string& one : report.unseen_known) {
    absl::StrAppendFormat(
        &text, "  listed as known, but no case of the suite shows it; if it is fixed, remove its entry: %s\n", one);
  }
  for (const HarnessFault& fault : report.harness_faults) {
    absl::StrAppendFormat(&text, "harness-fault: case %d: %s\n", fault.case_number, fault.what);
  }
  return text;
}

}  // namespace tosaic
