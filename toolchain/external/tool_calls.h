// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ToolCalls: calls mlir-opt and mlir-translate with many modules at once. If a tool does not end normally, each module
// is tried again alone.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_CALLS_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_CALLS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/observation.h"
#include "model/routes.h"
#include "toolchain/external/external_tools.h"
#include "workers/tool_process.h"

namespace tosaic {

// The result of a tool for one module.
struct ToolAnswer {
  Outcome how = Outcome::kToolFailure;
  int signal = 0;
  std::string module;  // kCompleted
  std::vector<std::string> errors;
  std::string unread;  // of a dated build: why the second half does not read IR of the first, which is legal there
};
// The answer of a tool that did not exit.
ToolAnswer Ended(const ToolEnd& end, absl::string_view tool);

// How a tool is called, and how its output is split.
struct ToolQuestion {
  std::vector<std::string> arguments;
  std::vector<std::string> (*split)(absl::string_view output);
  absl::string_view marks;        // every module that it makes has this text
  std::vector<std::string> then;  // the call whose input is this one's output; empty: there is none
};

class ToolCalls {
 public:
  ToolCalls(ExternalTools tools, const ToolLimits& limits) : tools_(std::move(tools)), limits_(limits) {}

  const ExternalTools& tools() const { return tools_; }
  // The passes of a dated build, without which none of its pipelines can be split.
  void SetPasses(PassNames passes) { passes_ = std::move(passes); }
  const PassNames& passes() const { return passes_; }
  // Keeps how `opt` ends in this folder, for questions that are the same each time.
  void KeepIn(std::string folder) { kept_in_ = std::move(folder); }
  // Arguments for mlir-opt whenever it runs passes.
  void AddArgument(std::string argument) { arguments_.push_back(std::move(argument)); }

  ToolQuestion Verification() const;
  ToolQuestion Passes(absl::string_view pipeline, std::vector<std::string> more = {}) const;
  ToolQuestion Translation() const;  // to LLVM IR

  // An object file of a lowered program: by llc from LLVM IR, by mlir-runner from MLIR. REQUIRES: the tool is there.
  ToolAnswer ObjectByLlc(const Route& route, const std::string& llvm_ir) const;
  ToolAnswer ObjectByRunner(const Route& route, const std::string& module) const;

  // An answer per module.
  std::vector<ToolAnswer> Ask(const ToolQuestion& question, absl::Span<const std::string> modules) const;
  ToolAnswer AskAlone(const ToolQuestion& question, const std::string& module) const;
  // The call itself, with all that the tool prints.
  ToolEnd Run(const ToolQuestion& question, absl::string_view input) const;

 private:
  ToolEnd RunWithin(const ToolLimits& limits, const std::vector<std::string>& arguments, absl::string_view input) const;
  std::vector<ToolAnswer> AskFirst(const ToolQuestion& question, absl::Span<const std::string> modules) const;
  ToolAnswer AskFirstAlone(const ToolQuestion& question, const std::string& module) const;
  std::vector<std::string> SilentFailure(ToolQuestion question, const std::string& module) const;
  std::string WhyUnread(const std::string& module) const;
  std::optional<std::vector<ToolAnswer>> AskTogether(const ToolQuestion& question,
                                                     absl::Span<const std::string> modules) const;

  ExternalTools tools_;
  ToolLimits limits_;
  std::vector<std::string> arguments_;
  PassNames passes_;
  std::string kept_in_;  // empty: nothing is kept
};

// A text as messages show it.
std::string FirstLine(absl::string_view text);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_CALLS_H_
