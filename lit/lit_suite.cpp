// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/lit_suite.h"

#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lit/lowering_checks.h"
#include "lit/program_text.h"
#include "lit/run_checks.h"
#include "lit/shown_cases.h"
#include "lit/templates.h"
#include "model/rules.h"
#include "oracle/legality.h"

namespace tosaic {
namespace {

constexpr absl::string_view kNext = "\n// -----\n\n";

// From linalg on tensors to the LLVM dialect, which the runner takes.
constexpr absl::string_view kToLlvm =
    "one-shot-bufferize{bufferize-function-boundaries=true},"
    "func.func(convert-linalg-to-loops,convert-scf-to-cf,arith-expand),convert-math-to-llvm,convert-math-to-libm,"
    "expand-strided-metadata,lower-affine,convert-to-llvm,reconcile-unrealized-casts";

std::string Lowerings(OpKind op, const LitOptions& options) {
  std::vector<std::string> parts;
  for (const ShownCase& shown : ShownLowerings(op)) {
    parts.push_back(absl::StrCat(LoweringChecks(shown, options.form), FunctionText(shown.program, shown.function)));
  }
  return absl::StrCat("// RUN: mlir-opt %s --split-input-file --pass-pipeline=\"builtin.module(func.func(",
                      options.pass, ",cse))\" | FileCheck %s\n\n", absl::StrJoin(parts, kNext));
}

std::string Illegal(OpKind op) {
  std::vector<std::string> parts;
  const std::string error = absl::StrCat("// expected-error@+1 {{'tosa.", Name(op), "' op}}");
  for (const ShownCase& shown : ShownIllegal(op)) {
    const RuleInfo& rule = Info(JudgeLegality(shown.program, {}).rule);
    parts.push_back(absl::StrCat("// ", rule.broken, "\n", FunctionText(shown.program, shown.function, error)));
  }
  return absl::StrCat("// RUN: mlir-opt %s --split-input-file --verify-diagnostics\n\n", absl::StrJoin(parts, kNext));
}

// Empty if nothing of the op can be printed.
std::string Runs(OpKind op, const LitOptions& options) {
  const std::vector<ShownRun> runs = ShownRuns(op);
  if (runs.empty()) return "";
  std::set<std::string> printers;
  std::vector<std::string> functions, checks;
  std::string body;
  for (size_t i = 0; i < runs.size(); ++i) {
    const ShownCase& shown = runs[i].shown;
    functions.push_back(runs[i].transposes ? TransposedFunctionText(shown.program, shown.function)
                                           : FunctionText(shown.program, shown.function));
    checks.push_back(PrintedChecks(runs[i]));
    body += CallAndPrint(runs[i], i, &printers);
  }
  return absl::StrCat("// RUN: mlir-opt %s --pass-pipeline=\"builtin.module(func.func(tosa-to-linalg-named,",
                      options.pass, ",tosa-to-arith{include-apply-rescale=true}),", kToLlvm, ")\" \\\n",
                      "// RUN:   | mlir-runner -e main --entry-point-result=void "
                      "--shared-libs=%mlir_runner_utils,%mlir_c_runner_utils | FileCheck %s\n\n",
                      absl::StrJoin(printers, ""), "\n", absl::StrJoin(functions, "\n"), "\n",
                      absl::StrJoin(checks, ""), "func.func @main() {\n", body, "  return\n}\n");
}

}  // namespace

EnumNames NamesOf(LitForm) {
  static constexpr absl::string_view kNames[] = {"generic", "elementwise"};
  return NamesFor<LitForm>(kNames, "a form of lowering");
}

std::vector<LitFile> LitSuite(const LitOptions& options) {
  std::vector<LitFile> files;
  for (const OpInfo& op : AllOps()) {
    if (op.result_shape != ResultShape::kBroadcast) continue;  // its lowering follows no contract
    if (!options.ops.empty() && !absl::c_linear_search(options.ops, op.kind)) continue;
    files.push_back({absl::StrCat(op.name, ".mlir"), Lowerings(op.kind, options)});
    files.push_back({absl::StrCat(op.name, "-invalid.mlir"), Illegal(op.kind)});
    if (std::string runs = Runs(op.kind, options); !runs.empty())
      files.push_back({absl::StrCat(op.name, "-run.mlir"), runs});
  }
  for (const EmbeddedFile& file : LitTemplates()) files.push_back({std::string(file.path), std::string(file.content)});
  return files;
}

}  // namespace tosaic
