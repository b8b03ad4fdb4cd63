// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic check: replays cases, each alone in a fresh process.
#include <cstdio>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "campaign/checking/check_case.h"
#include "campaign/checking/circumstances.h"
#include "campaign/checking/files.h"
#include "campaign/checking/known_divergences.h"
#include "campaign/checking/mlir_cases.h"
#include "codec/status.h"
#include "reports/campaign_report.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/external_tools.h"
#include "tools/subcommands.h"

namespace tosaic {
namespace {

struct CheckFlags {
  ToolchainFlags toolchain;
  PolicyFlags policy;
  std::vector<std::string> paths;
  std::string known = kNoneKnown;
  bool split = false;
  std::optional<int> runs;  // of functions of .mlir files; none: as many as special values want
  bool json = false;
};

// What a file holds: a case or probe, or a function of an MLIR file that is none, and why.
struct Subject {
  std::string name;
  SpecCase spec_case;
  std::string skipped;
  bool expects_error = false;
  bool drawn = false;  // its runs were drawn here
};

// The spelling of .mlir files: that of the toolchain, which for another version its own tools read.
absl::StatusOr<Spelling> SpellingFor(const ToolchainFlags& toolchain) {
  Spelling spelling;
  // A library has the canonical dialect.
  if (!toolchain.IsExternal() || NamesCapiLibrary(toolchain.toolchain)) return spelling;
  TOSAIC_ASSIGN_OR_RETURN(const ExternalTools tools, At("--toolchain", FindTools(toolchain.toolchain)));
  spelling.dialect = NearestDialect(tools.major);
  if (spelling.dialect == kCanonicalDialect) return spelling;
  spelling.to_generic = [tools](absl::string_view text) { return GenericForm(tools, text); };
  return spelling;
}

absl::Status AddFile(const std::string& file, const CheckFlags& flags, const Spelling& spelling,
                     std::vector<Subject>* subjects) {
  if (!absl::EndsWith(file, ".mlir")) {
    TOSAIC_ASSIGN_OR_RETURN(SpecCase read, ReadSpecCase(file));
    Subject& subject = subjects->emplace_back();
    subject.name = file;
    subject.spec_case = std::move(read);
    Case* test_case = std::get_if<Case>(&subject.spec_case.subject);
    return test_case == nullptr ? absl::OkStatus() : flags.toolchain.ApplyRoute(file, test_case);
  }
  TOSAIC_ASSIGN_OR_RETURN(std::vector<MlirCase> cases,
                          CasesInMlir(file, flags.split, flags.runs, /*seed=*/1, flags.toolchain.limits, spelling));
  for (MlirCase& one : cases) {
    Subject& subject = subjects->emplace_back();
    subject.name = std::move(one.name);
    subject.skipped = std::move(one.skipped);
    subject.expects_error = one.expects_error;
    subject.drawn = true;
    if (!one.test_case) continue;
    TOSAIC_RETURN_IF_ERROR(flags.toolchain.ApplyRoute(file, &*one.test_case));
    subject.spec_case.subject = *std::move(one.test_case);
  }
  return absl::OkStatus();
}

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
  TOSAIC_ASSIGN_OR_RETURN(const Spelling spelling, SpellingFor(flags.toolchain));
  std::vector<Subject> subjects;
  for (const std::string& path : flags.paths) {
    TOSAIC_ASSIGN_OR_RETURN(std::vector<std::string> files, CaseFilesAt(path));
    for (const std::string& file : files) {
      TOSAIC_RETURN_IF_ERROR(AddFile(file, flags, spelling, &subjects));
    }
  }
  TOSAIC_ASSIGN_OR_RETURN(JudgeOptions judge, flags.toolchain.WithValidation(flags.policy.ToOptions()));
  TOSAIC_ASSIGN_OR_RETURN(std::unique_ptr<Toolchain> toolchain, flags.toolchain.Create());
  judge = ForToolchain(*toolchain, judge);
  KnownDivergences known;
  TOSAIC_RETURN_IF_ERROR(ReadKnown(flags.known, *toolchain, judge.validation.has_value(), &known));
  std::vector<Case> prepared;
  for (const Subject& one : subjects) {
    const Case* test_case = one.spec_case.test_case();
    if (test_case != nullptr && one.skipped.empty()) prepared.push_back(*test_case);
  }
  if (prepared.size() > 1) toolchain->Prepare(prepared);

  std::map<Verdict, int> totals;
  Json results = Json::array();
  bool diverged = false, harness_failed = false;
  int skipped = 0;
  for (const Subject& one : subjects) {
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
      continue;
    }
    const bool brief = judgement.verdict == Verdict::kAgree && subjects.size() > 1;
    const size_t runs = one.drawn ? checked.observation.runs.size() : 0;
    std::printf("%s: %s [%s]%s%s%s\n", file.c_str(), std::string(Name(judgement.verdict)).c_str(),
                Info(judgement.rule).label.c_str(), runs == 0 ? "" : absl::StrCat(" (", runs, " runs)").c_str(),
                entry != nullptr ? " (known)" : "", brief ? InBrackets(judgement).c_str() : "");
    if (brief) continue;
    if (checked.twin) std::printf("about:     the case's twin, %s\n", checked.twin_name.c_str());
    const std::string op = test_case != nullptr ? Signature(test_case->program, test_case->program.ops.back())
                                                : ToString(*subject.probe());
    std::printf("op:        %s\n%s\n", op.c_str(), JudgementToText(judgement).c_str());
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
  check->add_option("files", flags->paths, "case files, .mlir files, or directories of either")->required();
  check->add_flag("--split-input-file", flags->split, "take .mlir files apart at lines '// -----', as mlir-opt does");
  check
      ->add_option("--runs", flags->runs,
                   "runs of random data drawn for a function of an .mlir file (default: 8, and as many as give each "
                   "argument every special value, and each two every pair of the main ones)")
      ->check(CLI::Range(1, 1000));
  AddKnown(*check, &flags->known);
  check->add_flag("--json", flags->json, "print the judgements as JSON");
  flags->toolchain.AddTo(*check);
  flags->policy.AddTo(*check);
  check->callback([flags, &command_line] { command_line.action = [flags] { return RunCheck(*flags); }; });
}

}  // namespace tosaic
