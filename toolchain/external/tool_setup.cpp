// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/tool_setup.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "toolchain/external/tool_output.h"

namespace tosaic {
// What is wrong with one shows on a module with nothing in it.
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
  if (!absl::StartsWith(pipeline, "builtin.module(")) {
    return absl::InvalidArgumentError(
        absl::StrCat("the pass pipeline '", pipeline, "' does not parse: it must be builtin.module(...)"));
  }
  const ToolEnd end = calls.Run(calls.Passes(pipeline), "module {}\n");
  if (end.how == ToolEnd::How::kExited && end.status == 0) return absl::OkStatus();
  const std::vector<ToolError> errors = ErrorsIn(end.err, {});
  return absl::InvalidArgumentError(absl::StrCat("the pass pipeline '", pipeline, "' does not parse: ",
                                                 errors.empty() ? FirstLine(end.err) : errors.front().message));
}

}  // namespace tosaic
