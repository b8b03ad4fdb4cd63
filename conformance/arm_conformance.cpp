// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_conformance.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "campaign/campaign_run.h"
#include "campaign/findings.h"
#include "checking/check_case.h"
#include "checking/signature.h"
#include "codec/status.h"
#include "model/digest.h"
#include "model/observation.h"
#include "model/rules.h"
#include "oracle/stated_tolerance.h"
#include "oracle/validation.h"
#include "toolchain/diagnostic_category.h"
#include "toolchain/validation_pipeline.h"
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
void SetVerdict(size_t at, const Finding& finding, ConformanceReport* report) {
  SuiteCase& suite_case = report->cases[at];
  const TileName& its = suite_case;
  Tile& tile = *absl::c_find_if(report->tiles, [&](const TileName& name) { return name == its; });
  if (--tile.verdicts[suite_case.verdict] == 0) tile.verdicts.erase(suite_case.verdict);
  suite_case.verdict = finding.judgement.verdict;
  suite_case.rule = {finding.judgement.rule, ""};
  suite_case.signature = finding.signature;
  ++tile.verdicts[suite_case.verdict];
  if (!absl::c_linear_search(tile.signatures, suite_case.signature)) tile.signatures.push_back(suite_case.signature);
  absl::c_sort(tile.signatures);
}

// The judgements of the suite's run that come on top of the campaign's, by case.
class FurtherFindings {
 public:
  FurtherFindings(const CampaignRun& run, const std::vector<const ArmTest*>& tests, ConformanceReport* report)
      : run_(run), tests_(tests), report_(*report) {}

  // A case whose verdict this is. What cannot be read again is a fault: nothing is said of it then.
  void Add(size_t at, Judgement judgement) {
    if (const std::optional<Finding> finding = AddBeside(at, std::move(judgement))) SetVerdict(at, *finding, &report_);
  }

  // The same of a case that keeps the oracle's verdict; `detail` is the signature's.
  std::optional<Finding> AddBeside(size_t at, Judgement judgement, std::string detail = "") {
    absl::StatusOr<Case> whole = WholeCase(*tests_[at]);
    if (!whole.ok()) {
      report_.harness_faults.push_back({at, std::string(whole.status().message())});
      return std::nullopt;
    }
    Finding finding;
    FindingSignature signature = SignatureOf(*whole, Observation(), judgement);
    signature.detail = std::move(detail);
    finding.signature = std::move(signature);
    finding.judgement = std::move(judgement);
    finding.op = report_.cases[at].op;
    finding.route = whole->route;
    finding.count = 1;
    finding.evidence = CaseEvidence{
        .case_number = at, .case_name = report_.cases[at].name, .original = *whole, .reduced = *std::move(whole)};
    findings_.push_back(finding);
    return finding;
  }

  void Report() {
    std::vector<Finding> found = UnitedBySignature(Named(std::move(findings_), run_.options.known, run_.toolchain));
    absl::c_move(found, std::back_inserter(report_.findings));
  }

 private:
  const CampaignRun& run_;
  const std::vector<const ArmTest*>& tests_;
  ConformanceReport& report_;
  std::vector<Finding> findings_;
};

Judgement Disagreement(Stage stage, std::string oracle, std::string test) {
  return {.verdict = Verdict::kJudgesDisagree,
          .stage = stage,
          .rule = RuleId::kHarnessJudgesDisagree,
          .expected = std::move(oracle),
          .actual = std::move(test)};
}

// Why the toolchain refuses the text as it reads and verifies it, or as a pass pipeline runs on it, in its own words;
// "" if it does not. Error: it cannot be asked, or does not say. Does not return if MLIR kills the process.
absl::StatusOr<std::string> RefusalOf(Toolchain& toolchain, absl::string_view mlir,
                                      absl::string_view pipeline = "builtin.module()") {
  if (toolchain.reader() != nullptr) return toolchain.reader()->RefusalOf(mlir);
  if (toolchain.lowering() == nullptr) return absl::UnimplementedError("it reads no text");
  const absl::Status status = toolchain.lowering()->LowerTextHere(mlir, pipeline, /*to_llvm_ir=*/false).status();
  if (!status.ok() && !absl::IsInvalidArgument(status)) return status;
  return std::string(status.message());
}

constexpr char kNobody[] = "nobody";

// Who refuses a program; "" if one who might was not asked: a toolchain without a verifier of its own has no
// tosa-validate to be asked.
std::string RefusedBy(Toolchain& toolchain, const ArmTest& test) {
  Verifier* verifier = toolchain.verifier();
  const Program& program = test.test_case->program;
  if (verifier == nullptr) return IsRefusal(toolchain.Observe(*test.test_case)) ? "verifier" : "";
  if (IsRefusal(verifier->ObserveDecision(program))) return "verifier";
  return IsRefusal(verifier->ObserveValidation(program, TargetOf(test))) ? "tosa-validate" : kNobody;
}

// The same of an op that no Program has. A refusal counts if its words are those of a wrong number of operands or
// results.
std::string RefusedBy(Toolchain& toolchain, const LooseOp& op, const ValidationTarget& target) {
  const Dialect dialect = toolchain.description().dialect;
  if (dialect < kCanonicalDialect) return "";
  const std::string text = ToMlir(op, dialect);
  absl::StatusOr<std::string> refusal = RefusalOf(toolchain, text);
  std::string by = "verifier";
  if (refusal.ok() && refusal->empty() && toolchain.verifier() != nullptr) {
    refusal = RefusalOf(toolchain, text, ValidationPipeline(target));
    by = "tosa-validate";
  }
  if (!refusal.ok()) return "";
  if (refusal->empty()) return kNobody;
  return CategoryOf(*refusal) == Category::kOperandCount ? by : absl::StrCat(by, ", for another reason");
}

// A program that must be refused was accepted by all. The oracle may find it legal, against the suite.
Judgement JudgementOnAccepted(const ArmTest& test, const Policies& policies) {
  const ValidationTarget target = TargetOf(test);
  const Legality legality = JudgeValidity(test.test_case->program, target, policies);
  if (legality.answer != Answer::kRefuse) {
    return Disagreement(Stage::kVerify, absl::StrCat("the oracle says ", Name(legality.answer)),
                        absl::StrCat("the test must be refused (", test.error, ")"));
  }
  return {.verdict = Verdict::kFalseAccept,
          .stage = Stage::kVerify,
          .rule = legality.rule,
          .strictness = Strictness(target),
          .expected = absl::StrCat("refused (", test.error, ")"),
          .actual = "accepted"};
}

// Says of each case that must be refused who does it.
absl::Status AddRefusals(const CampaignRun& run, const std::vector<const ArmTest*>& tests, ConformanceReport* report,
                         FurtherFindings* findings) {
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
    // If the verifier wrongly accepts a test, the campaign has its finding already, known or not.
    const SuiteCase& suite_case = report->cases[at];
    if (suite_case.test->refused_by != kNobody || IsDivergence(suite_case.verdict)) continue;
    findings->Add(at, JudgementOnAccepted(*tests[at], run.options.judge.policies));
  }
  return absl::OkStatus();
}

// The same of those that are no cases, which the report has in the order of the tests.
absl::Status AddRefusalsOfNoCases(const CampaignRun& run, const std::vector<ArmTest>& tests,
                                  ConformanceReport* report) {
  std::vector<size_t> asked;
  std::vector<const ArmTest*> no_cases;
  for (const ArmTest& test : tests) {
    if (test.test_case) continue;
    if (test.miscounted) asked.push_back(no_cases.size());
    no_cases.push_back(&test);
  }
  const auto work = [&](const size_t& at) {
    return RefusedBy(run.toolchain, *no_cases[at]->miscounted, TargetOf(*no_cases[at]));
  };
  const auto done = [&](const size_t& at, WorkerResult<std::string> result) {
    UnwritableTest& test = report->unwritable[at];
    test.test.refused_by = result.death ? "" : std::move(result.answer);
    if (test.test.refused_by == kNobody) test.rule = {RuleId::kLegalCount, ""};
  };
  return Map<size_t, std::string>(run.Workers(), run.stop, asked, work, done);
}

constexpr absl::string_view kKept = "kept";

// The second judge's answer on a case: kKept, or the element that misses the tolerance; empty if it cannot judge.
std::string OpinionOn(const ArmTest& test, const Case& test_case, const Observation& observation,
                      const Policies& policies) {
  if (!test.tolerance || observation.outcome != Outcome::kCompleted) return "";
  const std::optional<ToleranceCheck> check = CheckTolerance(*test.tolerance, test_case, observation, policies);
  if (!check || check->judged == 0) return "";
  return check->miss.value_or(std::string(kKept));
}

// Records the second judge's opinion on a case. If the two judges contradict each other, the verdict is no agreement.
void TakeOpinion(size_t at, const std::string& opinion, ConformanceReport* report, FurtherFindings* findings) {
  SuiteCase& suite_case = report->cases[at];
  if (opinion.empty()) return;
  suite_case.test->tolerance = opinion == kKept ? "kept" : "missed";
  if (suite_case.verdict == Verdict::kAgree && opinion != kKept) {
    findings->Add(at, Disagreement(Stage::kExecute, "the oracle says agree",
                                   absl::StrCat("the test's tolerance is missed at ", opinion)));
  } else if (suite_case.verdict == Verdict::kWrongValue && opinion == kKept) {
    findings->AddBeside(
        at,
        Disagreement(Stage::kExecute, absl::StrCat("the oracle says wrong-value [", ToString(suite_case.rule), "]"),
                     "the test's tolerance is kept"),
        suite_case.signature.detail);
  }
}

// The tests that are cases as a corpus, which is read as it is needed. Keep the tests as long.
std::vector<const ArmTest*> SetCorpus(const std::vector<ArmTest>& tests, ConformanceOptions* options) {
  std::vector<const ArmTest*> cases;
  uint64_t digest = kDigestOfNothing;
  options->corpus_alone = true;
  options->corpus.clear();
  for (const ArmTest& test : tests) {
    if (!test.test_case) continue;
    cases.push_back(&test);
    options->corpus.emplace_back(test.name, *test.test_case);
    digest = Digest(absl::StrCat(test.name, ":", test.digest, "\n"), digest);
  }
  const auto whole = [cases](size_t index) {
    absl::StatusOr<Case> whole = WholeCase(*cases[index]);
    if (whole.ok()) return *std::move(whole);
    Case decision = *cases[index]->test_case;  // nothing is said of a run; SayWhatWasNotRead() says why there is none
    decision.runs.clear();
    return decision;
  };
  options->stored = {whole, absl::StrFormat("%016x", digest)};
  return cases;
}

// Inputs that were there when the suite was read, and not when the test ran.
void SayWhatWasNotRead(const std::vector<const ArmTest*>& tests, ConformanceReport* report) {
  for (size_t i = 0; i < tests.size(); ++i) {
    if (tests[i]->must_fail || report->cases[i].runs > 0 || report->cases[i].verdict != Verdict::kAgree) continue;
    const absl::Status status = WholeCase(*tests[i]).status();
    if (!status.ok()) report->harness_faults.push_back({i, std::string(status.message())});
  }
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
  const std::vector<const ArmTest*> cases = SetCorpus(tests, &options);
  const Policies policies = ForToolchain(toolchain, options.campaign.judge).policies;
  options.campaign.second_judge = [&](uint64_t number, const Case& test_case, const Observation& observation) {
    return OpinionOn(*cases[number], test_case, observation, policies);
  };
  std::vector<CaseRecord> records;
  TOSAIC_ASSIGN_OR_RETURN(ConformanceReport report, RunConformance(toolchain, options, stop, &records));
  for (const ArmTest& test : tests) {
    if (!test.test_case) report.unwritable.push_back({test.name, test.op, test.not_representable, FactsOf(test)});
  }
  std::vector<const ArmTest*> run;  // in the report's order
  for (size_t i = 0; i < records.size(); ++i) {
    run.push_back(cases[records[i].number]);
    report.cases[i].test = FactsOf(*run.back());
  }
  if (report.interrupted) return report;
  SayWhatWasNotRead(run, &report);
  CampaignOptions campaign = options.campaign;
  campaign.judge = ForToolchain(toolchain, campaign.judge);
  const CampaignRun after = {toolchain, campaign, stop};
  FurtherFindings findings(after, run, &report);
  TOSAIC_RETURN_IF_ERROR(AddRefusals(after, run, &report, &findings));
  TOSAIC_RETURN_IF_ERROR(AddRefusalsOfNoCases(after, tests, &report));
  for (size_t i = 0; i < records.size(); ++i) TakeOpinion(i, records[i].opinion, &report, &findings);
  findings.Report();
  report.interrupted = stop != nullptr && *stop;
  return report;
}

}  // namespace tosaic
