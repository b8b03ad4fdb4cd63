// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what commands accept as a case: a case file, a function of an .mlir file, or either from standard input.
#ifndef TOSAIC_TOOLS_CASE_INPUT_H_
#define TOSAIC_TOOLS_CASE_INPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "diagnosis/rewritten_program.h"
#include "model/program.h"
#include "model/spec_case.h"
#include "tools/subcommands.h"

namespace tosaic {

// The words of the help about such a file.
inline constexpr char kCaseFileHelp[] = "a case file, an .mlir file, or - for standard input";

// Why a file without any function is skipped.
inline constexpr char kNoFunction[] = "there is no function in it";

// A case or probe, or a function of an MLIR file that is not a case, with the reason.
struct LoadedCase {
  std::string name;
  SpecCase spec_case;
  std::string skipped;             // not empty: why
  absl::Status unread;             // an error if `skipped` is that of the whole file
  std::string part;                // not empty: which part of the function it is
  bool has_other_results = false;  // than the function returns
  std::optional<int> spelled;  // the version of MLIR in whose spelling the function is, if that is not the toolchain's
  std::vector<std::string> untested;  // elementwise ops of the function that no case has, in words
  std::string no_run;                 // not empty: why it has no run, so that nothing but its types can be judged
  bool expects_error = false;
  bool from_mlir = false;
};

struct CaseInput {
  std::string function;  // of an .mlir file: "f", or "f-2", the second of the file's parts' functions "f"; empty: any
  bool split = false;
  std::optional<int> runs;  // none: as many as special values want
  std::string fuzz_target;  // not empty: files hold the bytes of this libFuzzer target (generators/fuzz_inputs.h)

  void AddTo(CLI::App& app);
  // Everything in a file, read in the toolchain's spelling, with the route that its flags ask for. If it is null,
  // nothing will be run, the spelling is the canonical one, and the route is the file's. Errors: one line that names
  // the file.
  absl::StatusOr<std::vector<LoadedCase>> LoadAll(const std::string& file, const ToolchainFlags* toolchain) const;
  // The same for several files, one after the other. A file that cannot be read is an entry that says why, unless it is
  // so of all of them.
  absl::StatusOr<std::vector<LoadedCase>> LoadAll(const std::vector<std::string>& files,
                                                  const ToolchainFlags* toolchain) const;
  // The one case in it, or that of the function whose name is `function` to the letter: "f", "f-2". Errors: there are
  // several, or none, and why.
  absl::StatusOr<Case> Load(const std::string& file, const ToolchainFlags* toolchain) const;
  // The first flag given that has no effect on anything but .mlir files; empty: none. A case file is a whole part of
  // what --split-input-file takes apart.
  std::string FlagOfMlir() const;

 private:
  // An error if it has no effect, because no file is an .mlir file.
  absl::Status CheckUsed(const std::vector<LoadedCase>& loaded) const;
};

// Reads the IR between the passes of the toolchain that the flags name.
ProgramReader ReaderFor(const ToolchainFlags& flags);

// The cases with a program among them.
std::vector<Case> CasesIn(const std::vector<LoadedCase>& loaded);

// A LoadedCase's part in words: "the ops after tosa.reduce_sum, for whose results Tosaic draws data".
std::string PartInWords(absl::string_view part);

// Why none of them is a case: the reasons of the first few.
std::string WhyNoCase(const std::vector<LoadedCase>& loaded);

// Writes the cases as files into a directory, each named after its function or file. Errors: those of writing.
absl::Status SaveCases(const std::string& directory, const std::vector<LoadedCase>& cases);

}  // namespace tosaic

#endif  // TOSAIC_TOOLS_CASE_INPUT_H_
