// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/capi_setup.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "model/mlir_text.h"
#include "toolchain/validation_pipeline.h"

namespace tosaic {
namespace {

// The questions of one request, which share the start of a worker.
constexpr size_t kBatch = 256;

constexpr char kNoModule[] = "module {}\n";

// Lowers the module by each pipeline.
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

// The limits of the library's routes: passes that are not there, and TOSA's own validator on the way, where it holds
// programs to a specification without dynamic dimensions.
std::vector<RouteLimit> LimitsOf(Dialect dialect, CapiClient* client) {
  std::vector<RouteLimit> limits;
  std::vector<absl::string_view> names, pipelines;
  for (const Route& route : RoutesOf(dialect)) {
    names.push_back(route.name);
    pipelines.push_back(route.pipeline);
  }
  const std::vector<CapiAnswer> on_nothing = TryPipelines(kNoModule, pipelines, client);
  const std::vector<CapiAnswer> on_dynamic = TryPipelines(DynamicModule(dialect), pipelines, client);
  for (size_t i = 0; i < names.size(); ++i) {
    const bool is_missing = on_nothing[i].ended;
    const bool is_validated = on_dynamic[i].ended && on_dynamic[i].observation.pass == "tosa-validate";
    if (!is_missing && !is_validated) continue;
    limits.push_back({.route = std::string(names[i]),
                      .is_missing = is_missing,
                      .why = is_missing ? WhyMissing(ProblemIn(on_nothing[i])) : ProblemIn(on_dynamic[i])});
  }
  return limits;
}

// The words of the dialect that this library does not know: it bears the number of a version that still grows.
std::vector<Unspoken> UnspokenOf(Dialect dialect, CapiClient* client) {
  const std::vector<WordQuestion> questions = QuestionsIn(dialect);
  std::vector<CapiJob> jobs;
  for (const WordQuestion& question : questions) jobs.push_back({.module = question.module});
  const std::vector<CapiClient::Done> done = client->Ask(jobs);
  std::vector<Unspoken> unspoken;
  for (size_t i = 0; i < questions.size(); ++i) {
    const auto& [op, attribute, module, type] = questions[i];
    const std::string why = ProblemIn(done[i].answer);
    if (IsAboutWords(why) && !IsUnspoken(op, unspoken)) unspoken.push_back({op, attribute, why, type});
  }
  return unspoken;
}

}  // namespace

absl::StatusOr<ToolchainDescription> DescribeLibrary(const CapiLibrary& library, const ToolchainOptions& options,
                                                     CapiClient* client) {
  TOSAIC_ASSIGN_OR_RETURN(const std::string version, client->Greet());
  ToolchainDescription description;
  const std::string major = version.substr(0, version.find('.'));
  if (!absl::SimpleAtoi(major, &description.mlir_version)) {
    return absl::InvalidArgumentError(absl::StrCat("the library ", library.file, " has the version '", version, "'"));
  }
  description.name = library.name.empty() ? absl::StrCat("mlir-", major, "-library") : library.name;
  description.version = absl::StrCat("LLVM ", version);
  if (!library.package.empty()) absl::StrAppend(&description.version, " (", library.package, ")");
  description.directory = library.file;
  description.dialect = NearestDialect(description.mlir_version);
  description.limits = LimitsOf(description.dialect, client);
  description.unspoken = UnspokenOf(description.dialect, client);
  for (const Route& route : RoutesOf(description.dialect)) {
    const bool is_missing = absl::c_any_of(
        description.limits, [&](const RouteLimit& limit) { return limit.is_missing && limit.route == route.name; });
    if (!is_missing) description.routes.push_back(&route);
  }
  description.custom_pipeline = options.pipeline;
  description.custom_like = options.custom_like;
  description.custom_flags = options.custom_flags;
  if (options.validation) description.only_pipeline = ValidationPipeline(*options.validation);
  description.batch_size = kBatch;
  for (const std::string& pipeline : {options.pipeline, description.only_pipeline}) {
    if (pipeline.empty()) continue;
    const std::string problem = ProblemIn(TryPipelines(kNoModule, {pipeline}, client).front());
    if (problem.empty()) continue;
    if (pipeline == options.pipeline) return absl::InvalidArgumentError(problem);
    return TargetIsRefused(description.name, *options.validation, problem);
  }
  return description;
}

}  // namespace tosaic
