// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reproducer/reproducer.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "reports/reproducer/expected.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"
#include "results/judgement_text.h"

namespace tosaic {

const OpApplication& BlamedOp(const Reproduction& r) { return BlamedOp(r.test_case.program, r.judgement); }

void Fields(Visitor& v, OnePass& pass) {
  v("pipeline", pass.pipeline);
  v("left", pass.left);
  v("wrong", pass.wrong);
}

bool MayRefuse(const Reproduction& r) {
  return DiesOrHangs(r.judgement) &&
         (r.showing == Showing::kLowers || (r.showing == Showing::kAccepts && r.may_be_illegal));
}
bool HasOnePass(const Reproduction& r) { return !r.one_pass.pipeline.empty(); }
std::string ExecutedFile(const Reproduction& r) { return HasOnePass(r) ? "run.mlir" : "repro.mlir"; }
bool DiesInCode(const Reproduction& r) { return r.judgement.stage == Stage::kExecute; }
bool IsExecuted(Showing showing) { return showing == Showing::kExecutes || showing == Showing::kStops; }
bool HasDriver(Showing showing) { return showing == Showing::kGuards || showing == Showing::kPoison; }
bool RunsElsewhere(const Reproduction& r) {
  return r.cpu != nullptr && (IsExecuted(r.showing) || HasDriver(r.showing));
}
bool EndsEarly(const Reproduction& r) {
  return !absl::StrContains(r.pipeline, "convert-func-to-llvm") && !absl::StrContains(r.pipeline, "convert-to-llvm");
}
bool UsesApFloat(const Reproduction& r) { return absl::StrContains(r.pipeline, "apfloat"); }
bool HasTarget(const Reproduction& r) { return absl::StrContains(r.pipeline, "tosa-attach-target"); }

// Whether only somebody who reads the lowered IR can tell.
static bool ShowsInIr(RuleFamily family) {
  return family == RuleFamily::kContract || family == RuleFamily::kSpirv || family == RuleFamily::kLinalg ||
         family == RuleFamily::kLinalgRun;
}

bool DiesOrHangs(const Judgement& judgement) {
  return judgement.verdict == Verdict::kCrash || judgement.verdict == Verdict::kTimeout;
}

Showing ShowingOf(const Judgement& judgement) {
  if (judgement.rule == RuleId::kRunUndefinedBehaviour) return Showing::kPoison;
  const bool runs = judgement.stage >= Stage::kCompile;
  const bool lowers = judgement.stage >= Stage::kLower;
  switch (judgement.verdict) {
    case Verdict::kFalseAccept:
      return Showing::kRefuses;
    case Verdict::kFalseReject:
      return Showing::kAccepts;
    case Verdict::kWrongInference:
      return Showing::kInfers;
    case Verdict::kMemoryFault:
    case Verdict::kUninitializedResult:
    case Verdict::kLeak:
      return Showing::kGuards;
    case Verdict::kContractViolation:
      if (judgement.rule == RuleId::kVerificationMissedStop) return Showing::kStops;
      return ShowsInIr(FamilyOf(judgement.rule)) ? Showing::kIr : Showing::kExecutes;
    case Verdict::kLoweringFailed:
    case Verdict::kCrash:
    case Verdict::kTimeout:
      return runs ? Showing::kExecutes : lowers ? Showing::kLowers : Showing::kAccepts;
    case Verdict::kAgree:
    case Verdict::kUnsupported:
    case Verdict::kUndefined:
    case Verdict::kWrongShape:
    case Verdict::kWrongValue:
    case Verdict::kJudgesDisagree:
    case Verdict::kHarnessFault:
      break;
  }
  return Showing::kExecutes;
}

std::string ModuleText(const Reproduction& r) { return r.prepared.empty() ? ReproducerModule(r) : r.prepared; }

std::map<std::string, std::string> ReproducerFiles(const Reproduction& r) {
  const std::string note =
      absl::StrCat(OneLine(Title(r)), "\n", OneLine(ToString(r.signature)),
                   "\nExpected: ", OneLine(ReadableExpected(r)), "\nActual:   ", OneLine(r.judgement.actual), "\n");
  std::string head;
  for (const absl::string_view line : absl::StrSplit(note, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&head, "// ", line, "\n");
  }
  std::map<std::string, std::string> files = {
      {"case.json", CaseToText(r.test_case)},
      {"repro.mlir", head + (HasOnePass(r) ? SmallestModule(r.program) : ModuleText(r))},
      {"repro.sh", ScriptText(r)},
      {"issue.md", IssueText(r)},
  };
  if (HasOnePass(r)) {
    files["lowered.mlir"] = r.one_pass.left;
    if (r.obstacle.empty()) files["run.mlir"] = ModuleText(r);
  }
  if (!r.blamed_alone.pipeline.empty()) {
    files["before.mlir"] = r.blamed_alone.before;
    files["after.mlir"] = r.blamed_alone.after;
  }
  if (r.twin) files["twin.mlir"] = TwinModule(r);
  const bool has_ir = !r.lowered.empty();
  if (HasDriver(r.showing)) files["driver.c"] = DriverText(r);
  if (HasDriver(r.showing) && has_ir) files["repro.ll"] = r.lowered;
  if (r.showing == Showing::kPoison) files["shown.ll"] = r.shows_poison;
  if (r.showing == Showing::kIr && has_ir) files["lowered.mlir"] = r.lowered;
  // lit's tests of MLIR run on the machine's CPU.
  if (HasOnePass(r) || (r.obstacle.empty() && !RunsElsewhere(r))) files["test.mlir"] = LitTest(r);
  if (RunsElsewhere(r)) files["half_helpers.c"] = std::string(TemplatePart(ReproducerTemplates(), "half_helpers.c"));
  return files;
}

}  // namespace tosaic
