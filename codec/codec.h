// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses a type's list of fields (codec/visitor.h) to write its values as JSON, to read them from JSON, and to describe
// them by a JSON schema.
#ifndef TOSAIC_CODEC_CODEC_H_
#define TOSAIC_CODEC_CODEC_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/json.h"
#include "codec/visitor.h"

namespace tosaic {
namespace codec_internal {

Json Write(absl::FunctionRef<void(Visitor&)> visit);
absl::Status Read(const Json& json, absl::FunctionRef<void(Visitor&)> visit);
Json Describe(absl::FunctionRef<void(Visitor&)> visit);

}  // namespace codec_internal

// The value as JSON, keys in the order of its fields.
template <typename T>
Json ToJson(const T& value) {
  // A writer only reads what it visits; it casts const away because readers and writers share one list of fields.
  return codec_internal::Write([&](Visitor& v) { v.Value(const_cast<T&>(value)); });
}

// The value that the JSON describes. Errors say where something is wrong, and what: "runs[0][1].data: ...".
template <typename T>
absl::StatusOr<T> FromJson(const Json& json) {
  T value{};
  absl::Status status = codec_internal::Read(json, [&](Visitor& v) { v.Value(value); });
  if (!status.ok()) return status;
  return value;
}

// The same for text: writing gives one line without a newline.
template <typename T>
std::string ToLine(const T& value) {
  return Dump(ToJson(value), -1);
}
template <typename T>
absl::StatusOr<T> FromText(absl::string_view text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return json.status();
  return FromJson<T>(*json);
}

// The JSON schema (draft 2020-12) of a type's values; named types are listed under "$defs".
template <typename T>
Json Schema() {
  T value{};
  return codec_internal::Describe([&](Visitor& v) { v.Value(value); });
}

}  // namespace tosaic

#endif  // TOSAIC_CODEC_CODEC_H_
