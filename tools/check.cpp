// tosaic check: replays cases, each alone in a fresh process.
#include <cstdio>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "campaign/check_case.h"
#include "campaign/files.h"
#include "campaign/known_divergences.h"
#include "reports/campaign_report.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct CheckFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  std::vector<std::string> paths;
  std::string known;
  bool json = false;
};

// " (infer.less-precise)" for each note, once.
std::string InBrackets(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : std::set<std::string>(notes.begin(), notes.end())) {
    absl::StrAppend(&text, " (", note, ")");
  }
  return text;
}

int RunCheck(const CheckFlags& flags) {
  KnownDivergences known;
  if (absl::Status status = ReadKnown(flags.known, &known); !status.ok()) return Report(status);
  std::vector<std::pair<std::string, SpecCase>> cases;
  for (const std::string& path : flags.paths) {
    absl::StatusOr<std::vector<std::string>> files = CaseFilesAt(path);
    if (!files.ok()) return Report(files.status());
    for (const std::string& file : *files) {
      absl::StatusOr<SpecCase> read = ReadSpecCase(file);
      if (!read.ok()) return Report(read.status());
      if (Case* test_case = std::get_if<Case>(&read->subject)) {
        if (absl::Status status = flags.toolchain.ApplyRoute(file, test_case); !status.ok()) return Report(status);
      }
      cases.emplace_back(file, *std::move(read));
    }
  }
  const absl::StatusOr<JudgeOptions> judge = flags.toolchain.WithValidation(flags.policy.ToOptions());
  if (!judge.ok()) return Report(judge.status());
  absl::StatusOr<std::unique_ptr<Toolchain>> toolchain = flags.toolchain.Create();
  if (!toolchain.ok()) return Report(toolchain.status());

  std::map<Verdict, int> totals;
  Json results = Json::array();
  bool diverged = false, harness_failed = false;
  for (const auto& [file, subject] : cases) {
    const CheckedCase checked = CheckCase(**toolchain, subject, flags.toolchain.limits, *judge);
    const Judgement& judgement = checked.judgement;
    ++totals[judgement.verdict];
    const KnownDivergences::Entry* entry = checked.signature.empty() ? nullptr : known.Find(checked.signature);
    diverged |= IsDivergence(judgement.verdict) && entry == nullptr;
    harness_failed |= judgement.verdict == Verdict::kHarnessFault;
    if (flags.json) {
      results.push_back(Json{{"file", file},
                             {"judgement", ToJson(judgement)},
                             {"signature", checked.signature},
                             {"of_twin", checked.twin.has_value()},
                             {"known", entry != nullptr}});
      continue;
    }
    const bool brief = judgement.verdict == Verdict::kAgree && cases.size() > 1;
    std::printf("%s: %s [%s]%s%s\n", file.c_str(), std::string(Name(judgement.verdict)).c_str(), judgement.rule.c_str(),
                entry != nullptr ? " (known)" : "", brief ? InBrackets(judgement.notes).c_str() : "");
    if (brief) continue;
    const Case* test_case = checked.twin ? &*checked.twin : subject.test_case();
    if (checked.twin) std::printf("about:     the case's twin, %s\n", subject.test_case()->twin.c_str());
    const std::string op = test_case != nullptr ? Signature(test_case->program, test_case->program.ops.back())
                                                : ToString(*subject.probe());
    std::printf("op:        %s\n%s\n", op.c_str(), JudgementToText(judgement).c_str());
  }
  if (flags.json) {
    std::printf("%s\n", Dump(results, 2).c_str());
  } else {
    std::string line = absl::StrCat(cases.size(), " cases:");
    for (const auto& [verdict, count] : totals) absl::StrAppend(&line, " ", Name(verdict), " ", count);
    std::printf("%s\n", line.c_str());
  }
  if (harness_failed) return kExitHarness;
  return diverged ? kExitDivergence : kExitAgree;
}

}  // namespace

void AddCheck(CLI::App& app, CommandLine& command_line) {
  CLI::App* check = app.add_subcommand("check", "replay case files; say what was expected and what happened");
  auto flags = std::make_shared<CheckFlags>();
  check->add_option("files", flags->paths, "case files, or directories of them")->required();
  check->add_option("--known", flags->known, "a file of known divergences");
  check->add_flag("--json", flags->json, "print the judgements as JSON");
  flags->toolchain.AddTo(*check);
  flags->policy.AddTo(*check);
  check->callback([flags, &command_line] { command_line.action = [flags] { return RunCheck(*flags); }; });
}

}  // namespace tosaic
