// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/check_answer.h"

#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"
#include "importing/mlir_cases.h"
#include "model/counted.h"
#include "model/escape.h"
#include "model/first_of.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

// Names by what is said of them, in the order of the answers.
using NamesByText = std::vector<std::pair<std::string, std::vector<std::string>>>;

void AddTo(NamesByText* groups, const std::string& text, const std::string& name) {
  auto there = absl::c_find_if(*groups, [&](const auto& other) { return other.first == text; });
  if (there == groups->end()) there = groups->insert(there, {text, {}});
  there->second.push_back(name);
}

// How many ops of the checked functions are not tested; those of a function that was tried on several routes once.
size_t CountUntested(const std::vector<CheckAnswer>& answers) {
  std::set<std::pair<std::string, std::string>> untested;
  for (const CheckAnswer& answer : answers) {
    for (const std::string& op : answer.untested) untested.emplace(answer.file, op);
  }
  return untested.size();
}

// Whether only the file's expected-error makes a refusal right.
bool IsExcused(const CheckAnswer& answer) {
  return absl::c_any_of(answer.checked.judgement.notes, [](const std::string& note) {
    return absl::StartsWith(note, "expected-error: ") && note != kNothingRefused;
  });
}

// The error if all were skipped.
absl::Status NothingToCheck(const std::vector<CheckAnswer>& answers) {
  std::vector<std::string> empty;  // files
  size_t functions = 0;
  for (const CheckAnswer& answer : answers) {
    HasFunction(answer) ? void(functions += answer.unread.ok() ? 1 : 0) : empty.push_back(OneLine(answer.file));
  }
  if (functions == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(FirstOf(empty), ": nothing to check: there is no function in the input"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("nothing to check: ", functions == 1 ? "the only function was skipped"
                                                        : absl::StrCat("all ", functions, " functions were skipped")));
}

}  // namespace

void Fields(Visitor& v, CheckAnswer& answer) {
  const bool is_checked = IsChecked(answer);
  v("file", answer.file, "of an .mlir file, followed by `:` and the function");
  v.Optional(
      "skipped", answer.skipped,
      "why the function is not a case, or was not checked; of the further keys, only the next two and `untested` "
      "can be there then");
  v.DerivedIf(!answer.unread.ok(), "not_read", true, "that the whole file could not be read; exit status 2, or 3");
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
      "the function's elementwise ops that no case has, as those in the region of another op, each with its line, and "
      "those whose values reach no result: nothing is known of what they compute");
  v.Optional("spelled", answer.spelled,
             "the version of MLIR in whose spelling the function is, if it is another than the toolchain's");
}

bool IsChecked(const CheckAnswer& answer) { return answer.skipped.empty(); }

bool Agrees(const CheckAnswer& answer) {
  return IsChecked(answer) && answer.checked.judgement.verdict == Verdict::kAgree;
}

bool HasFunction(const CheckAnswer& answer) { return answer.skipped != kNoFunction; }

std::string UntestedText(const CheckAnswer& answer) {
  return answer.untested.empty() ? "" : OneLine(absl::StrCat(" (not tested: ", FirstOf(answer.untested), ")"));
}

std::string SkippedText(const std::vector<CheckAnswer>& answers) {
  NamesByText by_reason;
  for (const CheckAnswer& answer : answers) {
    if (IsChecked(answer)) continue;
    const absl::string_view label = answer.unread.ok() ? "skipped: " : "not read: ";
    AddTo(&by_reason, absl::StrCat(label, answer.skipped, UntestedText(answer)), answer.file);
  }
  std::string text;
  for (const auto& [reason, files] : by_reason) {
    absl::StrAppend(&text, OneLine(absl::StrCat(FirstOf(files), ": ", reason)), "\n");
  }
  return text;
}

std::string UnreadText(const std::vector<CheckAnswer>& answers) {
  std::vector<std::string> files;
  for (const CheckAnswer& answer : answers) {
    if (!answer.unread.ok()) files.push_back(answer.file);
  }
  return files.empty() ? "" : OneLine(absl::StrCat(FirstOf(files), ": not read"));
}

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

std::string GivenText(const std::vector<CheckAnswer>& answers) {
  NamesByText routes_by_text;
  for (const CheckAnswer& answer : answers) {
    if (!Agrees(answer) || answer.given.empty()) continue;
    AddTo(&routes_by_text, answer.given, answer.route);
  }
  std::string text;
  for (const auto& [given, routes] : routes_by_text) {
    const bool is_of_all = routes_by_text.size() == 1;
    absl::StrAppend(&text, is_of_all ? "" : absl::StrCat("on ", FirstOf(routes), ":\n"), EscapeControls(given));
  }
  return text;
}

std::string RoutesLine(const std::vector<CheckAnswer>& answers, bool all_routes) {
  std::set<std::string> routes;
  for (const CheckAnswer& answer : answers) routes.insert(answer.route);
  routes.erase("");
  if (routes.empty()) return "";
  if (all_routes) return absl::StrCat("tried on each of ", Counted(routes.size(), "route"), "\n");
  return absl::StrCat("tried on ", routes.size() == 1 ? "route " : "routes ", absl::StrJoin(routes, ", "),
                      " alone; --route=all tries each route\n");
}

std::string Totals(const std::vector<CheckAnswer>& answers) {
  std::map<Verdict, int> verdicts;
  size_t skipped = 0, unread = 0;
  for (const CheckAnswer& answer : answers) {
    IsChecked(answer) ? ++verdicts[answer.checked.judgement.verdict] : ++(answer.unread.ok() ? skipped : unread);
  }
  std::string line = absl::StrCat(Counted(answers.size() - skipped - unread, "case"), verdicts.empty() ? "" : ":");
  for (const auto& [verdict, count] : verdicts) absl::StrAppend(&line, " ", Name(verdict), " ", count);
  const auto known = absl::c_count_if(answers, [](const CheckAnswer& answer) { return answer.known; });
  if (known > 0) absl::StrAppend(&line, "; known: ", known);
  const auto not_run = absl::c_count_if(answers, [](const CheckAnswer& answer) { return !answer.not_run.empty(); });
  if (not_run > 0) absl::StrAppend(&line, "; nothing ran of ", not_run);
  const auto beyond =
      absl::c_count_if(answers, [](const CheckAnswer& answer) { return answer.checked.judgement.beyond_spec; });
  if (beyond > 0) absl::StrAppend(&line, "; beyond the specification: ", beyond);
  const auto excused = absl::c_count_if(answers, IsExcused);
  if (excused > 0) absl::StrAppend(&line, "; refused against the documents, as the file expects: ", excused);
  if (skipped > 0) absl::StrAppend(&line, "; skipped ", skipped);
  if (unread > 0) absl::StrAppend(&line, "; ", Counted(unread, "file"), " not read");
  if (const size_t untested = CountUntested(answers); untested > 0)
    absl::StrAppend(&line, "; ", Counted(untested, "op"), " not tested");
  return line;
}

absl::StatusOr<int> ExitStatusOf(const std::vector<CheckAnswer>& answers) {
  const auto any = [&](auto predicate) { return absl::c_any_of(answers, predicate); };
  if (any([](const CheckAnswer& answer) {
        return answer.checked.judgement.verdict == Verdict::kHarnessFault || absl::IsInternal(answer.unread);
      })) {
    return kExitHarness;
  }
  if (any([](const CheckAnswer& answer) { return answer.interrupted; })) return kExitInterrupted;
  if (absl::c_none_of(answers, IsChecked)) return NothingToCheck(answers);
  const bool diverged =
      any([](const CheckAnswer& answer) { return IsDivergence(answer.checked.judgement.verdict) && !answer.known; });
  if (diverged) return kExitDivergence;
  return any([](const CheckAnswer& answer) { return !answer.unread.ok(); }) ? kExitUsage : kExitAgree;
}

Json SchemaOfCheck() { return Schema<CheckAnswer>(); }

}  // namespace tosaic
