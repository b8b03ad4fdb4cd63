#include "reports/reproducer/reproducer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "model/json.h"
#include "model/mlir_text.h"
#include "reports/escape.h"
#include "reports/reproducer/driver.h"

namespace tosaic {
namespace {

// ---- repro.mlir ----

constexpr char kPrinters[] =
    "func.func private @printI64(i64)\nfunc.func private @printOpen()\nfunc.func private @printClose()\n"
    "func.func private @printComma()\nfunc.func private @printNewline()\n";

void Call(absl::string_view printer, absl::string_view indent, std::string* out) {
  absl::StrAppend(out, indent, "func.call @", printer, "() : () -> ()\n");
}

// Code that prints the sizes and bits of %result, a tensor of this rank.
std::string PrintingCode(size_t rank, ElementType type) {
  const std::string tensor = ToString(TensorType{Shape(std::vector<Dim>(rank, Dim::Dynamic())), type});
  std::string out = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n";
  Call("printOpen", "  ", &out);
  for (size_t i = 0; i < rank; ++i) {
    if (i > 0) Call("printComma", "  ", &out);
    if (i > 1) absl::StrAppend(&out, "  %c", i, " = arith.constant ", i, " : index\n");
    absl::StrAppend(&out, "  %size", i, " = tensor.dim %result, %c", i, " : ", tensor, "\n  %word", i,
                    " = arith.index_cast %size", i, " : index to i64\n  func.call @printI64(%word", i,
                    ") : (i64) -> ()\n");
  }
  Call("printClose", "  ", &out);
  std::string indent = "  ";
  std::vector<std::string> indices;
  for (size_t i = 0; i < rank; ++i) {
    indices.push_back(absl::StrCat("%i", i));
    absl::StrAppend(&out, indent, "scf.for %i", i, " = %c0 to %size", i, " step %c1 {\n");
    indent += "  ";
  }
  const int width = BitWidth(type);
  std::string value = "%element";
  absl::StrAppend(&out, indent, value, " = tensor.extract %result[", absl::StrJoin(indices, ", "), "] : ", tensor,
                  "\n");
  if (IsFloat(type)) {
    absl::StrAppend(&out, indent, "%bits = arith.bitcast ", value, " : ", Name(type), " to i", width, "\n");
    value = "%bits";
  }
  if (width < 64) {
    absl::StrAppend(&out, indent, "%wide = arith.extui ", value, " : i", width, " to i64\n");
    value = "%wide";
  }
  Call("printComma", indent, &out);
  absl::StrAppend(&out, indent, "func.call @printI64(", value, ") : (i64) -> ()\n");
  for (size_t i = 0; i < rank; ++i) {
    indent.resize(indent.size() - 2);
    absl::StrAppend(&out, indent, "}\n");
  }
  Call("printNewline", "  ", &out);
  return out;
}

// A function @main that hands a run's data to @test, as constants out of reach of its folders.
std::string CallingMain(const Case& test_case, size_t run) {
  const Program& program = test_case.program;
  std::string out = "func.func @main() {\n";
  std::vector<std::string> arguments, types, result_types;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Tensor& data = test_case.runs[run][i];
    const std::string type = ToString(TensorType{Shape::OfSizes(data.sizes()), data.element_type()});
    const std::string declared = ToString(program.arguments[i]);
    absl::StrAppend(&out, "  %data", i, " = arith.constant dense<", DenseElements(data), "> : ", type, "\n");
    if (type != declared) {
      absl::StrAppend(&out, "  %operand", i, " = tensor.cast %data", i, " : ", type, " to ", declared, "\n");
    }
    arguments.push_back(absl::StrCat(type != declared ? "%operand" : "%data", i));
    types.push_back(declared);
  }
  for (const ValueRef ref : program.results) result_types.push_back(ToString(TypeOf(program, ref)));
  absl::StrAppend(&out, "  %results:", program.results.size(), " = func.call @test(", absl::StrJoin(arguments, ", "),
                  ") : (", absl::StrJoin(types, ", "), ") -> (", absl::StrJoin(result_types, ", "), ")\n");
  return out;
}

std::string ModuleOf(const Case& test_case, const std::string& program, const ShownResult& shown, size_t result,
                     bool executed) {
  std::string test = absl::StrReplaceAll(program, {{"func.func @main(", "func.func @test("}});
  if (!executed) return test;
  test = absl::StrReplaceAll(test, {{"{llvm.emit_c_interface}", "{passthrough = [\"noinline\"]}"}});
  const TensorType type = TypeOf(test_case.program, test_case.program.results[result]);
  // Of an unranked result the rank is the right one.
  const size_t rank = type.shape.IsRanked() ? type.shape.rank() : shown.sizes ? shown.sizes->size() : 0;
  const TensorType dynamic{Shape(std::vector<Dim>(rank, Dim::Dynamic())), type.element_type};
  std::string main = CallingMain(test_case, shown.run);
  const std::string name = absl::StrCat("%results#", result);
  std::string printing = PrintingCode(rank, type.element_type);
  if (type == dynamic) {
    printing = absl::StrReplaceAll(printing, {{"%result,", name + ","}, {"%result[", name + "["}});
  } else {
    absl::StrAppend(&main, "  %result = tensor.cast ", name, " : ", ToString(type), " to ", ToString(dynamic), "\n");
  }
  return absl::StrCat(kPrinters, "\n", test, "\n", main, printing, "  return\n}\n");
}

bool IsExecuted(Showing showing) { return showing == Showing::kExecutes || showing == Showing::kStops; }

// ---- What is printed ----

std::string ElementPattern(const std::vector<BitRange>& allowed, ElementType type) {
  if (allowed == std::vector<BitRange>{{0, BitMask(type)}}) return "-?[0-9]+";
  std::vector<std::string> parts;
  for (const BitRange& range : allowed) parts.push_back(DecimalPattern(range.first, range.last));
  return parts.size() == 1 ? parts.front() : absl::StrCat("(", absl::StrJoin(parts, "|"), ")");
}

ElementType ShownType(const Reproduction& r) {
  return TypeOf(r.test_case.program, r.test_case.program.results[r.shown.result]).element_type;
}

// The line that the runner prints if all is right: what stands outside brackets is plain text. nullopt: not known.
struct Line {
  std::string regex;      // of bash, a blank for any number of them
  std::string filecheck;  // of FileCheck
};
std::optional<Line> ExpectedLine(const Reproduction& r) {
  if (!r.shown.sizes || r.showing != Showing::kExecutes) return std::nullopt;
  const std::string sizes = absl::StrJoin(*r.shown.sizes, ", ");
  Line line = {absl::StrCat("\\( ", sizes, sizes.empty() ? "\\)" : " \\)"), absl::StrCat("( ", sizes, " )")};
  for (const std::vector<BitRange>& allowed : r.shown.elements) {
    const std::string pattern = ElementPattern(allowed, ShownType(r));
    const bool plain = pattern.find_first_not_of("-0123456789") == pattern.npos;
    absl::StrAppend(&line.regex, ", ", pattern);
    absl::StrAppend(&line.filecheck, ", ", plain ? pattern : absl::StrCat("{{", pattern, "}}"));
  }
  line.filecheck += "{{$}}";
  return line;
}

// "0x7fc00000 (NaN), ...": what is allowed, for people.
std::string Readable(const std::vector<BitRange>& allowed, ElementType type) {
  if (allowed == std::vector<BitRange>{{0, BitMask(type)}}) return "anything";
  std::vector<BitRange> numbers;
  for (const BitRange& range : allowed) {
    if (!IsFloat(type) || !std::isnan(ElementToDouble(type, range.first))) numbers.push_back(range);
  }
  if (numbers.empty()) return "NaN";
  const absl::string_view or_nan = numbers.size() < allowed.size() ? " or NaN" : "";
  return absl::StrCat(
      absl::StrJoin(numbers, " or ",
                    [&](std::string* out, const BitRange& range) {
                      absl::StrAppend(out, BitsToString(type, range.first));
                      if (range.last != range.first) absl::StrAppend(out, " to ", BitsToString(type, range.last));
                      absl::StrAppend(out, " (", ElementToString(type, range.first),
                                      range.last == range.first ? "" : " to " + ElementToString(type, range.last), ")");
                    }),
      or_nan);
}

std::string ReadableExpected(const Reproduction& r) {
  if (!r.shown.sizes) return r.judgement.expected;
  constexpr size_t kMost = 16;
  std::vector<std::string> elements;
  for (size_t i = 0; i < r.shown.elements.size() && i < kMost; ++i) {
    elements.push_back(Readable(r.shown.elements[i], ShownType(r)));
  }
  return absl::StrCat(SizesToString(*r.shown.sizes), ": ", absl::StrJoin(elements, ", "),
                      r.shown.elements.size() > kMost ? ", ..." : "");
}

// ---- Words ----

const OpApplication& BlamedOp(const Reproduction& r) {
  const Program& program = r.test_case.program;
  if (r.judgement.mismatch) return program.ops[r.judgement.mismatch->op];
  return program.ops.back();
}

std::string Title(const Reproduction& r) {
  return absl::StrCat("[mlir][tosa] ", Signature(r.test_case.program, BlamedOp(r)), ": ", Name(r.judgement.verdict));
}

// The sentence behind "diverges:".
std::string Complaint(const Reproduction& r) {
  return absl::StrCat(Name(r.judgement.verdict), ", rule ", r.judgement.rule);
}

std::string Commented(absl::string_view text, absl::string_view mark) {
  std::string out;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    absl::StrAppend(&out, mark, " ", line, "\n");
  }
  return out;
}

bool UsesApFloat(const Reproduction& r) { return absl::StrContains(r.pipeline, "apfloat"); }

// Runner and mlir-translate do not know the attribute that tosa-attach-target leaves on the module.
constexpr char kWithoutTarget[] = "sed 's/^module attributes {tosa.target_env = .*} {/module {/'";
bool HasTarget(const Reproduction& r) { return absl::StrContains(r.pipeline, "tosa-attach-target"); }

// ---- repro.sh ----

// Which tools, by environment variables or by name. Patterns for what was printed have one blank for many.
constexpr char kTools[] = R"sh(set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

cannot_tell() { echo "cannot tell: $1"; exit 2; }
diverges() { echo "diverges: $1"; exit 1; }
conforms() { echo "conforms"; exit 0; }

# $1 is what the environment says, $2 the name: of MLIR_BIN, with the version behind it, or as it is.
tool() {
  local found=$1
  [[ -n $found || -z ${MLIR_BIN:-} ]] || found=$MLIR_BIN/$2
  [[ -n $found ]] || found=$(command -v "$2-TOOLS" || command -v "$2" || echo "$2")
  command -v "$found" > /dev/null || { echo "no $2 (set MLIR_BIN or ${2^^} with _ for -)" >&2; return 1; }
  echo "$found"
}
# The libraries of the tool $1, which lie beside it, or another version's; the last is there in newer versions only.
libraries() {
  local directory name file
  directory=${MLIR_LIB:-$(dirname "$(readlink -f "$(command -v "$1")")")/../lib}
  for name in mlir_c_runner_utils mlir_float16_utils mlir_apfloat_wrappers; do
    file=$(compgen -G "$directory/lib$name.so*" | sort | head -1)
    [[ -n $file || -n ${MLIR_LIB:-} ]] || file=$(compgen -G "/usr/lib/llvm-*/lib/lib$name.so*" | sort -V | tail -1)
    [[ -z $file ]] || echo "$file"
  done
}
)sh";

class Script {
 public:
  explicit Script(const Reproduction& r) : r_(r) {}

  std::string Text() {
    out_ = absl::StrCat("#!/usr/bin/env bash\n# ", OneLine(Title(r_)),
                        "\n# Written by Tosaic. Exit status: 1 while it diverges, 0 once it conforms, 2 if that cannot "
                        "be told.\n# Expected: ",
                        OneLine(ReadableExpected(r_)), "\n# Actual:   ", OneLine(r_.judgement.actual), "\n",
                        absl::StrReplaceAll(kTools, {{"TOOLS", absl::StrCat(r_.tools)}}), "\n");
    if (!r_.obstacle.empty()) {
      absl::StrAppend(&out_, "cannot_tell ", ShellQuoted(r_.obstacle), "\n");
      return std::move(out_);
    }
    Take("mlir_opt", "MLIR_OPT", "mlir-opt");
    if (r_.has_plugin) {
      absl::StrAppend(&out_,
                      "[[ -n ${PASS_PLUGIN:-} ]] || cannot_tell 'the pass pipeline needs a plugin (set PASS_PLUGIN)'\n"
                      "plugin=(--load-pass-plugin=\"$PASS_PLUGIN\")\n");
    } else {
      absl::StrAppend(&out_, "plugin=()\n");
    }
    if (!IsExecuted(r_.showing)) absl::StrAppend(&out_, "pipeline=", ShellQuoted(r_.pipeline), "\n");
    Body();
    return std::move(out_);
  }

 private:
  void Take(absl::string_view variable, absl::string_view environment, absl::string_view name) {
    absl::StrAppend(&out_, variable, "=$(tool \"${", environment, ":-}\" ", name, ") || cannot_tell 'no ", name, "'\n");
  }
  // From here on $status is that of a tool: 124 if it hung, 128 and more if it died.
  std::string Opt(absl::string_view file, bool lowers) const {
    return absl::StrCat("timeout \"${LIMIT:-60}\" \"$mlir_opt\" ",
                        lowers ? "\"${plugin[@]}\" --pass-pipeline=\"$pipeline\" " : "", file,
                        lowers && HasTarget(r_) ? absl::StrCat(" | ", kWithoutTarget) : "");
  }
  void Lines(std::initializer_list<absl::string_view> lines) {
    absl::StrAppend(&out_, absl::StrJoin(lines, "\n"), "\n");
  }

  // A death or a hang is one whatever is asked for; a refusal is an answer to what MLIR may refuse.
  void JudgeStatus(absl::string_view what) {
    const std::string complaint = Complaint(r_);
    Lines({absl::StrCat("(( status != 124 )) || diverges \"", what, " hangs; ", complaint, "\""),
           absl::StrCat("(( status < 128 )) || diverges \"", what, " dies of signal $(( status - 128 )); ", complaint,
                        "\"")});
    const bool may_refuse = r_.judgement.verdict == Verdict::kCrash || r_.judgement.verdict == Verdict::kTimeout;
    Lines({may_refuse ? "(( status == 0 )) || conforms"
                      : absl::StrCat("(( status == 0 )) || diverges \"", what, " refuses; ", complaint, "\"")});
  }

  void Body() {
    const std::string complaint = Complaint(r_);
    switch (r_.showing) {
      case Showing::kRefuses:
        Lines({absl::StrCat(Opt("repro.mlir", !r_.pipeline.empty()), " > /dev/null; status=$?"),
               absl::StrCat("(( status != 0 )) || diverges \"mlir-opt accepts it; ", complaint, "\""),
               absl::StrCat("(( status < 124 )) || diverges \"mlir-opt dies; ", complaint, "\""), "conforms"});
        return;
      case Showing::kAccepts:
        Lines({absl::StrCat(Opt("repro.mlir", !r_.pipeline.empty()), " > /dev/null; status=$?")});
        JudgeStatus("mlir-opt");
        return Lines({"conforms"});
      case Showing::kInfers:
        Lines({absl::StrCat("inferred=$(", Opt("repro.mlir", true), "); status=$?")});
        JudgeStatus("mlir-opt");
        return Lines({"echo \"$inferred\"",
                      absl::StrCat("grep -qE ", ShellQuoted(InferredPattern()), " <<< \"$inferred\" ", "|| diverges \"",
                                   complaint, "\""),
                      "conforms"});
      case Showing::kLowers:
        Take("mlir_translate", "MLIR_TRANSLATE", "mlir-translate");
        Lines({absl::StrCat("lowered=$(", Opt("repro.mlir", true), "); status=$?")});
        JudgeStatus("mlir-opt");
        if (!r_.pipeline_ends_early()) {
          Lines({absl::StrCat("timeout \"${LIMIT:-60}\" \"$mlir_translate\" --mlir-to-llvmir <<< \"$lowered\" > ",
                              "/dev/null; status=$?")});
          JudgeStatus("mlir-translate");
        }
        return Lines({"conforms"});
      case Showing::kRereads:
        Lines({absl::StrCat("lowered=$(", Opt("repro.mlir", true), "); status=$?")});
        JudgeStatus("mlir-opt");
        Lines({"\"$mlir_opt\" <<< \"$lowered\" > /dev/null; status=$?"});
        Lines(
            {absl::StrCat("(( status == 0 )) || diverges \"mlir-opt does not read what it printed; ", complaint, "\""),
             "conforms"});
        return;
      case Showing::kExecutes:
      case Showing::kStops:
        return Execute();
      case Showing::kGuards:
        return Guard();
      case Showing::kIr:
        Lines({absl::StrCat("lowered=$(", Opt("repro.mlir", true), "); status=$?")});
        JudgeStatus("mlir-opt");
        return Lines(
            {"echo \"$lowered\"",
             absl::StrCat("[[ $lowered != \"$(cat lowered.mlir)\" ]] || diverges \"", OneLine(complaint),
                          "; see issue.md for what is wrong in this IR\""),
             "cannot_tell 'the IR is no longer that of lowered.mlir: whether it is right, tosaic check says'"});
    }
  }

  // $line is what the program prints, blanks squeezed.
  void Run(absl::string_view file, absl::string_view pipeline) {
    Lines({absl::StrCat("pipeline=", ShellQuoted(pipeline)),
           absl::StrCat("lowered=$(", Opt(file, true), "); status=$?")});
    JudgeStatus("mlir-opt");
    Lines({absl::StrCat("line=$(timeout \"${LIMIT:-60}\" \"$mlir_runner\" -e main -entry-point-result=void ",
                        r_.optimized ? "-O2" : "-O0",
                        " \"${cpu[@]}\" -shared-libs=\"$libraries\" <<< \"$lowered\" 2> >(sed -n 1,3p >&2) | "
                        "tr -s ' '); status=$?")});
  }

  void Execute() {
    Take("mlir_runner", "MLIR_RUNNER", r_.tools < 20 ? "mlir-cpu-runner" : "mlir-runner");
    Lines({"cpu=()",
           r_.host_cpu
               ? ""
               : "[[ $(uname -m) != x86_64 ]] || cpu=(-mattr=-sse3)  # a plain one: the host's may compute otherwise",
           "libraries=$(libraries \"$mlir_runner\" | paste -sd,)",
           "[[ -n $libraries ]] || cannot_tell \"no libmlir_c_runner_utils.so beside $mlir_runner (set MLIR_LIB)\""});
    const std::string complaint = Complaint(r_);
    Run("repro.mlir", r_.pipeline);
    if (r_.showing == Showing::kStops) {
      return Lines(
          {absl::StrCat("(( status != 0 )) || diverges \"it goes on to its end; ", complaint, "\""), "conforms"});
    }
    JudgeStatus("the program");
    const std::optional<Line> line = ExpectedLine(r_);
    if (!line) return Lines({"conforms"});
    const int digits = std::max(1, BitWidth(ShownType(r_)) / 4);
    Lines({"# Sizes, then elements as bits.", absl::StrCat("expected=", ShellQuoted(line->regex)),
           absl::StrCat(
               "show() { local element; echo -n \"$1${2%%)*})\"; for element in $(sed 's/.*)//; s/,//g' <<< \"$2\"); "
               "do printf ' 0x%0",
               digits, "x' \"$element\"; done; echo; }"),
           absl::StrCat("echo ", ShellQuoted(absl::StrCat("expected: ", ReadableExpected(r_)))),
           "show 'actual:   ' \"$line\""});
    if (r_.twin) {
      Lines({"actual=$line"});
      Run("twin.mlir", r_.twin_pipeline);
      Lines({absl::StrCat("show ", ShellQuoted(absl::StrCat("its twin, ", r_.test_case.twin, ": ")), " \"$line\""),
             "line=$actual"});
    }
    Lines({absl::StrCat("[[ $line =~ ^$expected\\ ?$ ]] || diverges \"", complaint, "\""), "conforms"});
  }

  void Guard() {
    Take("mlir_translate", "MLIR_TRANSLATE", "mlir-translate");
    Take("clang", "CLANG", "clang");
    Lines({"scratch=$(mktemp -d) && trap 'rm -rf \"$scratch\"' EXIT",
           absl::StrCat(Opt("repro.mlir", true),
                        " | \"$mlir_translate\" --mlir-to-llvmir > \"$scratch/repro.ll\"; status=$?")});
    JudgeStatus("the lowering");
    if (UsesApFloat(r_)) {
      Lines({"libraries=$(libraries \"$mlir_translate\" | grep apfloat)",
             "[[ -n $libraries ]] || cannot_tell 'no libmlir_apfloat_wrappers.so (set MLIR_LIB)'",
             "libraries=($libraries -Wl,-rpath,\"$(dirname \"$libraries\")\")"});
    } else {
      Lines({"libraries=()"});
    }
    Lines({"# compiler-rt has the conversions of f16 and bf16, if it is there.", "runtime=()",
           "[[ ! -e $(\"$clang\" -rtlib=compiler-rt -print-libgcc-file-name) ]] || runtime=(-rtlib=compiler-rt)",
           absl::StrCat("\"$clang\" -w ", r_.optimized ? "-O2" : "-O0",
                        " \"$scratch/repro.ll\" driver.c -o \"$scratch/driver\" "
                        "-Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=aligned_alloc \\"),
           "  \"${runtime[@]}\" \"${libraries[@]}\" -lm || cannot_tell 'it does not link'",
           "timeout \"${LIMIT:-60}\" \"$scratch/driver\"; status=$?", "(( status != 124 )) || diverges 'it hangs'",
           "exit $status"});
  }

 public:
  // A line of tosa-infer-shapes' output that is right.
  std::string InferredPattern() const {
    const std::string type = absl::StrReplaceAll(r_.judgement.expected, {{"?", "\\?"}, {"*", "\\*"}});
    return absl::StrCat("tosa\\.", Name(BlamedOp(r_).op), " .*-> ", type);
  }

 private:
  const Reproduction& r_;
  std::string out_;
};

// ---- test.mlir ----

std::string RunLines(const std::vector<std::string>& commands) {
  return absl::StrCat("// RUN: ", absl::StrJoin(commands, " \\\n// RUN:   | "), "\n");
}

std::string TestText(const Reproduction& r) {
  const std::string plugin = r.has_plugin ? " --load-pass-plugin=%pass_plugin" : "";
  const std::string module = r.prepared.empty() ? ReproducerModule(r) : r.prepared;
  const std::string lowering = absl::StrCat("mlir-opt %s", plugin, " --pass-pipeline=\"", r.pipeline, "\"",
                                            HasTarget(r) ? absl::StrCat(" | ", kWithoutTarget) : "");
  std::string head, body = module;
  switch (r.showing) {
    case Showing::kRefuses: {
      // The op that is wrong is one of them: the last, unless somebody moves the line.
      head = RunLines({absl::StrCat(r.pipeline.empty() ? "mlir-opt %s" : lowering, " -verify-diagnostics")});
      const size_t op = module.rfind("\n  %");
      body = absl::StrCat(module.substr(0, op + 1), "  // expected-error-re@+1 {{{{.+}}}}\n", module.substr(op + 1));
      break;
    }
    case Showing::kAccepts:
      head = RunLines({r.pipeline.empty() ? "mlir-opt %s" : lowering});
      break;
    case Showing::kInfers:
      head = absl::StrCat(RunLines({lowering, "FileCheck %s"}), "// CHECK: tosa.", Name(BlamedOp(r).op), " {{.*}}-> ",
                          r.judgement.expected, "\n");
      break;
    case Showing::kLowers:
      head = RunLines({lowering, "mlir-translate --mlir-to-llvmir"});
      if (r.pipeline_ends_early()) head = RunLines({lowering});
      break;
    case Showing::kRereads:
      head = RunLines({lowering, "mlir-opt"});
      break;
    case Showing::kExecutes:
    case Showing::kStops: {
      const std::string runner = absl::StrCat(
          r.showing == Showing::kStops ? "not --crash " : "", "mlir-runner -e main -entry-point-result=void ",
          r.optimized ? "-O2 " : "", r.host_cpu ? "" : "-mattr=-sse3 ",
          "-shared-libs=%mlir_c_runner_utils,%mlir_float16_utils", UsesApFloat(r) ? ",%mlir_apfloat_wrappers" : "");
      const std::optional<Line> line = ExpectedLine(r);
      head = line ? absl::StrCat(RunLines({lowering, runner, "FileCheck %s"}), "\n// ", OneLine(ReadableExpected(r)),
                                 "\n// CHECK: ", line->filecheck, "\n")
                  : RunLines({lowering, runner});
      break;
    }
    case Showing::kGuards:
      head = absl::StrCat("// RUN: ", lowering, " | mlir-translate --mlir-to-llvmir -o %t.ll\n", "// RUN: clang -w ",
                          r.optimized ? "-O2" : "-O0",
                          " %t.ll %S/driver.c -o %t -rtlib=compiler-rt -lm \\\n"
                          "// RUN:   -Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=aligned_alloc\n// RUN: %t\n");
      break;
    case Showing::kIr:
      head = absl::StrCat(RunLines({lowering, "not FileCheck %s"}),
                          "\n// This is the wrong IR; once it is right, its own lines belong here.\n");
      for (const absl::string_view line : absl::StrSplit(r.lowered, '\n', absl::SkipWhitespace())) {
        absl::StrAppend(&head, "// CHECK{LITERAL}: ", line, "\n");
      }
      break;
  }
  return absl::StrCat(head, "\n// ", OneLine(Title(r)), "\n// Rule ", r.judgement.rule, ": ",
                      SectionOf(r.judgement.rule, Info(BlamedOp(r).op)), ".\n", body);
}

// ---- issue.md ----

std::string IssueText(const Reproduction& r) {
  const Judgement& judgement = r.judgement;
  const OpApplication& op = BlamedOp(r);
  std::string out = absl::StrCat("# ", OneLine(Title(r)), "\n\n", "Found by a fuzzer (Tosaic), reduced by it.\n\n",
                                 "**Version:** ", r.version, "\n\n```mlir\n", r.program, "```\n\n");
  if (!r.test_case.runs.empty() && !r.test_case.program.arguments.empty() && r.showing != Showing::kRefuses) {
    absl::StrAppend(&out, "Run with\n\n");
    const Run& run = r.test_case.runs[r.shown.run];
    for (size_t i = 0; i < run.size(); ++i) {
      const Tensor& tensor = run[i];
      absl::StrAppend(&out, "- `%arg", i, "`: ", Name(tensor.element_type()), " ", SizesToString(tensor.sizes()), ":");
      for (size_t e = 0; e < tensor.element_count() && e < 16; ++e) {
        absl::StrAppend(&out, " ", ElementToString(tensor.element_type(), tensor.Bits(e)));
      }
      absl::StrAppend(&out, tensor.element_count() > 16 ? " ...\n" : "\n");
    }
    out += '\n';
  }
  if (r.twin)
    absl::StrAppend(&out, "It must compute the same as (`", r.test_case.twin, "`)\n\n```mlir\n", r.twin_program,
                    "```\n\n");
  absl::StrAppend(&out, "**Command:**\n\n```sh\nmlir-opt repro.mlir",
                  r.pipeline.empty() ? "" : absl::StrCat(" --pass-pipeline='", r.pipeline, "'"),
                  IsExecuted(r.showing)
                      ? " |\n  mlir-runner -e main -entry-point-result=void -shared-libs=libmlir_c_runner_utils.so"
                      : "",
                  "\n```\n\n");
  if (!r.obstacle.empty()) absl::StrAppend(&out, "Stock tools do not show it: ", r.obstacle, ".\n\n");
  absl::StrAppend(&out, "**Expected:** ", OneLine(judgement.expected), " (rule `", judgement.rule,
                  "`: ", SectionOf(judgement.rule, Info(op.op)), ")\n\n**Actual:** ", OneLine(judgement.actual), "\n");
  if (judgement.mismatch) {
    const ElementMismatch& m = *judgement.mismatch;
    absl::StrAppend(&out, "\nElement ", m.index, " of `%", m.op, "`: of ", absl::StrJoin(m.inputs, ", "), " comes ",
                    m.actual, " (", m.actual_bits, "), expected ", m.expected,
                    m.expected_bits.empty() ? "" : absl::StrCat(" (", m.expected_bits, ")"), "; allowed: ", m.bound,
                    ".\n");
  }
  absl::StrAppend(&out, "\n<!-- ", r.signature, " -->\n");
  return out;
}

// Alternatives for the numbers of as many digits as `first` and `last` have, both of them.
void AddSameWidth(const std::string& first, const std::string& last, std::vector<std::string>* parts) {
  const auto digits = [](char from, char to) -> std::string {
    if (from == to) return std::string(1, from);
    return absl::StrCat("[", std::string(1, from), "-", std::string(1, to), "]");
  };
  const auto any = [](size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += "[0-9]";
    return text;
  };
  size_t shared = 0;
  while (shared < first.size() && first[shared] == last[shared]) ++shared;
  if (shared == first.size()) return parts->push_back(first);
  // first itself and what shares more of its beginning, what lies between, the same for last.
  const std::string prefix = first.substr(0, shared);
  const size_t behind = first.size() - shared - 1;
  std::vector<std::string> ends;
  char from = first[shared], to = last[shared];
  if (first.find_first_not_of('0', shared + 1) != first.npos) {
    AddSameWidth(first, prefix + first[shared] + std::string(behind, '9'), parts);
    ++from;
  }
  if (last.find_first_not_of('9', shared + 1) != last.npos) {
    AddSameWidth(prefix + last[shared] + std::string(behind, '0'), last, &ends);
    --to;
  }
  if (from <= to) parts->push_back(absl::StrCat(prefix, digits(from, to), any(behind)));
  parts->insert(parts->end(), ends.begin(), ends.end());
}

}  // namespace

bool Reproduction::pipeline_ends_early() const { return !absl::StrContains(pipeline, "convert-func-to-llvm"); }

std::string DecimalPattern(uint64_t first, uint64_t last) {
  // Bit patterns of 64 bits are printed as signed numbers; of those only single ones matter.
  if (last > uint64_t{INT64_MAX}) {
    return first == last ? absl::StrCat(static_cast<int64_t>(first)) : "-?[0-9]+";
  }
  std::vector<std::string> parts;
  while (true) {
    const std::string from = absl::StrCat(first);
    const std::string most(from.size(), '9');
    if (absl::StrCat(last).size() == from.size()) {
      AddSameWidth(from, absl::StrCat(last), &parts);
      break;
    }
    AddSameWidth(from, most, &parts);
    first = 1;
    for (size_t i = 0; i < from.size(); ++i) first *= 10;
  }
  return parts.size() == 1 ? parts.front() : absl::StrCat("(", absl::StrJoin(parts, "|"), ")");
}

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

std::string ReproducerModule(const Reproduction& reproduction) {
  return ModuleOf(reproduction.test_case, reproduction.program, reproduction.shown, reproduction.shown.result,
                  IsExecuted(reproduction.showing));
}

std::string TwinModule(const Reproduction& reproduction) {
  return ModuleOf(*reproduction.twin, reproduction.twin_program, reproduction.shown, reproduction.twin_result, true);
}

std::map<std::string, std::string> ReproducerFiles(const Reproduction& reproduction) {
  const Reproduction& r = reproduction;
  const std::string note = absl::StrCat(Title(r), "\n", r.signature, "\nExpected: ", OneLine(ReadableExpected(r)),
                                        "\nActual:   ", OneLine(r.judgement.actual), "\n");
  std::map<std::string, std::string> files = {
      {"case.json", CaseToText(r.test_case)},
      {"repro.mlir", Commented(note, "//") + (r.prepared.empty() ? ReproducerModule(r) : r.prepared)},
      {"repro.sh", Script(r).Text()},
      {"issue.md", IssueText(r)},
  };
  if (r.twin) files["twin.mlir"] = TwinModule(r);
  const bool has_ir = !r.lowered.empty();
  if (r.showing == Showing::kGuards) {
    files["driver.c"] = DriverText(r);
    if (has_ir) files["repro.ll"] = r.lowered;
  }
  if (r.showing == Showing::kIr && has_ir) files["lowered.mlir"] = r.lowered;
  if (r.obstacle.empty()) files["test.mlir"] = TestText(r);
  return files;
}

}  // namespace tosaic
