// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic history: the verdict on a case by every MLIR that is found here, the newest last: since when, until when.
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "checking/check_case.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/external_tools.h"
#include "tools/case_input.h"
#include "tools/subcommands.h"

namespace tosaic {

// What one toolchain makes of the case.
struct HistoryRow {
  std::string toolchain;
  std::string version;
  std::string answer;  // "wrong", "right", "undefined" or "unknown"
  std::string verdict;
  std::string rule;
  std::string why;  // of "unknown", and of what was judged in part
};

void Fields(Visitor& v, HistoryRow& row) {
  v("toolchain", row.toolchain);
  v("version", row.version);
  v("answer", row.answer);
  v("verdict", row.verdict);
  v("rule", row.rule);
  v("why", row.why);
}

namespace {

struct HistoryFlags {
  CaseInput input;
  PolicyFlags policy;
  std::string file;
  std::string route;
  WorkerLimits limits;
  bool json = false;
};

// Those that --toolchain can name here, oldest first.
std::vector<std::string> AllToolchains() {
  std::vector<std::string> names;
  for (const ExternalTools& tools : ListTools()) {
    const bool is_ours = tools.name() == absl::StrCat(NameInProcess(), "-tools");
    names.push_back(is_ours ? NameInProcess() : tools.name());
  }
  if (!absl::c_linear_search(names, NameInProcess())) names.push_back(NameInProcess());
  if (FindTrunk()) names.emplace_back(kTrunk);
  return names;
}

HistoryRow Unknown(HistoryRow row, absl::string_view why) {
  row.answer = "unknown";
  row.why = std::string(why);
  return row;
}

HistoryRow Ask(const std::string& name, const Case& test_case, const WorkerLimits& limits, const JudgeOptions& judge) {
  HistoryRow row{.toolchain = name};
  ToolchainFlags flags;
  flags.toolchain = name;
  flags.limits = limits;
  const absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = flags.Create();
  if (!toolchain.ok()) return Unknown(std::move(row), toolchain.status().message());
  const ToolchainDescription& is = (*toolchain)->description();
  row.version = is.version;
  if (FindRoute(is.routes, test_case.route) == nullptr) {
    return Unknown(std::move(row), absl::StrCat("it has no route '", test_case.route, "'"));
  }
  const CheckedCase checked = CheckCase(**toolchain, test_case, flags.limits, ForToolchain(**toolchain, judge));
  const Judgement& judgement = checked.judgement;
  row.verdict = std::string(Name(judgement.verdict));
  row.rule = std::string(Name(judgement.rule));
  if (judgement.verdict == Verdict::kUnsupported || judgement.verdict == Verdict::kHarnessFault) {
    return Unknown(std::move(row), judgement.actual);
  }
  row.answer = IsDivergence(judgement.verdict)            ? "wrong"
               : judgement.verdict == Verdict::kUndefined ? "undefined"
                                                          : "right";
  const bool is_of_types = judgement.verdict == Verdict::kAgree && judgement.stage == Stage::kInfer;
  if (is_of_types) row.why = "types alone, nothing ran";
  return row;
}

// "wrong since LLVM 19.1.7 (LLVM 16.0.6 is not), and still on LLVM 24.0.0", of the rows that know.
std::string Span(const std::vector<HistoryRow>& rows) {
  std::vector<const HistoryRow*> known;
  for (const HistoryRow& row : rows) {
    if (row.answer != "unknown") known.push_back(&row);
  }
  if (known.empty()) return "no toolchain can tell";
  const auto is_wrong = [](const HistoryRow* row) { return row->answer == "wrong"; };
  const auto first = absl::c_find_if(known, is_wrong);
  if (first == known.end()) return "wrong on none of them";
  const auto last = std::find_if(known.rbegin(), known.rend(), is_wrong).base();  // behind it
  const std::string since =
      first == known.begin()
          ? absl::StrCat("wrong on ", (*first)->version, ", the oldest that can tell")
          : absl::StrCat("wrong since ", (*first)->version, " (", (*std::prev(first))->version, " is not)");
  const std::string until = last == known.end() ? absl::StrCat("and still on ", known.back()->version)
                                                : absl::StrCat("and no longer on ", (*last)->version);
  const bool is_broken = std::any_of(first, last, [&](const HistoryRow* row) { return !is_wrong(row); });
  return absl::StrCat(since, ", ", until, is_broken ? "; not on all in between" : "");
}

absl::StatusOr<int> RunHistory(const HistoryFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(flags.file, nullptr));
  ToolchainFlags route;
  route.route = flags.route;
  TOSAIC_RETURN_IF_ERROR(route.ApplyRoute(flags.file, &test_case));
  std::vector<HistoryRow> rows;
  for (const std::string& name : AllToolchains()) {
    std::optional<WaitingLine> waiting(std::in_place, absl::StrCat(OneLine(flags.file), " on ", name));
    rows.push_back(Ask(name, test_case, flags.limits, flags.policy.ToOptions()));
    waiting.reset();
    const HistoryRow& row = rows.back();
    if (flags.json) continue;
    const std::string in_part = row.why.empty() ? "" : absl::StrCat(" (", row.why, ")");
    const std::string what =
        row.answer == "unknown" ? row.why : absl::StrCat(row.verdict, " [", row.rule, "]", in_part);
    std::printf("%-14s %-34s %-9s %s\n", row.toolchain.c_str(), OneLine(row.version).c_str(), row.answer.c_str(),
                OneLine(what).c_str());
    std::fflush(stdout);
  }
  const std::string span = Span(rows);
  if (flags.json) {
    std::printf("%s\n", Dump(Json{{"toolchains", ToJson(rows)}, {"span", span}}, 2).c_str());
  } else {
    std::printf("%s\n", OneLine(span).c_str());
  }
  const bool is_wrong = absl::c_any_of(rows, [](const HistoryRow& row) { return row.answer == "wrong"; });
  return is_wrong ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddHistory(CLI::App& app, CommandLine& command_line) {
  CLI::App* history = app.add_subcommand(
      "history", "check a case on every MLIR of this machine: since when is it wrong, and until when?");
  auto flags = std::make_shared<HistoryFlags>();
  history->add_option("file", flags->file, kCaseFileHelp)->required();
  history->add_option("--route", flags->route, "the pass pipeline to lower with, by name (default: the case's own)")
      ->check(CLI::IsMember(RouteNames()));
  history->add_flag("--json", flags->json, "print the answer as JSON");
  AddLimits(*history, &flags->limits);
  flags->input.AddTo(*history);
  flags->policy.AddTo(*history);
  history->callback([flags, &command_line] { command_line.action = [flags] { return RunHistory(*flags); }; });
}

}  // namespace tosaic
