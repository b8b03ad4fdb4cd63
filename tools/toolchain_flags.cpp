// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that say what is tested: the toolchain, the route or pipeline, the target, and limits.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "checking/library_function.h"
#include "codec/status.h"
#include "diagnosis/rewriting_toolchain.h"
#include "generators/twins.h"
#include "model/cpus.h"
#include "model/pass_sequence.h"
#include "toolchain/adapter/adapter_toolchain.h"
#include "toolchain/capi/capi_toolchain.h"
#include "toolchain/external/external_toolchain.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/observe_isolated.h"
#include "tools/case_input.h"
#include "tools/output_flags.h"
#include "tools/subcommands.h"
#include "tools/validators.h"
#include "workers/fixed_addresses.h"

namespace tosaic {

std::vector<std::string> RouteNames() {
  std::vector<std::string> names;
  for (const absl::Span<const Route> routes : {AllRoutes(), RoutesOf(AllDialects().back().dialect)}) {
    for (const Route& route : routes) {
      if (std::find(names.begin(), names.end(), route.name) == names.end()) names.push_back(std::string(route.name));
    }
  }
  return names;
}

void AddLimits(CLI::App& app, WorkerLimits* limits) {
  app.add_option("--cpu-limit", limits->cpu_seconds, "CPU seconds per case, to run it and again to judge it")
      ->check(NumberFrom(1, 3600))
      ->capture_default_str();
  app.add_option("--wall-limit", limits->wall_seconds, "wall seconds per case")
      ->check(NumberFrom(1, 36000))
      ->capture_default_str();
}

void ToolchainFlags::AddTo(CLI::App& app, bool mixed) {
  app.option_defaults()->group("What is tested");
  app.add_option(
         "--toolchain", toolchain,
         absl::StrCat("the MLIR to test: ", NameInProcess(),
                      " is in this process; another by name (mlir-19, mlir-trunk; see 'tosaic toolchains'), by the "
                      "directory of its mlir-opt and mlir-translate, by the file of a library with its C API, or any "
                      "implementation of TOSA by adapter:COMMAND"))
      ->type_name("MLIR")
      ->capture_default_str();
  std::vector<std::string> routes = RouteNames();
  if (mixed) routes.push_back(kAllRoutes);
  auto* by_name =
      app.add_option("--route", route,
                     mixed ? "the pass pipeline to lower with, by name; all: the cases of a campaign each on "
                             "one of them, drawn evenly (its default draws loops for half of the cases, and no route "
                             "that is only there if asked for), those of check on each of them"
                           : "the pass pipeline to lower with, by name");
  const CLI::Validator is_named_route = OneOf(routes);
  const auto is_route = [is_named_route](std::string& text) {
    return RouteName(text) == text ? is_named_route(text) : std::string(ParseSequence(text).status().message());
  };
  by_name->check(CLI::Validator(is_route, is_named_route.get_description()));
  auto* own = app.add_option("--pipeline", pipeline,
                             "a pass pipeline of your own to lower with: builtin.module(...); the route is then called "
                             "custom")
                  ->type_name("PASSES")
                  ->excludes(by_name);
  app.add_flag("--as-tosa", as_tosa,
               "the pipeline leaves TOSA: nothing is compiled, and what the documents say of the program that is left "
               "must be right for the program that it was")
      ->needs(own);
  AddPipelineTo(app);
  AddPluginsTo(app);
  app.add_option("--target", target,
                 "test tosa-validate instead of the lowering: VERSION,PROFILES,LEVEL[,strict], for instance "
                 "1.0,pro_int+pro_fp,8k")
      ->type_name("TARGET");
  app.add_option("--cpu", cpu,
                 "run the programs on another CPU, in an emulator of qemu-user; by default they run on this machine's")
      ->check(OneOf(CpuNames()));
  AddLimits(app, &limits);
  app.option_defaults()->group("Options");
}

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::Create() const {
  absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateCold();
  if (!created.ok() || IsExternal()) return created;
  static bool has_said = IsQuiet() || HasFixedAddresses();
  if (!std::exchange(has_said, true)) {
    std::fputs(
        "tosaic: each process has other addresses here, because the system forbids personality(2) or lacks /proc: a "
        "case that reads memory which nobody wrote may end otherwise each time\n",
        stderr);
  }
  WarmUp(**created);
  return created;
}

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::CreateCold() const {
  absl::StatusOr<std::unique_ptr<Toolchain>> created = CreateWithPipeline();
  if (!created.ok() || !as_tosa) return created;
  return At("--as-tosa", CreateRewritingToolchain(*std::move(created), ReaderFor(*this)));
}

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::CreateWithPipeline() const {
  TOSAIC_RETURN_IF_ERROR(Validation().status());
  TOSAIC_RETURN_IF_ERROR(CheckPluginIsCalled());
  if (IsExternal()) return CreateExternal();
  TOSAIC_ASSIGN_OR_RETURN(const ToolchainOptions options, Options());
  return CreateMlirToolchain(options);
}

absl::StatusOr<ToolchainOptions> ToolchainFlags::Options() const {
  ToolchainOptions options;
  options.pipeline = pipeline;
  options.custom_like = custom_like;
  options.custom_flags = CustomFlags();
  options.plugins = plugins;
  TOSAIC_ASSIGN_OR_RETURN(options.validation, Validation());
  options.library_function = OracleLibrary();
  options.limits.cpu_seconds = limits.cpu_seconds;
  options.limits.wall_seconds = limits.wall_seconds;
  TOSAIC_ASSIGN_OR_RETURN(options.cpu, CpuAskedFor());
  return options;
}

absl::StatusOr<CpuSettings> ToolchainFlags::CpuAskedFor() const {
  return cpu.empty() ? CpuSettings() : FindCpuServer(cpu, limits);
}

bool ToolchainFlags::IsExternal() const { return toolchain != NameInProcess(); }

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::CreateExternal() const {
  if (NamesAdapter(toolchain)) return CreateAdapter();
  if (NamesCapiLibrary(toolchain)) return CreateCapi();
  if (!target.empty()) return NeedsInProcess("--target");
  TOSAIC_ASSIGN_OR_RETURN(const ExternalTools tools, At(named_by, FindTools(toolchain)));
  TOSAIC_ASSIGN_OR_RETURN(const ToolchainOptions options, Options());
  return CheckRoute(CreateExternalToolchain(tools, options));
}

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::CreateCapi() const {
  if (!plugins.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(named_by, "=", toolchain, ": a library by its C API takes no --load-pass-plugin"));
  }
  if (!cpu.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        named_by, "=", toolchain, ": a library by its C API makes code for this machine's CPU; it takes no --cpu"));
  }
  TOSAIC_ASSIGN_OR_RETURN(const CapiLibrary library, At(named_by, FindCapiLibrary(toolchain)));
  TOSAIC_ASSIGN_OR_RETURN(const ToolchainOptions options, Options());
  return CheckRoute(CreateCapiToolchain(library, options));
}

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::CreateAdapter() const {
  for (const auto& [flag, is_given] : {std::pair("--pipeline", !pipeline.empty()),
                                       {"--load-pass-plugin", !plugins.empty()},
                                       {"--target", !target.empty()},
                                       {"--cpu", !cpu.empty()}}) {
    if (is_given) return absl::InvalidArgumentError(absl::StrCat(named_by, "=", toolchain, ": it takes no ", flag));
  }
  return CheckRoute(At(named_by, CreateAdapterToolchain(toolchain, limits)));
}

absl::StatusOr<std::unique_ptr<Toolchain>> ToolchainFlags::CheckRoute(
    absl::StatusOr<std::unique_ptr<Toolchain>> created) const {
  if (!created.ok() || route.empty() || route == kAllRoutes) return created;
  const std::vector<const Route*> routes = (*created)->description().routes;
  const bool has_it = std::any_of(routes.begin(), routes.end(),
                                  [&](const Route* known_route) { return known_route->name == RouteName(route); });
  if (has_it) return created;
  const std::string known = absl::StrJoin(
      routes, ", ", [](std::string* out, const Route* known_route) { absl::StrAppend(out, known_route->name); });
  return absl::InvalidArgumentError(
      absl::StrCat("--route: ", (*created)->description().name, " has no route '", route, "' (", known, ")"));
}

absl::Status ToolchainFlags::NeedsInProcess(absl::string_view feature) const {
  return absl::InvalidArgumentError(
      absl::StrCat(named_by, "=", toolchain, ": ", feature, " asks the MLIR in this process, ", NameInProcess()));
}

absl::StatusOr<std::optional<ValidationTarget>> ToolchainFlags::Validation() const {
  if (target.empty()) return std::optional<ValidationTarget>();
  TOSAIC_ASSIGN_OR_RETURN(ValidationTarget parsed, ParseValidationTarget(target));
  return std::optional<ValidationTarget>(std::move(parsed));
}

absl::StatusOr<JudgeOptions> ToolchainFlags::WithValidation(JudgeOptions options) const {
  TOSAIC_ASSIGN_OR_RETURN(options.validation, Validation());
  return options;
}

std::string ToolchainFlags::RouteAskedFor() const { return pipeline.empty() ? route : std::string(kCustomRoute); }

absl::Status ToolchainFlags::ApplyRoute(const std::string& file, Case* test_case) const {
  if (std::string asked_for = RouteAskedFor(); !asked_for.empty()) test_case->route = std::move(asked_for);
  const std::vector<absl::string_view> twins = AllTwins();
  if (!test_case->twin.empty() && std::find(twins.begin(), twins.end(), test_case->twin) == twins.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": twin: '", test_case->twin, "' is not a twin (", absl::StrJoin(twins, ", "), ")"));
  }
  if (FindRoute(test_case->route) != nullptr || !pipeline.empty()) return absl::OkStatus();
  if (test_case->route == kCustomRoute) {
    return absl::InvalidArgumentError(absl::StrCat(
        file, ": route: '", kCustomRoute,
        "' is a pipeline that the case does not have; --pipeline gives it, or what edits a route "
        "(--insert-before, --insert-after, --replace), with --load-pass-plugin; or --route gives another"));
  }
  const std::string known = absl::StrJoin(
      AllRoutes(), ", ", [](std::string* out, const Route& known_route) { absl::StrAppend(out, known_route.name); });
  return absl::InvalidArgumentError(absl::StrCat(file, ": route: '", test_case->route, "' is not a route (", known,
                                                 "); --route or --pipeline gives another"));
}

}  // namespace tosaic
