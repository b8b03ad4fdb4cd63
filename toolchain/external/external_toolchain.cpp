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

// How far a case has come through the tools; the program, which may be any bytes, stands behind it.
struct Prepared {
  bool ended = false;
  bool is_object = false;
  std::string llvm_ir;
  Observation observation;
};

void Fields(Visitor& v, Prepared& x) {
  v("ended", x.ended);
  v("is_object", x.is_object);
  v("llvm_ir", x.llvm_ir);
  v("observation", x.observation);
}

// Calls the tools, keeps prepared answers, and executes the code.
class ToolLowering : public Lowering {
 public:
  // The description must outlive it.
  ToolLowering(ToolCalls calls, ToolchainDescription description, ToolLimitsFound limits, CpuSettings cpu)
      : calls_(std::move(calls)),
        is_(std::move(description)),
        stages_(calls_, is_.dialect, std::move(limits)),
        code_(std::move(cpu)) {}

  const ToolchainDescription& description() const { return is_; }
  absl::Status PrepareJit() { return code_.JitFor(GenerationOf(routes_.custom())).status(); }

  Observation Observe(const Case& test_case) {
    ToolWalk walk{.test_case = &test_case, .route = routes_.Find(test_case.route)};
    if (!TakePrepared(&walk)) stages_.Walk({&walk, 1});
    if (!walk.ended) Execute(&walk);
    return std::move(walk.observation);
  }

  void Prepare(absl::Span<const Case> cases) {
    std::vector<ToolWalk> walks;
    for (const Case& test_case : cases)
      walks.push_back({.test_case = &test_case, .route = routes_.Find(test_case.route)});
    stages_.Walk(absl::MakeSpan(walks));
    for (ToolWalk& walk : walks) {
      prepared_.Put(QuestionOf(*walk.test_case, is_.dialect),
                    absl::StrCat(ToLine(Prepared{walk.ended, walk.is_object, std::move(walk.llvm_ir),
                                                 std::move(walk.observation)}),
                                 "\n", walk.program));
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

  absl::StatusOr<std::string> LowerText(absl::string_view mlir, absl::string_view pipeline, bool to_llvm_ir) override {
    const std::string module(mlir);
    return std::move(LowerTexts({&module, 1}, pipeline, to_llvm_ir).front());
  }

  std::vector<absl::StatusOr<std::string>> LowerTexts(absl::Span<const std::string> modules, absl::string_view pipeline,
                                                      bool to_llvm_ir) override;

 private:
  // Goes on from the prepared answer, if the case has one.
  bool TakePrepared(ToolWalk* walk) const;
  void Execute(ToolWalk* walk);

  const ToolCalls calls_;
  const ToolchainDescription is_;
  // As `loops` in all but the pipeline: older versions align what they allocate.
  const NamedRoutes routes_{is_.routes, is_.custom_pipeline, FindRoute(is_.routes, "loops")};
  const ToolStages stages_;
  const PreparedAnswers prepared_;
  CodeRunner code_;
};

std::vector<absl::StatusOr<std::string>> ToolLowering::LowerTexts(absl::Span<const std::string> modules,
                                                                  absl::string_view pipeline, bool to_llvm_ir) {
  std::vector<absl::StatusOr<std::string>> texts(modules.size(), absl::StatusOr<std::string>(""));
  if (to_llvm_ir && calls_.tools().translate.empty()) {
    for (auto& text : texts) text = absl::UnimplementedError(absl::StrCat(is_.name, " has no mlir-translate"));
    return texts;
  }
  std::vector<size_t> lowered_indices;
  std::vector<std::string> lowered;
  const auto take = [&](size_t i, ToolAnswer answer, bool is_last) {
    if (answer.how != ToolAnswer::How::kMade) {
      texts[i] = absl::InvalidArgumentError(answer.errors.empty() ? std::string(Name(OutcomeOf(answer.how)))
                                                                  : answer.errors.front());
    } else if (is_last) {
      texts[i] = std::move(answer.module);
    } else {
      lowered_indices.push_back(i);
      lowered.push_back(std::move(answer.module));
    }
  };
  std::vector<ToolAnswer> answers = calls_.Ask(calls_.Passes(pipeline), modules);
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool died = answers[i].how == ToolAnswer::How::kSignal;
    take(i, std::move(answers[i]), !to_llvm_ir);
    // All that it says as it dies.
    if (died) texts[i] = absl::InternalError(calls_.Run(calls_.Passes(pipeline), modules[i]).err);
  }
  answers = calls_.Ask(calls_.Translation(), lowered);
  for (size_t k = 0; k < answers.size(); ++k) take(lowered_indices[k], std::move(answers[k]), true);
  return texts;
}

bool ToolLowering::TakePrepared(ToolWalk* walk) const {
  const std::optional<std::string> kept = prepared_.Take(QuestionOf(*walk->test_case, is_.dialect));
  if (!kept) return false;
  const size_t end = std::min(kept->find('\n'), kept->size() - 1);
  absl::StatusOr<Prepared> prepared = FromText<Prepared>(absl::string_view(*kept).substr(0, end));
  if (!prepared.ok()) return false;
  walk->ended = prepared->ended;
  walk->is_object = prepared->is_object;
  walk->llvm_ir = std::move(prepared->llvm_ir);
  walk->program = kept->substr(end + 1);
  walk->observation = std::move(prepared->observation);
  return true;
}

// From the LLVM IR or object file on that the tools left.
void ToolLowering::Execute(ToolWalk* walk) {
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
    if (is_.mlir_version <= LLVM_VERSION_MAJOR) return EndWalk(Outcome::kIllegalIr, {std::move(why)}, walk);
    // The text of LLVM IR changes; an older reader is no judge of it.
    absl::StrAppend(&why, " (put llc or mlir-runner of LLVM ", is_.mlir_version,
                    " beside mlir-opt, or take a library with its C API: --toolchain=FILE.so)");
    return EndBeforeRun(std::move(why), walk);
  }
  program.code = Owned(*std::move(module));
  code_.Run(std::move(program), *walk->test_case, &walk->observation);
}

class ExternalToolchain : public Toolchain {
 public:
  explicit ExternalToolchain(std::unique_ptr<ToolLowering> tools)
      : Toolchain(tools->description(), {.lowering = tools.get()}), tools_(std::move(tools)) {}

  Observation Observe(const Case& test_case) override { return tools_->Observe(test_case); }
  void Prepare(absl::Span<const Case> cases) override {
    for (size_t begin = 0; begin < cases.size(); begin += kBatch) tools_->Prepare(cases.subspan(begin, kBatch));
  }

 private:
  const std::unique_ptr<ToolLowering> tools_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Toolchain>> CreateExternalToolchain(const ExternalTools& tools,
                                                                   const ExternalToolchainOptions& options) {
  if (options.cpu.cpu != nullptr && (!tools.llc.empty() || !tools.runner.empty())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--cpu=", options.cpu.cpu->name, ": ", tools.name(),
        " makes object files, which are for this machine's CPU; take tools of LLVM ", LLVM_VERSION_MAJOR, " or older"));
  }
  ToolCalls calls(tools, options.limits);
  ToolLimits at_first = options.limits;
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
  ToolchainDescription description;
  description.name = tools.name();
  description.version = tools.version_text();
  description.directory = tools.directory;
  description.dialect = spoken.dialect;
  description.mlir_version = tools.major;
  description.unspoken = spoken.unspoken;
  ToolLimitsFound limits{.unspoken = std::move(spoken.unspoken), .routes = {}, .lowers_nothing = ""};
  description.routes =
      RoutesThatParse(RoutesOfTools(tools.dated ? kCanonicalDialect : spoken.dialect), first_calls, &limits);
  if (options.limits_found != nullptr) *options.limits_found = limits.routes;
  if (tools.translate.empty())
    std::erase_if(description.routes, [](const Route* route) { return route->counts_stores; });
  description.custom_pipeline = options.pipeline;
  description.custom_like = options.custom_like;
  description.custom_flags = options.custom_flags;
  description.plugins = std::move(plugins);
  description.batch_size = kBatch;
  TOSAIC_RETURN_IF_ERROR(CodeRunner(options.cpu).Describe(&description));
  auto lowering =
      std::make_unique<ToolLowering>(std::move(calls), std::move(description), std::move(limits), options.cpu);
  TOSAIC_RETURN_IF_ERROR(lowering->PrepareJit());
  return std::make_unique<ExternalToolchain>(std::move(lowering));
}

}  // namespace tosaic
