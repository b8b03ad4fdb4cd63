// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that put passes into a route, and what a pipeline of one's own must be.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/names.h"
#include "codec/status.h"
#include "model/did_you_mean.h"
#include "model/pass_pipeline.h"
#include "toolchain/capi/capi_library.h"
#include "toolchain/external/external_tools.h"
#include "toolchain/observe_isolated.h"
#include "tools/subcommands.h"
#include "tools/validators.h"

namespace tosaic {
namespace {

// One op on two elements.
Case Probe(OpKind op, ElementType type) {
  const TensorType tensor{Shape::OfSizes({2}), type};
  Case probe;
  probe.program.arguments = {tensor};
  probe.program.ops = {{op, {{ValueRef::Kind::kArgument, 0}}, {}, tensor}};
  probe.program.results = {{ValueRef::Kind::kOp, 0}};
  probe.runs = {{Tensor(type, {2})}};
  probe.route = std::string(kCustomRoute);
  return probe;
}

// Whether the tools and libraries of another MLIR play it as the MLIR in this process does: all that sets it apart is
// its pipeline.
bool IsPipelineAlone(const Route& route) {
  return !EndsWithIr(route) && !route.verifies && !route.deallocates && !route.calls_library && !route.counts_stores &&
         route.alignment == 0 && !route.optimized && !route.host_cpu;
}

constexpr absl::string_view kFlags[] = {"--insert-before", "--insert-after", "--replace"};

// The values of these flags, in the order in which they take effect.
std::vector<std::pair<PassPlace, std::string>> EditsOf(const ToolchainFlags& flags) {
  std::vector<std::pair<PassPlace, std::string>> edits;
  for (const std::string& edit : flags.insert_before) edits.emplace_back(PassPlace::kBefore, edit);
  for (const std::string& edit : flags.insert_after) edits.emplace_back(PassPlace::kAfter, edit);
  for (const std::string& edit : flags.replace) edits.emplace_back(PassPlace::kInstead, edit);
  return edits;
}

// The pipeline of a route with a pass put into it. `edit`: "PASS:NEW".
absl::StatusOr<std::string> Edited(const std::string& text, absl::string_view route, PassPlace place,
                                   const std::string& edit) {
  const std::string flag = absl::StrCat(EntryFor(place, kFlags), "=", edit);
  const size_t colon = edit.find(':');
  if (colon == 0 || colon == edit.npos || colon + 1 == edit.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": it must be PASS:NEW, for instance tosa-to-linalg:my-tosa-to-linalg"));
  }
  const std::string there = edit.substr(0, colon);
  absl::StatusOr<std::string> edited = InsertPass(text, place, there, edit.substr(colon + 1));
  if (edited.ok()) return edited;
  if (!absl::IsNotFound(edited.status())) {
    return absl::InvalidArgumentError(absl::StrCat(flag, ": ", edited.status().message()));
  }
  const std::vector<std::string> names = PassesIn(text);
  const std::string meant = DidYouMean(there, names);
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": the route '", route, "' has no pass '", there, "'",
                   meant.empty() ? absl::StrCat(", but has ", absl::StrJoin(names, ", ")) : meant));
}

// The passes of `added`, the NEW of a flag, that are not among these; each in its anchors.
std::string Without(const std::vector<std::string>& names, const std::string& added) {
  constexpr absl::string_view kAnchor = "builtin.module(";
  absl::StatusOr<std::vector<PipelinePass>> passes = SplitPipeline(absl::StrCat(kAnchor, added, ")"));
  if (!passes.ok()) return added;
  std::erase_if(*passes, [&](const PipelinePass& pass) { return absl::c_linear_search(names, pass.name); });
  const std::string left = JoinPipeline(*passes);
  return left.substr(kAnchor.size(), left.size() - kAnchor.size() - 1);
}

}  // namespace

void ToolchainFlags::AddPipelineTo(CLI::App& app) {
  const auto edit = [&](const char* name, std::vector<std::string>* to, const char* description) {
    app.add_option(name, *to, description)->type_name("PASS:NEW")->allow_extra_args(false);
  };
  edit("--insert-before", &insert_before, "put NEW into the route (default: loops) before its pass PASS; repeatable");
  edit("--insert-after", &insert_after, "put NEW into the route behind its pass PASS; repeatable");
  edit("--replace", &replace, "put NEW into the route in the place of its pass PASS; repeatable");
  app.parse_complete_callback([this] {
    absl::Status status = CheckTogether();
    status.Update(EditRoute());
    if (!status.ok()) {
      throw CLI::ValidationError(std::string(status.message()));
    }
  });
}

void ToolchainFlags::AddPluginsTo(CLI::App& app) {
  app.add_option("--load-pass-plugin", plugins,
                 "load this plugin of MLIR, so that the flags above can name its passes; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void ToolchainFlags::AddEditsTo(CLI::App& app) {
  app.option_defaults()->group("What is tested");
  app.add_option("--route", route, "the route that the flags below put passes into, which is then the only one")
      ->check(OneOf(RouteNames()));
  AddPipelineTo(app);
  AddPluginsTo(app);
  app.option_defaults()->group("Options");
}

std::vector<std::string> ToolchainFlags::CustomFlags() const {
  std::vector<std::string> flags;
  if (pipeline.empty()) return flags;
  if (EditsRoute() && !route.empty()) flags.push_back(absl::StrCat("--route=", route));
  for (const std::string& plugin : plugins) {
    std::error_code ignored;
    const std::filesystem::path full = std::filesystem::absolute(plugin, ignored).lexically_normal();
    flags.push_back(absl::StrCat("--load-pass-plugin=", full.string()));
  }
  for (const auto& [place, edit] : EditsOf(*this)) {
    flags.push_back(absl::StrCat(EntryFor(place, kFlags), "=", edit));
  }
  if (!EditsRoute()) flags.push_back(absl::StrCat("--pipeline=", pipeline));
  if (as_tosa) flags.push_back("--as-tosa");
  return flags;
}

bool ToolchainFlags::EditsRoute() const { return !insert_before.empty() || !insert_after.empty() || !replace.empty(); }

ToolchainFlags ToolchainFlags::WithoutEdits() const {
  ToolchainFlags plain = *this;
  plain.route = custom_like;
  plain.insert_before.clear(), plain.insert_after.clear(), plain.replace.clear();
  plain.pipeline.clear(), plain.custom_like.clear(), plain.plugins.clear();
  return plain;
}

absl::StatusOr<ToolchainFlags> ToolchainFlags::OnToolchain(const std::string& name) const {
  ToolchainFlags there = *this;
  there.toolchain = name;
  if (!EditsRoute()) return there;
  there.pipeline.clear();
  TOSAIC_RETURN_IF_ERROR(there.EditRoute());
  return there;
}

absl::Status ToolchainFlags::CheckTogether() const {
  const Route* named = FindRoute(route);
  const bool ends_with_ir = named != nullptr && EndsWithIr(*named);
  if (!cpu.empty() && (ends_with_ir || as_tosa || !target.empty())) {
    const std::string what = ends_with_ir ? absl::StrCat("--route=", route) : as_tosa ? "--as-tosa" : "--target";
    return absl::InvalidArgumentError(absl::StrCat("--cpu: with ", what, " nothing runs, on any CPU"));
  }
  if (target.empty()) return absl::OkStatus();
  for (const auto& [flag, is_given] : {std::pair("--route", !route.empty()),
                                       {"--pipeline", !pipeline.empty()},
                                       {"--insert-before", !insert_before.empty()},
                                       {"--insert-after", !insert_after.empty()},
                                       {"--replace", !replace.empty()}}) {
    if (!is_given) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--target asks tosa-validate alone, which lowers nothing: ", flag, " has no place beside it"));
  }
  return absl::OkStatus();
}

absl::Status ToolchainFlags::EditRoute() {
  if (!EditsRoute()) {
    if (plugins.empty() || !pipeline.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "--load-pass-plugin: no route calls its passes; --insert-before, --insert-after, --replace or --pipeline says "
        "where they belong");
  }
  if (!pipeline.empty())
    return absl::InvalidArgumentError("--pipeline: change its text instead of using the flags that edit a route");
  const std::string name = route.empty() ? "loops" : route;
  const Route* edited = FindRoute(name);
  if (edited == nullptr)
    return absl::InvalidArgumentError(
        absl::StrCat("--route=", name, ": this is not one route, so it cannot be edited"));
  if (IsExternal() && !NamesCapiLibrary(toolchain)) {
    const absl::StatusOr<ExternalTools> tools = FindTools(toolchain);
    if (tools.ok()) edited = FindRoute(RoutesOfTools(NearestDialect(tools->major)), name);
    if (edited == nullptr) return absl::InvalidArgumentError(absl::StrCat("--route: ", toolchain, " has no ", name));
  }
  if (IsExternal() && !IsPipelineAlone(*edited)) {
    return absl::InvalidArgumentError(absl::StrCat("--route=", name, ": ", toolchain,
                                                   " cannot edit it, for there it is more than its pipeline; ",
                                                   NameInProcess(), " can"));
  }
  std::string text(edited->pipeline);
  for (const auto& [place, edit] : EditsOf(*this)) {
    TOSAIC_ASSIGN_OR_RETURN(text, Edited(text, name, place, edit));
  }
  pipeline = std::move(text);
  custom_like = name;
  return absl::OkStatus();
}

const std::vector<std::string>& ToolchainFlags::PassesOfPlugins() const {
  // Once: a plugin that is loaded stays so, and a command line has no second pipeline.
  static const std::vector<std::string> unknown = PassesUnknownInProcess(PassesIn(pipeline));
  return unknown;
}

absl::StatusOr<std::string> ToolchainFlags::PipelineWithoutPlugins() const {
  std::string text(FindRoute(custom_like)->pipeline);
  for (const auto& [place, edit] : EditsOf(*this)) {
    const size_t colon = edit.find(':');
    const std::string added = edit.substr(colon + 1), left = Without(PassesOfPlugins(), added);
    if (left.empty()) continue;
    const bool has_plugins = left != Without({}, added);
    const PassPlace there = place == PassPlace::kInstead && has_plugins ? PassPlace::kAfter : place;
    TOSAIC_ASSIGN_OR_RETURN(text, InsertPass(text, there, edit.substr(0, colon), left));
  }
  return text;
}

absl::Status ToolchainFlags::CheckPluginIsCalled() const {
  if (plugins.empty() || pipeline.empty()) return absl::OkStatus();
  if (!SplitPipeline(pipeline).ok()) return absl::OkStatus();  // whoever parses it says so
  if (!PassesOfPlugins().empty()) return absl::OkStatus();
  for (const std::string& plugin : plugins) {
    if (access(plugin.c_str(), R_OK) == 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the pass plugin ", plugin, " does not load: ", std::strerror(errno)));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--load-pass-plugin: the pass pipeline calls none of its passes: ", pipeline));
}

absl::Status ToolchainFlags::CheckEndsInLlvm(Toolchain& created, const std::vector<Case>& cases) const {
  if (pipeline.empty() || !target.empty() || as_tosa) return absl::OkStatus();
  std::vector<Case> probes = cases;
  probes.push_back(Probe(OpKind::kAbs, ElementType::kF32));
  probes.push_back(Probe(OpKind::kBitwiseNot, ElementType::kI32));
  std::string why;
  for (Case& test_case : probes) {
    test_case.route = std::string(kCustomRoute);
    const Observation observation = ObserveIsolated(created, test_case, limits);
    if (observation.stage != Stage::kTranslate || observation.outcome == Outcome::kCompleted) return absl::OkStatus();
    why = observation.diagnostics.empty() ? "" : absl::StrCat(": ", observation.diagnostics.front());
  }
  return absl::InvalidArgumentError(absl::StrCat(
      EditsRoute() ? "--insert-before, --insert-after, --replace: the route's passes then" : "--pipeline: its passes",
      " do not end in LLVM IR", why));
}

}  // namespace tosaic
