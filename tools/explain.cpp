// tosaic explain: the legality decision and the inferred type of one op, rule by rule.
#include "oracle/explain.h"

#include <cstdio>

#include "model/json.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

int RunExplain(const std::string& signature, bool json, const PolicyFlags& policy) {
  absl::StatusOr<Explanation> explanation = Explain(signature, policy.ToOptions().policies);
  if (!explanation.ok()) {
    // Not through Report, which joins lines: what does not parse is shown with a caret below it.
    std::fprintf(stderr, "tosaic: %s\n", std::string(explanation.status().message()).c_str());
    return kExitUsage;
  }
  if (json) {
    Json object;
    object["legal"] = explanation->legal;
    object["rule"] = explanation->rule;
    object["inferred"] = explanation->inferred ? Json(ToString(*explanation->inferred)) : Json();
    object["answer"] = std::string(Name(explanation->answer));
    object["beyond_spec"] = explanation->beyond_spec;
    object["steps"] = explanation->steps;
    std::printf("%s\n", Dump(object, 2).c_str());
    return kExitAgree;
  }
  for (const std::string& step : explanation->steps) std::printf("%s\n", step.c_str());
  return kExitAgree;
}

}  // namespace

void AddExplain(CLI::App& app, CommandLine& command_line) {
  CLI::App* explain = app.add_subcommand("explain", "the legality decision on one op, rule by rule");
  struct Flags {
    std::string signature;
    bool json = false;
    PolicyFlags policy;
  };
  auto flags = std::make_shared<Flags>();
  explain->add_option("signature", flags->signature, "'add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>'")
      ->required();
  explain->add_flag("--json", flags->json, "print one JSON object");
  flags->policy.AddTo(*explain);
  explain->callback([flags, &command_line] {
    command_line.action = [flags] { return RunExplain(flags->signature, flags->json, flags->policy); };
  });
}

}  // namespace tosaic
