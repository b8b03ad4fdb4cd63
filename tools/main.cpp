// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosaic: the command line. Parsing only; every subcommand has a file of its own.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "campaign/campaign_options.h"
#include "checking/files.h"
#include "codec/status.h"
#include "model/did_you_mean.h"
#include "model/escape.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "tools/formatted.h"
#include "tools/help_text.h"
#include "tools/inherited.h"
#include "tools/output_flags.h"
#include "tools/subcommands.h"
#include "tools/validators.h"
#include "tools/version.h"
#include "workers/fixed_addresses.h"
#include "workers/worker_pool.h"

namespace tosaic {

absl::Status CheckNewFolder(const std::string& out) {
  std::error_code ignored;
  if (!std::filesystem::exists(out, ignored)) return absl::OkStatus();
  const bool is_folder = std::filesystem::is_directory(out, ignored);
  if (is_folder && std::filesystem::is_empty(out, ignored)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--out=", out, is_folder ? ": the folder is not empty" : ": it is not a folder"));
}

absl::Status ParseOps(const std::vector<std::string>& names, std::vector<OpKind>* ops, absl::string_view place) {
  for (const std::string& name : names) {
    const std::optional<OpKind> op = FindOp(name);
    if (!op) {
      std::vector<std::string> known;
      for (const OpInfo& op : AllOps()) known.push_back(std::string(op.name));
      return absl::InvalidArgumentError(
          absl::StrCat(place, ": unknown op '", name, "'", DidYouMean(name, known), " (see 'tosaic list-ops')"));
    }
    if (std::find(ops->begin(), ops->end(), *op) == ops->end()) ops->push_back(*op);
  }
  return absl::OkStatus();
}

absl::Status ParseElementTypes(const std::vector<std::string>& names, std::vector<ElementType>* types) {
  for (const std::string& name : names) {
    const std::optional<ElementType> type = FindElementType(name);
    if (!type) {
      std::vector<std::string> known;
      for (const ElementTypeInfo& type : AllElementTypes()) known.push_back(std::string(type.name));
      return absl::InvalidArgumentError(
          absl::StrCat("--types: unknown element type '", name, "'", DidYouMean(name, known), " (f32, i8, ...)"));
    }
    types->push_back(*type);
  }
  return absl::OkStatus();
}

absl::Status ParseShard(const std::string& text, uint64_t* shard, uint64_t* shards) {
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  uint64_t first = 0;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &first) || !absl::SimpleAtoi(parts[1], shards) || first < 1 ||
      first > *shards || *shards > kMostShards) {
    return absl::InvalidArgumentError(
        absl::StrCat("--shard=", text, ": it must be I/N with 1 <= I <= N <= ", kMostShards));
  }
  *shard = first - 1;
  return absl::OkStatus();
}

absl::StatusOr<absl::Duration> ParseTime(absl::string_view flag, const std::string& text, absl::string_view example) {
  absl::Duration time;
  if (absl::ParseDuration(text, &time) && time > absl::ZeroDuration() && time < absl::InfiniteDuration()) return time;
  return absl::InvalidArgumentError(
      absl::StrCat(flag, "=", text, ": a time is needed here, such as ", example, " or 5m"));
}

// Whether the file, which is there, is one of those that Tosaic reads in a directory.
static bool IsReadIn(const std::filesystem::path& directory, const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored) || !std::filesystem::exists(file, ignored)) return false;
  if (file.extension() != ".json" && file.extension() != ".jsonl") return false;
  return LiesIn(std::filesystem::canonical(directory, ignored), std::filesystem::canonical(file, ignored));
}

absl::Status CheckOutput(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  if (path.empty()) return absl::OkStatus();
  if (std::filesystem::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat("--out=", path, ": this is a directory"));
  }
  for (const std::string& input : inputs) {
    if (!std::filesystem::equivalent(path, input, ignored) && !IsReadIn(input, path)) continue;
    return absl::InvalidArgumentError(absl::StrCat("--out=", path, ": it would replace what the command reads"));
  }
  const std::filesystem::path directory = std::filesystem::absolute(path, ignored).parent_path();
  if (access(directory.c_str(), W_OK) == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--out=", path, ": cannot write there: ", std::strerror(errno)));
}

const std::atomic<bool>* StopOnSignals() {
  static std::atomic<bool> stop{false};
  struct sigaction action = {};
  action.sa_handler = [](int) { stop = true; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A process that nohup started ignores it, and goes on doing so.
  if (signal(SIGHUP, SIG_IGN) != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  StopWaitingOnceSet(&stop);
  return &stop;
}

// Commands that stop themselves (StopOnSignals) have results to write; the others end here. What they printed until
// then is out, for standard output is written line by line.
void EndOnSignals() {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  struct sigaction action = {};
  action.sa_handler = [](int) {
    constexpr char kSaid[] = "tosaic: interrupted\n";
    (void)!write(STDERR_FILENO, kSaid, sizeof(kSaid) - 1);
    _exit(kExitInterrupted);
  };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (signal(number, SIG_IGN) != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

// Whether the stack may grow as far as Linux lets it by default: with less, MLIR dies of programs that it compiles
// otherwise, and Tosaic itself of 64 kB.
bool HasStack() {
  constexpr rlim_t kBytes = rlim_t{8} << 20;
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kBytes) return true;
  limit.rlim_cur = kBytes;
  limit.rlim_max = std::max(limit.rlim_max, kBytes);
  if (setrlimit(RLIMIT_STACK, &limit) == 0) return true;
  std::fprintf(stderr, "tosaic: the stack may not grow to 8192 kB: raise its limit (ulimit -s)\n");
  return false;
}

int DefaultJobs() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostJobs); }

void AddJobs(CLI::App& app, int* jobs) {
  *jobs = DefaultJobs();
  app.add_option("--jobs", *jobs, "worker processes")->check(NumberFrom(1, kMostJobs))->capture_default_str();
}

void AddSpecVersion(CLI::App& app, std::string* name) {
  const absl::Span<const absl::string_view> versions = NamesOf(SpecVersion()).names;
  app.add_option("--spec-version", *name,
                 "the release of the TOSA specification that decides on element types and accuracy (1.1: the draft)")
      ->check(OneOf(std::vector<std::string>(versions.begin(), versions.end())))
      ->capture_default_str();
}

void PolicyFlags::AddTo(CLI::App& app) {
  app.option_defaults()->group("How the documents are read");
  app.add_flag("--strict-static-result", strict,
               "refuse a static result dimension where `?` is inferred (RFC modification 2)");
  app.add_flag("--strict-values", strict_values,
               "call implausible values wrong, though they are within the specification's bounds (value.implausible)");
  AddSpecVersion(app, &spec_version);
  app.option_defaults()->group("Options");
}

JudgeOptions PolicyFlags::ToOptions() const {
  JudgeOptions options;
  options.policies.refuse_static_result_of_dynamic_inference = strict;
  options.policies.strict_values = strict_values;
  options.policies.spec_version = Find<SpecVersion>(spec_version).value_or(options.policies.spec_version);
  return options;
}

CLI::App& AddListing(CLI::App& app, CommandLine& command_line, const char* name, const char* description,
                     std::function<void(ListForm form)> print) {
  CLI::App* list = app.add_subcommand(name, description);
  auto form = std::make_shared<ListForm>(ListForm::kText);
  auto* json = list->add_flag_callback("--json", [form] { *form = ListForm::kJson; }, "as JSON");
  list->add_flag_callback("--markdown", [form] { *form = ListForm::kMarkdown; }, "as a Markdown table")->excludes(json);
  list->callback([form, print = std::move(print), &command_line] {
    command_line.action = [form, print] {
      print(*form);
      return int{kExitAgree};
    };
  });
  return *list;
}

// Prints "tosaic: MESSAGE", one line, to standard error and returns the status that fits: harness for what failed
// of itself or found no room to write, else usage.
int Report(const absl::Status& status) {
  // One line, even where MLIR says more.
  std::vector<absl::string_view> lines = absl::StrSplit(status.message(), '\n', absl::SkipWhitespace());
  std::fprintf(stderr, "tosaic: %s\n", OneLine(absl::StrJoin(lines, "; ")).c_str());
  if (absl::IsCancelled(status)) return kExitInterrupted;
  return absl::IsInternal(status) || absl::IsResourceExhausted(status) ? kExitHarness : kExitUsage;
}

// Every command, with its heading in the help and an example.
constexpr struct {
  const char* group;
  void (*add)(CLI::App& app, CommandLine& command_line);
  const char* example;
  bool shows_progress = false;
} kCommands[] = {
    {"Campaigns", AddFuzz, "tosaic fuzz --duration=60s --ops=add,mul --types=f32,i32 --out=tosaic-out", true},
    {"Campaigns", AddMerge, "tosaic merge shards/* --out=merged", true},
    {"Campaigns", AddSweep, "tosaic sweep --ops=add,broadcastable --max-rank=2", true},
    {"Campaigns", AddProve, "tosaic prove --ops=add,mul,cast --types=i8,i32", true},
    {"Campaigns", AddNightly, "tosaic nightly --minutes=60 --state=nights", true},
    {"Campaigns", AddSelftest, "tosaic selftest --only=fold-mul-one --seeds=1"},
    {"Campaigns", AddCoverage, "tosaic coverage --suite --route=canonicalized", true},
    {"One case", AddCheck, "tosaic check --split-input-file mlir/test/Conversion/TosaToLinalg", true},
    {"One case", AddReduce, "tosaic reduce crash.json --out=small.json", true},
    {"One case", AddBisectPasses, "tosaic bisect-passes small.json", true},
    {"One case", AddBlame, "tosaic blame small.json", true},
    {"One case", AddHistory, "tosaic history small.json", true},
    {"One case", AddReproduce, "tosaic reproduce small.json --out=reproducer", true},
    {"One case", AddExplain, "tosaic explain 'add(tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>'"},
    {"One case", AddEval, "tosaic eval small.json", true},
    {"Before and after a patch", AddConform, "tosaic conform --route=loops --out=base.json", true},
    {"Before and after a patch", AddCompare,
     "tosaic compare --base=mlir-22 --patch=../llvm-project/build/bin --format=markdown\n"
     "  tosaic compare base.json patch.json",
     true},
    {"Before and after a patch", AddExportLit, "tosaic export-lit --ops=add,select --out=lit"},
    {"Before and after a patch", AddExportArm, "tosaic export-arm --ops=add,select --out=tests"},
    {"Results", AddReport, "tosaic report tosaic-out --format=html --out=report.html"},
    {"What there is", AddListFormats, "tosaic list-formats"},
    {"What there is", AddListOps, "tosaic list-ops --json"},
    {"What there is", AddListRules, "tosaic list-rules --markdown"},
    {"What there is", AddListRoutes, "tosaic list-routes"},
    {"What there is", AddToolchains, "tosaic toolchains"},
    {"What there is", AddAdapterTest, "tosaic adapter-test 'python3 adapters/example.py'"},
    {"What there is", AddHelp, "tosaic help fuzz"},
};

// Runs the command. What it printed has been written if this returns any status but that of usage.
int RunAndFlush(const Action& action) {
  const absl::StatusOr<int> status = action();
  if (!status.ok()) return Report(status.status());
  if (*status == kExitUsage) return *status;  // it has said why
  const absl::Status printed = PrintAll("");
  return printed.ok() ? *status : Report(printed);
}

int Main(int argc, char** argv) {
  KeepStandardStreams();
  TakeSignals();
  EndWithoutMemory();
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
  EndOnSignals();
  if (!HasStack()) return kExitHarness;
  CLI::App app("a differential fuzzer and conformance harness for MLIR's TOSA elementwise ops", "tosaic");
  UseHelpText(app);
  app.set_version_flag("--version", VersionText, "print version, revision and the linked LLVM, and exit");
  app.footer(
      "tosaic fuzz --duration=60s\n\nExit statuses:\n  0 all agree, or diverge as known; 1 a new divergence; 2 wrong "
      "usage or input;\n  3 Tosaic itself failed; 4 interrupted before its end");
  app.require_subcommand(1);
  CommandLine command_line;
  for (const auto& row : kCommands) {
    row.add(app, command_line);
    CLI::App& command = *app.get_subcommands({}).back();
    AddOutputFlags(command, row.shows_progress);
    command.group(row.group)->footer(row.example);
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  command_line.text = absl::StrJoin(arguments, " ");
  command_line.text.insert(0, arguments.empty() ? "tosaic" : "tosaic ");
  if (const std::optional<std::string> wrong = ValueError(app, arguments)) {
    std::fprintf(stderr, "tosaic: %s\n", wrong->c_str());
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for) {
    return RunAndFlush([&] { return app.exit(asked_for); });
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tosaic: %s\n", EscapeControls(UsageError(app, error, arguments)).c_str());
    return kExitUsage;
  }
  FixAddresses(argv);  // only here, because a restart takes as long as the help
  return RunAndFlush(command_line.action);
}

}  // namespace tosaic

int main(int argc, char** argv) { return tosaic::Main(argc, argv); }
