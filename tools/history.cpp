// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic history: since when is a case wrong, and until when?
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/files.h"
#include "checking/progress_line.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/escape.h"
#include "model/json.h"
#include "model/work_paths.h"
#include "results/campaign.h"
#include "tools/blame.h"
#include "tools/case_input.h"
#include "tools/historian.h"
#include "tools/printed.h"
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
  bool blame = false;
  bool all = false;
};

void PrintRow(const HistoryRow& row) {
  const std::string in_part = row.why.empty() || IsWrong(row.answer) ? "" : absl::StrCat(" (", row.why, ")");
  const std::string answer =
      row.answer == HistoryAnswer::kUnknown ? row.why : absl::StrCat(row.verdict, " [", row.rule, "]", in_part);
  const std::string version = row.date.empty() ? row.version : absl::StrCat("LLVM of ", row.date);
  std::printf("%-20s %-34s %-9s %s\n", row.toolchain.c_str(), OneLine(version).c_str(),
              std::string(Name(row.answer)).c_str(), OneLine(answer).c_str());
  std::fflush(stdout);
}

// The answer of `--blame`; empty: it was not asked.
std::string WhomToBlame(const ShortBlame& blame) {
  if (!blame.proved.empty()) return blame.proved;
  if (!blame.suspect.empty()) return absl::StrCat("not proved, suspect: ", blame.suspect);
  return blame.nobody.empty() ? "" : absl::StrCat("nobody: ", blame.nobody);
}

// The sentence on dated builds, with how many were not asked.
std::string DatedSentence(const CaseHistory& history) {
  const std::string not_asked = history.dated_span.empty() || history.interrupted ? "" : history.NotAsked();
  return absl::StrCat(history.dated_span, not_asked.empty() ? "" : "; ", not_asked);
}

// The sentences below the lines of one case.
void PrintSpans(const CaseHistory& history) {
  std::printf("%s\n", OneLine(history.span).c_str());
  if (!history.dated_span.empty()) std::printf("dated builds: %s\n", OneLine(DatedSentence(history)).c_str());
  if (const std::string whom = WhomToBlame(history.blame); !whom.empty())
    std::printf("blame: %s\n", OneLine(whom).c_str());
}

// The table's head, and a row of it.
void PrintHead(bool blames) {
  std::printf("| case | releases | dated builds |%s\n|---|---|---|%s\n", blames ? " blame |" : "",
              blames ? "---|" : "");
}
void PrintTableRow(const std::string& file, const CaseHistory& history, bool blames) {
  const std::string blame = blames ? absl::StrCat(" ", EscapeMarkdown(WhomToBlame(history.blame)), " |") : "";
  std::printf("| %s | %s | %s |%s\n", MarkdownCell(file).c_str(), OneLine(history.span).c_str(),
              OneLine(DatedSentence(history)).c_str(), blame.c_str());
  std::fflush(stdout);
}

// "Probably one cause (mlir::tosa::AddOp::fold; fixed between ...): `a`, `b`".
void PrintDuplicates(const std::vector<CaseHistory>& histories) {
  std::vector<PlacedCase> placed;
  for (const CaseHistory& history : histories) {
    const bool is_known = history.blame.nobody.empty();
    placed.push_back({history.Interval(), is_known ? WhomToBlame(history.blame) : ""});
  }
  for (const std::vector<size_t>& group : ProbableDuplicates(placed)) {
    const PlacedCase& first = placed[group.front()];
    std::printf("\nProbably one cause (%s; %s): %s\n", OneLine(first.blamed).c_str(), OneLine(first.interval).c_str(),
                absl::StrJoin(group, ", ", [&](std::string* out, size_t i) {
                  absl::StrAppend(out, MarkdownCode(histories[i].name));
                }).c_str());
  }
}

struct NamedCase {
  std::string name;  // of its file, or of its function in it
  Case test_case;
};

// Of several files all that is a case; says on stderr what is not, and clears *all_read if one cannot be read.
absl::StatusOr<std::vector<NamedCase>> LoadCases(const HistoryFlags& flags, const std::vector<std::string>& files,
                                                 bool* all_read) {
  std::vector<NamedCase> cases;
  if (files.size() == 1) {
    TOSAIC_ASSIGN_OR_RETURN(Case test_case, flags.input.Load(files.front(), nullptr));
    cases.push_back({files.front(), std::move(test_case)});
  } else {
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<LoadedCase> loaded, flags.input.LoadAll(files, nullptr));
    for (const LoadedCase& loaded_case : loaded) {
      const Case* test_case = loaded_case.spec_case.test_case();
      if (loaded_case.skipped.empty() && test_case != nullptr) {
        cases.push_back({loaded_case.name, *test_case});
        continue;
      }
      *all_read &= loaded_case.unread.ok();
      const std::string why =
          loaded_case.skipped.empty() ? "a probe of the trait, which has no program" : loaded_case.skipped;
      std::fprintf(stderr, "tosaic: %s\n", OneLine(absl::StrCat(loaded_case.name, ": left out: ", why)).c_str());
    }
    if (cases.empty()) return absl::InvalidArgumentError(absl::StrCat(flags.file, ": ", WhyNoCase(loaded)));
  }
  ToolchainFlags route;
  route.route = flags.route;
  for (NamedCase& named : cases) TOSAIC_RETURN_IF_ERROR(route.ApplyRoute(named.name, &named.test_case));
  return cases;
}

// The toolchain of the campaign whose finding a file belongs to; empty: it is of none.
std::string FoundOn(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(file, ignored).parent_path();
  if (!ReadFile(FindingPaths{folder.string()}.description()).ok()) return "";
  const absl::StatusOr<std::string> text = ReadFile(WorkPaths{folder.parent_path().parent_path().string()}.summary());
  const absl::StatusOr<CampaignSummary> summary = text.ok() ? FromText<CampaignSummary>(*text) : text.status();
  return summary.ok() ? summary->provenance.toolchain : "";
}

absl::StatusOr<int> RunHistory(const HistoryFlags& flags) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<std::string> files, CaseFilesAt({flags.file}));
  const bool is_list = files.size() > 1;
  bool all_read = true;
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<NamedCase> cases, LoadCases(flags, files, &all_read));
  const std::atomic<bool>* stop = StopOnSignals();
  const JudgeOptions judge = flags.policy.ToOptions();
  Historian historian(flags.limits, judge, stop);
  if (flags.all) historian.AskAllBuilds();
  std::vector<CaseHistory> histories;
  if (is_list && !flags.json) PrintHead(flags.blame);
  for (const auto& [name, test_case] : cases) {
    const bool is_shown = !is_list && !flags.json;
    CaseHistory history = historian.Ask(name, test_case, is_shown ? PrintRow : [](const HistoryRow&) {}, FoundOn(name));
    if (flags.blame && history.IsWrong() && !history.interrupted) {
      WaitingLine waiting(absl::StrCat(OneLine(name), ", whom to blame"));
      history.blame = BlamedInShort(test_case, flags.limits, judge);
    }
    if (is_shown) PrintSpans(history);
    if (is_list && !flags.json) PrintTableRow(name, history, flags.blame);
    if (is_list) history.name = name;
    histories.push_back(std::move(history));
  }
  if (flags.json) std::printf("%s\n", Dump(is_list ? ToJson(histories) : ToJson(histories.front()), 2).c_str());
  if (is_list && !flags.json) PrintDuplicates(histories);
  const auto is_interrupted = [](const CaseHistory& history) { return history.interrupted; };
  if (absl::c_any_of(histories, is_interrupted)) return kExitInterrupted;
  const auto is_wrong = [](const CaseHistory& history) { return history.IsWrong(); };
  if (absl::c_any_of(histories, is_wrong)) return kExitDivergence;
  return all_read ? kExitAgree : kExitUsage;
}

}  // namespace

Json SchemaOfHistory() { return Schema<CaseHistory>(); }

void AddHistory(CLI::App& app, CommandLine& command_line) {
  CLI::App* history = app.add_subcommand(
      "history", "check a case on every MLIR of this machine: since when is it wrong, and until when?");
  auto flags = std::make_shared<HistoryFlags>();
  history->add_option("file", flags->file, absl::StrCat(kCaseFileHelp, ", or a folder of them"))->required();
  history->add_option("--route", flags->route, "the pass pipeline to lower with, by name (default: the case's own)")
      ->check(OneOf(RouteNames()));
  history->add_flag(
      "--blame", flags->blame,
      "also name the function or pass of the MLIR in this process, and cases that are probably of one cause");
  history->add_flag("--all", flags->all,
                    "ask every dated build, not only where answers differ: what was wrong for a time alone is found");
  history->add_flag("--json", flags->json, "print the answer as JSON");
  AddLimits(*history, &flags->limits);
  flags->input.AddTo(*history);
  flags->policy.AddTo(*history);
  history->callback([flags, &command_line] { command_line.action = [flags] { return RunHistory(*flags); }; });
}

}  // namespace tosaic
