// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/json.h"

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tosaic {

absl::StatusOr<Json> ParseJson(absl::string_view text) {
  constexpr int kMaxDepth = 64;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;  // skips what is escaped
    if (in_string) continue;
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
  return json;
}

std::string Dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

}  // namespace tosaic
