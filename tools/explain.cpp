// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic explain: the legality decision and the inferred type of one op, rule by rule.
#include "oracle/explain.h"

#include <cstdio>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/json.h"
#include "oracle/validation.h"
#include "tools/case_input.h"
#include "tools/printed.h"
#include "tools/subcommands.h"

namespace tosaic {

void Fields(Visitor& v, RuntimeBroadcast& x) {
  v("operand", x.operand);
  v("dim", x.dim);
}

namespace {

// The reason of a refusal by a rule, or none.
std::optional<Category> RefusalBy(Answer answer, RuleId rule) {
  return answer == Answer::kRefuse ? Info(rule).refusal : std::nullopt;
}

// The answer that tosa-validate should give.
struct Validity {
  std::string target;
  Answer answer = Answer::kAccept;
  RuleId rule = RuleId::kNone;
};

void Fields(Visitor& v, Validity& x) {
  v("target", x.target);
  v.Derived("answer", std::string(Name(x.answer)));
  v("rule", x.rule);
  v.Derived("category", RefusalBy(x.answer, x.rule));
}

struct Answered {
  Explanation explanation;
  std::optional<Validity> validation;
};

void Fields(Visitor& v, Answered& x) {
  Explanation& e = x.explanation;
  v("legal", e.legal);
  v("rule", e.rule);
  v.Derived("category", RefusalBy(e.answer, e.rule), "the subject of the reason for a refusal");
  v.Derived("inferred", e.inferred ? std::optional(ToString(*e.inferred)) : std::nullopt, "a type");
  v.Derived("answer", std::string(Name(e.answer)), "accept, refuse, either");
  v("beyond_spec", e.beyond_spec);
  v("steps", e.steps);
  v("runtime_broadcasts", e.runtime_broadcasts, "what the lowering of a TOSA op repeats at run time");
  v.Optional("validation", x.validation, "what tosa-validate should say, with --target");
}

struct ExplainFlags {
  std::string signature;  // or a file
  bool json = false;
  CaseInput input;
  PolicyFlags policy;
  std::string target;
};

absl::StatusOr<std::optional<Validity>> ValidityFor(const ExplainFlags& flags, const Policies& policies) {
  ToolchainFlags asked_for;
  asked_for.target = flags.target;
  TOSAIC_ASSIGN_OR_RETURN(const std::optional<ValidationTarget> target, asked_for.Validation());
  if (!target) return std::optional<Validity>();
  if (ParseOpSignature(flags.signature)->op == kProbeOp) {
    return absl::InvalidArgumentError("--target: the trait alone is not an op of TOSA, and tosa-validate skips it");
  }
  TOSAIC_ASSIGN_OR_RETURN(const Program program, ParseSignature(flags.signature));
  const Legality legality = JudgeValidity(program, *target, policies);
  return std::optional(Validity{ToString(*target), legality.answer, legality.rule});
}

void Print(const Answered& answered) {
  for (const std::string& step : answered.explanation.steps) std::printf("%s\n", step.c_str());
  if (!answered.explanation.runtime_broadcasts.empty()) {
    std::printf("broadcast at run time where the dimension is 1: %s\n",
                ToString(answered.explanation.runtime_broadcasts).c_str());
  }
  if (answered.validation) {
    std::printf("tosa-validate for %s: %s [%s]\n", answered.validation->target.c_str(),
                std::string(Name(answered.validation->answer)).c_str(),
                std::string(Name(answered.validation->rule)).c_str());
  }
}

bool IsFile(absl::string_view text) {
  std::error_code ignored;
  return text == "-" || absl::EndsWith(text, ".mlir") || absl::EndsWith(text, ".json") ||
         std::filesystem::exists(std::string(text), ignored);
}

// Decides on each op of a case by itself.
absl::StatusOr<int> ExplainFile(const ExplainFlags& flags, const Policies& policies) {
  if (!flags.target.empty()) {
    return absl::InvalidArgumentError("--target: only with a signature; tosaic check --target takes files");
  }
  TOSAIC_ASSIGN_OR_RETURN(const Case test_case, flags.input.Load(flags.signature, nullptr));
  Json all = Json::array();
  for (const OpApplication& op : test_case.program.ops) {
    const Answered answered = {Explain(test_case.program, op, policies), std::nullopt};
    const std::string signature = Signature(test_case.program, op);
    if (flags.json) {
      all.push_back(ToJson(answered));
      all.back()["signature"] = signature;
      continue;
    }
    std::printf("%s\n", signature.c_str());
    Print(answered);
  }
  if (flags.json) std::printf("%s\n", Dump(all, 2).c_str());
  return kExitAgree;
}

absl::StatusOr<int> RunExplain(const ExplainFlags& flags) {
  const Policies policies = flags.policy.ToOptions().policies;
  if (IsFile(flags.signature)) return ExplainFile(flags, policies);
  if (const std::string flag = flags.input.FlagOfMlir(); !flag.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": '", flags.signature, "' is a signature, and no .mlir file"));
  }
  if (const auto parsed = ParseOpSignature(flags.signature); parsed.ok() && parsed->op != kProbeOp) {
    std::vector<OpKind> op;
    TOSAIC_RETURN_IF_ERROR(ParseOps({parsed->op}, &op, flags.signature));
  }
  TOSAIC_ASSIGN_OR_RETURN(Explanation explanation, Explain(flags.signature, policies));
  TOSAIC_ASSIGN_OR_RETURN(std::optional<Validity> validity, ValidityFor(flags, policies));
  const Answered answered = {std::move(explanation), std::move(validity)};
  flags.json ? void(std::printf("%s\n", Dump(ToJson(answered), 2).c_str())) : Print(answered);
  return kExitAgree;
}

}  // namespace

Json SchemaOfExplain() { return Schema<Answered>(); }

void AddExplain(CLI::App& app, CommandLine& command_line) {
  CLI::App* explain = app.add_subcommand("explain", "decide whether an op is legal, rule by rule");
  auto flags = std::make_shared<ExplainFlags>();
  explain
      ->add_option(
          "signature", flags->signature,
          "'add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>', or a case file, an .mlir file, or - for "
          "standard input: each of its ops")
      ->required();
  explain->add_flag(
      "--json", flags->json,
      "print one JSON object; its `legal` is for scripts: an illegal op is an answer of the documents and "
      "no failure of anything tested, so the exit status is 0 for it too");
  explain
      ->add_option(
          "--target", flags->target,
          "also say what tosa-validate should answer for a target: VERSION,PROFILES,LEVEL[,strict], for instance "
          "1.0,pro_int+pro_fp,8k")
      ->type_name("TARGET");
  flags->input.AddTo(*explain);
  flags->policy.AddTo(*explain);
  explain->callback([flags, &command_line] { command_line.action = [flags] { return RunExplain(*flags); }; });
}

}  // namespace tosaic
