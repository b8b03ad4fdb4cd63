// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ExternalTools: where the mlir-opt and mlir-translate of another MLIR are, what makes object files beside them, and
// which version they say they have.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLS_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "toolchain/external/dated_build.h"

namespace tosaic {

struct ExternalTools {
  std::string directory;  // absolute
  std::string opt;        // paths
  std::string translate;  // empty: there is none
  std::string llc;     // of the same version, to make object files of what our LLVM need not read; empty: there is none
  std::string runner;  // mlir-runner, likewise
  std::string version;  // "16.0.6"
  int major = 0;
  // If `opt` is a dated build's, the mlir-opt of the second half, whose version `translate` has.
  std::optional<DatedBuild> dated;
  std::string second_opt;

  std::string name() const;          // "mlir-16-tools", "iree-3.3.0"
  std::string version_text() const;  // "LLVM 16.0.6", "LLVM 21.0.0git of 2025-03-20 (iree-base-compiler 3.3.0)"
  // How lowered programs are run, in words.
  std::string running() const;
};

// The tools of a dated build. Error: it does not run, or there are no tools for the second half.
absl::StatusOr<ExternalTools> ToolsOf(const DatedBuild& build);

// The version in the output of an LLVM tool's `--version`: "Debian LLVM version 16.0.6" has 16.0.6. Nullopt if it has
// none.
std::optional<std::string> ParseToolVersion(absl::string_view printed);

// The tools in a directory (`mlir-opt`, or with Debian's suffix `mlir-opt-16`, and `mlir-translate` likewise; or an
// `mlir-opt` alone), or those that a name stands for: a dated build's, or those of a version, in a directory of PATH or
// in /usr/lib/llvm-NN/bin. `llc` and `mlir-runner` are looked for where LLVM IR is too new for our reader, or there is
// no `mlir-translate`. Error: they are not there, do not run, have no version or two, or several versions are there.
absl::StatusOr<ExternalTools> FindTools(const std::string& where);

// The MLIR text as mlir-opt prints it in generic form, each op with its line. Error: mlir-opt's message.
absl::StatusOr<std::string> GenericForm(const ExternalTools& tools, absl::string_view text);

// All tools that this machine has in the places where a name is looked for, oldest first; one for each version.
std::vector<ExternalTools> ListTools();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_EXTERNAL_TOOLS_H_
