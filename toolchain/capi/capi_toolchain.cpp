// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/capi_toolchain.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/mlir_text.h"
#include "model/static_program.h"
#include "model/support_table.h"
#include "toolchain/capi/capi_client.h"
#include "toolchain/capi/capi_setup.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/named_routes.h"
#include "toolchain/prepared_answers.h"
#include "toolchain/progress.h"
#include "toolchain/symbolizer.h"
#include "toolchain/validation_pipeline.h"
#include "workers/command.h"

namespace tosaic {
namespace {

// Modules in one request. With more, a death costs more answers, and each program is linked with more code.
constexpr size_t kTogether = 16;

// A case on its way through the worker: where the walk ended, or the object file with which it goes on in this process.
struct CapiWalk {
  const Case* test_case = nullptr;
  const Route* route = nullptr;  // null: the toolchain has no such route
  CapiClient::Done done;
};

void EndAtBuild(std::string why, CapiWalk* walk) {
  CapiAnswer& answer = walk->done.answer;
  answer.ended = true;
  EnterStage(Stage::kBuild, &answer.observation);
  answer.observation.outcome = Outcome::kRefused;
  answer.observation.diagnostics = {std::move(why)};
}

// Lowers in the worker, keeps prepared answers, and executes the object files.
class CapiToolchain : public Toolchain, private Lowering, private Verifier {
 public:
  CapiToolchain(CapiClient client, ToolchainDescription description, LibraryFunction library_function)
      : Toolchain(std::move(description), {.verifier = this, .lowering = this}),
        client_(std::move(client)),
        library_function_(std::move(library_function)) {}

  Observation Observe(const Case& test_case) override;
  void Prepare(absl::Span<const Case> cases) override {
    for (size_t begin = 0; begin < cases.size(); begin += kTogether) PrepareTogether(cases.subspan(begin, kTogether));
  }

 private:
  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override;
  std::vector<absl::StatusOr<std::string>> LowerTexts(absl::Span<const std::string> modules, absl::string_view pipeline,
                                                      bool to_llvm_ir) override;

  Observation ObserveDecision(const Program& program) override;
  Observation ObserveProbe(const OpSignature& probe) override;
  Observation ObserveValidation(const Program& program, const ValidationTarget& target) override;

  void PrepareTogether(absl::Span<const Case> cases);
  bool CanBuild(CapiWalk* walk) const;
  CapiJob JobOf(const CapiWalk& walk) const;
  // Asks for all that can be built; each way of making code by itself.
  void Walk(std::vector<CapiWalk>& walks);
  // Asks about a program without a route. `job` has all but the module.
  Observation Ask(const Program& program, CapiJob job);
  Observation Finish(CapiWalk walk);

  CapiClient client_;
  const LibraryFunction library_function_;
  // As `loops` in all but the pipeline: older versions align what they allocate.
  const NamedRoutes routes_{description().routes, description().custom_pipeline,
                            FindRoute(description().routes, "loops")};
  const PreparedAnswers prepared_;
  CodeRunner code_;
};

bool CapiToolchain::CanBuild(CapiWalk* walk) const {
  const Case& test_case = *walk->test_case;
  if (const SupportEntry* entry = FindUnwritable(test_case.program, description().dialect)) {
    EndAtBuild(absl::StrCat(description().name, ": ", entry->reason), walk);
  } else if (const Unspoken* unspoken = FindUnspoken(test_case.program, description().unspoken)) {
    EndAtBuild(absl::StrCat(description().name, kNotInDialect, ToString(*unspoken)), walk);
  } else if (!description().only_pipeline.empty()) {
    return true;
  } else if (walk->route == nullptr) {
    EndAtBuild(NoRoute(description().name, test_case.route, description().limits), walk);
  } else if (HasDynamicType(test_case.program)) {
    for (const RouteLimit& limit : description().limits) {
      if (limit.is_missing || limit.route != walk->route->name) continue;
      EndAtBuild(
          absl::StrCat(description().name, " has the route '", limit.route, "' for static shapes alone: ", limit.why),
          walk);
    }
  }
  return !walk->done.answer.ended;
}

CapiJob CapiToolchain::JobOf(const CapiWalk& walk) const {
  const std::string module = ToMlir(walk.test_case->program, description().dialect);
  if (const std::string& only = description().only_pipeline; !only.empty()) {
    return {.module = module, .pipeline = only, .lowers = true, .stage = Stage::kVerify};
  }
  const bool runs = !walk.test_case->runs.empty();
  return {.module = module,
          .pipeline = std::string(walk.route->pipeline),
          // Nobody knows whether a user's passes keep what they made of an earlier case.
          .fresh_passes = !absl::c_linear_search(description().routes, walk.route),
          .infers = true,
          .lowers = runs,
          .extracts = runs && walk.route->extracts,
          .takes_graph = runs && walk.route->makes_graph,
          .counts_stores = runs && walk.route->counts_stores,
          .compiles = runs && !EndsWithIr(*walk.route),
          .optimization = walk.route->optimized ? 2 : 0,
          .for_host_cpu = walk.route->host_cpu};
}

void CapiToolchain::Walk(std::vector<CapiWalk>& walks) {
  struct Question {
    std::vector<CapiWalk*> walks;
    std::vector<CapiJob> jobs;
  };
  std::map<CodeGeneration, Question> questions;
  for (CapiWalk& walk : walks) {
    if (!CanBuild(&walk)) continue;
    Question& question = questions[walk.route != nullptr ? GenerationOf(*walk.route) : CodeGeneration()];
    question.walks.push_back(&walk);
    question.jobs.push_back(JobOf(walk));
  }
  EnterStage(Stage::kVerify);
  for (auto& [generation, question] : questions) {
    std::vector<CapiClient::Done> done = client_.Ask(question.jobs);
    for (size_t i = 0; i < done.size(); ++i) question.walks[i]->done = std::move(done[i]);
  }
}

Observation CapiToolchain::Finish(CapiWalk walk) {
  CapiAnswer& answer = walk.done.answer;
  if (answer.ended || answer.entry.empty()) return std::move(answer.observation);
  std::string failure(AreOfUnknownOps(answer.library) ? kOfUnknownOps : "");
  if (walk.route->calls_library && !library_function_) {
    failure = absl::StrCat("nobody supplies the library of the route '", walk.route->name, "'");
  }
  if (!failure.empty()) {
    answer.observation.outcome = Outcome::kToolFailure;
    answer.observation.diagnostics = {std::move(failure)};
  } else {
    CompiledProgram program = ProgramOn(*walk.route);
    program.code = ObjectFile{*walk.done.object};
    program.entry = answer.entry;
    program.ir = std::move(answer.text);
    program.has_calls = true;
    program.options.library = std::move(answer.library);
    program.options.library_function = library_function_;
    code_.Run(std::move(program), *walk.test_case, &answer.observation);
  }
  return std::move(answer.observation);
}

void CapiToolchain::PrepareTogether(absl::Span<const Case> cases) {
  std::vector<CapiWalk> walks;
  for (const Case& test_case : cases) {
    walks.push_back({.test_case = &test_case, .route = routes_.Find(test_case.route), .done = {}});
  }
  Walk(walks);
  for (const CapiWalk& walk : walks) {
    const auto& object = walk.done.object;
    prepared_.Put(QuestionOf(*walk.test_case, description().dialect),
                  absl::StrCat(ToLine(walk.done.answer), "\n", object == nullptr ? "" : *object));
  }
}

Observation CapiToolchain::Observe(const Case& test_case) {
  std::vector<CapiWalk> walks = {{.test_case = &test_case, .route = routes_.Find(test_case.route), .done = {}}};
  CapiWalk& walk = walks.front();
  if (std::optional<std::string> kept = prepared_.Take(QuestionOf(test_case, description().dialect))) {
    const size_t end = std::min(kept->find('\n'), kept->size() - 1);
    absl::StatusOr<CapiAnswer> answer = FromText<CapiAnswer>(absl::string_view(*kept).substr(0, end));
    if (answer.ok()) {
      walk.done = {*std::move(answer), std::make_shared<const std::string>(kept->substr(end + 1)), ""};
      return Finish(std::move(walk));
    }
  }
  Walk(walks);
  return Finish(std::move(walk));
}

Observation CapiToolchain::ObserveThrough(const Case& test_case, absl::string_view pipeline) {
  Route route = routes_.FindOrCustom(test_case.route);
  route.pipeline = pipeline;
  std::vector<CapiWalk> walks = {{.test_case = &test_case, .route = &route, .done = {}}};
  Walk(walks);
  return Finish(std::move(walks.front()));
}

std::vector<absl::StatusOr<std::string>> CapiToolchain::LowerTexts(absl::Span<const std::string> modules,
                                                                   absl::string_view pipeline, bool to_llvm_ir) {
  std::vector<CapiJob> jobs;
  for (const std::string& module : modules) {
    jobs.push_back({.module = module,
                    .pipeline = std::string(pipeline),
                    .fresh_passes = true,
                    .lowers = true,
                    .takes_text = !to_llvm_ir,
                    .takes_llvm_ir = to_llvm_ir,
                    .symbolizes = SymbolizesDeaths()});
  }
  std::vector<absl::StatusOr<std::string>> texts;
  for (CapiClient::Done& done : client_.Ask(jobs)) {
    const Observation& observation = done.answer.observation;
    if (!done.answer.ended) {
      texts.push_back(std::move(done.answer.text));
    } else if (!done.last_words.empty()) {
      texts.push_back(absl::InternalError(done.last_words));
    } else {
      texts.push_back(absl::InvalidArgumentError(
          observation.diagnostics.empty() ? std::string(Name(observation.outcome)) : observation.diagnostics.front()));
    }
  }
  return texts;
}

Observation CapiToolchain::Ask(const Program& program, CapiJob job) {
  const Case test_case{.program = program, .runs = {}};
  std::vector<CapiWalk> walks = {{.test_case = &test_case, .route = nullptr, .done = {}}};
  CapiWalk& walk = walks.front();
  if (const SupportEntry* entry = FindUnwritable(program, description().dialect)) {
    EndAtBuild(absl::StrCat(description().name, ": ", entry->reason), &walk);
  } else if (const Unspoken* unspoken = FindUnspoken(program, description().unspoken)) {
    EndAtBuild(absl::StrCat(description().name, kNotInDialect, ToString(*unspoken)), &walk);
  } else {
    job.module = ToMlir(program, description().dialect);
    walk.done = std::move(client_.Ask({&job, 1}).front());
  }
  return std::move(walk.done.answer.observation);
}

Observation CapiToolchain::ObserveDecision(const Program& program) { return Ask(program, {.infers = true}); }

Observation CapiToolchain::ObserveProbe(const OpSignature&) {
  CapiWalk walk;
  EndAtBuild(absl::StrCat(description().name, kLacksProbe), &walk);
  return std::move(walk.done.answer.observation);
}

Observation CapiToolchain::ObserveValidation(const Program& program, const ValidationTarget& target) {
  return Ask(program, {.pipeline = ValidationPipeline(target), .lowers = true, .stage = Stage::kVerify});
}

// The program tosaic-capi-worker beside this one.
std::string WorkerBesideThis() { return (OwnProgram().parent_path() / "tosaic-capi-worker").string(); }

}  // namespace

absl::StatusOr<std::unique_ptr<Toolchain>> CreateCapiToolchain(const CapiLibrary& library,
                                                               const ToolchainOptions& options) {
  SymbolizeDeaths(false);
  const std::string worker = options.worker.empty() ? WorkerBesideThis() : options.worker;
  std::error_code ignored;
  if (!std::filesystem::exists(worker, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat("a library needs the program ", worker, ", which is not there"));
  }
  CapiClient client({.library = library.file, .program = worker, .limits = options.limits});
  TOSAIC_ASSIGN_OR_RETURN(ToolchainDescription description, DescribeLibrary(library, options, &client));
  return std::make_unique<CapiToolchain>(std::move(client), std::move(description), options.library_function);
}

}  // namespace tosaic
