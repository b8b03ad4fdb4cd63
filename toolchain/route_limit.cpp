// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/route_limit.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tosaic {

namespace {

constexpr absl::string_view kDoesNotParse = "the pass pipeline does not parse: ";
constexpr absl::string_view kPipelineIs = "; the pipeline is ";

}  // namespace

std::string DoesNotParse(absl::string_view pipeline, absl::string_view why) {
  // "MLIR Textual PassPipeline Parser:1:11: error: 'cse' does not refer to a registered pass or pass pipeline"
  constexpr absl::string_view kError = "error: ";
  if (const size_t error = why.find(kError); error != why.npos) why.remove_prefix(error + kError.size());
  return absl::StrCat(kDoesNotParse, why, kPipelineIs, pipeline);
}

std::string WhyMissing(absl::string_view message) {
  absl::string_view why = message;
  if (!absl::ConsumePrefix(&why, kDoesNotParse)) return std::string(message);
  why = why.substr(0, why.find(kPipelineIs));
  const bool is_pass = absl::ConsumeSuffix(&why, "' does not refer to a registered pass or pass pipeline");
  if (is_pass) absl::ConsumePrefix(&why, "'");
  return absl::StrCat("not there: ", is_pass ? "pass " : "", why);
}

std::string NoRoute(absl::string_view toolchain, absl::string_view route, const std::vector<RouteLimit>& limits) {
  std::string text = absl::StrCat(toolchain, " has no route '", route, "'");
  for (const RouteLimit& limit : limits) {
    if (limit.is_missing && limit.route == route) absl::StrAppend(&text, ": ", limit.why);
  }
  return text;
}

}  // namespace tosaic
