// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unified diff of two texts of IR.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "results/ir_change.h"

namespace tosaic {
namespace {

constexpr size_t kContext = 3;       // lines around what differs
constexpr size_t kMostLines = 1000;  // of either text: the table of lengths is their product

using Lines = std::vector<absl::string_view>;

Lines LinesOf(absl::string_view text) {
  Lines lines = absl::StrSplit(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  return lines;
}

// The lines of both texts in order, each once and marked: ' ' is in both, '-' was taken out, '+' was added.
std::vector<std::pair<char, absl::string_view>> Aligned(const Lines& a, const Lines& b) {
  // The length of the longest common subsequence of what begins at each pair of lines.
  std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  std::vector<std::pair<char, absl::string_view>> aligned;
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      aligned.emplace_back(' ', a[i++]);
      ++j;
    } else if (i < a.size() && (j == b.size() || length[i + 1][j] >= length[i][j + 1])) {
      aligned.emplace_back('-', a[i++]);
    } else {
      aligned.emplace_back('+', b[j++]);
    }
  }
  return aligned;
}

}  // namespace

std::string DiffOf(absl::string_view before, absl::string_view after) {
  const auto aligned = Aligned(LinesOf(before), LinesOf(after));
  std::vector<bool> shown(aligned.size());
  for (size_t i = 0; i < aligned.size(); ++i) {
    if (aligned[i].first == ' ') continue;
    for (size_t k = i - std::min(i, kContext); k < std::min(aligned.size(), i + kContext + 1); ++k) shown[k] = true;
  }
  std::string diff;
  size_t line = 1;  // of the text before
  for (size_t i = 0; i < aligned.size(); ++i) {
    if (shown[i] && (i == 0 || !shown[i - 1])) absl::StrAppend(&diff, "@@ line ", line, " @@\n");
    if (shown[i]) absl::StrAppend(&diff, std::string(1, aligned[i].first), aligned[i].second, "\n");
    line += aligned[i].first != '+' ? 1 : 0;
  }
  return diff;
}

}  // namespace tosaic
