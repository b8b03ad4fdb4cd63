// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic eval: what the oracle expects of a case, element by element, with bounds. Runs no MLIR.
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/tensor.h"
#include "oracle/allowed_set.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_sets.h"
#include "oracle/run_values.h"
#include "tools/case_input.h"
#include "tools/formatted.h"
#include "tools/printed.h"
#include "tools/subcommands.h"
#include "workers/map.h"

namespace tosaic {
namespace {

std::string ValueText(ElementType type, uint64_t bits) {
  return IsFloat(type) ? absl::StrFormat("%.17g", ElementToDouble(type, bits)) : ElementToString(type, bits);
}

// Which of two signs are in the set: "none", "+0", "-0", "both".
std::string Signs(const AllowedSet& set, uint64_t positive_bits, const char* name) {
  const uint64_t sign = SignMask(set.type());
  const bool positive = set.Contains(positive_bits), negative = set.Contains(positive_bits | sign);
  if (positive && negative) return "both";
  return positive ? absl::StrCat("+", name) : negative ? absl::StrCat("-", name) : "none";
}

// Values from the one to the other.
struct AllowedRange {
  std::string lo, hi, lo_bits, hi_bits;
  std::optional<int64_t> step;
};

void Fields(Visitor& v, AllowedRange& range) {
  v("lo", range.lo);
  v("hi", range.hi);
  v("lo_bits", range.lo_bits);
  v("hi_bits", range.hi_bits);
  v.Optional("step", range.step, "how many patterns each allowed value is above the one before it, if not 1");
}

struct EvaluatedElement {
  std::string expected, bits, bound;
  RuleId rule = RuleId::kNone;
  bool undefined = false;
  std::vector<AllowedRange> ranges;
  std::optional<std::string> zero, infinity;  // of floating point, as the next two
  std::optional<bool> nan, flushed;
};

void Fields(Visitor& v, EvaluatedElement& element) {
  v.Type("element");
  v("expected", element.expected);
  v("bits", element.bits, "the bit pattern of the value, of a range that of its reference; empty where there is none");
  v("bound", element.bound);
  v.Derived("rule", std::string(Name(element.rule)), "the rule of the value; empty if several ops compute it");
  v("undefined", element.undefined, "whether any value is allowed");
  v("ranges", element.ranges,
    "exactly the allowed values in ascending order, without NaNs; if both zeros are allowed, -0 comes before 0");
  v.Optional("zero", element.zero, "which zeros are allowed: `none`, `+0`, `-0`, `both`");
  v.Optional("infinity", element.infinity, "which infinities are allowed: `none`, `+inf`, `-inf`, `both`");
  v.Optional("nan", element.nan, "whether a NaN is allowed");
  v.Optional("flushed", element.flushed, "whether flushing an operand or the result allows further values");
}

struct EvaluatedOp {
  OpKind op = {};
  std::vector<int64_t> shape;
  std::vector<EvaluatedElement> elements;
  std::optional<RuleId> undefined;
};

void Fields(Visitor& v, EvaluatedOp& evaluated) {
  v.Type("evaluated-op");
  v("op", evaluated.op);
  v.DerivedIf(!evaluated.undefined, "shape", evaluated.shape, "sizes");
  v.DerivedIf(!evaluated.undefined, "elements", evaluated.elements, "row major");
  v.DerivedIf(evaluated.undefined.has_value(), "undefined",
              std::string(Name(evaluated.undefined.value_or(RuleId::kNone))),
              "the rule that leaves the result's shape undefined");
}

struct Evaluation {
  std::string answer;
  RuleId rule = RuleId::kNone;
  std::vector<std::vector<EvaluatedOp>> runs;
};

void Fields(Visitor& v, Evaluation& evaluation) {
  v("answer", evaluation.answer, "whether it is legal");
  v.Derived("rule", std::string(Name(evaluation.rule)));
  v("runs", evaluation.runs, "a list per run with an entry per op");
}

// `shown`: the type whose numbers the elements stand for.
void AddAllowed(const AllowedSet& set, ElementType shown, EvaluatedElement* element) {
  const ElementType type = set.type();
  for (const OrdinalSpan span : set.spans()) {
    const uint64_t lo = BitsOfOrdinal(type, span.first), hi = BitsOfOrdinal(type, span.last);
    element->ranges.push_back(
        {ValueText(shown, lo), ValueText(shown, hi), BitsToString(type, lo), BitsToString(type, hi), std::nullopt});
    if (span.stride > 1) element->ranges.back().step = span.stride;
  }
  element->undefined = set.IsUndefined();
  if (!IsFloat(type)) return;
  element->zero = Signs(set, 0, "0");
  element->infinity = Info(type).has_infinity ? Signs(set, NearestBits(type, HUGE_VAL), "inf") : "none";
  element->nan = set.has_nan();
}

// Whether flushing an operand or the result adds allowed values.
bool AddsByFlushing(ElementType type, const Expected& expected, const AllowedSet& as_it_is, const AllowedSet& all) {
  const uint64_t negative_zero = IsFloat(type) ? SignMask(type) : 0;
  return as_it_is != all || PassesByFlushing(type, expected, 0) || PassesByFlushing(type, expected, negative_zero);
}

std::vector<EvaluatedElement> ExpectedElements(const Program& program, const OpApplication& op,
                                               const std::vector<const Tensor*>& operands, const Policies& policies,
                                               const std::vector<int64_t>& sizes) {
  std::vector<EvaluatedElement> elements;
  const ElementType type = op.result.element_type;
  const std::vector<Expected> expected = Evaluate(program, op, operands, sizes, policies);
  const std::vector<Expected> of_flushed =
      Evaluate(program, op, operands, sizes, policies, SubnormalOperands::kFlushed);
  for (size_t i = 0; i < expected.size(); ++i) {
    EvaluatedElement& element = elements.emplace_back();
    const ElementType shown = ResultReadAs(type, op.attributes);
    element.expected = DescribeExpected(shown, expected[i]);
    element.bits = ExpectedBits(type, expected[i]);
    element.bound = DescribeBound(expected[i]);
    element.rule = RuleOf(Info(op.op), expected[i]);
    const AllowedSet as_it_is = AllowedSet::OfExpected(type, expected[i]);
    AllowedSet allowed = as_it_is;
    allowed.Unite(AllowedSet::OfExpected(type, of_flushed[i]));
    AddAllowed(allowed, shown, &element);
    if (IsFloat(type)) element.flushed = AddsByFlushing(type, expected[i], as_it_is, allowed);
  }
  return elements;
}

// The values that the program's arguments allow for an op whose operands another op computes. Flushing may happen
// anywhere between.
std::vector<EvaluatedElement> ElementsBySets(RunSets* sets, size_t op, ElementType type) {
  std::vector<EvaluatedElement> elements(static_cast<size_t>(ElementCount(sets->sizes(op))));
  for (size_t i = 0; i < elements.size(); ++i) {
    const AllowedSet allowed = sets->Allowed(op, i);
    elements[i].expected = Describe(allowed);
    if (allowed.Count() == 1 && !allowed.has_nan()) elements[i].bits = BitsToString(type, allowed.OnlyBits());
    elements[i].bound = "what the program's arguments allow";
    AddAllowed(allowed, type, &elements[i]);
  }
  return elements;
}

std::vector<EvaluatedOp> EvaluatedRun(const Case& test_case, size_t r, const Policies& policies) {
  const Program& program = test_case.program;
  const Run& run = test_case.runs[r];
  const std::vector<const Tensor*> nothing_seen(program.ops.size(), nullptr);
  std::vector<EvaluatedOp> ops;
  UndefinedSizes why;
  const auto sizes = SizesOfAllOps(program, run, &why);
  std::optional<RunSets> sets = RunSets::Of(test_case, r, nothing_seen, policies);
  for (size_t i = 0; i < program.ops.size(); ++i) {
    EvaluatedOp& evaluated = ops.emplace_back();
    evaluated.op = program.ops[i].op;
    if (!sizes) {
      evaluated.undefined = why.rule;
      continue;
    }
    evaluated.shape = (*sizes)[i];
    const OpApplication& op = program.ops[i];
    const std::vector<const Tensor*> operands = OperandsIn(test_case, r, nothing_seen, op);
    evaluated.elements = operands.empty() ? ElementsBySets(&*sets, i, op.result.element_type)
                                          : ExpectedElements(program, op, operands, policies, evaluated.shape);
  }
  return ops;
}

Evaluation Evaluated(const Case& test_case, Policies policies) {
  if (HasBlocks(test_case.program)) policies.dialect = Dialect::k24;  // those before have no word for them
  const Legality legality = JudgeLegality(test_case.program, policies);
  Evaluation evaluation = {std::string(Name(legality.answer)), legality.rule, {}};
  for (size_t r = 0; r < test_case.runs.size(); ++r) evaluation.runs.push_back(EvaluatedRun(test_case, r, policies));
  return evaluation;
}

// The values that are allowed besides the expected one, by the keys "zero" and "flushed".
std::string BesidesInWords(const EvaluatedElement& element) {
  const bool is_zero = element.expected == "0" || element.expected == "-0";
  return absl::StrCat(is_zero && element.zero == "both" ? ", either zero" : "",
                      element.flushed.value_or(false) ? ", or by flushing subnormals" : "");
}

std::string ToText(const Evaluation& evaluation) {
  std::string out = absl::StrCat("decision: ", evaluation.answer, " [", Name(evaluation.rule), "]\n");
  for (size_t r = 0; r < evaluation.runs.size(); ++r) {
    for (size_t i = 0; i < evaluation.runs[r].size(); ++i) {
      const EvaluatedOp& evaluated = evaluation.runs[r][i];
      absl::StrAppend(&out, "run ", r, ", %", i, " = ", Name(evaluated.op), ": ",
                      evaluated.undefined ? absl::StrCat("undefined [", Name(*evaluated.undefined), "]")
                                          : SizesToString(evaluated.shape),
                      "\n");
      for (size_t e = 0; e < evaluated.elements.size(); ++e) {
        const EvaluatedElement& element = evaluated.elements[e];
        absl::StrAppend(&out, "  [", e, "] ", element.expected, "  ", element.bits, "  ", element.bound,
                        BesidesInWords(element), "  [", Name(element.rule), "]\n");
      }
    }
  }
  return out;
}

struct EvalFlags {
  std::string file;
  bool json = false;
  CaseInput input;
  PolicyFlags policy;
  WorkerLimits limits;
};

absl::StatusOr<int> RunEval(const EvalFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const Case test_case, flags.input.Load(flags.file, nullptr));
  // A worker has limits of time and memory.
  std::optional<WaitingLine> waiting(std::in_place, OneLine(flags.file));
  TOSAIC_ASSIGN_OR_RETURN(const WorkerResult<std::string> text, InFreshProcess<std::string>(flags.limits, [&] {
                            const Evaluation evaluation = Evaluated(test_case, flags.policy.ToOptions().policies);
                            return flags.json ? Dump(ToJson(evaluation), 2) + "\n" : ToText(evaluation);
                          }));
  waiting.reset();
  if (text.death) {
    const bool is_late = text.death->how == Death::How::kDeadline;
    const std::string limit = is_late ? absl::StrCat(flags.limits.cpu_seconds, " s of CPU time")
                                      : absl::StrCat(flags.limits.memory_bytes >> 30, " GiB of memory");
    return absl::InvalidArgumentError(absl::StrCat(flags.file, ": takes more than ", limit, " to evaluate"));
  }
  TOSAIC_RETURN_IF_ERROR(PrintAll(text.answer));
  return kExitAgree;
}

}  // namespace

Json SchemaOfEval() { return Schema<Evaluation>(); }

void AddEval(CLI::App& app, CommandLine& command_line) {
  CLI::App* eval = app.add_subcommand("eval", "print what the oracle expects, element by element, with bounds");
  auto flags = std::make_shared<EvalFlags>();
  eval->add_option("file", flags->file, kCaseFileHelp)->required();
  eval->add_flag("--json", flags->json, "print one JSON object");
  AddLimits(*eval, &flags->limits);
  flags->input.AddTo(*eval);
  flags->policy.AddTo(*eval);
  eval->callback([flags, &command_line] { command_line.action = [flags] { return RunEval(*flags); }; });
}

}  // namespace tosaic
