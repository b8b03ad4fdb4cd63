// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/tool_setup.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "model/pass_pipeline.h"
#include "toolchain/external/tool_output.h"

namespace tosaic {
namespace {

// Nothing is called: whether a dated build has the passes of each first half is known.
std::vector<const Route*> RoutesOfDatedBuild(const std::vector<const Route*>& routes, const ToolCalls& calls,
                                             ToolLimitsFound* limits) {
  std::vector<const Route*> there;
  for (const Route* route : routes) {
    const absl::StatusOr<Halves> halves = SplitAtBuffers(route->pipeline, calls.passes());
    std::vector<std::string> lost = halves.ok() ? halves->lost : std::vector<std::string>();
    std::erase_if(lost, IsForOtherShapes);
    if (lost.empty()) {
      there.push_back(route);
    } else {
      limits->routes.push_back({.route = std::string(route->name), .why = absl::StrCat("not there: pass ", lost[0])});
    }
  }
  return there;
}

std::vector<const Route*> RoutesByAsking(const std::vector<const Route*>& routes, const ToolCalls& calls,
                                         ToolLimitsFound* limits) {
  std::vector<absl::string_view> pipelines = {kInferShapes};
  for (const Route* route : routes) pipelines.push_back(route->pipeline);
  // One call for most tools. One that hangs or dies has read the passes.
  const absl::Status all = CheckPipeline(ChainPipelines(pipelines), calls);
  if (!absl::IsInvalidArgument(all)) return routes;
  limits->infers = !absl::IsInvalidArgument(CheckPipeline(std::string(kInferShapes), calls));
  std::vector<const Route*> there;
  for (const Route* route : routes) {
    const absl::Status status = CheckPipeline(std::string(route->pipeline), calls);
    if (absl::IsInvalidArgument(status)) {
      limits->routes.push_back({.route = std::string(route->name), .why = WhyMissing(status.message())});
    } else {
      there.push_back(route);
    }
  }
  return there;
}

}  // namespace

// An empty module shows whether a plugin can be loaded.
absl::StatusOr<std::vector<std::string>> LoadPlugins(const std::vector<std::string>& files, ToolCalls* calls) {
  std::vector<std::string> plugins;
  for (const std::string& file : files) {
    auto error = [&](absl::string_view why) {
      return absl::InvalidArgumentError(absl::StrCat("the pass plugin ", file, " does not load: ", why));
    };
    std::error_code ignored;
    const std::string path = std::filesystem::absolute(file, ignored).string();
    std::ifstream in(path, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(path, ignored)) return error("no such file");
    const std::string content(std::istreambuf_iterator<char>(in), {});
    const std::string argument = absl::StrCat("--load-pass-plugin=", path);
    calls->AddArgument(argument);
    ToolQuestion question = calls->Verification();
    question.arguments.push_back(argument);
    const ToolEnd end = calls->Run(question, "module {}\n");
    if (end.how != ToolEnd::How::kExited || end.status != 0 || absl::StrContains(end.err, "Failed to load")) {
      return error(end.err.empty() ? absl::StrCat(calls->tools().opt, " does not end as it should")
                                   : FirstLine(end.err));
    }
    const std::string digest = llvm::MD5::hash(llvm::arrayRefFromStringRef(content)).digest().str().str();
    plugins.push_back(absl::StrCat(std::filesystem::path(path).filename().string(), " (MD5 ", digest, ")"));
  }
  return plugins;
}

absl::Status CheckPipeline(const std::string& pipeline, const ToolCalls& calls) {
  const auto error = [&](absl::string_view why) { return absl::InvalidArgumentError(DoesNotParse(pipeline, why)); };
  if (!absl::StartsWith(pipeline, "builtin.module(")) return error("it must be builtin.module(...)");
  const ToolEnd end = calls.Run(calls.Passes(pipeline), "module {}\n");
  if (end.how != ToolEnd::How::kExited) {
    return absl::UnavailableError(
        absl::StrCat(calls.tools().opt, " does not end as it should at the pass pipeline '", pipeline, "'"));
  }
  if (end.status == 0) return absl::OkStatus();
  const std::vector<ToolError> errors = ErrorsIn(end.err, {});
  return error(errors.empty() ? FirstLine(end.err) : errors.front().message);
}

std::vector<const Route*> RoutesThatParse(std::vector<const Route*> routes, const ToolCalls& calls,
                                          ToolLimitsFound* limits) {
  limits->infers = !calls.tools().dated;
  std::vector<const Route*> there = (calls.tools().dated ? RoutesOfDatedBuild : RoutesByAsking)(routes, calls, limits);
  if (!there.empty() || routes.empty()) return there;
  limits->lowers_nothing =
      absl::StrCat(calls.tools().name(), " lowers nothing: ", limits->routes.front().why,
                   " (take an mlir-opt with all of MLIR's passes, or a library with its C API: --toolchain=FILE.so)");
  return routes;
}

absl::Status CheckThatItDecides(const ToolCalls& calls) {
  const auto error = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat(calls.tools().opt, " of LLVM ", calls.tools().version, " ", why));
  };
  const std::string illegal = "func.func @f() -> i32 {\n  return\n}\n";
  if (calls.AskAlone(calls.Verification(), illegal).how == Outcome::kCompleted) {
    return error("verifies nothing: it takes a function that returns nothing and declares an i32");
  }
  const std::string folds =
      "func.func @f(%a: i32) -> i32 {\n  %zero = arith.constant 0 : i32\n"
      "  %sum = arith.addi %a, %zero : i32\n  return %sum : i32\n}\n";
  const ToolAnswer folded = calls.AskAlone(calls.Passes("builtin.module(canonicalize)"), folds);
  if (folded.how == Outcome::kCompleted && absl::StrContains(folded.module, "addi")) {
    return error("runs no passes: canonicalize leaves an addition of 0");
  }
  return absl::OkStatus();
}

}  // namespace tosaic
