// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the output of mlir-opt and mlir-translate. It works on plain text, without MLIR. Their input has many modules
// with the line "// -----" between them (--split-input-file).
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_OUTPUT_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

// The input for many modules.
std::string JoinModules(absl::Span<const std::string> modules);
// mlir-opt's output for each module; empty for a module that it refused.
std::vector<std::string> SplitModules(absl::string_view output);
// mlir-translate's output: it prints the LLVM modules one after the other, and nothing for one that it refused.
std::vector<std::string> SplitLlvmModules(absl::string_view output);

// An error that a tool printed: the message without its position, and the module it is about, as far as that can be
// told from the position.
struct ToolError {
  std::string message;
  std::optional<size_t> module;

  friend bool operator==(const ToolError& a, const ToolError& b) = default;
};
std::vector<ToolError> ErrorsIn(absl::string_view printed, absl::Span<const std::string> modules);

// "// -----// IR Dump After ConvertX Failed (convert-x) ...", or "... Failed: convert-x{a=1} ..." of LLVM 24: the pass,
// and the IR behind that line.
struct IrDump {
  std::string pass;
  std::string ir;
};
// Of --mlir-print-ir-after-all: the first pass that failed.
std::optional<IrDump> FailedPass(absl::string_view printed);
// Of --mlir-print-ir-after-all: the first pass that left a constant of a type without static shape; empty if none did.
std::string PassWithLooseConstant(absl::string_view printed);
// Of --mlir-print-ir-before-all: the last pass that was begun; empty if none was.
std::string LastPass(absl::string_view printed);

// A tool's output when it dies, without the parts that differ from run to run: messages, and the functions of the
// stack.
std::vector<std::string> LastWords(absl::string_view printed);

// The types of the ops' results, function by function, in the output of tosa-infer-shapes in the generic form. Each
// function has one op of TOSA besides constants.
std::vector<std::string> ResultTypes(absl::string_view module);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_TOOL_OUTPUT_H_
