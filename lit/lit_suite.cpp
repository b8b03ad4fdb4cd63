// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/lit_suite.h"

#include <cstddef>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "lit/lowering_checks.h"
#include "lit/program_text.h"
#include "lit/shown_cases.h"
#include "lit/templates.h"
#include "model/rules.h"
#include "oracle/allowed_set.h"
#include "oracle/legality.h"
#include "oracle/result_shape.h"

namespace tosaic {
namespace {

// The runner prints i8 as characters, and knows no i1: these are cast.
ElementType PrintedType(ElementType type) {
  return type == ElementType::kI1 || type == ElementType::kI8 ? ElementType::kI32 : type;
}

std::string PrinterOf(ElementType type) {
  return absl::StrCat("printMemref", absl::AsciiStrToUpper(Name(PrintedType(type))));
}

// As the runner prints one: C++'s own format of six digits.
std::string Printed(ElementType type, uint64_t bits) {
  return IsFloat(type) ? absl::StrFormat("%g", ElementToDouble(type, bits))
                       : absl::StrCat(static_cast<int64_t>(ElementToDouble(type, bits)));
}

// "0.46211[6-8]" of 0.462116, 0.462117 and 0.462118: texts that differ in their last digit are one pattern.
std::vector<std::string> Joined(const std::set<std::string>& texts) {
  std::vector<std::string> patterns;
  for (auto text = texts.begin(); text != texts.end();) {
    const std::string prefix = text->substr(0, text->size() - 1);
    const char first = text->back();
    char last = first;
    for (++text; text != texts.end() && absl::ascii_isdigit(last) && *text == prefix + static_cast<char>(last + 1);
         ++text)
      ++last;
    patterns.push_back(first == last
                           ? prefix + first
                           : absl::StrCat(prefix, "[", std::string(1, first), "-", std::string(1, last), "]"));
  }
  return patterns;
}

// A FileCheck pattern that matches each value of the set as the test prints it.
std::string PatternOf(const AllowedSet& set) {
  constexpr uint64_t kMaxSpan = 1 << 16;
  if (set.IsUndefined()) return "{{[^,]*}}";
  std::set<std::string> texts;
  for (const OrdinalSpan span : set.spans()) {
    if (span.Width() > kMaxSpan) return "{{[^,]*}}";
    for (int64_t ordinal = span.first; ordinal <= span.last; ordinal += span.stride) {
      texts.insert(Printed(set.type(), BitsOfOrdinal(set.type(), ordinal)));
    }
  }
  if (set.has_nan()) texts.insert("-?nan");
  if (texts.size() == 1 && !set.has_nan()) return *texts.begin();
  return absl::StrCat("{{", absl::StrJoin(Joined(texts), "|"), "}}");
}

// Its rows as columns. TRANSPOSE: the result's element [i, j] is the input's [j, i].
Tensor Swapped(const Tensor& tensor) {
  const auto rows = static_cast<size_t>(tensor.sizes()[0]), columns = static_cast<size_t>(tensor.sizes()[1]);
  Tensor swapped(tensor.element_type(), {tensor.sizes()[1], tensor.sizes()[0]});
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    swapped.SetBits(i % columns * rows + i / columns, tensor.RawBits(i));
  }
  return swapped;
}

// The lines of the caller's body for one run; `calls` tells its values from those of other calls. Adds the names of the
// printing functions that it needs.
std::string CallAndPrint(const ShownRun& run, size_t call, std::set<std::string>* printers) {
  const Program& program = run.shown.program;
  std::string text;
  std::vector<std::string> arguments, types;
  for (size_t i = 0; i < run.run.size(); ++i) {
    std::string value = absl::StrCat("%in", call, "_", i);
    const bool swaps = run.transposes && i == 0;
    const std::string type = ToString(swaps ? SwappedType(program.arguments[i]) : program.arguments[i]);
    const std::string dense = DenseLiteral(swaps ? Swapped(run.run[i]) : run.run[i]);
    const std::string own = dense.substr(dense.rfind(": ") + 2);
    absl::StrAppend(&text, "  ", value, " = arith.constant ", dense, "\n");
    if (own != type) {
      absl::StrAppend(&text, "  ", value, "_cast = tensor.cast ", value, " : ", own, " to ", type, "\n");
      value += "_cast";
    }
    arguments.push_back(value);
    types.push_back(type);
  }
  TensorType type = program.ops[0].result;
  std::string result = absl::StrCat("%out", call);
  absl::StrAppend(&text, "  ", result, " = call @", run.shown.function, "(", absl::StrJoin(arguments, ", "), ") : (",
                  absl::StrJoin(types, ", "), ") -> ", ToString(type), "\n");
  if (PrintedType(type.element_type) != type.element_type) {
    const TensorType wide{type.shape, PrintedType(type.element_type)};
    absl::StrAppend(&text, "  ", result, "_i32 = tosa.cast ", result, " : (", ToString(type), ") -> ", ToString(wide),
                    "\n");
    result += "_i32";
    type = wide;
  }
  const std::string unranked = absl::StrCat("tensor<*x", Name(type.element_type), ">"),
                    printer = PrinterOf(type.element_type);
  absl::StrAppend(&text, "  ", result, "_any = tensor.cast ", result, " : ", ToString(type), " to ", unranked, "\n");
  absl::StrAppend(&text, "  call @", printer, "(", result, "_any) : (", unranked, ") -> ()\n");
  printers->insert(
      absl::StrCat("func.func private @", printer, "(", unranked, ") attributes {llvm.emit_c_interface}\n"));
  return text;
}

// "// CHECK: ..." for what it prints.
std::string PrintedChecks(const ShownRun& run) {
  const std::vector<int64_t> sizes = (*SizesOfAllOps(run.shown.program, run.run))[0];
  const std::vector<AllowedSet> sets = AllowedIn(run.shown.program, run.run);
  std::string text = absl::StrCat("// ", run.shown.function, "\n");
  const size_t columns = static_cast<size_t>(sizes[1]);
  for (size_t row = 0; row < static_cast<size_t>(sizes[0]); ++row) {
    std::vector<std::string> patterns;
    for (size_t i = 0; i < columns; ++i) patterns.push_back(PatternOf(sets[row * columns + i]));
    absl::StrAppend(&text, row == 0 ? "// CHECK:      " : "// CHECK-NEXT: ", "[", absl::StrJoin(patterns, ", "), "]\n");
  }
  return text;
}

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
