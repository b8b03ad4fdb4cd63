// JSON forms of the vocabulary. Written with keys in a fixed order; read strictly, every error naming the place
// ("runs[0][1].data: ..."). The case format is documented in docs/case-format.md.
#ifndef TOSAIC_MODEL_JSON_H_
#define TOSAIC_MODEL_JSON_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "model/program.h"
#include "model/verdict.h"
#include "nlohmann/json.hpp"

namespace tosaic {

using Json = nlohmann::ordered_json;

// The version of the case format that this build writes, and the newest it reads.
inline constexpr int kCaseFormatVersion = 1;

Json ToJson(const Case& test_case);
// Also runs CheckWellFormed.
absl::StatusOr<Case> CaseFromJson(const Json& json);
// A whole case file: JSON text, readable, ending in a newline.
std::string CaseToText(const Case& test_case);
absl::StatusOr<Case> CaseFromText(absl::string_view text);

Json ToJson(const Observation& observation);
absl::StatusOr<Observation> ObservationFromJson(const Json& json);

Json ToJson(const Judgement& judgement);
absl::StatusOr<Judgement> JudgementFromJson(const Json& json);

// Parses JSON text. Refuses what is nested deeper than any file of Tosaic (the JSON library copies by recursion).
absl::StatusOr<Json> ParseJson(absl::string_view text);

// JSON text with invalid UTF-8 replaced, so that a diagnostic never makes a file unwritable. indent < 0: one line.
std::string Dump(const Json& json, int indent);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_JSON_H_
