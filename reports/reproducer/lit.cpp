// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// test.mlir, from the parts of templates/test.mlir.
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/escape.h"
#include "reports/reproducer/expected.h"
#include "reports/reproducer/parts.h"
#include "reports/reproducer/templates.h"

namespace tosaic {
namespace {

// Whether the test compares the IR that one pass leaves. It does where lit cannot run the code: there is an obstacle,
// the code is another CPU's, or it needs the driver in C.
bool ReadsOnePass(const Reproduction& r) {
  return HasOnePass(r) && (!r.obstacle.empty() || RunsElsewhere(r) || HasDriver(r.showing));
}

std::string Lower(const Reproduction& r) {
  return absl::StrCat("mlir-opt %s", r.has_plugin ? " --load-pass-plugin=%pass_plugin" : "", " --pass-pipeline=\"",
                      ReadsOnePass(r) ? r.one_pass.pipeline : r.pipeline, "\"",
                      HasTarget(r) ? absl::StrCat(" | ", kWithoutTarget) : "");
}

std::string Executes(const Reproduction& r) {
  const std::string runner =
      FillTemplateLine(TemplatePart(ReproducerTemplates(), "test.mlir", "runner"),
                       {{"NOT", r.showing == Showing::kStops ? "not --crash " : ""},
                        {"FLAGS", absl::StrCat(r.optimized ? "-O2 " : "", r.host_cpu ? "" : "-mattr=-sse3 ")},
                        {"APFLOAT", UsesApFloat(r) ? ",%mlir_apfloat_wrappers" : ""}});
  const std::optional<ExpectedLine> line = LineOf(r);
  if (!line) return ReproducerPart("test.mlir", "ends", {{"LOWER", Lower(r)}, {"RUNNER", runner}});
  return ReproducerPart(
      "test.mlir", "prints",
      {{"LOWER", Lower(r)}, {"RUNNER", runner}, {"EXPECTED", OneLine(ReadableExpected(r))}, {"LINE", line->filecheck}});
}

std::string Ir(const Reproduction& r) {
  const std::string translation = r.showing == Showing::kPoison ? " | mlir-translate --mlir-to-llvmir" : "";
  std::string lines;
  for (const absl::string_view line :
       absl::StrSplit(ReadsOnePass(r) ? r.one_pass.left : r.lowered, '\n', absl::SkipWhitespace())) {
    absl::StrAppend(&lines, "// CHECK{LITERAL}: ", line, "\n");
  }
  return ReproducerPart("test.mlir", "ir", {{"LOWER", Lower(r) + translation}, {"LINES", std::move(lines)}});
}

std::string ShowingPart(const Reproduction& r) {
  if (ReadsOnePass(r)) return Ir(r);
  const std::string verify = r.pipeline.empty() ? "mlir-opt %s" : Lower(r);
  const std::string may_refuse = MayRefuse(r) ? ReproducerPart("test.mlir", "may refuse") : "";
  switch (r.showing) {
    case Showing::kRefuses:
      return ReproducerPart("test.mlir", "refuses", {{"LOWER", verify}});
    case Showing::kAccepts:
      return ReproducerPart("test.mlir", "accepts", {{"LOWER", verify}}) + may_refuse;
    case Showing::kInfers:
      return ReproducerPart(
          "test.mlir", "infers",
          {{"LOWER", Lower(r)}, {"OP", std::string(Name(BlamedOp(r).op))}, {"TYPE", r.judgement.expected}});
    case Showing::kLowers:
      return ReproducerPart("test.mlir", EndsEarly(r) ? "accepts" : "lowers", {{"LOWER", Lower(r)}}) + may_refuse;
    case Showing::kRereads:
      return ReproducerPart("test.mlir", "rereads", {{"LOWER", Lower(r)}});
    case Showing::kExecutes:
    case Showing::kStops:
      return Executes(r);
    case Showing::kGuards:
      return ReproducerPart("test.mlir", "guards", {{"LOWER", Lower(r)}, {"LEVEL", r.optimized ? "-O2" : "-O0"}});
    case Showing::kPoison:
    case Showing::kIr:
      return Ir(r);
  }
  return "";
}

// The module, with the expected error where one is.
std::string Body(const Reproduction& r) {
  if (ReadsOnePass(r)) return SmallestModule(r.program);
  const std::string module = ModuleText(r);
  if (r.showing != Showing::kRefuses) return module;
  // The op that is wrong is one of them: the last, unless somebody moves the line.
  const size_t op = module.rfind("\n  %");
  return absl::StrCat(module.substr(0, op + 1), ReproducerPart("test.mlir", "refusal"), module.substr(op + 1));
}

}  // namespace

std::string LitTest(const Reproduction& r) {
  return ReproducerPart("test.mlir", "",
                        {{"SHOWING", ShowingPart(r)},
                         {"TITLE", OneLine(Title(r))},
                         {"RULE", std::string(Name(r.judgement.rule))},
                         {"SECTION", Citation(r.judgement.rule, BlamedOp(r).op)},
                         {"MODULE", Body(r)}});
}

}  // namespace tosaic
