// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic eval: what the oracle expects of a case, element by element, with bounds. Runs no MLIR.
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "codec/status.h"
#include "model/json.h"
#include "model/tensor.h"
#include "oracle/allowed_set.h"
#include "oracle/compare.h"
#include "oracle/float_format.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
#include "oracle/run_sets.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// Operands that are known without running anything; empty if one is the result of another op.
std::vector<const Tensor*> KnownOperands(const Case& test_case, const Run& run, const OpApplication& op) {
  std::vector<const Tensor*> operands;
  for (ValueRef ref : op.operands) {
    if (ref.kind == ValueRef::Kind::kOp) return {};
    operands.push_back(ref.kind == ValueRef::Kind::kArgument ? &run[ref.index]
                                                             : &test_case.program.constants[ref.index]);
  }
  return operands;
}

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

// Exactly what may be: ranges of values, ascending, without NaNs; a range that has both zeros has -0 before 0.
void AddAllowed(const AllowedSet& set, bool flushed, Json* element) {
  const ElementType type = set.type();
  Json ranges = Json::array();
  for (const OrdinalSpan span : set.spans()) {
    const uint64_t lo = BitsOfOrdinal(type, span.first), hi = BitsOfOrdinal(type, span.last);
    ranges.push_back(Json{{"lo", ValueText(type, lo)},
                          {"hi", ValueText(type, hi)},
                          {"lo_bits", BitsToString(type, lo)},
                          {"hi_bits", BitsToString(type, hi)}});
  }
  (*element)["undefined"] = set.IsUndefined();
  (*element)["ranges"] = std::move(ranges);
  if (!IsFloat(type)) return;
  (*element)["zero"] = Signs(set, 0, "0");
  (*element)["infinity"] = Info(type).has_infinity ? Signs(set, NearestBits(type, HUGE_VAL), "inf") : "none";
  (*element)["nan"] = set.has_nan();
  (*element)["flushed"] = flushed;
}

// Whether flushing an operand or the result adds to what may be.
bool AddsByFlushing(ElementType type, const Expected& expected, const AllowedSet& as_it_is, const AllowedSet& all) {
  const uint64_t negative_zero = IsFloat(type) ? SignMask(type) : 0;
  return as_it_is != all || PassesByFlushing(type, expected, 0) || PassesByFlushing(type, expected, negative_zero);
}

Json ExpectedElements(const Case& test_case, const Run& run, const OpApplication& op, const Policies& policies,
                      const std::vector<int64_t>& sizes) {
  Json elements = Json::array();
  const std::vector<const Tensor*> operands = KnownOperands(test_case, run, op);
  const ElementType type = op.result.element_type;
  const std::vector<Expected> expected = Evaluate(test_case.program, op, operands, sizes, policies);
  const std::vector<Expected> of_flushed =
      Evaluate(test_case.program, op, operands, sizes, policies, SubnormalOperands::kFlushed);
  for (size_t i = 0; i < expected.size(); ++i) {
    Json element{{"expected", DescribeExpected(type, expected[i])},
                 {"bits", ExpectedBits(type, expected[i])},
                 {"bound", DescribeBound(expected[i])},
                 {"rule", std::string(Name(RuleOf(Info(op.op), expected[i])))}};
    const AllowedSet as_it_is = AllowedSet::OfExpected(type, expected[i]);
    AllowedSet allowed = as_it_is;
    allowed.Unite(AllowedSet::OfExpected(type, of_flushed[i]));
    AddAllowed(allowed, AddsByFlushing(type, expected[i], as_it_is, allowed), &element);
    elements.push_back(std::move(element));
  }
  return elements;
}

// Of an op whose operands another op makes: what the program's arguments allow.
Json ElementsBySets(RunSets* sets, size_t op, ElementType type) {
  Json elements = Json::array();
  const auto count = static_cast<size_t>(ElementCount(sets->sizes(op)));
  for (size_t i = 0; i < count; ++i) {
    const AllowedSet allowed = sets->Allowed(op, i);
    const bool is_one = allowed.Count() == 1 && !allowed.has_nan();
    Json element{{"expected", Describe(allowed)},
                 {"bits", is_one ? BitsToString(type, allowed.OnlyBits()) : ""},
                 {"bound", "what the program's arguments allow"},
                 {"rule", ""}};
    AddAllowed(allowed, false, &element);
    element.erase("flushed");  // it may be anywhere on the way
    elements.push_back(std::move(element));
  }
  return elements;
}

Json Evaluated(const Case& test_case, const Policies& policies) {
  const Program& program = test_case.program;
  const Legality legality = JudgeLegality(program, policies);
  Json json;
  json["answer"] = std::string(Name(legality.answer));
  json["rule"] = std::string(Name(legality.rule));
  json["runs"] = Json::array();
  const std::vector<const Tensor*> nothing_seen(program.ops.size(), nullptr);
  for (size_t r = 0; r < test_case.runs.size(); ++r) {
    const Run& run = test_case.runs[r];
    Json ops = Json::array();
    UndefinedSizes why;
    const auto sizes = SizesOfAllOps(program, run, &why);
    std::optional<RunSets> sets = RunSets::Of(test_case, r, nothing_seen, policies);
    for (size_t i = 0; i < program.ops.size(); ++i) {
      Json entry;
      entry["op"] = std::string(Name(program.ops[i].op));
      if (sizes) {
        entry["shape"] = (*sizes)[i];
        const bool is_known = !KnownOperands(test_case, run, program.ops[i]).empty();
        entry["elements"] = is_known ? ExpectedElements(test_case, run, program.ops[i], policies, (*sizes)[i])
                                     : ElementsBySets(&*sets, i, program.ops[i].result.element_type);
      } else {
        entry["undefined"] = std::string(Name(why.rule));
      }
      ops.push_back(std::move(entry));
    }
    json["runs"].push_back(std::move(ops));
  }
  return json;
}

void PrintText(const Json& json) {
  std::printf("decision: %s [%s]\n", json["answer"].get<std::string>().c_str(),
              json["rule"].get<std::string>().c_str());
  for (size_t r = 0; r < json["runs"].size(); ++r) {
    for (size_t i = 0; i < json["runs"][r].size(); ++i) {
      const Json& op = json["runs"][r][i];
      std::printf("run %zu, %%%zu = %s: ", r, i, op["op"].get<std::string>().c_str());
      if (op.contains("undefined")) {
        std::printf("undefined [%s]\n", op["undefined"].get<std::string>().c_str());
        continue;
      }
      std::printf("%s\n", SizesToString(op["shape"].get<std::vector<int64_t>>()).c_str());
      for (size_t e = 0; e < op["elements"].size(); ++e) {
        const Json& element = op["elements"][e];
        std::printf("  [%zu] %s  %s  %s  [%s]\n", e, element["expected"].get<std::string>().c_str(),
                    element["bits"].get<std::string>().c_str(), element["bound"].get<std::string>().c_str(),
                    element["rule"].get<std::string>().c_str());
      }
    }
  }
}

}  // namespace

void AddEval(CLI::App& app, CommandLine& command_line) {
  CLI::App* eval = app.add_subcommand("eval", "what the oracle expects, element by element, with bounds");
  struct Flags {
    std::string file;
    bool json = false;
    CaseInput input;
    PolicyFlags policy;
  };
  auto flags = std::make_shared<Flags>();
  eval->add_option("file", flags->file, kCaseFileHelp)->required();
  eval->add_flag("--json", flags->json, "print one JSON object");
  flags->input.AddTo(*eval);
  flags->policy.AddTo(*eval);
  eval->callback([flags, &command_line] {
    command_line.action = [flags]() -> absl::StatusOr<int> {
      TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags->input.Load(flags->file, nullptr));
      const Json json = Evaluated(test_case, flags->policy.ToOptions().policies);
      if (flags->json) {
        std::printf("%s\n", Dump(json, 2).c_str());
      } else {
        PrintText(json);
      }
      return kExitAgree;
    };
  });
}

}  // namespace tosaic
