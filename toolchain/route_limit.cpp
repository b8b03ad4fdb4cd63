// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/route_limit.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tosaic {

std::string WhyMissing(absl::string_view message) {
  constexpr absl::string_view kError = "error: ";
  const size_t begin = message.find(kDoesNotParse);
  if (begin == message.npos) return std::string(message);
  absl::string_view why = message.substr(begin + kDoesNotParse.size());
  // "MLIR Textual PassPipeline Parser:1:11: error: 'cse' does not refer to a registered pass or pass pipeline"
  if (const size_t error = why.find(kError); error != why.npos) why.remove_prefix(error + kError.size());
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
