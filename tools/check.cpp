// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic check: replays cases, each alone in a fresh process.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "checking/circumstances.h"
#include "checking/files.h"
#include "checking/known_divergences.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/blame_of_base.h"
#include "diagnosis/plain_case.h"
#include "importing/mlir_cases.h"
#include "model/escape.h"
#include "results/judgement_text.h"
#include "tools/answer.h"
#include "tools/case_input.h"
#include "tools/check_answer.h"
#include "tools/given_data.h"
#include "tools/output_flags.h"
#include "tools/printed.h"
#include "tools/stock_mlir.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct CheckFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  CaseInput input;
  GivenData given;
  std::vector<std::string> paths;
  std::string known = kNoneKnown;
  std::string save;
  bool json = false;
};

absl::StatusOr<std::vector<LoadedCase>> SubjectsOf(const CheckFlags& flags) {
  if (flags.toolchain.route == kAllRoutes && !flags.given.outputs.empty()) {
    return absl::InvalidArgumentError(
        "--outputs: each route of --route=all would write the same files; take one route, as with --route=loops");
  }
  TOSAIC_RETURN_IF_ERROR(flags.given.CheckRuns(flags.toolchain));
  const std::string& target = flags.input.fuzz_target;
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                          target.empty() ? CaseFilesAt(flags.paths) : ArtifactsAt(flags.paths, target));
  ToolchainFlags toolchain = flags.toolchain;
  if (toolchain.route == kAllRoutes) toolchain.route.clear();  // OnAllRoutes() gives them
  TOSAIC_ASSIGN_OR_RETURN(std::vector<LoadedCase> subjects, flags.input.LoadAll(files, &toolchain));
  if (flags.given.IsGiven()) TOSAIC_RETURN_IF_ERROR(flags.given.AddRunTo(&subjects));
  if (!flags.save.empty()) TOSAIC_RETURN_IF_ERROR(SaveCases(flags.save, subjects));
  return subjects;
}

CheckAnswer Interrupted(const LoadedCase& subject) {
  return {.file = subject.name, .skipped = "the command was interrupted", .interrupted = true};
}

// The case that a judgement is about; null: a probe of the trait.
const Case* Judged(const LoadedCase& subject, const CheckedCase& checked) {
  return checked.twin ? &*checked.twin : subject.spec_case.test_case();
}

// The time for reducing a divergence, because listed causes are recognised by their reduced case.
constexpr absl::Duration kReducingTime = absl::Seconds(15);

CheckAnswer AnswerTo(const LoadedCase& subject, Toolchain& toolchain, const ToolchainFlags& flags,
                     const JudgeOptions& judge, const KnownDivergences& listed, const std::optional<PatchBase>& base) {
  if (!subject.skipped.empty()) {
    return {.file = subject.name, .skipped = subject.skipped, .unread = subject.unread, .untested = subject.untested};
  }
  CheckAnswer answer = {.file = subject.name,
                        .part = subject.part,
                        .untested = subject.untested,
                        .spelled = subject.spelled,
                        .checked = CheckCase(toolchain, subject.spec_case, flags.limits, judge)};
  const Case* executed = judge.validation ? nullptr : subject.spec_case.test_case();
  if (executed != nullptr && !executed->runs.empty()) {
    for (const size_t op : OpsWithoutEffect(executed->program)) {
      answer.untested.push_back(absl::StrCat(OpInWords(executed->program, op), ", whose value reaches no result"));
    }
  }
  if (subject.expects_error) ApplyExpectedError(&answer.checked);
  answer.runs = std::exchange(answer.checked.observation, {}).runs.size();
  if (subject.spec_case.test_case() != nullptr && !judge.validation)
    answer.route = subject.spec_case.test_case()->route;
  const Judgement& judgement = answer.checked.judgement;
  if (judgement.verdict == Verdict::kAgree && judgement.stage == Stage::kInfer) answer.not_run = subject.no_run;
  if (judgement.verdict == Verdict::kAgree && judgement.stage == Stage::kVerify && executed != nullptr) {
    answer.not_run = "it is refused, as it must be";
  }
  const FindingSignature& found = answer.checked.signature;
  const Case* test_case = Judged(subject, answer.checked);
  // MLIR's known causes explain nothing that stock MLIR has right.
  const bool asks_base = !listed.entries().empty() && !found.empty() && test_case != nullptr && base;
  const bool base_is_right =
      asks_base &&
      IsPatchToBlame(toolchain, *base, *test_case, [&] { return judgement; }, flags.limits, judge, ReaderFor(flags));
  const KnownDivergences& known = listed.Explaining(base_is_right);
  answer.known = !found.empty() && known.Find(found, test_case, toolchain) != nullptr;
  if (asks_base && !answer.known) {
    answer.known =
        KnownOfWhatIsLeft(toolchain, *base, listed, *test_case, flags.limits, judge, ReaderFor(flags)) != nullptr;
  }
  if (!found.empty() && !answer.known && !known.entries().empty() && test_case != nullptr) {
    answer.known = IsKnownReduced(toolchain, known, *test_case, found, flags.limits, judge, kReducingTime);
  }
  if (judgement.rule == RuleId::kRunUndefinedBehaviour && !answer.known) {
    answer.pass = WhereItGoesWrong(toolchain, *test_case, flags.limits, judge, ReaderFor(flags));
  }
  answer.signature = ToString(test_case != nullptr ? NameOf(found, test_case->program) : found);
  return answer;
}

// The line that answers a report on a function of an .mlir file: "answer:    wrong: ...".
std::string AnswerLine(const LoadedCase& subject, const CheckedCase& checked, Toolchain& toolchain,
                       const ToolchainFlags& flags, const JudgeOptions& judge) {
  const Case* test_case = Judged(subject, checked);
  if (!subject.from_mlir || test_case == nullptr) return "";
  const Judgement& judgement = checked.judgement;
  const bool diverges = IsDivergence(judgement.verdict);
  const bool is_open = judgement.verdict == Verdict::kUndefined || (!diverges && judgement.masked > 0);
  const std::string turn =
      diverges ? WhereItGoesWrong(toolchain, *test_case, flags.limits, judge, ReaderFor(flags)) : "";
  const RuleId rule = is_open ? UndefinedBy(*test_case, judgement, judge.policies) : judgement.rule;
  const bool is_of_types = judgement.stage == Stage::kInfer && !subject.no_run.empty();
  const std::string answer = is_of_types && !diverges ? "the types are as specified; of the values nothing is known"
                                                      : AnswerOf(judgement, rule, turn);
  return answer.empty() ? "" : absl::StrCat("answer:    ", answer, "\n");
}

// The text on a checked subject. `brief`: an agreement is one line. `last`: from AnswerLine.
std::string ToText(const LoadedCase& subject, const CheckAnswer& answer, bool brief, bool all_routes,
                   absl::string_view last) {
  const CheckedCase& checked = answer.checked;
  const Judgement& judgement = checked.judgement;
  const size_t runs = subject.from_mlir ? answer.runs : 0;
  std::string text = absl::StrCat(
      OneLine(answer.file), ": ", Painted(judgement.verdict), " [", Name(judgement.rule), "]",
      judgement.beyond_spec ? " (beyond-spec)" : "", all_routes ? absl::StrCat(" on route ", answer.route) : "",
      runs == 0 ? "" : absl::StrCat(" (", Counted(runs, "run"), ")"),
      answer.not_run.empty() ? "" : absl::StrCat(" (types alone, nothing ran: ", answer.not_run, ")"),
      answer.part.empty() ? "" : absl::StrCat(" (", PartInWords(answer.part), ")"), UntestedText(answer),
      answer.spelled ? absl::StrCat(" (as MLIR ", *answer.spelled, " spells it)") : "", answer.known ? " (known)" : "");
  if (brief && judgement.verdict == Verdict::kAgree) return absl::StrCat(text, InBrackets(judgement), "\n");
  if (checked.twin) absl::StrAppend(&text, "\nabout:     ", VariantInWords(checked.twin_name, checked.is_wrong_itself));
  const Case* test_case = Judged(subject, checked);
  const size_t ops = test_case != nullptr ? test_case->program.ops.size() : 0;
  const bool is_any = ops > 1 && !judgement.mismatch && judgement.stage > Stage::kInfer;  // that may be to blame
  return absl::StrCat(text, "\nop:        ",
                      test_case != nullptr ? Signature(test_case->program, BlamedOp(test_case->program, judgement))
                                           : ToString(*subject.spec_case.probe()),
                      is_any ? absl::StrCat(" (the last of ", ops, " ops)") : "", "\n",
                      EscapeControls(JudgementToText(judgement)),
                      answer.pass.empty() ? "" : EscapeControls(absl::StrCat("pass:      ", answer.pass, "\n")),
                      EscapeControls(last), "\n");
}

// For --route=all, the case on each route of the toolchain.
std::vector<LoadedCase> OnAllRoutes(const std::vector<LoadedCase>& subjects, const Toolchain& toolchain) {
  std::vector<LoadedCase> all;
  for (const LoadedCase& loaded_case : subjects) {
    if (!loaded_case.skipped.empty() || loaded_case.spec_case.test_case() == nullptr) {
      all.push_back(loaded_case);
      continue;
    }
    for (const Route* route : toolchain.description().routes) {
      LoadedCase& on_route = all.emplace_back(loaded_case);
      std::get<Case>(on_route.spec_case.subject).route = std::string(route->name);
    }
  }
  return all;
}

// Settings that are the same for all subjects.
struct Checking {
  const CheckFlags& flags;
  Toolchain& toolchain;
  const JudgeOptions& judge;
  const KnownDivergences& known;
  const std::optional<PatchBase>& base;
  bool all_routes, brief;
};

// Checks the subject, and prints what does not come last, in short. Errors: those of --inputs.
absl::StatusOr<CheckAnswer> CheckOne(const Checking& with, const LoadedCase& subject, const std::atomic<bool>& stop) {
  if (stop) return Interrupted(subject);
  const auto& [flags, toolchain, judge, known, base, all_routes, brief] = with;
  const WorkerLimits& limits = flags.toolchain.limits;
  std::optional<WaitingLine> waiting(std::in_place, OneLine(subject.name));
  CheckAnswer answer = AnswerTo(subject, toolchain, flags.toolchain, judge, known, base);
  if (flags.given.IsGiven() && IsChecked(answer) && subject.spec_case.test_case() != nullptr && !stop) {
    TOSAIC_ASSIGN_OR_RETURN(answer.given,
                            flags.given.Compare(*subject.spec_case.test_case(), toolchain, limits, judge));
  }
  const bool agrees = Agrees(answer);
  const bool is_last = flags.json || !IsChecked(answer) || (agrees && all_routes);
  const bool is_one_line = brief && agrees;
  const std::string last =
      is_last || is_one_line ? "" : AnswerLine(subject, answer.checked, toolchain, flags.toolchain, judge);
  waiting.reset();
  if (stop) return Interrupted(subject);  // its workers were not waited for
  if (!is_last) {
    std::printf("%s%s", ToText(subject, answer, brief, all_routes, last).c_str(), EscapeControls(answer.given).c_str());
  }
  return answer;
}

absl::StatusOr<int> RunCheck(const CheckFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(std::vector<LoadedCase> subjects, SubjectsOf(flags));
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  judge = ForToolchain(*toolchain, judge);
  KnownDivergences known;
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, *toolchain, judge.validation.has_value(), &known));
  const StockMlir stock = known.entries().empty() ? StockMlir() : StockMlirOf(flags.toolchain, *toolchain);
  const bool all_routes = flags.toolchain.route == kAllRoutes;
  if (all_routes) subjects = OnAllRoutes(subjects, *toolchain);
  const std::vector<Case> cases = CasesIn(subjects);
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain, cases));
  const std::atomic<bool>& stop = *StopOnSignals();
  // Many cases at once are cheaper for some toolchains.
  if (cases.size() > 1) toolchain->Prepare(cases);
  const bool brief =
      absl::c_count_if(subjects, [](const LoadedCase& loaded_case) { return loaded_case.skipped.empty(); }) > 1;
  const Checking with = {flags, *toolchain, judge, known, stock.base, all_routes, brief};
  std::vector<CheckAnswer> answers;
  for (const LoadedCase& subject : subjects) {
    TOSAIC_ASSIGN_OR_RETURN(answers.emplace_back(), CheckOne(with, subject, stop));
  }
  if (flags.json) {
    std::printf("%s\n", Dump(ToJson(answers), 2).c_str());
  } else {
    // It is an error if nothing was checked.
    const bool any = stop || absl::c_any_of(answers, IsChecked);
    const bool has_function = absl::c_any_of(answers, HasFunction);  // else the error names the files
    std::printf("%s%s%s%s%s%s", has_function ? SkippedText(answers).c_str() : "",
                all_routes ? (AgreeingText(answers) + GivenText(answers)).c_str() : "",
                RoutesLine(answers, all_routes).c_str(), any ? Totals(answers).c_str() : "",
                stop ? " (interrupted)" : "", any ? "\n" : "");
  }
  if (const std::string unread = UnreadText(answers); !unread.empty()) {
    std::fprintf(stderr, "tosaic: %s\n", unread.c_str());
  }
  return ExitStatusOf(answers);
}

}  // namespace

void AddCheck(CLI::App& app, CommandLine& command_line) {
  CLI::App* check = app.add_subcommand("check", "replay case files, and say what was expected and what happened");
  auto flags = std::make_shared<CheckFlags>();
  check->add_option("files", flags->paths, "case files, .mlir files, directories of either, or - for standard input")
      ->required();
  AddKnown(*check, &flags->known);
  check->add_flag("--json", flags->json, "print the judgements as JSON");
  check->add_option("--save", flags->save, "write each case into this directory, as a case file")->type_name("DIR");
  flags->input.AddTo(*check);
  flags->given.AddTo(*check);
  flags->toolchain.AddTo(*check, /*mixed=*/true);
  flags->policy.AddTo(*check);
  check->callback([flags, &command_line] { command_line.action = [flags] { return RunCheck(*flags); }; });
}

}  // namespace tosaic
