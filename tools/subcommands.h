// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subcommands of `tosaic`, one file each. Each adds its options to the parser and says what to run.
#ifndef TOSAIC_TOOLS_SUBCOMMANDS_H_
#define TOSAIC_TOOLS_SUBCOMMANDS_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "checking/known_divergences.h"
#include "generators/generator_options.h"
#include "model/op_catalogue.h"
#include "model/program.h"
#include "model/validation_target.h"
#include "oracle/judge.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"
#include "workers/worker_pool.h"

namespace tosaic {

// Exit statuses, which others rely on.
enum ExitStatus : int { kExitAgree = 0, kExitDivergence = 1, kExitUsage = 2, kExitHarness = 3, kExitInterrupted = 4 };

// A subcommand stores its action here when it is chosen. The action returns an ExitStatus, or an error.
using Action = std::function<absl::StatusOr<int>()>;

struct CommandLine {
  std::string text;  // as typed, for the provenance
  Action action;
};

void AddFuzz(CLI::App& app, CommandLine& command_line);
void AddCheck(CLI::App& app, CommandLine& command_line);
void AddReduce(CLI::App& app, CommandLine& command_line);
void AddBisectPasses(CLI::App& app, CommandLine& command_line);
void AddBlame(CLI::App& app, CommandLine& command_line);
void AddReproduce(CLI::App& app, CommandLine& command_line);
void AddHistory(CLI::App& app, CommandLine& command_line);
void AddExplain(CLI::App& app, CommandLine& command_line);
void AddEval(CLI::App& app, CommandLine& command_line);
void AddMerge(CLI::App& app, CommandLine& command_line);
void AddSweep(CLI::App& app, CommandLine& command_line);
void AddCoverage(CLI::App& app, CommandLine& command_line);
void AddConform(CLI::App& app, CommandLine& command_line);
void AddCompare(CLI::App& app, CommandLine& command_line);
void AddExportArm(CLI::App& app, CommandLine& command_line);
void AddExportLit(CLI::App& app, CommandLine& command_line);
void AddProve(CLI::App& app, CommandLine& command_line);
void AddReport(CLI::App& app, CommandLine& command_line);
void AddNightly(CLI::App& app, CommandLine& command_line);
void AddSelftest(CLI::App& app, CommandLine& command_line);
void AddListFormats(CLI::App& app, CommandLine& command_line);
void AddListOps(CLI::App& app, CommandLine& command_line);
void AddListRules(CLI::App& app, CommandLine& command_line);
void AddListRoutes(CLI::App& app, CommandLine& command_line);
void AddToolchains(CLI::App& app, CommandLine& command_line);
void AddAdapterTest(CLI::App& app, CommandLine& command_line);
void AddHelp(CLI::App& app, CommandLine& command_line);

// A subcommand that prints one of Tosaic's own tables. Returned for flags of its own.
enum class ListForm : uint8_t { kText, kJson, kMarkdown };
CLI::App& AddListing(CLI::App& app, CommandLine& command_line, const char* name, const char* description,
                     std::function<void(ListForm form)> print);

// Adds the values of --ops and --types to the second argument. Errors: an unknown name, with its place.
absl::Status ParseOps(const std::vector<std::string>& names, std::vector<OpKind>* ops,
                      absl::string_view place = "--ops");
absl::Status ParseElementTypes(const std::vector<std::string>& names, std::vector<ElementType>* types);

// The value of --shard, "I/N" with 1 <= I <= N, as I - 1 and N.
absl::Status ParseShard(const std::string& text, uint64_t* shard, uint64_t* shards);

// Checks that the folder of --out is new or empty.
absl::Status CheckNewFolder(const std::string& out);

// The default of --jobs, a worker per core, and the most that it takes.
int DefaultJobs();
inline constexpr int kMostJobs = 1024;
// --jobs with that default.
void AddJobs(CLI::App& app, int* jobs);

// --spec-version, a name of NamesOf(SpecVersion()).
void AddSpecVersion(CLI::App& app, std::string* name);

// A flag's duration. `example`: a duration in seconds, for the error.
absl::StatusOr<absl::Duration> ParseTime(absl::string_view flag, const std::string& text, absl::string_view example);

// --known: a file, or one of these: the list that this was built with, or no list.
inline constexpr char kDefaultKnown[] = "default";
inline constexpr char kNoneKnown[] = "none";
void AddKnown(CLI::App& app, std::string* known);
// The list's entries for this version of the toolchain. `validation`: for tosa-validate. Errors: those of the file.
absl::Status ReadKnown(const std::string& flag, const Toolchain& toolchain, bool validation, KnownDivergences* known);
// Reads the cases that the list names for a cause, of this build's corpus or else from files. Errors: those of the
// files, which are looked at here already.
absl::StatusOr<std::function<std::vector<Case>(const std::string& cause)>> CasesOf(const KnownDivergences& known);

// A check of --seed, because the parser alone turns -1 and numbers that are too large into other seeds.
std::string IsSeed(const std::string& text);

// The default generator options of `tosaic fuzz`, except for the routes.
GeneratorOptions FuzzGenerator();

// Checks that a result file can be written there, before minutes of work, and that it is none of the files that the
// command reads, or a JSON file in a directory that it reads. "" if there is none.
absl::Status CheckOutput(const std::string& path, const std::vector<std::string>& inputs = {});

// Set from the first Ctrl-C, SIGTERM or SIGHUP on.
const std::atomic<bool>* StopOnSignals();

// --route of commands that take many cases: any route.
inline constexpr char kAllRoutes[] = "all";

// The values of --route.
std::vector<std::string> RouteNames();

// --cpu-limit and --wall-limit.
void AddLimits(CLI::App& app, WorkerLimits* limits);

// The options that several subcommands share.
struct ToolchainFlags {
  std::string toolchain = NameInProcess();
  std::string named_by = "--toolchain";  // the flag that names it
  std::string route;                     // empty: the case's own
  std::string pipeline;
  std::vector<std::string> insert_before, insert_after, replace;  // "PASS:NEW"; once parsed, pipeline has them
  std::string custom_like;                                        // the route that they edited
  std::vector<std::string> plugins;
  std::string cpu;       // not empty: the CPU that programs run on, instead of this machine's
  bool as_tosa = false;  // the pipeline leaves TOSA, which is judged as it stands
  std::string target;    // not empty: tosa-validate for this target is what is tested
  WorkerLimits limits;
  // `mixed`: several routes may be asked for at once, "all".
  void AddTo(CLI::App& app, bool mixed = false);
  // Only those that put passes into a route, and the route: of a command that hands them on.
  void AddEditsTo(CLI::App& app);
  // The flags that give the route custom, with the full paths of plugins: "--insert-before=PASS:NEW". None: there is no
  // such route.
  std::vector<std::string> CustomFlags() const;
  // Whether passes are put into a route.
  bool EditsRoute() const;
  // The same of the edited route as it is, without plugins. REQUIRES: EditsRoute().
  ToolchainFlags WithoutEdits() const;
  // The pipeline of the edited route without the passes of plugins; a pass in whose place one stands is there again.
  // Error: a flag puts a pass beside one of a plugin. REQUIRES: EditsRoute(), and the toolchain was created.
  absl::StatusOr<std::string> PipelineWithoutPlugins() const;
  // The same on another toolchain, whose pipeline of the route is edited. Errors: as of the flags.
  absl::StatusOr<ToolchainFlags> OnToolchain(const std::string& name) const;
  // An error if lowering the cases, and then two of the plainest, does not end in LLVM IR, because then every case
  // would say the same.
  absl::Status CheckEndsInLlvm(Toolchain& created, const std::vector<Case>& cases = {}) const;
  // The target asked for, or nullopt. Errors: a malformed one.
  absl::StatusOr<std::optional<ValidationTarget>> Validation() const;
  // The judge's options that go with the target. Errors: those of Validation().
  absl::StatusOr<JudgeOptions> WithValidation(JudgeOptions options) const;
  absl::StatusOr<std::unique_ptr<Toolchain>> Create() const;
  // The same, and no case has been run in this process.
  absl::StatusOr<std::unique_ptr<Toolchain>> CreateCold() const;
  bool IsExternal() const;
  // The error about something that only the MLIR in this process can do.
  absl::Status NeedsInProcess(absl::string_view feature) const;
  std::string RouteAskedFor() const;  // empty: none
  // Gives a case read from `file` the requested route. Errors: the route or the twin does not exist.
  absl::Status ApplyRoute(const std::string& file, Case* test_case) const;

 private:
  void AddPipelineTo(CLI::App& app);
  absl::StatusOr<std::unique_ptr<Toolchain>> CreateWithPipeline() const;
  void AddPluginsTo(CLI::App& app);
  absl::Status EditRoute();
  // An error if a flag has no effect beside another.
  absl::Status CheckTogether() const;
  absl::Status CheckPluginIsCalled() const;
  // The passes of the pipeline that this process had not before it loaded plugins.
  const std::vector<std::string>& PassesOfPlugins() const;
  // The machine on which programs run. The error names the program or file that is missing for it.
  absl::StatusOr<CpuSettings> CpuAskedFor() const;
  // The options that the flags give for any MLIR. Errors: those of Validation() and CpuAskedFor().
  absl::StatusOr<ToolchainOptions> Options() const;
  absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternal() const;
  absl::StatusOr<std::unique_ptr<Toolchain>> CreateCapi() const;
  absl::StatusOr<std::unique_ptr<Toolchain>> CreateAdapter() const;
  // An error if --route names a route that the toolchain lacks.
  absl::StatusOr<std::unique_ptr<Toolchain>> CheckRoute(absl::StatusOr<std::unique_ptr<Toolchain>> created) const;
};

// The routes of a campaign's cases, with how often each is drawn.
std::vector<std::pair<std::string, int>> CampaignRoutes(const ToolchainFlags& flags, const Toolchain& toolchain);

struct PolicyFlags {
  bool strict = false;
  bool strict_values = false;
  std::string spec_version = "1.0.2";
  void AddTo(CLI::App& app);
  JudgeOptions ToOptions() const;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_SUBCOMMANDS_H_
