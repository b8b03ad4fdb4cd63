// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic nightly: a night of everything, linked to the nights before.
#include "nightly/nightly.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "checking/embedded_lists.h"
#include "checking/files.h"
#include "codec/status.h"
#include "nightly/night.h"
#include "nightly/night_folder.h"
#include "toolchain/capi/capi_library.h"
#include "tools/output_flags.h"
#include "tools/subcommands.h"
#include "tools/validators.h"
#include "workers/command.h"

namespace tosaic {
namespace {

struct NightlyFlags {
  NightlyOptions options;
  ToolchainFlags toolchain;
  std::optional<double> suite_minutes;
  uint64_t seed = 0;
  std::string known = kDefaultKnown;
  std::string other;
};

// For all versions: the night has two of them.
absl::StatusOr<KnownDivergences> ReadKnownList(const std::string& flag) {
  if (flag == kNoneKnown) return KnownDivergences();
  if (flag == kDefaultKnown) return KnownDivergences::FromText(EmbeddedKnownDivergences().front().content);
  return KnownDivergences::FromFile(flag);
}

// The toolchain that has a campaign and the suite as well: trunk, unless another is named, or none. A plugin is made
// for one version.
std::string OtherToolchain(const std::string& flag, bool has_plugins) {
  if (flag.empty()) return FindTrunk() && !has_plugins ? std::string(kTrunk) : "";
  return flag == kNoneKnown ? "" : flag;
}

absl::StatusOr<int> RunNightlyCommand(NightlyOptions options, const std::string& known_flag) {
  std::vector<OpKind> ops;
  TOSAIC_RETURN_IF_ERROR(ParseOps(options.ops, &ops));
  TOSAIC_ASSIGN_OR_RETURN(options.known, ReadKnownList(known_flag));
  if (known_flag != kDefaultKnown) options.known_flag = known_flag;
  for (const auto& [flag, directory] :
       {std::pair("--fuzzers", options.fuzzers), {"--fuzzer-corpus", options.fuzzer_corpus}}) {
    if (std::error_code ignored; directory.empty() || std::filesystem::is_directory(directory, ignored)) continue;
    return absl::InvalidArgumentError(absl::StrCat(flag, "=", directory, ": there is no such directory"));
  }
  const auto has = [&](const NightlyTarget& target) { return Exists(absl::StrCat(options.fuzzers, "/", target.name)); };
  if (!options.fuzzers.empty() && absl::c_none_of(NightlyTargets(), has)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--fuzzers=", options.fuzzers, ": none of the targets is there: ",
        absl::StrJoin(NightlyTargets(), ", ",
                      [](std::string* out, const NightlyTarget& target) { absl::StrAppend(out, target.name); })));
  }
  if (!options.other.empty()) {
    ToolchainFlags other;
    other.toolchain = options.other;
    other.named_by = "--other";
    TOSAIC_RETURN_IF_ERROR(other.CreateCold().status());
  }
  std::error_code error;
  options.state = std::filesystem::absolute(options.state, error).lexically_normal().string();
  options.own = NameInProcess();
  options.tosaic = OwnProgram().string();
  if (options.tosaic.empty()) return absl::InternalError("/proc/self/exe: cannot read");
  options.quiet = IsQuiet();
  // A wall clock may be set in the middle of a night.
  using Clock = std::chrono::steady_clock;
  options.clock = [] { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); };
  options.date = absl::FormatTime("%Y-%m-%d", absl::Now(), absl::LocalTimeZone());
  const std::atomic<bool>* stop = StopOnSignals();
  return RunNightly(options, [&](const Command& command) { return RunCommand(command, stop); }, stop);
}

// A number of minutes, of which 0 may be none.
std::string IsMinutes(const std::string& text, bool may_be_0) {
  double minutes = 0;
  const bool is_number = CLI::detail::lexical_cast(text, minutes) && std::isfinite(minutes);
  if (is_number && minutes <= 100'000 && (minutes > 0 || (may_be_0 && minutes == 0))) return "";
  return absl::StrCat(text, ": it must be a number ", may_be_0 ? "from 0" : "above 0 and", " up to 100000");
}

void AddMinutes(CLI::App* nightly, NightlyFlags* flags) {
  nightly
      ->add_option("--minutes", flags->options.minutes,
                   "minutes of the whole night: first the suites, then the campaigns, which reduce what they find, and "
                   "the libFuzzer targets with what is left")
      ->required()
      ->check([](const std::string& text) { return IsMinutes(text, false); });
  nightly
      ->add_option("--suite-minutes", flags->suite_minutes,
                   "how many of them the conformance suites may take together; a suite that is not done then is left "
                   "out (default: half; 0: no suite)")
      ->check([](const std::string& text) { return IsMinutes(text, true); });
}

}  // namespace

void AddNightly(CLI::App& app, CommandLine& command_line) {
  CLI::App* nightly = app.add_subcommand(
      "nightly", "run a night: a campaign, the libFuzzer targets and the conformance suite; report what is new");
  auto flags = std::make_shared<NightlyFlags>();
  NightlyOptions& options = flags->options;
  options.jobs = DefaultJobs();
  AddMinutes(nightly, flags.get());
  nightly
      ->add_option("--state", options.state,
                   "the directory that keeps the state between nights; results go to nights/DATE in it")
      ->type_name("DIR")
      ->required();
  nightly->add_option("--keep", options.keep, "keep the folders of this many nights, and remove older ones")
      ->check(NumberFrom(size_t{1}, size_t{100'000}))
      ->capture_default_str();
  const CLI::Option* seed =
      nightly->add_option("--seed", flags->seed, "the seed, to replay another night (default: made of the date)")
          ->check(IsSeed);
  nightly->add_option("--jobs", options.jobs, "processes at a time (default: one per core)")
      ->check(NumberFrom(1, kMostJobs));
  AddKnown(*nightly, &flags->known);
  nightly
      ->add_option("--other", flags->other,
                   "another toolchain on which a campaign and the suite run too; the summary ends with what differs "
                   "(default: mlir-trunk where it is installed and no plugin is loaded; 'none')")
      ->type_name("MLIR");
  nightly->add_option("--ops", options.ops, "use only these ops in the campaign and the suite")
      ->delimiter(',')
      ->type_name("LIST");
  nightly->add_option("--fuzzers", options.fuzzers, "the directory of the libFuzzer targets (default: run none)")
      ->type_name("DIR");
  nightly
      ->add_option("--fuzzer-corpus", options.fuzzer_corpus,
                   "a directory with their first inputs, in one folder per target")
      ->type_name("DIR");
  flags->toolchain.AddEditsTo(*nightly);
  nightly->callback([flags, seed, &command_line] {
    if (seed->count() > 0) flags->options.seed = flags->seed;
    flags->options.other = OtherToolchain(flags->other, !flags->toolchain.plugins.empty());
    flags->options.edits = flags->toolchain.CustomFlags();
    flags->options.suite_minutes = flags->suite_minutes.value_or(flags->options.minutes / 2);
    command_line.action = [flags] { return RunNightlyCommand(flags->options, flags->known); };
  });
}

}  // namespace tosaic
