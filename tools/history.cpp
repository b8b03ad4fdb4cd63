// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic history: since when is a case wrong, and until when?
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "tools/case_input.h"
#include "tools/historian.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

struct HistoryFlags {
  CaseInput input;
  PolicyFlags policy;
  std::string file;
  std::string route;
  WorkerLimits limits;
  bool json = false;
};

void PrintRow(const HistoryRow& row) {
  const std::string in_part = row.why.empty() ? "" : absl::StrCat(" (", row.why, ")");
  const std::string answer =
      row.answer == HistoryAnswer::kUnknown ? row.why : absl::StrCat(row.verdict, " [", row.rule, "]", in_part);
  const std::string version = row.date.empty() ? row.version : absl::StrCat("LLVM of ", row.date);
  std::printf("%-14s %-34s %-9s %s\n", row.toolchain.c_str(), OneLine(version).c_str(),
              std::string(Name(row.answer)).c_str(), OneLine(answer).c_str());
  std::fflush(stdout);
}

// The sentences below the lines of one case.
void PrintSpans(const CaseHistory& history) {
  std::printf("%s\n", OneLine(history.span).c_str());
  if (!history.dated_span.empty()) std::printf("dated builds: %s\n", OneLine(history.dated_span).c_str());
}

absl::StatusOr<int> RunHistory(const HistoryFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, CaseFilesAt(flags.file));
  const bool is_list = files.size() > 1;
  ToolchainFlags route;
  route.route = flags.route;
  std::vector<Case> cases;
  for (const std::string& file : files) {
    TOSAIC_ASSIGN_OR_RETURN(cases.emplace_back(), flags.input.Load(file, nullptr));
    TOSAIC_RETURN_IF_ERROR(route.ApplyRoute(file, &cases.back()));
  }
  const std::atomic<bool>* stop = StopOnSignals();
  Historian historian(flags.limits, flags.policy.ToOptions(), stop);
  bool is_wrong = false, interrupted = false;
  Json all = Json::array();
  if (is_list && !flags.json) std::printf("| case | releases | dated builds |\n|---|---|---|\n");
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    const bool is_shown = !is_list && !flags.json;
    const CaseHistory history = historian.Ask(file, cases[i], is_shown ? PrintRow : [](const HistoryRow&) {});
    if (is_shown) PrintSpans(history);
    is_wrong |= history.IsWrong();
    interrupted |= history.interrupted;
    if (flags.json) {
      Json json{{"toolchains", ToJson(history.released)}, {"span", history.span}, {"interrupted", history.interrupted}};
      if (!history.dated.empty()) json.update({{"dated", ToJson(history.dated)}, {"dated_span", history.dated_span}});
      if (is_list) json["name"] = file;
      all.push_back(std::move(json));
    } else if (is_list) {
      std::printf("| `%s` | %s | %s |\n", OneLine(file).c_str(), OneLine(history.span).c_str(),
                  OneLine(history.dated_span).c_str());
      std::fflush(stdout);
    }
  }
  if (flags.json) std::printf("%s\n", Dump(is_list ? all : all.front(), 2).c_str());
  if (interrupted) return kExitInterrupted;
  return is_wrong ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddHistory(CLI::App& app, CommandLine& command_line) {
  CLI::App* history = app.add_subcommand(
      "history", "check a case on every MLIR of this machine: since when is it wrong, and until when?");
  auto flags = std::make_shared<HistoryFlags>();
  history->add_option("file", flags->file, absl::StrCat(kCaseFileHelp, ", or a folder of them"))->required();
  history->add_option("--route", flags->route, "the pass pipeline to lower with, by name (default: the case's own)")
      ->check(OneOf(RouteNames()));
  history->add_flag("--json", flags->json, "print the answer as JSON");
  AddLimits(*history, &flags->limits);
  flags->input.AddTo(*history);
  flags->policy.AddTo(*history);
  history->callback([flags, &command_line] { command_line.action = [flags] { return RunHistory(*flags); }; });
}

}  // namespace tosaic
