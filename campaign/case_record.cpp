#include "campaign/case_record.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "campaign/signature.h"
#include "model/json.h"

namespace tosaic {

CaseRecord RecordOf(uint64_t number, const Case& test_case, const Observation& observation,
                    const Judgement& judgement) {
  const OpApplication& op = test_case.program.ops.back();
  const ElementType input = InputElementType(test_case.program, op);
  const ElementType result = op.result.element_type;
  CaseRecord record;
  record.number = number;
  record.verdict = judgement.verdict;
  record.op = std::string(Name(op.op));
  record.types = TypesName(input, result);
  record.route = test_case.route;
  record.rule = judgement.rule;
  if (IsDivergence(judgement.verdict)) record.signature = FindingSignature(test_case, observation, judgement);
  record.beyond_spec = judgement.beyond_spec;
  record.runs = observation.runs.size();
  record.compared = judgement.compared;
  record.masked = judgement.masked;
  record.notes = judgement.notes;
  return record;
}

std::string ToLine(const CaseRecord& record) {
  return Dump(Json{{"case", record.number},
                   {"verdict", std::string(Name(record.verdict))},
                   {"op", record.op},
                   {"types", record.types},
                   {"route", record.route},
                   {"rule", record.rule},
                   {"signature", record.signature},
                   {"beyond_spec", record.beyond_spec},
                   {"runs", record.runs},
                   {"compared", record.compared},
                   {"masked", record.masked},
                   {"notes", record.notes},
                   {"first_preceding", record.first_preceding}},
              -1);
}

absl::StatusOr<CaseRecord> RecordFromLine(absl::string_view line) {
  const absl::StatusOr<Json> parsed = ParseJson(line);
  absl::Status malformed = absl::InvalidArgumentError("not a journal line");
  if (!parsed.ok() || !parsed->is_object()) return malformed;
  const Json& json = *parsed;
  CaseRecord record;
  bool ok = true;
  auto number = [&](const char* key) -> uint64_t {
    ok = ok && json.contains(key) && json[key].is_number_unsigned();
    return ok ? json[key].get<uint64_t>() : 0;
  };
  auto text = [&](const char* key) -> std::string {
    ok = ok && json.contains(key) && json[key].is_string();
    return ok ? json[key].get<std::string>() : "";
  };
  record.number = number("case");
  const std::optional<Verdict> verdict = FindVerdict(text("verdict"));
  record.op = text("op");
  record.types = text("types");
  record.route = text("route");
  record.rule = text("rule");
  record.signature = text("signature");
  ok = ok && json.contains("beyond_spec") && json["beyond_spec"].is_boolean() && json.contains("notes") &&
       json["notes"].is_array();
  if (ok) record.beyond_spec = json["beyond_spec"].get<bool>();
  record.runs = number("runs");
  record.compared = number("compared");
  record.masked = number("masked");
  for (size_t i = 0; ok && i < json["notes"].size(); ++i) {
    ok = json["notes"][i].is_string();
    if (ok) record.notes.push_back(json["notes"][i].get<std::string>());
  }
  record.first_preceding = number("first_preceding");
  if (!ok || !verdict) return malformed;
  record.verdict = *verdict;
  return record;
}

}  // namespace tosaic
