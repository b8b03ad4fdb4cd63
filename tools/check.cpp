// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic check: replays cases, each alone in a fresh process.
#include <cstdio>
#include <iterator>
#include <map>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "campaign/checking/check_case.h"
#include "campaign/checking/circumstances.h"
#include "campaign/checking/files.h"
#include "campaign/checking/known_divergences.h"
#include "campaign/checking/mlir_cases.h"
#include "codec/status.h"
#include "reports/campaign_report.h"
#include "tools/answer.h"
#include "tools/case_input.h"
#include "tools/output_flags.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct CheckFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  CaseInput input;
  std::vector<std::string> paths;
  std::string known = kNoneKnown;
  std::string save;
  bool json = false;
};

// " (infer.less-precise)" for each note, once; and how much was compared, if that is not all.
std::string InBrackets(const Judgement& judgement) {
  const std::vector<std::string>& notes = judgement.notes;
  std::string text = judgement.masked == 0 ? "" : absl::StrCat(" (compared ", ComparedText(judgement), ")");
  for (const std::string& note : std::set<std::string>(notes.begin(), notes.end())) {
    absl::StrAppend(&text, " (", note, ")");
  }
  return text;
}

absl::StatusOr<int> RunCheck(const CheckFlags& flags) {
  std::vector<LoadedCase> subjects;
  for (const std::string& path : flags.paths) {
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, CaseFilesAt(path));
    for (const std::string& file : files) {
      TOSAIC_ASSIGN_OR_RETURN(std::vector<LoadedCase> loaded, flags.input.LoadAll(file, &flags.toolchain));
      absl::c_move(loaded, std::back_inserter(subjects));
    }
  }
  if (!flags.save.empty()) TOSAIC_RETURN_IF_ERROR(SaveCases(flags.save, subjects));
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  judge = ForToolchain(*toolchain, judge);
  KnownDivergences known;
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, *toolchain, judge.validation.has_value(), &known));
  std::vector<Case> prepared;
  for (const LoadedCase& one : subjects) {
    const Case* test_case = one.spec_case.test_case();
    if (test_case != nullptr && one.skipped.empty()) prepared.push_back(*test_case);
  }
  if (prepared.size() > 1) toolchain->Prepare(prepared);

  const auto cases = absl::c_count_if(subjects, [](const LoadedCase& one) { return one.skipped.empty(); });
  std::map<Verdict, int> totals;
  Json results = Json::array();
  bool diverged = false, harness_failed = false;
  int skipped = 0;
  for (const LoadedCase& one : subjects) {
    const std::string& file = one.name;
    const SpecCase& subject = one.spec_case;
    if (!one.skipped.empty()) {
      ++skipped;
      results.push_back(Json{{"file", file}, {"skipped", one.skipped}});
      if (!flags.json) std::printf("%s: skipped: %s\n", file.c_str(), one.skipped.c_str());
      continue;
    }
    CheckedCase checked = CheckCase(*toolchain, subject, flags.toolchain.limits, judge);
    if (one.expects_error) ApplyExpectedError(&checked);
    const Judgement& judgement = checked.judgement;
    ++totals[judgement.verdict];
    const Case* test_case = checked.twin ? &*checked.twin : subject.test_case();
    const KnownDivergences::Entry* entry =
        checked.signature.empty() ? nullptr : known.Find(checked.signature, test_case, *toolchain);
    const FindingSignature name =
        test_case != nullptr ? NameOf(checked.signature, test_case->program) : checked.signature;
    diverged |= IsDivergence(judgement.verdict) && entry == nullptr;
    harness_failed |= judgement.verdict == Verdict::kHarnessFault;
    if (flags.json) {
      results.push_back(Json{{"file", file},
                             {"runs", checked.observation.runs.size()},
                             {"judgement", ToJson(judgement)},
                             {"signature", ToString(name)},
                             {"of_twin", checked.twin.has_value()},
                             {"known", entry != nullptr}});
      if (!one.part.empty()) results.back()["part"] = one.part;
      continue;
    }
    const bool brief = judgement.verdict == Verdict::kAgree && cases > 1;
    const size_t runs = one.from_mlir ? checked.observation.runs.size() : 0;
    std::printf("%s: %s [%s]%s%s%s%s\n", file.c_str(), Painted(judgement.verdict).c_str(),
                Info(judgement.rule).label.c_str(), runs == 0 ? "" : absl::StrCat(" (", runs, " runs)").c_str(),
                one.part.empty() ? "" : absl::StrCat(" (", one.part, ")").c_str(), entry != nullptr ? " (known)" : "",
                brief ? InBrackets(judgement).c_str() : "");
    if (brief) continue;
    if (checked.twin) std::printf("about:     the case's twin, %s\n", checked.twin_name.c_str());
    const std::string op = test_case != nullptr ? Signature(test_case->program, test_case->program.ops.back())
                                                : ToString(*subject.probe());
    const bool has_passes = IsDivergence(judgement.verdict) && test_case != nullptr && one.from_mlir;
    const std::string turn = has_passes ? WhereItGoesWrong(*toolchain, *test_case, flags.toolchain.limits, judge) : "";
    const bool is_undefined = judgement.verdict == Verdict::kUndefined && test_case != nullptr;
    const RuleId rule = is_undefined ? UndefinedBy(*test_case, judgement, judge.policies) : judgement.rule;
    const std::string answer = one.from_mlir ? AnswerOf(judgement.verdict, rule, turn) : "";
    std::printf("op:        %s\n%s%s\n", op.c_str(), JudgementToText(judgement).c_str(),
                answer.empty() ? "" : absl::StrCat("answer:    ", answer, "\n").c_str());
  }
  if (flags.json) {
    std::printf("%s\n", Dump(results, 2).c_str());
  } else {
    std::string line = absl::StrCat(subjects.size() - skipped, " cases:");
    for (const auto& [verdict, count] : totals) absl::StrAppend(&line, " ", Name(verdict), " ", count);
    if (skipped > 0) absl::StrAppend(&line, "; skipped ", skipped);
    std::printf("%s\n", line.c_str());
  }
  if (static_cast<size_t>(skipped) == subjects.size()) {
    return absl::InvalidArgumentError(absl::StrCat("nothing to check: ", skipped, " functions, all skipped"));
  }
  if (harness_failed) return kExitHarness;
  return diverged ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddCheck(CLI::App& app, CommandLine& command_line) {
  CLI::App* check = app.add_subcommand("check", "replay case files; say what was expected and what happened");
  auto flags = std::make_shared<CheckFlags>();
  check->add_option("files", flags->paths, "case files, .mlir files, directories of either, or - for standard input")
      ->required();
  AddKnown(*check, &flags->known);
  check->add_flag("--json", flags->json, "print the judgements as JSON");
  check->add_option("--save", flags->save, "write each case into this directory, as a case file")->type_name("DIR");
  flags->input.AddTo(*check);
  flags->toolchain.AddTo(*check);
  flags->policy.AddTo(*check);
  check->callback([flags, &command_line] { command_line.action = [flags] { return RunCheck(*flags); }; });
}

}  // namespace tosaic
