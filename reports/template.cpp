// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/template.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tosaic {
namespace {

[[noreturn]] void Fail(absl::string_view failure, absl::string_view name) {
  std::fprintf(stderr, "tosaic: template: %s '%s'\n", std::string(failure).c_str(), std::string(name).c_str());
  std::abort();
}

struct Place {
  size_t begin = 0, end = 0;  // with its underscores
  absl::string_view name;
};

// The first place from there on.
std::optional<Place> NextPlace(absl::string_view text, size_t from) {
  for (size_t at = text.find("__", from); at != text.npos; at = text.find("__", at + 1)) {
    if (at + 2 >= text.size() || !absl::ascii_isupper(text[at + 2])) continue;
    const size_t end = text.find("__", at + 2);
    const absl::string_view name = text.substr(at + 2, end - at - 2);
    const bool is_name = end != text.npos && std::all_of(name.begin(), name.end(), [](char c) {
                           return absl::ascii_isupper(c) || absl::ascii_isdigit(c) || c == '_';
                         });
    if (is_name) return Place{at, end + 2, name};
  }
  return std::nullopt;
}

// Makes a place that is alone on its line the whole line.
bool TakesLine(absl::string_view text, Place* place) {
  const size_t newline = text.rfind('\n', place->begin);
  const size_t begin = newline == text.npos ? 0 : newline + 1;
  const absl::string_view indent = text.substr(begin, place->begin - begin);
  if (indent.find_first_not_of(' ') != indent.npos || !absl::StartsWith(text.substr(place->end), "\n")) return false;
  *place = {begin, place->end + 1, place->name};
  return true;
}

// The name of the part that begins behind this line: "refuses" of "# ==== refuses: a note"; nullopt if none does.
std::optional<absl::string_view> HeadingOf(absl::string_view line) {
  constexpr absl::string_view kMark = " ==== ";
  const size_t mark = line.find(kMark);
  if (mark == line.npos || mark == 0 || mark > 4) return std::nullopt;
  line.remove_prefix(mark + kMark.size());
  absl::ConsumeSuffix(&line, " -->");
  return line.substr(0, line.find(':'));
}

}  // namespace

std::string FillTemplate(absl::string_view text, TemplateValues values) {
  std::string filled;
  std::vector<bool> used(values.size(), false);
  size_t at = 0;
  while (std::optional<Place> place = NextPlace(text, at)) {
    const auto* value =
        std::find_if(values.begin(), values.end(), [&](auto& entry) { return entry.first == place->name; });
    if (value == values.end()) Fail("no value for", place->name);
    used[static_cast<size_t>(value - values.begin())] = true;
    if (TakesLine(text, &*place) && !value->second.empty() && value->second.back() != '\n') {
      Fail("not whole lines:", place->name);
    }
    absl::StrAppend(&filled, text.substr(at, place->begin - at), value->second);
    at = place->end;
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) Fail("no place for", values.begin()[i].first);
  }
  return absl::StrCat(filled, text.substr(at));
}

std::string FillTemplateLine(absl::string_view text, TemplateValues values) {
  return FillTemplate(absl::StripSuffix(text, "\n"), values);
}

absl::string_view TemplatePart(absl::Span<const EmbeddedFile> files, absl::string_view file, absl::string_view part) {
  const auto* found =
      std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& embedded) { return embedded.path == file; });
  if (found == files.end()) Fail("no file", file);
  const absl::string_view text = found->content;
  std::optional<size_t> begin;
  if (part.empty()) begin = 0;
  for (size_t line = 0; line < text.size();) {
    const size_t next = std::min(text.find('\n', line), text.size() - 1) + 1;
    const std::optional<absl::string_view> heading = HeadingOf(absl::StripSuffix(text.substr(line, next - line), "\n"));
    if (heading && begin) return text.substr(*begin, line - *begin);
    if (heading && *heading == part) begin = next;
    line = next;
  }
  if (!begin) Fail(absl::StrCat("no part in ", file, ":"), part);
  return text.substr(*begin);
}

}  // namespace tosaic
