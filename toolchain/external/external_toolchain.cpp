// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/external_toolchain.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "toolchain/execution/code_runner.h"
#include "toolchain/execution/llvm_ir_text.h"
#include "toolchain/external/spoken_dialect.h"
#include "toolchain/external/tool_calls.h"
#include "toolchain/external/tool_setup.h"
#include "toolchain/external/tool_walk.h"
#include "toolchain/named_routes.h"
#include "toolchain/prepared_answers.h"
#include "toolchain/progress.h"

namespace tosaic {
namespace {

// The start of a tool is shared by so many cases; more make a lost batch dearer and gain little.
constexpr size_t kBatch = 64;

// The questions before the first case take the tools a tenth of a second.
constexpr int kFirstWallSeconds = 15;

// Calls the tools, keeps prepared answers, and executes the code.
class ExternalToolchain : public Toolchain, private Lowering {
 public:
  ExternalToolchain(ToolCalls calls, ToolchainDescription described, ToolLimitsFound limits, CpuSettings cpu)
      : Toolchain(std::move(described), {.lowering = this}),
        calls_(std::move(calls)),
        stages_(calls_, description(), std::move(limits)),
        code_(std::move(cpu)) {}

  absl::Status PrepareJit() { return code_.JitFor(GenerationOf(routes_.custom())).status(); }

  Observation Observe(const Case& test_case) override {
    ToolWalk walk{.test_case = &test_case, .route = routes_.Find(test_case.route)};
    if (!TakePrepared(&walk)) stages_.Walk({&walk, 1});
    if (!walk.ended) Execute(&walk);
    return std::move(walk.observation);
  }

  void Prepare(absl::Span<const Case> cases) override {
    for (size_t begin = 0; begin < cases.size(); begin += kBatch) PrepareBatch(cases.subspan(begin, kBatch));
  }

 private:
  void PrepareBatch(absl::Span<const Case> cases) {
    std::vector<ToolWalk> walks;
    for (const Case& test_case : cases)
      walks.push_back({.test_case = &test_case, .route = routes_.Find(test_case.route)});
    stages_.Walk(absl::MakeSpan(walks));
    for (const ToolWalk& walk : walks) {
      prepared_.Put(QuestionOf(*walk.test_case, description().dialect), absl::StrCat(ToLine(walk), "\n", walk.program));
    }
  }

  Observation ObserveThrough(const Case& test_case, absl::string_view pipeline) override {
    Route route = routes_.FindOrCustom(test_case.route);
    route.name = kCustomRoute;
    route.pipeline = pipeline;
    ToolWalk walk{.test_case = &test_case, .route = &route};
    stages_.Walk({&walk, 1});
    if (!walk.ended) Execute(&walk);
    return std::move(walk.observation);
  }

  std::vector<absl::StatusOr<std::string>> LowerTexts(absl::Span<const std::string> modules, absl::string_view pipeline,
                                                      bool to_llvm_ir) override;
  // Goes on from the prepared answer, if the case has one.
  bool TakePrepared(ToolWalk* walk) const;
  void Execute(ToolWalk* walk);

  const ToolCalls calls_;
  // As `loops` in all but the pipeline: older versions align what they allocate.
  const NamedRoutes routes_{description().routes, description().custom_pipeline,
                            FindRoute(description().routes, "loops")};
  const ToolStages stages_;
  const PreparedAnswers prepared_;
  CodeRunner code_;
};

std::vector<absl::StatusOr<std::string>> ExternalToolchain::LowerTexts(absl::Span<const std::string> modules,
                                                                       absl::string_view pipeline, bool to_llvm_ir) {
  std::vector<absl::StatusOr<std::string>> texts(modules.size(), absl::StatusOr<std::string>(""));
  if (to_llvm_ir && calls_.tools().translate.empty()) {
    for (auto& text : texts)
      text = absl::UnimplementedError(absl::StrCat(description().name, " has no mlir-translate"));
    return texts;
  }
  std::vector<size_t> lowered_indices;
  std::vector<std::string> lowered;
  const auto take = [&](size_t i, ToolAnswer answer, bool is_last) {
    if (answer.how != Outcome::kCompleted) {
      texts[i] =
          absl::InvalidArgumentError(answer.errors.empty() ? std::string(Name(answer.how)) : answer.errors.front());
    } else if (is_last) {
      texts[i] = std::move(answer.module);
    } else {
      lowered_indices.push_back(i);
      lowered.push_back(std::move(answer.module));
    }
  };
  std::vector<ToolAnswer> answers = calls_.Ask(calls_.Passes(pipeline), modules);
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool died = answers[i].how == Outcome::kSignal;
    take(i, std::move(answers[i]), !to_llvm_ir);
    // All that it says as it dies.
    if (died) texts[i] = absl::InternalError(calls_.Run(calls_.Passes(pipeline), modules[i]).err);
  }
  answers = calls_.Ask(calls_.Translation(), lowered);
  for (size_t k = 0; k < answers.size(); ++k) take(lowered_indices[k], std::move(answers[k]), true);
  return texts;
}

bool ExternalToolchain::TakePrepared(ToolWalk* walk) const {
  const std::optional<std::string> kept = prepared_.Take(QuestionOf(*walk->test_case, description().dialect));
  if (!kept) return false;
  const size_t end = std::min(kept->find('\n'), kept->size() - 1);
  absl::StatusOr<ToolWalk> prepared = FromText<ToolWalk>(absl::string_view(*kept).substr(0, end));
  if (!prepared.ok()) return false;
  prepared->test_case = walk->test_case;
  prepared->route = walk->route;
  prepared->program = kept->substr(end + 1);
  *walk = *std::move(prepared);
  return true;
}

// From the LLVM IR or object file on that the tools left.
void ExternalToolchain::Execute(ToolWalk* walk) {
  EnterStage(Stage::kTranslate, &walk->observation);
  CompiledProgram program = ProgramOn(*walk->route);
  if (walk->is_object) {
    program.code = ObjectFile{std::move(walk->program)};
    program.ir = std::move(walk->llvm_ir);
    return code_.Run(std::move(program), *walk->test_case, &walk->observation);
  }
  const absl::StatusOr<Jit*> jit = code_.JitFor(program.generation);
  if (!jit.ok()) return EndWalk(Outcome::kToolFailure, {std::string(jit.status().message())}, walk);
  absl::StatusOr<std::unique_ptr<llvm::Module>> module = ReadLlvmIr(walk->program, (*jit)->context());
  if (!module.ok()) {
    std::string why(module.status().message());
    if (description().mlir_version <= LLVM_VERSION_MAJOR) return EndWalk(Outcome::kIllegalIr, {std::move(why)}, walk);
    // The text of LLVM IR changes; an older reader is no judge of it.
    absl::StrAppend(&why, " (put llc or mlir-runner of LLVM ", description().mlir_version,
                    " beside mlir-opt, or take a library with its C API: --toolchain=FILE.so)");
    return EndBeforeRun(std::move(why), walk);
  }
  program.code = Owned(*std::move(module));
  code_.Run(std::move(program), *walk->test_case, &walk->observation);
}

absl::Status CheckCpu(const ExternalTools& tools, const CpuSettings& cpu) {
  if (cpu.cpu == nullptr || (tools.llc.empty() && tools.runner.empty())) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--cpu=", cpu.cpu->name, ": ", tools.name(),
      " makes object files, which are for this machine's CPU; take tools of LLVM ", LLVM_VERSION_MAJOR, " or older"));
}

// The description, but for the pipeline and the plugins that are asked for.
ToolchainDescription Described(const ExternalTools& tools, SpokenDialect spoken, const ToolCalls& calls,
                               ToolLimitsFound* found) {
  ToolchainDescription description;
  description.name = tools.name();
  description.version = tools.version_text();
  description.directory = tools.directory;
  description.dialect = spoken.dialect;
  description.mlir_version = tools.major;
  description.unspoken = std::move(spoken.unspoken);
  description.routes = RoutesThatParse(RoutesOfTools(tools.dated ? kCanonicalDialect : spoken.dialect), calls, found);
  description.limits = std::move(found->routes);
  if (tools.translate.empty())
    std::erase_if(description.routes, [](const Route* route) { return route->counts_stores; });
  if (tools.dated) description.lowers_on = "LLVM " LLVM_VERSION_STRING;
  description.batch_size = kBatch;
  return description;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternalToolchain(const ExternalTools& tools,
                                                                   const ToolchainOptions& options) {
  TOSAIC_RETURN_IF_ERROR(CheckCpu(tools, options.cpu));
  const ToolLimits limits = {.cpu_seconds = options.limits.cpu_seconds,
                             .wall_seconds = options.limits.wall_seconds,
                             .output_bytes = options.output_bytes};
  ToolCalls calls(tools, limits);
  ToolLimits at_first = limits;
  at_first.wall_seconds = std::min(at_first.wall_seconds, kFirstWallSeconds);
  ToolCalls first_calls(tools, at_first);
  if (tools.dated) {
    TOSAIC_ASSIGN_OR_RETURN(const PassNames passes, PassesOf(*tools.dated));
    calls.SetPasses(passes);
    first_calls.SetPasses(passes);
    first_calls.KeepIn(tools.directory);
  }
  TOSAIC_ASSIGN_OR_RETURN(SpokenDialect spoken, FindDialect(first_calls));
  TOSAIC_RETURN_IF_ERROR(CheckThatItDecides(first_calls));
  TOSAIC_ASSIGN_OR_RETURN(std::vector<std::string> plugins, LoadPlugins(options.plugins, &calls));
  if (!options.pipeline.empty()) {
    TOSAIC_RETURN_IF_ERROR(CheckPipeline(options.pipeline, calls));
  }
  ToolLimitsFound found;
  ToolchainDescription description = Described(tools, std::move(spoken), first_calls, &found);
  description.custom_pipeline = options.pipeline;
  description.custom_like = options.custom_like;
  description.custom_flags = options.custom_flags;
  description.plugins = std::move(plugins);
  TOSAIC_RETURN_IF_ERROR(CodeRunner(options.cpu).Describe(&description));
  auto toolchain =
      std::make_unique<ExternalToolchain>(std::move(calls), std::move(description), std::move(found), options.cpu);
  TOSAIC_RETURN_IF_ERROR(toolchain->PrepareJit());
  return toolchain;
}

}  // namespace tosaic
