// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON as Tosaic reads and writes it: keys keep their order, and parsing is strict.
#ifndef TOSAIC_CODEC_JSON_H_
#define TOSAIC_CODEC_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace tosaic {

using Json = nlohmann::ordered_json;

// Parses JSON text. Refuses text that is nested deeper than any file of Tosaic, because the JSON library recurses.
absl::StatusOr<Json> ParseJson(absl::string_view text);

// JSON text with invalid UTF-8 replaced, so that a diagnostic never makes a file unwritable. indent < 0: one line.
std::string Dump(const Json& json, int indent);

}  // namespace tosaic

#endif  // TOSAIC_CODEC_JSON_H_
