// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/tool_output.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

constexpr absl::string_view kSeparator = "// -----";
constexpr absl::string_view kDump = "// -----// IR Dump ";
constexpr size_t kMostLastWords = 12;

// The line of the whole input that a position is in. Split input is counted from the line that its part begins on:
// "within split at <stdin>:2 offset :3:6".
std::optional<size_t> LineOf(absl::string_view position) {
  size_t base = 1;
  if (absl::ConsumePrefix(&position, "within split at ")) {
    const size_t offset = position.find(" offset :");
    if (offset == absl::string_view::npos) return std::nullopt;
    const absl::string_view start = position.substr(0, offset);
    if (!absl::SimpleAtoi(start.substr(start.rfind(':') + 1), &base)) return std::nullopt;
    position.remove_prefix(offset + std::string(" offset :").size());
  } else if (!absl::ConsumePrefix(&position, "<stdin>:")) {
    return std::nullopt;
  }
  size_t line = 0;
  if (!absl::SimpleAtoi(position.substr(0, position.find(':')), &line)) return std::nullopt;
  return base + line - 1;
}

// The pass of "IR Dump After ConvertX Failed (convert-x) ('func.func' operation: @main) //----- //", convert-x, or of
// "IR Dump After ConvertX Failed: convert-x{a=1} ('func.func' operation: @main) //----- //" of LLVM 24.
std::string PassOf(absl::string_view header) {
  const size_t open = header.find('('), colon = header.find(": ");
  if (open == absl::string_view::npos && colon == absl::string_view::npos) return "";
  const bool is_in_brackets = open < colon;
  const absl::string_view rest = header.substr(is_in_brackets ? open + 1 : colon + 2);
  return std::string(rest.substr(0, rest.find_first_of(is_in_brackets ? ")" : "{ ")));
}

bool SaysFailed(absl::string_view header) {
  return absl::StrContains(header, " Failed ") || absl::StrContains(header, " Failed:");
}

}  // namespace

std::string JoinModules(absl::Span<const std::string> modules) {
  return absl::StrJoin(modules, absl::StrCat(kSeparator, "\n"));
}

std::vector<std::string> SplitModules(absl::string_view output) {
  std::vector<std::string> modules(1);
  for (absl::string_view line : absl::StrSplit(output, '\n')) {
    if (line == kSeparator) {
      modules.emplace_back();
    } else if (!line.empty()) {
      absl::StrAppend(&modules.back(), line, "\n");
    }
  }
  return modules;
}

std::vector<std::string> SplitLlvmModules(absl::string_view output) {
  std::vector<std::string> modules;
  for (absl::string_view line : absl::StrSplit(output, '\n')) {
    if (absl::StartsWith(line, "; ModuleID = ")) modules.emplace_back();
    // Those of some versions stand between modules.
    if (!modules.empty() && line != kSeparator) absl::StrAppend(&modules.back(), line, "\n");
  }
  return modules;
}

std::vector<ToolError> ErrorsIn(absl::string_view printed, absl::Span<const std::string> modules) {
  constexpr absl::string_view kError = ": error: ";
  std::vector<size_t> last_lines;  // of each module, with the separator behind it
  size_t lines = 0;
  for (const std::string& module : modules) {
    lines += static_cast<size_t>(std::count(module.begin(), module.end(), '\n')) + 1;
    last_lines.push_back(lines);
  }
  std::vector<ToolError> errors;
  for (absl::string_view line : absl::StrSplit(printed, '\n')) {
    const size_t at = line.find(kError);
    if (at == absl::string_view::npos) continue;
    ToolError error{std::string(line.substr(at + kError.size())), std::nullopt};
    if (const std::optional<size_t> in = LineOf(line.substr(0, at))) {
      const auto end = std::lower_bound(last_lines.begin(), last_lines.end(), *in);
      if (end != last_lines.end()) error.module = static_cast<size_t>(end - last_lines.begin());
    }
    errors.push_back(std::move(error));
  }
  return errors;
}

std::optional<IrDump> FailedPass(absl::string_view printed) {
  std::optional<IrDump> dump;
  for (absl::string_view line : absl::StrSplit(printed, '\n')) {
    if (absl::StartsWith(line, kDump)) {
      if (dump) break;
      if (SaysFailed(line)) dump = IrDump{PassOf(line), ""};
    } else if (dump) {
      absl::StrAppend(&dump->ir, line, "\n");
    }
  }
  return dump;
}

std::string PassWithLooseConstant(absl::string_view printed) {
  std::string pass;
  for (absl::string_view line : absl::StrSplit(printed, '\n')) {
    if (absl::StartsWith(line, kDump)) pass = PassOf(line);
    if (!absl::StrContains(line, "arith.constant") && !absl::StrContains(line, "tosa.const")) continue;
    const size_t type = line.rfind("tensor<");
    if (type != absl::string_view::npos && absl::StrContains(line.substr(type), '?')) return pass;
  }
  return "";
}

std::string LastPass(absl::string_view printed) {
  std::string pass;
  for (absl::string_view line : absl::StrSplit(printed, '\n')) {
    if (absl::StartsWith(line, absl::StrCat(kDump, "Before "))) pass = PassOf(line);
  }
  return pass;
}

std::vector<std::string> LastWords(absl::string_view printed) {
  std::vector<std::string> words;
  for (absl::string_view line : absl::StrSplit(printed, '\n', absl::SkipWhitespace())) {
    if (words.size() >= kMostLastWords) break;
    if (absl::StrContains(line, "LLVM ERROR") || absl::StrContains(line, "Assertion")) {
      words.emplace_back(line);
      continue;
    }
    // " #4 0x00007f... mlir::tosa::f(int) (/usr/lib/libMLIR.so+0x12)" is worth its function.
    line = absl::StripAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "#")) continue;
    const size_t address = line.find(" 0x");
    const size_t function = address == absl::string_view::npos ? address : line.find(' ', address + 1);
    const size_t file = line.rfind(" (");
    if (function == absl::string_view::npos || file == absl::string_view::npos || file <= function) continue;
    const absl::string_view name = absl::StripAsciiWhitespace(line.substr(function, file - function));
    if (!absl::StartsWith(name, "llvm::sys::")) words.emplace_back(name);  // LLVM's own handler
  }
  return words;
}

std::vector<std::string> ResultTypes(absl::string_view module) {
  std::vector<std::string> types;
  bool wanted = false;
  for (absl::string_view line : absl::StrSplit(module, '\n')) {
    if (absl::StrContains(line, "\"func.func\"(")) wanted = true;
    if (!wanted || !absl::StrContains(line, "\"tosa.") || absl::StrContains(line, "\"tosa.const")) continue;
    const size_t arrow = line.rfind(" -> ");
    if (arrow == absl::string_view::npos) continue;
    types.emplace_back(line.substr(arrow + 4));
    wanted = false;
  }
  return types;
}

}  // namespace tosaic
