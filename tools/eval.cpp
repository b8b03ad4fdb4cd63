// tosaic eval: what the oracle expects of a case, element by element, with bounds. Runs no MLIR.
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "campaign/checking/files.h"
#include "model/json.h"
#include "oracle/compare.h"
#include "oracle/legality.h"
#include "oracle/reference.h"
#include "oracle/result_shape.h"
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

Json ExpectedElements(const Case& test_case, const Run& run, const OpApplication& op, const Policies& policies,
                      const std::vector<int64_t>& sizes) {
  Json elements = Json::array();
  const std::vector<const Tensor*> operands = KnownOperands(test_case, run, op);
  if (operands.empty()) return elements;
  const ElementType type = op.result.element_type;
  for (const Expected& expected : Evaluate(test_case.program, op, operands, sizes, policies)) {
    elements.push_back(Json{{"expected", DescribeExpected(type, expected)},
                            {"bits", ExpectedBits(type, expected)},
                            {"bound", DescribeBound(expected)},
                            {"rule", std::string(Name(RuleOf(Info(op.op), expected)))}});
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
  for (const Run& run : test_case.runs) {
    Json ops = Json::array();
    UndefinedSizes why;
    const auto sizes = SizesOfAllOps(program, run, &why);
    for (size_t i = 0; i < program.ops.size(); ++i) {
      Json entry;
      entry["op"] = std::string(Name(program.ops[i].op));
      if (sizes) {
        entry["shape"] = (*sizes)[i];
        entry["elements"] = ExpectedElements(test_case, run, program.ops[i], policies, (*sizes)[i]);
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
    PolicyFlags policy;
  };
  auto flags = std::make_shared<Flags>();
  eval->add_option("file", flags->file, "a case file")->required();
  eval->add_flag("--json", flags->json, "print one JSON object");
  flags->policy.AddTo(*eval);
  eval->callback([flags, &command_line] {
    command_line.action = [flags] {
      absl::StatusOr<Case> test_case = ReadCase(flags->file);
      if (!test_case.ok()) return Report(test_case.status());
      const Json json = Evaluated(*test_case, flags->policy.ToOptions().policies);
      if (flags->json) {
        std::printf("%s\n", Dump(json, 2).c_str());
      } else {
        PrintText(json);
      }
      return static_cast<int>(kExitAgree);
    };
  });
}

}  // namespace tosaic
