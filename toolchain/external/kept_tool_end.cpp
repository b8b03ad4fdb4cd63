// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/external/kept_tool_end.h"

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"

namespace tosaic {
namespace {

namespace fs = std::filesystem;

// MLIR's tools exit by 0 or 1; a shell says by 126 and 127 that nothing ran.
constexpr int kLastStatusOfAnAnswer = 1;

fs::path FileOf(const std::string& folder, const std::vector<std::string>& arguments, absl::string_view input) {
  // The program's place is left out, so that the folder can be moved.
  const auto rest = absl::MakeConstSpan(arguments).subspan(1);
  const std::string question = absl::StrCat(absl::StrJoin(rest, "\n"), "\n\n", input);
  return fs::path(folder) / "answers" / llvm::MD5::hash(llvm::arrayRefFromStringRef(question)).digest().str().str();
}

// "STATUS BYTES-OF-OUT BYTES-OF-ERR\n", then both.
std::optional<ToolEnd> Read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head;
  if (!std::getline(in, head)) return std::nullopt;
  const std::vector<absl::string_view> numbers = absl::StrSplit(head, ' ');
  ToolEnd end{.how = ToolEnd::How::kExited};
  size_t out = 0, err = 0;
  if (numbers.size() != 3 || !absl::SimpleAtoi(numbers[0], &end.status) || !absl::SimpleAtoi(numbers[1], &out) ||
      !absl::SimpleAtoi(numbers[2], &err)) {
    return std::nullopt;
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (text.size() != out + err) return std::nullopt;
  end.out = text.substr(0, out);
  end.err = text.substr(out);
  return end;
}

void Write(const fs::path& file, const ToolEnd& end) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const fs::path part = absl::StrCat(file.string(), ".", getpid());
  {
    std::ofstream out(part, std::ios::binary);
    out << end.status << ' ' << end.out.size() << ' ' << end.err.size() << '\n' << end.out << end.err;
  }
  fs::rename(part, file, ignored);
}

}  // namespace

ToolEnd RunToolKept(const std::string& folder, const std::vector<std::string>& arguments, absl::string_view input,
                    const ToolLimits& limits) {
  if (folder.empty()) return RunTool(arguments, input, limits);
  const fs::path file = FileOf(folder, arguments, input);
  if (std::optional<ToolEnd> kept = Read(file)) return *std::move(kept);
  ToolEnd end = RunTool(arguments, input, limits);
  if (end.how == ToolEnd::How::kExited && end.status <= kLastStatusOfAnAnswer && !end.cramped) Write(file, end);
  return end;
}

}  // namespace tosaic
