#include "campaign/case_record.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "campaign/checking/signature.h"
#include "model/category.h"
#include "model/json.h"
#include "model/shape_class.h"

namespace tosaic {

CaseRecord RecordOf(uint64_t number, const Case& test_case, const CheckedCase& checked) {
  const Case& judged = checked.twin ? *checked.twin : test_case;
  const Judgement& judgement = checked.judgement;
  const OpApplication& op = judged.program.ops.back();
  const ElementType input = InputElementType(judged.program, op);
  const ElementType result = op.result.element_type;
  CaseRecord record;
  record.number = number;
  record.verdict = judgement.verdict;
  record.op = std::string(Name(op.op));
  record.types = TypesName(input, result);
  record.shapes =
      judged.program.ops.size() > 1 ? std::string(kSeveralOps) : std::string(Name(ClassOf(judged.program, op)));
  record.route = judged.route;
  record.twin = test_case.twin;
  if (checked.observation.category) record.category = std::string(Name(*checked.observation.category));
  record.rule = judgement.rule;
  record.signature = checked.signature;
  record.beyond_spec = judgement.beyond_spec;
  record.of_twin = checked.twin.has_value();
  record.runs = checked.observation.runs.size();
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
                   {"shapes", record.shapes},
                   {"route", record.route},
                   {"twin", record.twin},
                   {"category", record.category},
                   {"rule", record.rule},
                   {"signature", record.signature},
                   {"beyond_spec", record.beyond_spec},
                   {"of_twin", record.of_twin},
                   {"runs", record.runs},
                   {"compared", record.compared},
                   {"masked", record.masked},
                   {"notes", record.notes},
                   {"patterns", record.patterns},
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
  auto truth = [&](const char* key) -> bool {
    ok = ok && json.contains(key) && json[key].is_boolean();
    return ok && json[key].get<bool>();
  };
  auto texts = [&](const char* key) {
    std::vector<std::string> list;
    ok = ok && json.contains(key) && json[key].is_array();
    for (size_t i = 0; ok && i < json[key].size(); ++i) {
      ok = json[key][i].is_string();
      if (ok) list.push_back(json[key][i].get<std::string>());
    }
    return list;
  };
  record.number = number("case");
  const std::optional<Verdict> verdict = Find<Verdict>(text("verdict"));
  record.op = text("op");
  record.types = text("types");
  record.shapes = text("shapes");
  record.route = text("route");
  record.twin = text("twin");
  record.category = text("category");
  record.rule = text("rule");
  record.signature = text("signature");
  record.beyond_spec = truth("beyond_spec");
  record.of_twin = truth("of_twin");
  record.runs = number("runs");
  record.compared = number("compared");
  record.masked = number("masked");
  record.notes = texts("notes");
  record.patterns = texts("patterns");
  record.first_preceding = number("first_preceding");
  if (!ok || !verdict) return malformed;
  record.verdict = *verdict;
  return record;
}

}  // namespace tosaic
