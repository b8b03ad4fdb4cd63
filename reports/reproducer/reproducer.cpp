#include "reports/reproducer/reproducer.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "reports/escape.h"
#include "reports/reproducer/expected.h"
#include "reports/reproducer/parts.h"

namespace tosaic {

const OpApplication& BlamedOp(const Reproduction& r) {
  const Program& program = r.test_case.program;
  if (r.judgement.mismatch) return program.ops[r.judgement.mismatch->op];
  return program.ops.back();
}

std::string Title(const Reproduction& r) {
  return absl::StrCat("[mlir][tosa] ", Signature(r.test_case.program, BlamedOp(r)), ": ", Name(r.judgement.verdict));
}

bool IsExecuted(Showing showing) { return showing == Showing::kExecutes || showing == Showing::kStops; }
bool EndsEarly(const Reproduction& r) { return !absl::StrContains(r.pipeline, "convert-func-to-llvm"); }
bool UsesApFloat(const Reproduction& r) { return absl::StrContains(r.pipeline, "apfloat"); }
bool HasTarget(const Reproduction& r) { return absl::StrContains(r.pipeline, "tosa-attach-target"); }

std::string SectionOf(absl::string_view rule, const OpInfo& op) {
  struct Row {
    absl::string_view prefix, section;
  };
  static constexpr Row kRows[] = {
      {"bcast.infer", "Traits: Broadcastable, dimension and shape inference"},
      {"bcast.verify", "Traits: Broadcastable, verification"},
      {"bcast.", "Traits: Broadcastable"},
      {"infer.", "Traits: Broadcastable, dimension and shape inference"},
      {"runtime.", "RFC: TOSA-to-Linalg lowering of element-wise ops, run-time broadcasts"},
      {"contract.", "RFC: TOSA-to-Linalg lowering of element-wise ops, lowering strategy"},
      {"linalg.", "Linalg dialect, properties of linalg.generic"},
      {"lower.", "whatever the input is, MLIR lowers it or refuses it, and leaves IR that verifies"},
      {"run.", "whatever the input is, MLIR and its code come to an end and stay within their memory"},
      {"verification.", "generate-runtime-verification: what the trait leaves undefined must stop, nothing else"},
      {"metamorphic.", "two programs that must compute the same"},
      {"validate.", "TOSA specification 1.0, profiles, extensions and levels"},
  };
  for (const Row& row : kRows) {
    if (absl::StartsWith(rule, row.prefix)) return std::string(row.section);
  }
  return absl::StrCat("TOSA specification 1.0, ", op.section);
}

Showing ShowingOf(const Judgement& judgement) {
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
      if (judgement.rule == "verification.missed-stop") return Showing::kStops;
      return absl::StartsWith(judgement.rule, "contract.") || absl::StartsWith(judgement.rule, "linalg.")
                 ? Showing::kIr
                 : Showing::kExecutes;
    case Verdict::kLoweringFailed:
    case Verdict::kCrash:
    case Verdict::kTimeout:
      return runs ? Showing::kExecutes : lowers ? Showing::kLowers : Showing::kAccepts;
    case Verdict::kAgree:
    case Verdict::kUnsupported:
    case Verdict::kUndefined:
    case Verdict::kWrongShape:
    case Verdict::kWrongValue:
    case Verdict::kHarnessFault:
      break;
  }
  return Showing::kExecutes;
}

std::string SectionOf(const Reproduction& r) { return SectionOf(r.judgement.rule, Info(BlamedOp(r).op)); }

std::string ModuleText(const Reproduction& r) { return r.prepared.empty() ? ReproducerModule(r) : r.prepared; }

std::map<std::string, std::string> ReproducerFiles(const Reproduction& r) {
  const std::string note = absl::StrCat(Title(r), "\n", r.signature, "\nExpected: ", OneLine(ReadableExpected(r)),
                                        "\nActual:   ", OneLine(r.judgement.actual), "\n");
  std::string head;
  for (const absl::string_view line : absl::StrSplit(note, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&head, "// ", line, "\n");
  }
  std::map<std::string, std::string> files = {
      {"case.json", CaseToText(r.test_case)},
      {"repro.mlir", head + ModuleText(r)},
      {"repro.sh", ScriptText(r)},
      {"issue.md", IssueText(r)},
  };
  if (r.twin) files["twin.mlir"] = TwinModule(r);
  const bool has_ir = !r.lowered.empty();
  if (r.showing == Showing::kGuards) {
    files["driver.c"] = DriverText(r);
    if (has_ir) files["repro.ll"] = r.lowered;
  }
  if (r.showing == Showing::kIr && has_ir) files["lowered.mlir"] = r.lowered;
  if (r.obstacle.empty()) files["test.mlir"] = LitTest(r);
  return files;
}

}  // namespace tosaic
