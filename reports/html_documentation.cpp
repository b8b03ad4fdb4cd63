// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The HTML report needs no other file, so it contains what docs/findings.md says of a cause.
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "model/escape.h"
#include "reports/html_parts.h"

namespace tosaic {
namespace {

// Code, bold text and links within a line; a link to another page of docs/ is its text alone.
std::string Inline(absl::string_view markdown) {
  static const std::regex code("`([^`]*)`"), bold("\\*\\*([^*]*)\\*\\*"), address("&lt;(https://[^ ]*?)&gt;"),
      link("\\[([^\\]]*)\\]\\((https://[^)]*)\\)"), other_link("\\[([^\\]]*)\\]\\([^)]*\\)");
  std::string html = EscapeMarkup(markdown);
  html = std::regex_replace(html, code, "<code>$1</code>");
  html = std::regex_replace(html, bold, "<b>$1</b>");
  html = std::regex_replace(html, address, "<a href=\"$1\">$1</a>");
  html = std::regex_replace(html, link, "<a href=\"$2\">$1</a>");
  return std::regex_replace(html, other_link, "$1");
}

// The lines of a section as paragraphs, one per item, and blocks of code, which are indented.
std::string Blocks(absl::string_view section) {
  std::string html, block;
  std::string tag = "p";
  const auto end = [&] {
    if (!block.empty())
      absl::StrAppend(&html, "<", tag, ">", tag == "pre" ? EscapeMarkup(block) : Inline(block), "</", tag, ">\n");
    block.clear();
    tag = "p";
  };
  for (absl::string_view line : absl::StrSplit(section, '\n')) {
    const bool is_item = absl::ConsumePrefix(&line, "- ");
    if (is_item || line.empty()) end();
    if (block.empty() && absl::StartsWith(line, "      ")) tag = "pre";
    absl::StrAppend(&block, block.empty() ? "" : tag == "pre" ? "\n" : " ", absl::StripAsciiWhitespace(line));
  }
  end();
  return html;
}

// The text between two places, the first of which is left out; nothing without the first.
std::optional<absl::string_view> Between(absl::string_view text, const std::string& begin, absl::string_view end) {
  const size_t from = text.find(begin);
  if (from == text.npos) return std::nullopt;
  text.remove_prefix(from + begin.size());
  return text.substr(0, text.find(end));
}

}  // namespace

std::string HtmlDocumentation(absl::string_view cause) {
  const absl::string_view text = FindingsDocument().front().content;
  if (const auto section = Between(text, absl::StrCat("\n### ", cause, " "), "\n##")) {
    const size_t line = section->find('\n');
    return absl::StrCat("<p><b>", Inline(section->substr(0, line)), "</b></p>\n", Blocks(section->substr(line + 1)));
  }
  const auto row = Between(text, absl::StrCat("\n| ", cause, " | `"), " |\n");
  if (!row) return "";
  const std::vector<std::string> cells = absl::StrSplit(absl::StrCat("`", *row), " | ");
  return absl::StrCat("<p>", Inline(absl::StrJoin(cells, ": ")), "</p>\n");
}

}  // namespace tosaic
