// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// repro.sh, from the parts of templates/repro.sh.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "model/escape.h"
#include "model/shell_word.h"
#include "reports/reproducer/expected.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"

namespace tosaic {
namespace {

// The sentence behind "diverges:".
std::string Complaint(const Reproduction& r) {
  return absl::StrCat(Name(r.judgement.verdict), ", rule ", Name(r.judgement.rule));
}

// The command that runs mlir-opt, with the pass pipeline if it lowers.
std::string MlirOpt(const Reproduction& r, absl::string_view file, bool lowers) {
  const absl::string_view part = TemplatePart(ReproducerTemplates(), "repro.sh", lowers ? "lower" : "verify");
  return absl::StrCat(FillTemplateLine(part, {{"FILE", std::string(file)}}),
                      lowers && HasTarget(r) ? absl::StrCat(" | ", kWithoutTarget) : "");
}
std::string Lower(const Reproduction& r) { return MlirOpt(r, ExecutedFile(r), true); }

// The part that judges a refusal. It is an answer where MLIR may refuse, and none where that is not what is asked.
std::string Refused(const Reproduction& r, const std::string& program) {
  const Verdict verdict = r.judgement.verdict;
  if (verdict == Verdict::kFalseReject || verdict == Verdict::kLoweringFailed) {
    return ReproducerPart("repro.sh", "refused", {{"WHAT", program}, {"COMPLAINT", Complaint(r)}});
  }
  return MayRefuse(r) ? ReproducerPart("repro.sh", "refused rightly")
                      : ReproducerPart("repro.sh", "refused elsewhere", {{"WHAT", program}});
}

// Judges $status. A death or a hang is one whatever is asked for.
std::string Ended(const Reproduction& r, const std::string& program) {
  return ReproducerPart("repro.sh", "ended",
                        {{"WHAT", program}, {"COMPLAINT", Complaint(r)}, {"REFUSED", Refused(r, program)}});
}

std::string Infers(const Reproduction& r) {
  // A line of tosa-infer-shapes' output that is right.
  const std::string type = absl::StrReplaceAll(r.judgement.expected, {{"?", "\\?"}, {"*", "\\*"}});
  const std::string pattern = absl::StrCat("tosa\\.", Name(BlamedOp(r).op), " .*-> ", type);
  return ReproducerPart("repro.sh", "infers",
                        {{"MLIR_OPT", Lower(r)},
                         {"ENDED", Ended(r, "mlir-opt")},
                         {"PATTERN", ShellQuoted(pattern)},
                         {"COMPLAINT", Complaint(r)}});
}

// Tries the passes behind those that show the divergence.
std::string Whole(const Reproduction& r) {
  if (r.whole_pipeline.empty()) return "";
  return ReproducerPart("repro.sh", "whole", {{"PIPELINE", ShellQuoted(r.whole_pipeline)}, {"MLIR_OPT", Lower(r)}});
}

std::string Lowers(const Reproduction& r) {
  return ReproducerPart(
      "repro.sh", "lowers",
      {{"MLIR_OPT", Lower(r)},
       {"ENDED", Ended(r, "mlir-opt")},
       {"TRANSLATES",
        EndsEarly(r) ? "" : ReproducerPart("repro.sh", "translates", {{"ENDED", Ended(r, "mlir-translate")}})},
       {"WHOLE", Whole(r)}});
}

std::string Level(const Reproduction& r) { return r.optimized ? "-O2" : "-O0"; }

// The options of clang and the emulator for a program on another CPU.
std::string CpuPart(const Reproduction& r) {
  if (r.cpu == nullptr) return ReproducerPart("repro.sh", "no cpu");
  std::string features;
  for (const absl::string_view list : {r.cpu->features, r.host_cpu ? r.cpu->more_features : ""}) {
    for (const absl::string_view feature : absl::StrSplit(list, ',', absl::SkipEmpty())) {
      absl::StrAppend(&features, " -Xclang -target-feature -Xclang ", feature);
    }
  }
  return ReproducerPart("repro.sh", "cpu",
                        {{"EMULATOR", std::string(r.cpu->emulator)},
                         {"EMULATED", std::string(r.cpu->emulated)},
                         {"TRIPLE", std::string(r.cpu->triple)},
                         {"FEATURES", std::move(features)},
                         {"PACKAGES", std::string(r.cpu->packages)}});
}

std::string Execute(const Reproduction& r) {
  if (r.cpu == nullptr) return ReproducerPart("repro.sh", "execute", {{"LEVEL", Level(r)}});
  return ReproducerPart("repro.sh", "execute elsewhere", {{"ENDED", Ended(r, "mlir-translate")}, {"LEVEL", Level(r)}});
}

// Runs the program in that file.
std::string RunPart(const Reproduction& r, absl::string_view file, const std::string& pipeline) {
  return ReproducerPart("repro.sh", "run",
                        {{"PIPELINE", ShellQuoted(pipeline)},
                         {"MLIR_OPT", MlirOpt(r, file, true)},
                         {"ENDED", Ended(r, "mlir-opt")},
                         {"EXECUTE", Execute(r)}});
}

// Judges what the program did.
std::string Judged(const Reproduction& r) {
  if (r.showing == Showing::kStops) return ReproducerPart("repro.sh", "stops", {{"COMPLAINT", Complaint(r)}});
  const std::optional<ExpectedLine> line = LineOf(r);
  if (!line) return ReproducerPart("repro.sh", "ends", {{"ENDED", Ended(r, "the program")}});
  std::string twin;
  if (r.twin) {
    twin = ReproducerPart("repro.sh", "twin",
                          {{"RUN", RunPart(r, "twin.mlir", r.twin_pipeline)},
                           {"TWIN", ShellQuoted(absl::StrCat("its twin, ", r.test_case.twin, ": "))}});
  }
  return ReproducerPart("repro.sh", "prints",
                        {{"ENDED", Ended(r, "the program")},
                         {"PATTERN", ShellQuoted(line->regex)},
                         {"DIGITS", absl::StrCat(std::max(1, BitWidth(ShownType(r)) / 4))},
                         {"EXPECTED", ShellQuoted(absl::StrCat("expected: ", ReadableExpected(r)))},
                         {"TWIN", std::move(twin)},
                         {"COMPLAINT", Complaint(r)}});
}

std::string Runner(const Reproduction& r) {
  if (r.cpu != nullptr) return ReproducerPart("repro.sh", "runner elsewhere", {{"CPU", CpuPart(r)}});
  return ReproducerPart("repro.sh", "runner",
                        {{"PLAIN_CPU", r.host_cpu ? "\n" : ReproducerPart("repro.sh", "plain cpu")}});
}

std::string Executes(const Reproduction& r) {
  return ReproducerPart(
      "repro.sh", "executes",
      {{"RUNNER", Runner(r)}, {"RUN", RunPart(r, ExecutedFile(r), r.pipeline)}, {"JUDGED", Judged(r)}});
}

std::string Guards(const Reproduction& r) {
  return ReproducerPart(
      "repro.sh", "guards",
      {{"MLIR_OPT", Lower(r)},
       {"ENDED", Ended(r, "the lowering")},
       {"LIBRARIES", ReproducerPart("repro.sh", UsesApFloat(r) ? "apfloat libraries" : "no libraries")},
       {"CPU", CpuPart(r)},
       {"LEVEL", Level(r)}});
}

std::string Poison(const Reproduction& r) {
  return ReproducerPart(
      "repro.sh", "poison",
      {{"MLIR_OPT", Lower(r)},
       {"ENDED", Ended(r, "the lowering")},
       {"LIBRARIES", ReproducerPart("repro.sh", UsesApFloat(r) ? "apfloat libraries" : "no libraries")}});
}

std::string ShowingPart(const Reproduction& r) {
  const std::string ended = Ended(r, "mlir-opt");
  const std::string verify = MlirOpt(r, "repro.mlir", !r.pipeline.empty());
  switch (r.showing) {
    case Showing::kRefuses:
      return ReproducerPart("repro.sh", "refuses", {{"MLIR_OPT", verify}, {"COMPLAINT", Complaint(r)}});
    case Showing::kAccepts:
      return ReproducerPart("repro.sh", "accepts", {{"MLIR_OPT", verify}, {"ENDED", ended}});
    case Showing::kInfers:
      return Infers(r);
    case Showing::kLowers:
      return Lowers(r);
    case Showing::kRereads:
      return ReproducerPart(
          "repro.sh", "rereads",
          {{"MLIR_OPT", Lower(r)}, {"ENDED", ended}, {"COMPLAINT", Complaint(r)}, {"WHOLE", Whole(r)}});
    case Showing::kExecutes:
    case Showing::kStops:
      return Executes(r);
    case Showing::kGuards:
      return Guards(r);
    case Showing::kPoison:
      return Poison(r);
    case Showing::kIr:
      return ReproducerPart("repro.sh", "ir",
                            {{"MLIR_OPT", Lower(r)}, {"ENDED", ended}, {"COMPLAINT", OneLine(Complaint(r))}});
  }
  return "";
}

// The same, tried more than once where it may depend on luck.
std::string TriedPart(const Reproduction& r) {
  const bool is_luck = r.judgement.verdict == Verdict::kCrash && !IsExecuted(r.showing);
  std::string showing = ShowingPart(r);
  return is_luck ? ReproducerPart("repro.sh", "again", {{"SHOWING", std::move(showing)}}) : showing;
}

// Shows what one pass prints, which is an answer if it is what is known to be wrong.
std::string OnePassPart(const Reproduction& r) {
  if (!HasOnePass(r)) return "";
  return ReproducerPart("repro.sh", "one pass",
                        {{"PIPELINE", ShellQuoted(r.one_pass.pipeline)},
                         {"MLIR_OPT", MlirOpt(r, "repro.mlir", true)},
                         {"COMPLAINT", Complaint(r)},
                         {"WRONG", ShellQuoted(OneLine(r.one_pass.wrong))}});
}

std::string Rest(const Reproduction& r) {
  const bool has_obstacle = !r.obstacle.empty();
  const std::string obstacle =
      has_obstacle ? ReproducerPart("repro.sh", "obstacle", {{"OBSTACLE", ShellQuoted(OneLine(r.obstacle))}}) : "";
  if (has_obstacle && !HasOnePass(r)) return obstacle;
  // The script then asks whether MLIR takes the program.
  const bool is_about_program = r.showing == Showing::kRefuses || r.showing == Showing::kAccepts;
  return ReproducerPart(
      "repro.sh", "rest",
      {{"PLUGIN", ReproducerPart("repro.sh", r.has_plugin ? "plugin" : "no plugin")},
       {"VOCABULARY", Vocabulary(r)},
       {"UNDERSTANDS", is_about_program ? "" : ReproducerPart("repro.sh", "understands")},
       {"ONE_PASS", OnePassPart(r)},
       {"PIPELINE", IsExecuted(r.showing) || r.pipeline.empty() || has_obstacle
                        ? ""
                        : ReproducerPart("repro.sh", "pipeline", {{"PIPELINE", ShellQuoted(r.pipeline)}})},
       {"SHOWING", has_obstacle ? obstacle : TriedPart(r)}});
}

}  // namespace

std::string ScriptText(const Reproduction& r) {
  return ReproducerPart("repro.sh", "",
                        {{"TITLE", OneLine(Title(r))},
                         {"EXPECTED", OneLine(ReadableExpected(r))},
                         {"ACTUAL", OneLine(r.judgement.actual)},
                         {"TOOLS", absl::StrCat(r.tools)},
                         {"REST", Rest(r)}});
}

}  // namespace tosaic
