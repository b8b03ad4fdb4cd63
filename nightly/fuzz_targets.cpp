// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nightly/fuzz_targets.h"

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "checking/files.h"
#include "model/counted.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// Why the target does not run; empty: it does.
std::string WhyLeftOut(const TargetRun& run, const std::string& program) {
  if (run.options.fuzzers.empty()) return "no --fuzzers";
  if (!run.options.edits.empty()) return "it tests MLIR without other passes";
  if (!Exists(program)) return absl::StrCat(kNoProgram, program);
  return std::string(run.seconds < kLeastFuzzerSeconds ? kNoTimeLeft : "");
}

Command CommandOf(const TargetRun& run, const NightlyTarget& target, const std::string& program,
                  const std::string& corpus) {
  const std::string name(target.name);
  Command command = {
      .arguments = {program, absl::StrCat("-fork=", run.options.jobs), "-ignore_crashes=1", "-ignore_timeouts=1",
                    "-ignore_ooms=1", absl::StrCat("-max_total_time=", FuzzerSeconds(run.seconds, target)),
                    absl::StrCat("-seed=", run.seed),
                    absl::StrCat("-artifact_prefix=", run.paths / "crashes/", name, "-"), corpus},
      .environment = {{"TOSAIC_KNOWN", run.state / "known.json"}},
      .log = run.paths / (name + ".log")};
  for (const absl::string_view folder : absl::StrSplit(target.seeds, ',')) {
    const std::string seeds = absl::StrCat(run.options.fuzzer_corpus, "/", folder);
    if (!run.options.fuzzer_corpus.empty() && Exists(seeds)) command.arguments.push_back(seeds);
  }
  return command;
}

std::string BeforePruning(const std::string& corpus) { return corpus + ".before"; }

// The corpus is whole under one of two names, whenever the night dies.
void Prune(const CommandRunner& run, const Command& target, const std::string& corpus) {
  const std::string pruned = corpus + ".pruned", before = BeforePruning(corpus);
  std::error_code ignored;
  fs::remove_all(before, ignored);
  fs::remove_all(pruned, ignored);
  if (!MakeDirectories(pruned).ok()) return;
  const int status = run({.arguments = {target.arguments.front(), "-merge=1", pruned, corpus},
                          .environment = target.environment,
                          .log = target.log + ".merge"});
  if (status == 0 && !fs::is_empty(pruned, ignored)) {
    fs::rename(corpus, before, ignored);
    fs::rename(pruned, corpus, ignored);
    fs::remove_all(before, ignored);
  }
  fs::remove_all(pruned, ignored);
}

}  // namespace

TargetResult RunTarget(const TargetRun& run, const NightlyTarget& target) {
  const std::string name(target.name), program = absl::StrCat(run.options.fuzzers, "/", name);
  if (const std::string why = WhyLeftOut(run, program); !why.empty()) {
    std::printf("nightly: %s is left out: %s\n", name.c_str(), why.c_str());
    return {.name = name, .left_out = why};
  }
  const std::string corpus = absl::StrCat(run.state / "corpus", "/", name);
  std::error_code ignored;
  if (!Exists(corpus)) fs::rename(BeforePruning(corpus), corpus, ignored);
  const Command command = CommandOf(run, target, program, corpus);
  if (MakeDirectories(corpus).ok()) run.run(command);
  const std::string text = ReadFile(command.log).value_or("");
  if (HasRun(text)) {
    Prune(run.run, command, corpus);
  } else {
    std::fprintf(stderr, "nightly: %s did not run, see %s\n", name.c_str(), command.log.c_str());
  }
  return {.name = name, .inputs = InputsInLog(text), .signatures = SignaturesInLog(text), .failed = !HasRun(text)};
}

uint64_t CrashesIn(const NightPaths& paths) {
  std::error_code ignored;
  return static_cast<uint64_t>(std::distance(fs::recursive_directory_iterator(paths / "crashes", ignored), {}));
}

void SayCrashes(const NightPaths& paths, uint64_t crashes) {
  std::printf("nightly: the libFuzzer targets left %s in %s\n", Counted(crashes, "input").c_str(),
              (paths / "crashes").c_str());
  for (const std::string& signature : SignaturesIn(paths)) std::printf("  %s\n", signature.c_str());
}

std::set<std::string> SignaturesIn(const NightPaths& paths) {
  const std::string kept = ReadFile(paths / "fuzz-signatures").value_or("");
  return absl::StrSplit(kept, '\n', absl::SkipEmpty());
}

absl::Status KeepSignatures(const NightPaths& paths) {
  std::set<std::string> signatures = SignaturesIn(paths);
  for (const NightlyTarget& target : NightlyTargets()) {
    signatures.merge(SignaturesInLog(ReadFile(paths / absl::StrCat(target.name, ".log")).value_or("")));
  }
  return WriteFile(paths / "fuzz-signatures",
                   absl::StrCat(absl::StrJoin(signatures, "\n"), signatures.empty() ? "" : "\n"));
}

}  // namespace tosaic
