// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/conformance/arm_conformance.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "campaign/campaign_run.h"
#include "campaign/checking/check_case.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/observation.h"
#include "model/rules.h"
#include "oracle/stated_tolerance.h"
#include "oracle/validation.h"
#include "workers/map.h"

namespace tosaic {
namespace {

TestFacts FactsOf(const ArmTest& test) {
  return {.tags = test.tags, .profiles = test.profiles, .extensions = test.extensions, .error = test.error};
}

bool IsRefusal(const Observation& observation) {
  return observation.outcome == Outcome::kRefused && observation.stage <= Stage::kVerify;
}

// Gives a case, and with it its tile, another verdict than the oracle's.
void SetVerdict(size_t at, Verdict verdict, RuleId rule, ConformanceReport* report) {
  SuiteCase& one = report->cases[at];
  const auto is_its = [&](const Tile& tile) {
    return tile.op == one.op && tile.types == one.types && tile.shapes == one.shapes;
  };
  VerdictCounts& verdicts = absl::c_find_if(report->tiles, is_its)->verdicts;
  if (--verdicts[one.verdict] == 0) verdicts.erase(one.verdict);
  ++verdicts[verdict];
  one.verdict = verdict;
  one.rule = std::string(Name(rule));
}

void AddDisagreement(size_t at, absl::string_view what, ConformanceReport* report) {
  report->harness_faults.push_back(
      {at, absl::StrCat(Name(RuleId::kHarnessJudgesDisagree), ": ", report->cases[at].name, ": ", what)});
}

// Who refuses a program; "" if one who might was not asked: a toolchain without a verifier of its own has no
// tosa-validate to be asked.
std::string RefusedBy(Toolchain& toolchain, const ArmTest& test) {
  Verifier* verifier = toolchain.verifier();
  const Program& program = test.test_case->program;
  if (verifier == nullptr) return IsRefusal(toolchain.Observe(*test.test_case)) ? "verifier" : "";
  if (IsRefusal(verifier->ObserveDecision(program))) return "verifier";
  return IsRefusal(verifier->ObserveValidation(program, TargetOf(test))) ? "tosa-validate" : "nobody";
}

// A program that must be refused was accepted by all. The oracle may find it legal, against the suite.
void JudgeAccepted(size_t at, const ArmTest& test, const Policies& policies, ConformanceReport* report) {
  const Legality legality = JudgeValidity(test.test_case->program, TargetOf(test), policies);
  if (legality.answer == Answer::kRefuse) return SetVerdict(at, Verdict::kFalseAccept, legality.rule, report);
  AddDisagreement(
      at, absl::StrCat("the test must be refused (", test.error, "), and the oracle says ", Name(legality.answer)),
      report);
  SetVerdict(at, Verdict::kHarnessFault, RuleId::kHarnessJudgesDisagree, report);
}

// Says of each case that must be refused who does it.
absl::Status AddRefusals(const CampaignRun& run, const std::vector<const ArmTest*>& tests, ConformanceReport* report) {
  std::vector<size_t> asked;
  for (size_t i = 0; i < report->cases.size(); ++i) {
    if (tests[i]->must_fail) asked.push_back(i);
  }
  const auto work = [&](const size_t& at) { return RefusedBy(run.toolchain, *tests[at]); };
  const auto done = [&](const size_t& at, WorkerResult<std::string> result) {
    report->cases[at].test->refused_by = result.death ? "" : std::move(result.answer);
  };
  TOSAIC_RETURN_IF_ERROR((Map<size_t, std::string>(run.Workers(), run.stop, asked, work, done)));
  for (const size_t at : asked) {
    // What the verifier wrongly accepts is a finding already, known or not.
    const SuiteCase& one = report->cases[at];
    if (one.test->refused_by != "nobody" || IsDivergence(one.verdict)) continue;
    JudgeAccepted(at, *tests[at], run.options.judge.policies, report);
  }
  return absl::OkStatus();
}

// What the second judge says of a case: "kept", "missed", or nothing.
struct SecondOpinion {
  std::string tolerance;
  std::string miss;
};
void Fields(Visitor& v, SecondOpinion& opinion) {
  v("tolerance", opinion.tolerance);
  v("miss", opinion.miss);
}

SecondOpinion SecondOpinionOn(Toolchain& toolchain, const ArmTest& test, const Policies& policies) {
  const Observation observation = toolchain.Observe(*test.test_case);
  if (observation.outcome != Outcome::kCompleted) return {};
  const std::optional<ToleranceCheck> check = CheckTolerance(*test.tolerance, *test.test_case, observation, policies);
  if (!check || check->judged == 0) return {};
  return check->miss ? SecondOpinion{"missed", *check->miss} : SecondOpinion{"kept", ""};
}

// Keeps what the second judge says of a case. What only one of the two calls right has not earned an agreement.
void Take(size_t at, const SecondOpinion& opinion, ConformanceReport* report) {
  SuiteCase& one = report->cases[at];
  one.test->tolerance = opinion.tolerance;
  if (one.verdict == Verdict::kAgree && opinion.tolerance == "missed") {
    AddDisagreement(at, absl::StrCat("the oracle says agree, and the test's tolerance is missed at ", opinion.miss),
                    report);
    SetVerdict(at, Verdict::kHarnessFault, RuleId::kHarnessJudgesDisagree, report);
  } else if (one.verdict == Verdict::kWrongValue && opinion.tolerance == "kept") {
    AddDisagreement(at, absl::StrCat("the oracle says wrong-value [", one.rule, "], and the test's tolerance is kept"),
                    report);
  }
}

// Observes each case that states a tolerance once more, for the second judge.
absl::Status AddSecondOpinions(const CampaignRun& run, const std::vector<const ArmTest*>& tests,
                               ConformanceReport* report) {
  std::vector<size_t> asked;
  for (size_t i = 0; i < report->cases.size(); ++i) {
    if (tests[i]->tolerance) asked.push_back(i);
  }
  std::map<size_t, SecondOpinion> opinions;  // in the report's order, whoever is ready first
  const auto work = [&](const size_t& at) {
    return SecondOpinionOn(run.toolchain, *tests[at], run.options.judge.policies);
  };
  const auto done = [&](const size_t& at, WorkerResult<SecondOpinion> result) {
    if (!result.death) opinions[at] = std::move(result.answer);
  };
  TOSAIC_RETURN_IF_ERROR((Map<size_t, SecondOpinion>(run.Workers(), run.stop, asked, work, done)));
  for (const auto& [at, opinion] : opinions) Take(at, opinion, report);
  return absl::OkStatus();
}

}  // namespace

ValidationTarget TargetOf(const ArmTest& test) {
  ValidationTarget target;
  target.strict = true;
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
  std::map<std::string, const ArmTest*> by_name;  // the tests that are cases
  for (const ArmTest& test : tests) {
    if (!test.test_case) continue;
    by_name[test.name] = &test;
    options.corpus.emplace_back(test.name, *test.test_case);
  }
  TOSAIC_ASSIGN_OR_RETURN(ConformanceReport report, RunConformance(toolchain, options, stop));
  for (const ArmTest& test : tests) {
    if (!test.test_case) report.unwritable.push_back({test.name, test.op, test.not_representable, FactsOf(test)});
  }
  std::vector<const ArmTest*> run;  // in the report's order
  for (SuiteCase& one : report.cases) {
    run.push_back(by_name.at(one.name));
    one.test = FactsOf(*run.back());
  }
  if (report.interrupted) return report;
  CampaignOptions campaign = options.campaign;
  campaign.judge = ForToolchain(toolchain, campaign.judge);
  TOSAIC_RETURN_IF_ERROR(AddRefusals({toolchain, campaign, stop}, run, &report));
  TOSAIC_RETURN_IF_ERROR(AddSecondOpinions({toolchain, campaign, stop}, run, &report));
  report.interrupted = stop != nullptr && *stop;
  return report;
}

}  // namespace tosaic
