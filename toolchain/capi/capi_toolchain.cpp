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
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "model/mlir_text.h"
#include "model/support_table.h"
#include "toolchain/capi/capi_client.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/named_routes.h"
#include "toolchain/prepared_answers.h"
#include "toolchain/progress.h"
#include "workers/command.h"

namespace tosaic {
namespace {

// More in one question make the one that is lost dearer, and what is linked for each larger.
constexpr size_t kTogether = 16;
// They share the start of a worker.
constexpr size_t kBatch = 256;

constexpr char kNoModule[] = "module {}\n";

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

bool HasDynamicType(const Program& program) {
  const auto is_dynamic = [](const TensorType& type) { return !type.shape.IsStatic(); };
  return absl::c_any_of(program.arguments, is_dynamic) ||
         absl::c_any_of(program.ops, [&](const OpApplication& op) { return is_dynamic(op.result); });
}

// The worker, what it has prepared, and the execution of what it leaves.
class CapiLowering : public Lowering {
 public:
  CapiLowering(CapiClient client, ToolchainDescription description, std::vector<RouteLimit> limits)
      : client_(std::move(client)), is_(std::move(description)), limits_(std::move(limits)) {}

  const ToolchainDescription& description() const { return is_; }
  Observation Observe(const Case& test_case);
  void Prepare(absl::Span<const Case> cases);
  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override;
  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) override;

 private:
  bool CanBuild(CapiWalk* walk) const;
  CapiJob JobOf(const CapiWalk& walk) const;
  // Asks for all that can be built; each way of making code by itself.
  void Walk(std::vector<CapiWalk>& walks);
  Observation Finish(CapiWalk walk);

  CapiClient client_;
  const ToolchainDescription is_;
  const std::vector<RouteLimit> limits_;
  // As `loops` in all but the pipeline: older versions align what they allocate.
  const NamedRoutes routes_{is_.routes, is_.custom_pipeline, FindRoute(is_.routes, "loops")};
  const PreparedAnswers prepared_;
  CodeRunner code_;
};

bool CapiLowering::CanBuild(CapiWalk* walk) const {
  const Case& test_case = *walk->test_case;
  if (const SupportEntry* entry = FindUnwritable(test_case.program, is_.dialect)) {
    EndAtBuild(absl::StrCat(is_.name, ": ", entry->reason), walk);
  } else if (walk->route == nullptr) {
    EndAtBuild(absl::StrCat(is_.name, " has no route '", test_case.route, "'"), walk);
  } else if (HasDynamicType(test_case.program)) {
    for (const RouteLimit& limit : limits_) {
      if (limit.is_missing || limit.route != walk->route->name) continue;
      EndAtBuild(absl::StrCat(is_.name, " has the route '", limit.route, "' for static shapes alone: ", limit.why),
                 walk);
    }
  }
  return !walk->done.answer.ended;
}

CapiJob CapiLowering::JobOf(const CapiWalk& walk) const {
  const bool runs = !walk.test_case->runs.empty();
  return {.module = ToMlir(walk.test_case->program, is_.dialect),
          .pipeline = std::string(walk.route->pipeline),
          // Nobody knows whether a user's passes keep what they made of an earlier case.
          .fresh_passes = !absl::c_linear_search(is_.routes, walk.route),
          .infers = true,
          .lowers = runs,
          .compiles = runs,
          .optimization = walk.route->optimized ? 2 : 0,
          .for_host_cpu = walk.route->host_cpu};
}

void CapiLowering::Walk(std::vector<CapiWalk>& walks) {
  struct Question {
    std::vector<CapiWalk*> walks;
    std::vector<CapiJob> jobs;
  };
  std::map<CodeGeneration, Question> questions;
  for (CapiWalk& walk : walks) {
    if (!CanBuild(&walk)) continue;
    Question& question = questions[GenerationOf(*walk.route)];
    question.walks.push_back(&walk);
    question.jobs.push_back(JobOf(walk));
  }
  EnterStage(Stage::kVerify);
  for (auto& [generation, question] : questions) {
    std::vector<CapiClient::Done> done = client_.Ask(question.jobs);
    for (size_t i = 0; i < done.size(); ++i) question.walks[i]->done = std::move(done[i]);
  }
}

Observation CapiLowering::Finish(CapiWalk walk) {
  CapiAnswer& answer = walk.done.answer;
  if (!answer.ended && !walk.test_case->runs.empty()) {
    CompiledProgram program = ProgramOn(*walk.route);
    program.code = ObjectFile{*walk.done.object};
    program.entry = answer.entry;
    code_.Run(std::move(program), *walk.test_case, &answer.observation);
  }
  return std::move(answer.observation);
}

void CapiLowering::Prepare(absl::Span<const Case> cases) {
  std::vector<CapiWalk> walks;
  for (const Case& test_case : cases) {
    walks.push_back({.test_case = &test_case, .route = routes_.Find(test_case.route), .done = {}});
  }
  Walk(walks);
  for (const CapiWalk& walk : walks) {
    const auto& [answer, object] = walk.done;
    prepared_.Put(QuestionOf(*walk.test_case, is_.dialect),
                  absl::StrCat(ToLine(answer), "\n", object == nullptr ? "" : *object));
  }
}

Observation CapiLowering::Observe(const Case& test_case) {
  std::vector<CapiWalk> walks = {{.test_case = &test_case, .route = routes_.Find(test_case.route), .done = {}}};
  CapiWalk& walk = walks.front();
  if (std::optional<std::string> kept = prepared_.Take(QuestionOf(test_case, is_.dialect))) {
    const size_t end = std::min(kept->find('\n'), kept->size() - 1);
    absl::StatusOr<CapiAnswer> answer = FromText<CapiAnswer>(absl::string_view(*kept).substr(0, end));
    if (answer.ok()) {
      walk.done = {*std::move(answer), std::make_shared<const std::string>(kept->substr(end + 1))};
      return Finish(std::move(walk));
    }
  }
  Walk(walks);
  return Finish(std::move(walk));
}

Observation CapiLowering::ObserveThrough(const Case& test_case, absl::string_view pipeline) {
  Route route = routes_.FindOrCustom(test_case.route);
  route.pipeline = pipeline;
  std::vector<CapiWalk> walks = {{.test_case = &test_case, .route = &route, .done = {}}};
  Walk(walks);
  return Finish(std::move(walks.front()));
}

absl::StatusOr<std::string> CapiLowering::LowerText(absl::string_view mlir, absl::string_view pipeline,
                                                    bool to_llvm_ir) {
  if (to_llvm_ir) return absl::UnimplementedError(absl::StrCat(is_.name, " gives no text of LLVM IR"));
  const CapiJob job = {
      .module = std::string(mlir), .pipeline = std::string(pipeline), .lowers = true, .takes_text = true};
  CapiAnswer answer = std::move(client_.Ask({&job, 1}).front().answer);
  if (!answer.ended) return std::move(answer.text);
  const Observation& observation = answer.observation;
  return absl::InvalidArgumentError(observation.diagnostics.empty() ? std::string(Name(observation.outcome))
                                                                    : observation.diagnostics.front());
}

class CapiToolchain : public Toolchain {
 public:
  explicit CapiToolchain(std::unique_ptr<CapiLowering> lowering)
      : Toolchain(lowering->description(), {.lowering = lowering.get()}), lowering_(std::move(lowering)) {}

  Observation Observe(const Case& test_case) override { return lowering_->Observe(test_case); }
  void Prepare(absl::Span<const Case> cases) override {
    for (size_t begin = 0; begin < cases.size(); begin += kTogether)
      lowering_->Prepare(cases.subspan(begin, kTogether));
  }

 private:
  const std::unique_ptr<CapiLowering> lowering_;
};

// What becomes of the module on each pipeline.
std::vector<CapiAnswer> TryPipelines(const std::string& module, absl::Span<const absl::string_view> pipelines,
                                     CapiClient* client) {
  std::vector<CapiJob> jobs;
  for (const absl::string_view pipeline : pipelines) {
    jobs.push_back({.module = module, .pipeline = std::string(pipeline), .lowers = true});
  }
  std::vector<CapiAnswer> answers;
  for (CapiClient::Done& done : client->Ask(jobs)) answers.push_back(std::move(done.answer));
  return answers;
}

// Why the walk ended; empty if it did not.
std::string ProblemIn(const CapiAnswer& answer) {
  const Observation& observation = answer.observation;
  if (!answer.ended) return "";
  return observation.diagnostics.empty() ? std::string(Name(observation.outcome)) : observation.diagnostics.front();
}

// A program with a dynamic dimension that any version can lower.
std::string DynamicModule(Dialect dialect) {
  const TensorType type{Shape({Dim::Dynamic()}), ElementType::kF32};
  OpApplication abs;
  abs.op = OpKind::kAbs;
  abs.operands = {{ValueRef::Kind::kArgument, 0}};
  abs.result = type;
  Program program;
  program.arguments = {type};
  program.ops = {abs};
  program.results = {{ValueRef::Kind::kOp, 0}};
  return ToMlir(program, dialect);
}

// What the library's routes cannot do: passes that are not there, and TOSA's own validator on the way, where it holds
// programs to a specification without dynamic dimensions.
std::vector<RouteLimit> LimitsOf(Dialect dialect, CapiClient* client) {
  std::vector<RouteLimit> limits;
  std::vector<absl::string_view> names, pipelines;
  for (const Route& route : RoutesOf(dialect)) {
    if (route.in_process || route.counts_stores) {
      limits.push_back({.route = std::string(route.name), .why = "not built here: needs code of Tosaic's own"});
    } else {
      names.push_back(route.name);
      pipelines.push_back(route.pipeline);
    }
  }
  const std::vector<CapiAnswer> on_nothing = TryPipelines(kNoModule, pipelines, client);
  const std::vector<CapiAnswer> on_dynamic = TryPipelines(DynamicModule(dialect), pipelines, client);
  for (size_t i = 0; i < names.size(); ++i) {
    const bool is_missing = on_nothing[i].ended;
    const bool is_validated = on_dynamic[i].ended && on_dynamic[i].observation.pass == "tosa-validate";
    if (!is_missing && !is_validated) continue;
    limits.push_back({.route = std::string(names[i]),
                      .is_missing = is_missing,
                      .why = ProblemIn(is_missing ? on_nothing[i] : on_dynamic[i])});
  }
  return limits;
}

absl::StatusOr<ToolchainDescription> Describe(const CapiLibrary& library, const CapiToolchainOptions& options,
                                              CapiClient* client, std::vector<RouteLimit>* limits) {
  const absl::StatusOr<std::string> version = client->Greet();
  if (!version.ok()) return version.status();
  ToolchainDescription description;
  const std::string major = version->substr(0, version->find('.'));
  if (!absl::SimpleAtoi(major, &description.mlir_version)) {
    return absl::InvalidArgumentError(absl::StrCat("the library ", library.file, " has the version '", *version, "'"));
  }
  description.name = library.name.empty() ? absl::StrCat("mlir-", major, "-library") : library.name;
  description.version = absl::StrCat("LLVM ", *version);
  if (!library.package.empty()) absl::StrAppend(&description.version, " (", library.package, ")");
  description.directory = library.file;
  description.dialect = NearestDialect(description.mlir_version);
  *limits = LimitsOf(description.dialect, client);
  for (const Route& route : RoutesOf(description.dialect)) {
    const bool is_missing =
        absl::c_any_of(*limits, [&](const RouteLimit& limit) { return limit.is_missing && limit.route == route.name; });
    if (!is_missing) description.routes.push_back(&route);
  }
  description.custom_pipeline = options.pipeline;
  description.batch_size = kBatch;
  if (options.pipeline.empty()) return description;
  const std::string problem = ProblemIn(TryPipelines(kNoModule, {options.pipeline}, client).front());
  if (!problem.empty()) return absl::InvalidArgumentError(problem);
  return description;
}

// The program tosaic-capi-worker beside this one.
std::string WorkerBesideThis() { return (OwnProgram().parent_path() / "tosaic-capi-worker").string(); }

}  // namespace

absl::StatusOr<std::unique_ptr<Toolchain>> CreateCapiToolchain(const CapiLibrary& library,
                                                               const CapiToolchainOptions& options) {
  const std::string worker = options.worker.empty() ? WorkerBesideThis() : options.worker;
  std::error_code ignored;
  if (!std::filesystem::exists(worker, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat("a library needs the program ", worker, ", which is not there"));
  }
  CapiClient client({.library = library.file, .program = worker, .limits = options.limits});
  std::vector<RouteLimit> limits;
  absl::StatusOr<ToolchainDescription> description = Describe(library, options, &client, &limits);
  if (!description.ok()) return description.status();
  if (options.limits_found != nullptr) *options.limits_found = limits;
  return std::make_unique<CapiToolchain>(
      std::make_unique<CapiLowering>(std::move(client), *std::move(description), std::move(limits)));
}

}  // namespace tosaic
