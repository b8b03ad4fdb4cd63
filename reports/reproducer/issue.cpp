// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// issue.md, from the parts of templates/issue.md.
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "model/escape.h"
#include "model/pass_pipeline.h"
#include "reports/reproducer/expected.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"

namespace tosaic {
namespace {

std::string Line(absl::string_view name, TemplateValues values = {}) {
  return FillTemplateLine(TemplatePart(ReproducerTemplates(), "issue.md", name), values);
}

// A file of the folder; `part`: "file", or "long file", which is folded away.
std::string FilePart(absl::string_view part, absl::string_view name, absl::string_view language,
                     const std::string& text) {
  return ReproducerPart("issue.md", part, {{"FILE", std::string(name)}, {"TEXT", MarkdownBlock(language, text)}});
}

// IR of a few ops is shown, and more folded away.
std::string IrPart(absl::string_view name, const std::string& ir) {
  constexpr auto kFew = 40;
  return FilePart(absl::c_count(ir, '\n') <= kFew ? "file" : "long file", name, "mlir", ir);
}

// The files that the command reads.
std::string Files(const Reproduction& r) {
  if (HasOnePass(r)) return FilePart("file", "repro.mlir", "mlir", SmallestModule(r.program));
  std::string files;
  if (!r.prepared.empty() && r.obstacle.empty()) {
    files = ReproducerPart("issue.md", "prepared",
                           {{"PASS", r.prepared_by}, {"PROGRAM", MarkdownBlock("mlir", SmallestModule(r.program))}});
  }
  absl::StrAppend(&files, FilePart("file", "repro.mlir", "mlir", ModuleText(r)));
  if (!r.obstacle.empty()) return files;
  if (r.twin) absl::StrAppend(&files, FilePart("file", "twin.mlir", "mlir", TwinModule(r)));
  if (r.showing == Showing::kPoison) absl::StrAppend(&files, FilePart("long file", "shown.ll", "llvm", r.shows_poison));
  if (HasDriver(r.showing)) absl::StrAppend(&files, FilePart("long file", "driver.c", "c", DriverText(r)));
  return files;
}

std::string MlirOpt(const Reproduction& r, absl::string_view file, const std::string& pipeline) {
  if (pipeline.empty()) return Line("command verify", {{"FILE", std::string(file)}});
  return Line("command lower", {{"FILE", std::string(file)},
                                {"PLUGIN", r.has_plugin ? " --load-pass-plugin=\"$PASS_PLUGIN\"" : ""},
                                {"PIPELINE", pipeline},
                                {"WITHOUT_TARGET", HasTarget(r) ? absl::StrCat(" | ", kWithoutTarget) : ""}});
}

std::string Execution(const Reproduction& r, absl::string_view file, const std::string& pipeline) {
  std::string libraries = "\"$MLIR_LIB\"/libmlir_c_runner_utils.so,\"$MLIR_LIB\"/libmlir_float16_utils.so";
  if (UsesApFloat(r)) libraries += ",\"$MLIR_LIB\"/libmlir_apfloat_wrappers.so";
  return Line("command run", {{"LOWER", MlirOpt(r, file, pipeline)},
                              {"RUNNER", r.tools < 20 ? "mlir-cpu-runner" : "mlir-runner"},
                              {"FLAGS", absl::StrCat(r.optimized ? "-O2" : "-O0", r.host_cpu ? "" : " -mattr=-sse3")},
                              {"LIBRARIES", std::move(libraries)}});
}

std::string Command(const Reproduction& r) {
  const std::string lower = MlirOpt(r, "repro.mlir", r.pipeline);
  const std::string libraries = absl::StrCat(Line("command libraries"), "\n");
  if (RunsElsewhere(r)) {
    return Line("command elsewhere", {{"CPU", std::string(r.cpu->name)}, {"EMULATOR", std::string(r.cpu->emulator)}});
  }
  switch (r.showing) {
    case Showing::kRefuses:
    case Showing::kAccepts:
    case Showing::kInfers:
    case Showing::kIr:
      return lower;
    case Showing::kLowers:
      return EndsEarly(r) ? lower : Line("command translate", {{"LOWER", lower}});
    case Showing::kRereads:
      return Line("command reread", {{"LOWER", lower}});
    case Showing::kExecutes:
    case Showing::kStops:
      return absl::StrCat(libraries, Execution(r, "repro.mlir", r.pipeline),
                          r.twin ? absl::StrCat("\n", Execution(r, "twin.mlir", r.twin_pipeline)) : "");
    case Showing::kGuards:
    case Showing::kPoison:
      return absl::StrCat(
          UsesApFloat(r) ? libraries : "",
          Line(r.showing == Showing::kPoison ? "command poison" : "command guards",
               {{"LOWER", lower},
                {"LEVEL", r.optimized ? "-O2" : "-O0"},
                {"LIBRARIES",
                 UsesApFloat(r) ? " \"$MLIR_LIB\"/libmlir_apfloat_wrappers.so -Wl,-rpath,\"$MLIR_LIB\"" : ""}}));
  }
  return lower;
}

// The instructions that made poison in the run that is shown, and of what.
std::vector<std::string> MadePoisonOf(const Reproduction& r) {
  return r.shown.run < r.observation.runs.size() ? r.observation.runs[r.shown.run].poison : std::vector<std::string>();
}

std::string Ends(const Reproduction& r) {
  const Verdict verdict = r.judgement.verdict;
  const char* how = verdict == Verdict::kTimeout ? "does not end" : verdict == Verdict::kCrash ? "crashes" : "fails";
  return ReproducerPart("issue.md", "ends", {{"HOW", how}});
}

// Says what the command shows.
std::string Shows(const Reproduction& r) {
  const Verdict verdict = r.judgement.verdict;
  const bool ends = DiesOrHangs(r.judgement) || verdict == Verdict::kLoweringFailed;
  if (r.showing == Showing::kRereads) return ReproducerPart("issue.md", "rereads");
  if (ends && r.showing != Showing::kGuards) return Ends(r);
  switch (r.showing) {
    case Showing::kRefuses:
      return ReproducerPart("issue.md", "refuses");
    case Showing::kAccepts:
      return ReproducerPart("issue.md", "accepts");
    case Showing::kInfers:
      return ReproducerPart("issue.md", "infers", {{"TYPE", r.judgement.expected}});
    case Showing::kExecutes:
      return !LineOf(r) ? Ends(r) : ReproducerPart("issue.md", r.twin ? "prints twin" : "prints");
    case Showing::kStops:
      return ReproducerPart("issue.md", "stops");
    case Showing::kGuards:
      return ReproducerPart("issue.md", "guards");
    case Showing::kPoison:
      return ReproducerPart(
          "issue.md", "poison",
          {{"MAKERS", MarkdownBlock("llvm", absl::StrCat(absl::StrJoin(MadePoisonOf(r), "\n"), "\n"))}});
    case Showing::kIr:
      return ReproducerPart("issue.md", "ir", {{"LOWERED", MarkdownBlock("mlir", r.lowered)}});
    case Showing::kLowers:
    case Showing::kRereads:
      break;
  }
  return Ends(r);
}

// The command of one pass: by its flag, if it has no options.
std::string OnePassCommand(const Reproduction& r, absl::string_view file, const std::string& pipeline) {
  const absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(pipeline);
  if (r.has_plugin || !passes.ok() || passes->size() != 1 || passes->front().name != passes->front().text) {
    return MlirOpt(r, file, pipeline);
  }
  return absl::StrCat("mlir-opt ", file, " --", passes->front().name);
}

std::string Steps(const Reproduction& r) {
  if (HasOnePass(r)) {
    const std::string shows =
        ReproducerPart("issue.md", "one pass",
                       {{"WRONG", EscapeMarkdown(r.one_pass.wrong)}, {"LEFT", MarkdownBlock("mlir", r.one_pass.left)}});
    return ReproducerPart("issue.md", "steps",
                          {{"PLUGIN", r.has_plugin ? ", with the plugin's file in `PASS_PLUGIN`" : ""},
                           {"COMMAND", MarkdownBlock("sh", OnePassCommand(r, "repro.mlir", r.one_pass.pipeline))},
                           {"SHOWS", shows}});
  }
  if (!r.obstacle.empty()) return ReproducerPart("issue.md", "obstacle", {{"OBSTACLE", EscapeMarkdown(r.obstacle)}});
  return ReproducerPart("issue.md", "steps",
                        {{"PLUGIN", r.has_plugin ? ", with the plugin's file in `PASS_PLUGIN`" : ""},
                         {"COMMAND", MarkdownBlock("sh", Command(r))},
                         {"SHOWS", Shows(r)}});
}

// The rule, and where it stands as a link for people elsewhere.
std::string Rule(const Reproduction& r) {
  const RuleId rule = r.judgement.rule;
  const std::string name(Name(rule));
  const std::string policies =
      r.policies.empty() ? "" : absl::StrCat(" ", Line("policies", {{"FLAGS", absl::StrJoin(r.policies, " ")}}));
  if (Info(rule).is_ours()) return absl::StrCat(Line("own document", {{"RULE", name}}), policies);
  const OpKind op = BlamedOp(r).op;
  return absl::StrCat(
      Line("document", {{"RULE", name}, {"SECTION", Citation(rule, op)}, {"LINK", SourceFor(rule, op).link}}),
      policies);
}

// "a result of size 2x3: ...", "a scalar".
std::string OfSize(absl::string_view sizes) {
  return absl::StrCat(absl::StartsWith(sizes, "scalar") ? "a " : "a result of size ", sizes);
}

std::string ExpectedText(const Reproduction& r) {
  if (r.showing == Showing::kRefuses) return "MLIR refuses the program.";
  if (r.showing == Showing::kAccepts) {
    return MayRefuse(r) ? "MLIR accepts the program, or refuses it with an error." : "MLIR accepts the program.";
  }
  const Verdict verdict = r.judgement.verdict;
  if (verdict == Verdict::kLeak) return "The program frees or returns every buffer that it allocates.";
  if (verdict == Verdict::kTimeout || (verdict == Verdict::kCrash && r.observation.outcome == Outcome::kSignal)) {
    return DiesInCode(r) ? "The program runs to its end." : "MLIR compiles the program, or refuses it with an error.";
  }
  const bool prints = IsExecuted(r.showing) && r.obstacle.empty() && LineOf(r);
  return prints ? OneLine(OfSize(ReadableExpected(r))) : EscapeMarkdown(r.judgement.expected);
}

// The reproducer has one run.
std::string PlainActual(const Reproduction& r) {
  const absl::string_view actual = WithoutPlace(r.judgement.actual);
  if (r.judgement.verdict == Verdict::kWrongShape) return OfSize(actual);
  if (r.judgement.verdict == Verdict::kLeak) {
    return absl::StrCat("It neither frees nor returns ", actual.substr(0, actual.find(' ')), " of them.");
  }
  if (r.showing != Showing::kIr) return std::string(actual);
  return absl::StrCat(absl::StripSuffix(Info(r.judgement.rule).broken, "."), ": ", actual);
}

// Says how MLIR or its code ended, if it ended early.
std::string ActualText(const Reproduction& r) {
  const std::string who = Culprit(r);
  const std::string culprit = DiesInCode(r) ? "The code that MLIR makes"
                              : !r.observation.pass.empty()
                                  ? absl::StrCat("The pass `", r.observation.pass, "`")
                                  : absl::StrCat(std::string(1, absl::ascii_toupper(who[0])), who.substr(1));
  // The program's function @main is @test in repro.mlir.
  const std::vector<std::string>& diagnostics = r.observation.diagnostics;
  const std::string first = absl::StrReplaceAll(diagnostics.empty() ? "" : diagnostics.front(), {{"@main", "@test"}});
  const std::string diagnostic = MarkdownBlock("", absl::StrCat(first, "\n"));
  const Verdict verdict = r.judgement.verdict;
  if (verdict == Verdict::kLoweringFailed && r.observation.outcome == Outcome::kIllegalIr) {
    if (r.observation.pass.empty()) return Line("illegal ir at last", {{"DIAGNOSTIC", diagnostic}});
    return Line("illegal ir", {{"PASS", r.observation.pass}, {"DIAGNOSTIC", diagnostic}});
  }
  const bool refuses = verdict == Verdict::kLoweringFailed || verdict == Verdict::kFalseReject;
  if (refuses && r.observation.outcome == Outcome::kRefused) {
    return Line("refused", {{"CULPRIT", culprit}, {"DIAGNOSTIC", diagnostic}});
  }
  if (verdict == Verdict::kCrash && r.observation.outcome == Outcome::kSignal) {
    const std::string signal = absl::StrCat(SignalName(r.observation.signal), " (signal ", r.observation.signal, ")");
    if (r.stack_trace.empty()) return Line("crash", {{"CULPRIT", culprit}, {"SIGNAL", signal}});
    return Line("crash with trace",
                {{"CULPRIT", culprit}, {"SIGNAL", signal}, {"TRACE", MarkdownBlock("", r.stack_trace)}});
  }
  if (verdict == Verdict::kTimeout) return Line("deadline", {{"CULPRIT", culprit}});
  return EscapeMarkdown(PlainActual(r));
}

// The first element that disagrees.
std::string Mismatch(const Reproduction& r) {
  if (!r.judgement.mismatch || r.judgement.rule == RuleId::kValueFlushing) return "";
  const ElementMismatch& m = *r.judgement.mismatch;
  if (r.showing == Showing::kPoison) {
    return ReproducerPart(
        "issue.md", "mismatch of poison",
        {{"INDEX", absl::StrCat(m.index)}, {"OP", absl::StrCat(m.op)}, {"INPUTS", absl::StrJoin(m.inputs, ", ")}});
  }
  return ReproducerPart("issue.md", "mismatch",
                        {{"INDEX", absl::StrCat(m.index)},
                         {"OP", absl::StrCat(m.op)},
                         {"INPUTS", absl::StrJoin(m.inputs, ", ")},
                         {"ACTUAL", m.actual},
                         {"ACTUAL_BITS", m.actual_bits},
                         {"EXPECTED", m.expected},
                         {"EXPECTED_BITS", m.expected_bits.empty() ? "" : absl::StrCat(" (", m.expected_bits, ")")},
                         {"BOUND", m.expected == "NaN" ? "" : absl::StrCat("; tolerance: ", m.bound)}});
}

// Where in MLIR it goes wrong.
std::string Blamed(const Reproduction& r) {
  std::string text;
  if (!r.blamed_pass.empty()) text = ReproducerPart("issue.md", "blamed", {{"PASS", r.blamed_pass}});
  if (const PassAlone& alone = r.blamed_alone; !alone.pipeline.empty()) {
    absl::StrAppend(&text,
                    ReproducerPart("issue.md", "alone",
                                   {{"COMMAND", MarkdownBlock("sh", OnePassCommand(r, "before.mlir", alone.pipeline))},
                                    {"BEFORE", IrPart("before.mlir", alone.before)},
                                    {"AFTER", IrPart("after.mlir", alone.after)}}));
  }
  if (!r.blamed_function.empty()) {
    return text + ReproducerPart("issue.md", "function", {{"FUNCTION", r.blamed_function}});
  }
  return r.folded && text.empty() ? ReproducerPart("issue.md", "folded") : text;
}

}  // namespace

absl::string_view WithoutPlace(absl::string_view actual) {
  const size_t colon = actual.find(": ");
  return absl::StartsWith(actual, "run ") && colon != actual.npos ? actual.substr(colon + 2) : actual;
}

std::string IssueText(const Reproduction& r) {
  return ReproducerPart(
      "issue.md", "",
      // A title is copied: nothing in it but a pass's name is foreign.
      {{"TITLE", absl::StrReplaceAll(OneLine(Title(r)), {{"<", "&lt;"}})},
       {"VERSION", EscapeMarkdown(r.version)},
       {"SINCE", r.since.empty() ? "" : ReproducerPart("issue.md", "since", {{"SINCE", EscapeMarkdown(r.since)}})},
       {"FILES", Files(r)},
       {"STEPS", Steps(r)},
       {"EXPECTED", ExpectedText(r)},
       {"STATES", OneLine(Info(r.judgement.rule).states)},
       {"RULE", Rule(r)},
       {"ACTUAL", std::string(absl::StripSuffix(ActualText(r), "\n"))},
       {"BLAMED", Blamed(r)},
       {"MISMATCH", Mismatch(r)},
       {"SIGNATURE", InComment(ToString(r.signature))}});
}

}  // namespace tosaic
