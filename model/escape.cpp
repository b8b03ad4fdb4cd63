// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/escape.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "model/json.h"

namespace tosaic {
namespace {

bool IsAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isascii(static_cast<unsigned char>(c)); });
}

// The JSON library knows UTF-8.
std::string ValidUtf8(absl::string_view text) {
  if (IsAscii(text)) return std::string(text);
  const absl::StatusOr<Json> json = ParseJson(Dump(Json(std::string(text)), -1));
  return json.ok() ? json->get<std::string>() : "";
}

// The length of the longest run of backticks.
size_t LongestRun(absl::string_view text) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string EscapeControls(absl::string_view text) {
  std::string out;
  for (const char c : ValidUtf8(text)) {
    const bool control = absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\n' && c != '\t';
    if (control) absl::StrAppendFormat(&out, "\\x%02x", static_cast<unsigned char>(c));
    if (!control) out += c;
  }
  // XML does not allow U+FFFE and U+FFFF. The others are control characters too: U+0080 to U+009F, and U+202A to U+202E
  // and U+2066 to U+2069, which change the order in which text is shown.
  std::string cleaned;
  for (size_t i = 0; i < out.size(); ++i) {
    const auto at = [&](size_t k) { return static_cast<unsigned char>(i + k < out.size() ? out[i + k] : 0); };
    const bool no_xml = at(0) == 0xef && at(1) == 0xbf && at(2) >= 0xbe;
    const bool turns = at(0) == 0xe2 && ((at(1) == 0x80 && at(2) >= 0xaa && at(2) <= 0xae) ||
                                         (at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9));
    const bool c1 = at(0) == 0xc2 && at(1) < 0xa0;
    if (no_xml || turns || c1) {
      cleaned += "\xef\xbf\xbd";
      i += c1 ? 1 : 2;
    } else {
      cleaned += out[i];
    }
  }
  return cleaned;
}

std::string OneLine(absl::string_view text) {
  return absl::StrReplaceAll(EscapeControls(text), {{"\n", " "}, {"\t", " "}});
}

std::string EscapeMarkup(absl::string_view text) {
  return absl::StrReplaceAll(EscapeControls(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string EscapeMarkdown(absl::string_view text) {
  std::string out;
  for (const char c : OneLine(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      // '@' and '#' would mention people and issues.
      if (absl::StrContains("\\`*_[]()|~!>", c)) out += '\\';
      out += c;
      if (c == '@' || c == '#') out += "\xe2\x80\x8b";  // a space of no width
    }
  }
  return out;
}

std::string MarkdownCode(absl::string_view text) {
  const std::string line = OneLine(text);
  const std::string fence(LongestRun(line) + 1, '`');
  const bool pad = line.empty() || line.front() == '`' || line.back() == '`';
  return absl::StrCat(fence, pad ? " " : "", line, pad ? " " : "", fence);
}

// A table takes apart its cells first, so the backslash is no part of the span that is shown.
std::string MarkdownCell(absl::string_view text) { return absl::StrReplaceAll(MarkdownCode(text), {{"|", "\\|"}}); }

std::string MarkdownBlock(absl::string_view language, absl::string_view text) {
  const std::string escaped = EscapeControls(text);
  const std::string fence(std::max<size_t>(3, LongestRun(escaped) + 1), '`');
  const bool ends = escaped.empty() || escaped.back() == '\n';
  return absl::StrCat(fence, language, "\n", escaped, ends ? "" : "\n", fence, "\n");
}

std::string InComment(absl::string_view text) { return absl::StrReplaceAll(OneLine(text), {{"--", "- -"}}); }

std::string WithoutAddresses(absl::string_view text) {
  constexpr size_t kFewest = 10;  // digits; a number of 32 bits has eight
  const auto is_digit = [](char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); };
  std::string out;
  for (size_t at = text.find("0x"); at != text.npos; at = text.find("0x")) {
    const absl::string_view digits = text.substr(at + 2);
    const size_t count = static_cast<size_t>(std::find_if_not(digits.begin(), digits.end(), is_digit) - digits.begin());
    absl::StrAppend(&out, text.substr(0, at + 2), count >= kFewest ? "..." : digits.substr(0, count));
    text = digits.substr(count);
  }
  return absl::StrCat(out, text);
}

}  // namespace tosaic
