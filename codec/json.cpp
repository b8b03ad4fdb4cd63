// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/json.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

// Builds the document. The library's own builder looks through all keys of an object for each new one, so its time
// grows with the square of the object's size. If a key is repeated, it keeps one of the values, and other readers keep
// another.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Json TakeDocument() { return std::move(document_); }
  // The first key that occurs twice in an object, if there is one.
  const std::optional<std::string>& twice() const { return twice_; }

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override { return Add(value); }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not JSON
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_array() override { return Close(); }
  bool start_object(size_t) override {
    // An object that grows copies its keys; the outermost one has the most.
    constexpr size_t kUsualKeys = 32;
    Open(Json::object());
    if (open_.size() == 1) document_.get_ref<Json::object_t&>().reserve(kUsualKeys);
    return true;
  }
  bool key(string_t& key) override {
    open_.back()->get_ref<Json::object_t&>().emplace_back(std::move(key), nullptr);
    return true;
  }
  bool end_object() override {
    std::vector<absl::string_view> keys;
    for (const auto& [key, value] : open_.back()->get_ref<const Json::object_t&>()) keys.push_back(key);
    absl::c_sort(keys);
    const auto again = absl::c_adjacent_find(keys);
    if (again != keys.end() && !twice_) twice_ = std::string(*again);
    return Close();
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  // The place that the next value goes to.
  Json& Place() {
    if (open_.empty()) return document_;
    if (open_.back()->is_object()) return open_.back()->get_ref<Json::object_t&>().back().second;
    return open_.back()->emplace_back(nullptr);
  }
  template <typename T>
  bool Add(T&& value) {
    Place() = std::forward<T>(value);
    return true;
  }
  bool Open(Json container) {
    Json& place = Place() = std::move(container);
    open_.push_back(&place);
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  Json document_;
  std::vector<Json*> open_;  // the pointers stay valid, because only the innermost value grows
  std::optional<std::string> twice_;
};

}  // namespace

absl::StatusOr<Json> ParseJson(absl::string_view text) {
  constexpr int kMaxDepth = 64;
  if (const size_t zero = text.find('\0'); zero != text.npos) {
    return absl::InvalidArgumentError(absl::StrCat("not a JSON document: byte ", zero, " is zero"));
  }
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;  // skips the escaped character
    if (in_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMaxDepth) return absl::InvalidArgumentError(absl::StrCat("JSON nested deeper than ", kMaxDepth));
  }
  Builder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) {
    const bool is_cut = depth > 0 || in_string;
    const absl::string_view why = absl::StripAsciiWhitespace(text).empty() ? ": it is empty"
                                  : is_cut                                 ? ": it is cut short"
                                                                           : "";
    return absl::InvalidArgumentError(absl::StrCat("not a JSON document", why));
  }
  if (builder.twice()) {
    return absl::InvalidArgumentError(absl::StrCat("the key \"", *builder.twice(), "\" stands twice in an object"));
  }
  return builder.TakeDocument();
}

std::string Dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

}  // namespace tosaic
