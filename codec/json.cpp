// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/json.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

size_t Members(const Json& json) {
  size_t members = json.is_object() ? json.size() : 0;
  if (!json.is_structured()) return members;
  for (const Json& one : json) members += Members(one);
  return members;
}

// REQUIRES: there is one.
std::string KeyThatStandsTwice(absl::string_view text) {
  std::vector<std::set<std::string>> keys;  // of the open objects
  std::string twice;
  const Json::parser_callback_t look = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    const bool is_again = event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second;
    if (is_again && twice.empty()) twice = parsed.get<std::string>();
    return true;
  };
  (void)Json::parse(text.begin(), text.end(), look, /*allow_exceptions=*/false);
  return twice;
}

}  // namespace

absl::StatusOr<Json> ParseJson(absl::string_view text) {
  constexpr int kMaxDepth = 64;
  if (const size_t zero = text.find('\0'); zero != text.npos) {
    return absl::InvalidArgumentError(absl::StrCat("not a JSON document: byte ", zero, " is zero"));
  }
  int depth = 0;
  size_t members = 0;  // of all objects
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;  // skips what is escaped
    if (in_string) continue;
    if (c == ':') ++members;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMaxDepth) return absl::InvalidArgumentError(absl::StrCat("JSON nested deeper than ", kMaxDepth));
  }
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    const bool is_cut = depth > 0 || in_string;
    const absl::string_view why = absl::StripAsciiWhitespace(text).empty() ? ": it is empty"
                                  : is_cut                                 ? ": it is cut short"
                                                                           : "";
    return absl::InvalidArgumentError(absl::StrCat("not a JSON document", why));
  }
  // Of equal keys the library keeps one, and other readers another.
  if (Members(json) != members) {
    return absl::InvalidArgumentError(
        absl::StrCat("the key \"", KeyThatStandsTwice(text), "\" stands twice in an object"));
  }
  return json;
}

std::string Dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

}  // namespace tosaic
