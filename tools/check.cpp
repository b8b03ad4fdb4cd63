// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic check: replays cases, each alone in a fresh process.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/check_case.h"
#include "checking/circumstances.h"
#include "checking/files.h"
#include "checking/known_divergences.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "diagnosis/plain_case.h"
#include "importing/mlir_cases.h"
#include "model/escape.h"
#include "model/first_of.h"
#include "results/judgement_text.h"
#include "tools/answer.h"
#include "tools/case_input.h"
#include "tools/given_data.h"
#include "tools/output_flags.h"
#include "tools/printed.h"
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
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, CaseFilesAt(flags.paths));
  ToolchainFlags toolchain = flags.toolchain;
  if (toolchain.route == kAllRoutes) toolchain.route.clear();  // OnAllRoutes() gives them
  TOSAIC_ASSIGN_OR_RETURN(std::vector<LoadedCase> subjects, flags.input.LoadAll(files, &toolchain));
  if (flags.given.IsGiven()) TOSAIC_RETURN_IF_ERROR(flags.given.AddRunTo(&subjects));
  if (!flags.save.empty()) TOSAIC_RETURN_IF_ERROR(SaveCases(flags.save, subjects));
  return subjects;
}

// The outcome of a subject.
struct CheckAnswer {
  std::string file, skipped, part, given;
  std::vector<std::string> untested;
  bool interrupted = false;
  std::string not_run;  // why nothing but the types of a function was judged, though they are right
  std::optional<int> spelled;
  CheckedCase checked;  // without what was observed, which may be large
  std::string route;    // empty: of a probe, and of tosa-validate, which lowers nothing
  size_t runs = 0;
  std::string signature;
  bool known = false;
  std::string pass;  // of code that depends on poison: the one that brought it in, in words
};

bool IsChecked(const CheckAnswer& answer) { return answer.skipped.empty(); }

bool Agrees(const CheckAnswer& answer) {
  return IsChecked(answer) && answer.checked.judgement.verdict == Verdict::kAgree;
}

// False of a file that has none.
bool HasFunction(const CheckAnswer& answer) { return answer.skipped != kNoFunction; }

CheckAnswer Interrupted(const LoadedCase& subject) {
  return {.file = subject.name, .skipped = "the command was interrupted", .interrupted = true};
}

void Fields(Visitor& v, CheckAnswer& answer) {
  const bool is_checked = IsChecked(answer);
  v("file", answer.file, "of an .mlir file, followed by `:` and the function");
  v.Optional("skipped", answer.skipped,
             "why the function is not a case, or was not checked; all further keys but the next are absent then");
  v.Optional("interrupted", answer.interrupted, "true of what was not checked because the command was interrupted");
  v.Optional("route", answer.route, "on which it was checked");
  v.DerivedIf(is_checked, "runs", answer.runs);
  v.DerivedIf(is_checked, "judgement", answer.checked.judgement);
  v.DerivedIf(is_checked, "signature", answer.signature, "empty unless it diverges");
  v.DerivedIf(is_checked, "of_twin", answer.checked.twin.has_value(),
              "true if the judgement is about the case's twin, or about the case with all values returned");
  v.DerivedIf(is_checked, "known", answer.known, "whether the divergence is listed as known");
  v.Optional("pass", answer.pass,
             "of `run.undefined-behaviour`, unless it is known: which pass brought it in, in words");
  v.Optional("given", answer.given, "with --inputs: what came out of that run, in words");
  v.Optional("not_run", answer.not_run, "why nothing was lowered and run: the judgement is about the types alone");
  v.Optional("part", answer.part, "which part of the function the case is, if an op of another dialect ends it");
  v.Optional(
      "untested", answer.untested,
      "the function's elementwise ops that no case has, so that nothing is known of them, as those in the region of "
      "another op: each with its line");
  v.Optional("spelled", answer.spelled,
             "the version of MLIR in whose spelling the function is, if it is another than the toolchain's");
}

// The case that a judgement is about; null: a probe of the trait.
const Case* Judged(const LoadedCase& subject, const CheckedCase& checked) {
  return checked.twin ? &*checked.twin : subject.spec_case.test_case();
}

// The time for reducing a divergence, because listed causes are recognised by their reduced case.
constexpr absl::Duration kReducingTime = absl::Seconds(15);

CheckAnswer AnswerTo(const LoadedCase& subject, Toolchain& toolchain, const ToolchainFlags& flags,
                     const JudgeOptions& judge, const KnownDivergences& known) {
  if (!subject.skipped.empty()) return {.file = subject.name, .skipped = subject.skipped};
  CheckAnswer answer = {.file = subject.name,
                        .part = subject.part,
                        .untested = subject.untested,
                        .spelled = subject.spelled,
                        .checked = CheckCase(toolchain, subject.spec_case, flags.limits, judge)};
  if (subject.expects_error) ApplyExpectedError(&answer.checked);
  answer.runs = std::exchange(answer.checked.observation, {}).runs.size();
  if (subject.spec_case.test_case() != nullptr && !judge.validation)
    answer.route = subject.spec_case.test_case()->route;
  const Judgement& judgement = answer.checked.judgement;
  if (judgement.verdict == Verdict::kAgree && judgement.stage == Stage::kInfer) answer.not_run = subject.no_run;
  const FindingSignature& found = answer.checked.signature;
  const Case* test_case = Judged(subject, answer.checked);
  answer.known = !found.empty() && known.Find(found, test_case, toolchain) != nullptr;
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

// What is not tested of a function whose case is: " (not tested: tosa.mul in tosa.cond_if (line 6))".
std::string UntestedText(const CheckAnswer& answer) {
  return answer.untested.empty() ? "" : OneLine(absl::StrCat(" (not tested: ", FirstOf(answer.untested), ")"));
}

// The text on a checked subject. `brief`: an agreement is one line. `last`: from AnswerLine.
std::string ToText(const LoadedCase& subject, const CheckAnswer& answer, bool brief, bool all_routes,
                   absl::string_view last) {
  const CheckedCase& checked = answer.checked;
  const Judgement& judgement = checked.judgement;
  const size_t runs = subject.from_mlir ? answer.runs : 0;
  std::string text = absl::StrCat(
      OneLine(answer.file), ": ", Painted(judgement.verdict), " [", Name(judgement.rule), "]",
      all_routes ? absl::StrCat(" on route ", answer.route) : "",
      runs == 0 ? "" : absl::StrCat(" (", Counted(runs, "run"), ")"),
      answer.not_run.empty() ? "" : absl::StrCat(" (types alone, nothing ran: ", answer.not_run, ")"),
      answer.part.empty() ? "" : absl::StrCat(" (", PartInWords(answer.part), ")"), UntestedText(answer),
      answer.spelled ? absl::StrCat(" (as MLIR ", *answer.spelled, " spells it)") : "", answer.known ? " (known)" : "");
  if (brief && judgement.verdict == Verdict::kAgree) return absl::StrCat(text, InBrackets(judgement), "\n");
  if (checked.twin) absl::StrAppend(&text, "\nabout:     ", VariantInWords(checked.twin_name));
  const Case* test_case = Judged(subject, checked);
  return absl::StrCat(text, "\nop:        ",
                      test_case != nullptr ? Signature(test_case->program, test_case->program.ops.back())
                                           : ToString(*subject.spec_case.probe()),
                      "\n", EscapeControls(JudgementToText(judgement)),
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

// A line for each reason: "FILE:@f, FILE:@g, FILE:@h and 12 more: skipped: uses tosa.reverse, ...".
std::string SkippedText(const std::vector<CheckAnswer>& answers) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;  // in the order of the files
  for (const CheckAnswer& answer : answers) {
    if (IsChecked(answer)) continue;
    auto there = absl::c_find_if(by_reason, [&](const auto& other) { return other.first == answer.skipped; });
    if (there == by_reason.end()) there = by_reason.insert(by_reason.end(), {answer.skipped, {}});
    there->second.push_back(answer.file);
  }
  std::string text;
  for (const auto& [reason, files] : by_reason) {
    absl::StrAppend(&text, OneLine(absl::StrCat(FirstOf(files), ": skipped: ", reason)), "\n");
  }
  return text;
}

// Says of cases that were tried on all routes on how many they agree.
std::string AgreeingText(const std::vector<CheckAnswer>& answers) {
  std::map<std::pair<std::string, std::string>, size_t> agreeing;
  for (const CheckAnswer& answer : answers) {
    if (Agrees(answer)) ++agreeing[{answer.file, UntestedText(answer)}];
  }
  std::string text;
  for (const auto& [what, count] : agreeing) {
    absl::StrAppend(&text, OneLine(what.first), ": agree on ", Counted(count, "route"), what.second, "\n");
  }
  return text;
}

// What came out of the user's own run on the routes that agree: once, if it is the same on all of them.
std::string GivenText(const std::vector<CheckAnswer>& answers) {
  std::vector<std::pair<std::string, std::vector<std::string>>> routes_by_text;  // in the order of the routes
  for (const CheckAnswer& answer : answers) {
    if (!Agrees(answer) || answer.given.empty()) continue;
    auto there = absl::c_find_if(routes_by_text, [&](const auto& other) { return other.first == answer.given; });
    if (there == routes_by_text.end()) there = routes_by_text.insert(there, {answer.given, {}});
    there->second.push_back(answer.route);
  }
  std::string text;
  for (const auto& [given, routes] : routes_by_text) {
    const bool is_of_all = routes_by_text.size() == 1;
    absl::StrAppend(&text, is_of_all ? "" : absl::StrCat("on ", FirstOf(routes), ":\n"), EscapeControls(given));
  }
  return text;
}

// On which routes the cases were tried: one may be wrong on another.
std::string RoutesLine(const std::vector<CheckAnswer>& answers, bool all_routes) {
  std::set<std::string> routes;
  for (const CheckAnswer& answer : answers) routes.insert(answer.route);
  routes.erase("");
  if (routes.empty()) return "";
  if (all_routes) return absl::StrCat("tried on each of ", Counted(routes.size(), "route"), "\n");
  return absl::StrCat("tried on ", routes.size() == 1 ? "route " : "routes ", absl::StrJoin(routes, ", "),
                      " alone; --route=all tries each route\n");
}

// How many ops of the checked functions are not tested; those of a function that was tried on several routes once.
size_t CountUntested(const std::vector<CheckAnswer>& answers) {
  std::set<std::pair<std::string, std::string>> untested;
  for (const CheckAnswer& answer : answers) {
    for (const std::string& op : answer.untested) untested.emplace(answer.file, op);
  }
  return untested.size();
}

// "3 cases: agree 2 crash 1; skipped 4; 1 op not tested".
std::string Totals(const std::vector<CheckAnswer>& answers) {
  std::map<Verdict, int> verdicts;
  size_t skipped = 0;
  for (const CheckAnswer& answer : answers)
    answer.skipped.empty() ? ++verdicts[answer.checked.judgement.verdict] : ++skipped;
  std::string line = absl::StrCat(Counted(answers.size() - skipped, "case"), verdicts.empty() ? "" : ":");
  for (const auto& [verdict, count] : verdicts) absl::StrAppend(&line, " ", Name(verdict), " ", count);
  const auto not_run = absl::c_count_if(answers, [](const CheckAnswer& answer) { return !answer.not_run.empty(); });
  if (not_run > 0) absl::StrAppend(&line, "; nothing ran of ", not_run);
  if (skipped > 0) absl::StrAppend(&line, "; skipped ", skipped);
  if (const size_t untested = CountUntested(answers); untested > 0)
    absl::StrAppend(&line, "; ", Counted(untested, "op"), " not tested");
  return line;
}

// The error if all were skipped.
absl::Status NothingToCheck(const std::vector<CheckAnswer>& answers) {
  std::vector<std::string> empty;  // files
  for (const CheckAnswer& answer : answers) {
    if (!HasFunction(answer)) empty.push_back(OneLine(answer.file));
  }
  const size_t functions = answers.size() - empty.size();
  if (functions == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(FirstOf(empty), ": nothing to check: there is no function in the input"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("nothing to check: ", functions == 1 ? "the only function was skipped"
                                                        : absl::StrCat("all ", functions, " functions were skipped")));
}

absl::StatusOr<int> ExitStatusOf(const std::vector<CheckAnswer>& answers) {
  const auto any = [&](auto predicate) { return absl::c_any_of(answers, predicate); };
  if (any([](const CheckAnswer& answer) { return answer.checked.judgement.verdict == Verdict::kHarnessFault; })) {
    return kExitHarness;
  }
  if (any([](const CheckAnswer& answer) { return answer.interrupted; })) return kExitInterrupted;
  if (absl::c_none_of(answers, IsChecked)) return NothingToCheck(answers);
  const bool diverged =
      any([](const CheckAnswer& answer) { return IsDivergence(answer.checked.judgement.verdict) && !answer.known; });
  return diverged ? kExitDivergence : kExitAgree;
}

// Settings that are the same for all subjects.
struct Checking {
  const CheckFlags& flags;
  Toolchain& toolchain;
  const JudgeOptions& judge;
  const KnownDivergences& known;
  bool all_routes, brief;
};

// Checks the subject, and prints what does not come last, in short. Errors: those of --inputs.
absl::StatusOr<CheckAnswer> CheckOne(const Checking& with, const LoadedCase& subject, const std::atomic<bool>& stop) {
  if (stop) return Interrupted(subject);
  const auto& [flags, toolchain, judge, known, all_routes, brief] = with;
  const WorkerLimits& limits = flags.toolchain.limits;
  std::optional<WaitingLine> waiting(std::in_place, OneLine(subject.name));
  CheckAnswer answer = AnswerTo(subject, toolchain, flags.toolchain, judge, known);
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
  TOSAIC_RETURN_IF_ERROR(flags.toolchain.CheckEndsInLlvm(*toolchain, CasesIn(subjects)));
  judge = ForToolchain(*toolchain, judge);
  KnownDivergences known;
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, *toolchain, judge.validation.has_value(), &known));
  const bool all_routes = flags.toolchain.route == kAllRoutes;
  if (all_routes) subjects = OnAllRoutes(subjects, *toolchain);
  const std::atomic<bool>& stop = *StopOnSignals();
  // Many cases at once are cheaper for some toolchains.
  if (const std::vector<Case> cases = CasesIn(subjects); cases.size() > 1) toolchain->Prepare(cases);
  const bool brief =
      absl::c_count_if(subjects, [](const LoadedCase& loaded_case) { return loaded_case.skipped.empty(); }) > 1;
  const Checking with = {flags, *toolchain, judge, known, all_routes, brief};
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
  return ExitStatusOf(answers);
}

}  // namespace

Json SchemaOfCheck() { return Schema<CheckAnswer>(); }

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
