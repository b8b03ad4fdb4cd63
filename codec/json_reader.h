// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JsonReader reads JSON strictly; every error names its place ("runs[0][1].data: ...").
#ifndef TOSAIC_CODEC_JSON_READER_H_
#define TOSAIC_CODEC_JSON_READER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codec/json.h"

namespace tosaic {

// A cursor into a JSON document that knows its position. It keeps the first error in *status, and every later read
// returns a default value, so callers can read everything and check once.
class JsonReader {
 public:
  JsonReader(const Json* json, std::string path, absl::Status* status)
      : json_(json), path_(std::move(path)), status_(status) {}

  bool Has(absl::string_view key) const { return json_->is_object() && json_->contains(std::string(key)); }

  JsonReader Field(absl::string_view key) const {
    std::string path = path_.empty() ? std::string(key) : absl::StrCat(path_, ".", key);
    if (!status_->ok()) return {&Null(), path, status_};
    if (!json_->is_object()) Fail("an object is needed here");
    if (status_->ok() && !Has(key)) Fail(absl::StrCat("the key \"", key, "\" is missing"));
    return {status_->ok() ? &(*json_)[std::string(key)] : &Null(), path, status_};
  }

  std::vector<JsonReader> Elements() const {
    std::vector<JsonReader> elements;
    if (status_->ok() && !json_->is_array()) Fail("an array is needed here");
    if (!status_->ok()) return elements;
    for (size_t i = 0; i < json_->size(); ++i) {
      elements.push_back({&(*json_)[i], absl::StrCat(path_, "[", i, "]"), status_});
    }
    return elements;
  }

  bool IsNull() const { return json_->is_null(); }
  const Json& json() const { return *json_; }

  uint64_t Count() const {
    if (status_->ok() && !json_->is_number_unsigned()) Fail("an integer of at least 0 is needed here");
    return status_->ok() ? json_->get<uint64_t>() : 0;
  }
  std::string String() const {
    if (status_->ok() && !json_->is_string()) Fail("a string is needed here");
    return status_->ok() ? json_->get<std::string>() : "";
  }
  int64_t Int() const {
    if (status_->ok() && !json_->is_number_integer()) Fail("an integer is needed here");
    return status_->ok() ? json_->get<int64_t>() : 0;
  }

  void Fail(absl::string_view message) const {
    if (status_->ok())
      *status_ = absl::InvalidArgumentError(absl::StrCat(path_.empty() ? "case" : path_, ": ", message));
  }

 private:
  static const Json& Null() {
    static const Json& null = *new Json();
    return null;
  }
  const Json* json_;
  std::string path_;
  absl::Status* status_;
};

}  // namespace tosaic

#endif  // TOSAIC_CODEC_JSON_READER_H_
