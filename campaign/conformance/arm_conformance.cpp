// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/conformance/arm_conformance.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "campaign/campaign_run.h"
#include "codec/status.h"
#include "model/observation.h"
#include "workers/map.h"

namespace tosaic {
namespace {

TestFacts FactsOf(const ArmTest& test) {
  return {.tags = test.tags, .profiles = test.profiles, .extensions = test.extensions, .error = test.error};
}

bool IsRefusal(const Observation& observation) {
  return observation.outcome == Outcome::kRefused && observation.stage <= Stage::kVerify;
}

// Who refuses a program. A toolchain without a verifier of its own is not asked for tosa-validate.
std::string RefusedBy(Toolchain& toolchain, const ArmTest& test) {
  Verifier* verifier = toolchain.verifier();
  const Program& program = test.test_case->program;
  if (verifier == nullptr) return IsRefusal(toolchain.Observe(*test.test_case)) ? "verifier" : "nobody";
  if (IsRefusal(verifier->ObserveDecision(program))) return "verifier";
  return IsRefusal(verifier->ObserveValidation(program, TargetOf(test))) ? "tosa-validate" : "nobody";
}

// Says of each case that must be refused who does it.
absl::Status AddRefusals(const CampaignRun& run, const std::vector<const ArmTest*>& tests, ConformanceReport* report) {
  std::vector<size_t> asked;
  for (size_t i = 0; i < report->cases.size(); ++i) {
    if (tests[i]->must_fail) asked.push_back(i);
  }
  const auto work = [&](const size_t& at) { return RefusedBy(run.toolchain, *tests[at]); };
  const auto done = [&](const size_t& at, WorkerResult<std::string> result) {
    report->cases[at].test->refused_by = result.death ? "nobody" : std::move(result.answer);
  };
  return Map<size_t, std::string>(run.Workers(), run.stop, asked, work, done);
}

}  // namespace

ValidationTarget TargetOf(const ArmTest& test) {
  ValidationTarget target;
  target.capabilities.clear();
  const auto add = [&](absl::string_view name, absl::string_view prefix, absl::string_view instead) {
    if (!absl::ConsumePrefix(&name, prefix)) return;
    const std::string spelled = absl::StrCat(instead, absl::StrReplaceAll(name, {{"-", "_"}}));
    if (const std::optional<Capability> found = Find<Capability>(spelled)) target.capabilities.insert(*found);
  };
  for (const std::string& profile : test.profiles) add(profile, "tosa-pro-", "pro_");
  for (const std::string& extension : test.extensions) add(extension, "tosa-ext-", "");
  return target;
}

absl::StatusOr<ConformanceReport> RunArmSuite(Toolchain& toolchain, ConformanceOptions options,
                                              const std::vector<ArmTest>& tests, const std::atomic<bool>* stop) {
  options.corpus_alone = true;
  options.corpus.clear();
  std::vector<const ArmTest*> run;  // the tests that are cases, in the report's order
  for (const ArmTest& test : tests) {
    if (!test.test_case) continue;
    run.push_back(&test);
    options.corpus.emplace_back(test.name, *test.test_case);
  }
  TOSAIC_ASSIGN_OR_RETURN(ConformanceReport report, RunConformance(toolchain, options, stop));
  for (const ArmTest& test : tests) {
    if (!test.test_case) report.unwritable.push_back({test.name, test.op, test.not_representable, FactsOf(test)});
  }
  std::map<std::string, const ArmTest*> by_name;
  for (const ArmTest* test : run) by_name[test->name] = test;
  run.clear();
  for (SuiteCase& one : report.cases) {
    run.push_back(by_name.at(one.name));
    one.test = FactsOf(*run.back());
  }
  if (report.interrupted) return report;
  TOSAIC_RETURN_IF_ERROR(AddRefusals({toolchain, options.campaign, stop}, run, &report));
  report.interrupted = stop != nullptr && *stop;
  return report;
}

}  // namespace tosaic
