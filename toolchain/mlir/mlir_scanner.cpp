// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_scanner.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace tosaic {

// How far the first character of a line that is no blank stands from the line's beginning.
static size_t ColumnOf(absl::string_view text, size_t line) {
  return std::min(text.find_first_not_of(" \t", line), text.size()) - line;
}

size_t WordEnd(absl::string_view text, size_t at) {
  const auto is_word = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("_$.-", c);
  };
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

size_t NextNoBlank(absl::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::string WithoutQuotedText(absl::string_view text) {
  std::string out(text);
  enum class In : uint8_t { kText, kComment, kQuotes } in = In::kText;
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '\n') {
      in = In::kText;  // a string has no raw newline
    } else if (in == In::kText && absl::StartsWith(text.substr(i), "//")) {
      in = In::kComment;
      out[i] = ' ';
    } else if (out[i] == '"' && in != In::kComment) {
      in = in == In::kText ? In::kQuotes : In::kText;
    } else if (in != In::kText) {
      const bool is_escape = in == In::kQuotes && out[i] == '\\' && i + 1 < out.size() && out[i + 1] != '\n';
      out[i] = ' ';
      if (is_escape) out[++i] = ' ';
    }
  }
  return out;
}

size_t StatementEnd(absl::string_view text, size_t begin) {
  const size_t column = ColumnOf(text, text.rfind('\n', begin) + 1);  // npos + 1 is 0
  int depth = 0;
  size_t last = begin;  // behind what is no blank
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0) return last;
    if (!absl::ascii_isspace(static_cast<unsigned char>(c))) last = i + 1;
    if (c == '\n' && depth > 0) {
      const size_t next_column = ColumnOf(text, i + 1);
      if (next_column <= column && absl::StartsWith(text.substr(i + 1 + next_column), "func.func ")) return last;
    }
    if (c != '\n' || depth > 0 || last == begin) continue;
    const absl::string_view next = text.substr(std::min(text.find_first_not_of(" \t\r\n", i), text.size()));
    const bool begins_section = absl::StartsWith(next, "{-#");  // of resources
    const bool goes_on = !next.empty() && !begins_section &&
                         (absl::StrContains(":,-=([{<", next[0]) || absl::StartsWith(next, "attributes"));
    if (!goes_on && !absl::StrContains(",:=(<", text[last - 1]) && !absl::EndsWith(text.substr(0, last), "->")) {
      return last;
    }
  }
  return last;
}

std::vector<size_t> OutsideBrackets(absl::string_view text, char separator) {
  std::vector<size_t> places;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_arrow = c == '>' && i > 0 && text[i - 1] == '-';
    if (depth == 0 && c == separator) places.push_back(i);
    if (absl::StrContains("([{<", c)) ++depth;
    if (absl::StrContains(")]}>", c) && !is_arrow) --depth;
  }
  return places;
}

}  // namespace tosaic
