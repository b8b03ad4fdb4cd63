// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/kept_tool_end.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "toolchain/answer_files.h"

namespace tosaic {
namespace {

// MLIR's tools exit by 0 or 1; a shell says by 126 and 127 that nothing ran.
constexpr int kLastStatusOfAnAnswer = 1;

// "STATUS BYTES-OF-OUT\n", then what it printed to both.
std::string ToAnswer(const ToolEnd& end) {
  return absl::StrCat(end.status, " ", end.out.size(), "\n", end.out, end.err);
}

std::optional<ToolEnd> FromAnswer(absl::string_view answer) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(answer, absl::MaxSplits('\n', 1));
  const std::pair<absl::string_view, absl::string_view> numbers = absl::StrSplit(parts.first, ' ');
  ToolEnd end{.how = ToolEnd::How::kExited};
  size_t out = 0;
  if (!absl::SimpleAtoi(numbers.first, &end.status) || !absl::SimpleAtoi(numbers.second, &out) ||
      out > parts.second.size()) {
    return std::nullopt;
  }
  end.out = std::string(parts.second.substr(0, out));
  end.err = std::string(parts.second.substr(out));
  return end;
}

}  // namespace

ToolEnd RunToolKept(const std::string& folder, const std::vector<std::string>& arguments, absl::string_view input,
                    const ToolLimits& limits) {
  if (folder.empty()) return RunTool(arguments, input, limits);
  const std::string answers = absl::StrCat(folder, "/answers");
  // The program's place is left out, so that the folder can be moved.
  const std::string question =
      absl::StrCat(absl::StrJoin(absl::MakeConstSpan(arguments).subspan(1), "\n"), "\n\n", input);
  if (const std::optional<std::string> answer = FindAnswer(answers, question)) {
    if (std::optional<ToolEnd> kept = FromAnswer(*answer)) return *std::move(kept);
  }
  ToolEnd end = RunTool(arguments, input, limits);
  if (end.how == ToolEnd::How::kExited && end.status <= kLastStatusOfAnAnswer && !end.cramped) {
    std::error_code ignored;
    std::filesystem::create_directories(answers, ignored);
    PutAnswer(answers, question, ToAnswer(end));
  }
  return end;
}

}  // namespace tosaic
