// tosaic explain: the legality decision and the inferred type of one op, rule by rule.
#include "oracle/explain.h"

#include <cstdio>

#include "model/json.h"
#include "oracle/category.h"
#include "oracle/validation.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

Json NameOf(std::optional<Category> category) { return category ? Json(std::string(Name(*category))) : Json(); }

struct ExplainFlags {
  std::string signature;
  bool json = false;
  PolicyFlags policy;
  std::string target;
};

int RunExplain(const ExplainFlags& flags) {
  const Policies policies = flags.policy.ToOptions().policies;
  const absl::StatusOr<Explanation> explanation = Explain(flags.signature, policies);
  if (!explanation.ok()) {
    // Not through Report, which joins lines: what does not parse is shown with a caret below it.
    std::fprintf(stderr, "tosaic: %s\n", std::string(explanation.status().message()).c_str());
    return kExitUsage;
  }
  ToolchainFlags asked_for;
  asked_for.target = flags.target;
  const absl::StatusOr<std::optional<ValidationTarget>> target = asked_for.Validation();
  if (!target.ok()) return Report(target.status());
  Legality validity;
  if (*target) {
    if (ParseOpSignature(flags.signature)->op == kProbeOp) {
      return Report(absl::InvalidArgumentError("--target: the trait alone is no op of TOSA, tosa-validate skips it"));
    }
    const absl::StatusOr<Program> program = ParseSignature(flags.signature);
    if (!program.ok()) return Report(program.status());
    validity = JudgeValidity(*program, **target, policies);
  }
  if (flags.json) {
    Json object;
    object["legal"] = explanation->legal;
    object["rule"] = std::string(Name(explanation->rule));
    object["category"] = NameOf(explanation->legal ? std::nullopt : Info(explanation->rule).refusal);
    object["inferred"] = explanation->inferred ? Json(ToString(*explanation->inferred)) : Json();
    object["answer"] = std::string(Name(explanation->answer));
    object["beyond_spec"] = explanation->beyond_spec;
    object["steps"] = explanation->steps;
    object["runtime_broadcasts"] = Json::array();
    for (const RuntimeBroadcast& one : explanation->runtime_broadcasts) {
      object["runtime_broadcasts"].push_back(Json{{"operand", one.operand}, {"dim", one.dim}});
    }
    if (*target) {
      const bool refused = validity.answer == Answer::kRefuse;
      object["validation"] = Json{{"target", ToString(**target)},
                                  {"answer", std::string(Name(validity.answer))},
                                  {"rule", std::string(Name(validity.rule))},
                                  {"category", NameOf(refused ? Info(validity.rule).refusal : std::nullopt)}};
    }
    std::printf("%s\n", Dump(object, 2).c_str());
    return kExitAgree;
  }
  for (const std::string& step : explanation->steps) std::printf("%s\n", step.c_str());
  if (!explanation->runtime_broadcasts.empty()) {
    std::printf("broadcast at run time where the dimension is 1: %s\n",
                ToString(explanation->runtime_broadcasts).c_str());
  }
  if (*target) {
    std::printf("tosa-validate for %s: %s [%s]\n", ToString(**target).c_str(),
                std::string(Name(validity.answer)).c_str(), std::string(Name(validity.rule)).c_str());
  }
  return kExitAgree;
}

}  // namespace

void AddExplain(CLI::App& app, CommandLine& command_line) {
  CLI::App* explain = app.add_subcommand("explain", "the legality decision on one op, rule by rule");
  auto flags = std::make_shared<ExplainFlags>();
  explain->add_option("signature", flags->signature, "'add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>'")
      ->required();
  explain->add_flag("--json", flags->json, "print one JSON object");
  explain->add_option("--target", flags->target,
                      "also what tosa-validate should say: VERSION,PROFILES,LEVEL[,strict], for instance "
                      "1.0,pro_int+pro_fp,8k");
  flags->policy.AddTo(*explain);
  explain->callback([flags, &command_line] { command_line.action = [flags] { return RunExplain(*flags); }; });
}

}  // namespace tosaic
