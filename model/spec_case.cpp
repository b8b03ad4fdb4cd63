// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spec_case.h"

#include <utility>

#include "codec/json_reader.h"
#include "codec/status.h"
#include "model/json.h"
#include "model/validation_target.h"

namespace tosaic {
namespace {

constexpr int kProbeFormatVersion = 1;

Json ToJson(const Expectation& expected) {
  Json json{{"decision", expected.decision},
            {"rule", std::string(Name(expected.rule))},
            {"inferred", expected.inferred ? Json(*expected.inferred) : Json()}};
  if (!expected.mlir.empty()) json["mlir"] = expected.mlir;
  for (const auto& [target, rule] : expected.validation) json["validation"][target] = std::string(Name(rule));
  return json;
}

RuleId ReadRule(const JsonReader& reader) { return reader.Take(Find<RuleId>(reader.String()), NamesOf(RuleId()).noun); }

void ReadValidation(const JsonReader& reader, Expectation* expected) {
  if (!reader.json().is_object()) return reader.Fail("an object is needed here");
  for (const auto& [target, rule] : reader.json().items()) {
    const JsonReader field = reader.Field(target);
    field.Take(ParseValidationTarget(target));
    expected->validation[target] = ReadRule(field);
  }
}

Expectation ReadExpectation(const JsonReader& reader) {
  reader.AllowOnly({"decision", "rule", "inferred", "mlir", "validation"});
  Expectation expected;
  expected.decision = reader.Field("decision").String();
  if (expected.decision != "accept" && expected.decision != "refuse" && expected.decision != "either") {
    reader.Field("decision").Fail("it must be accept, refuse or either");
  }
  expected.rule = ReadRule(reader.Field("rule"));
  if (const JsonReader inferred = reader.Field("inferred"); !inferred.IsNull()) expected.inferred = inferred.String();
  if (reader.Has("validation")) ReadValidation(reader.Field("validation"), &expected);
  if (!reader.Has("mlir")) return expected;
  const JsonReader mlir = reader.Field("mlir");
  mlir.AllowOnly({"16", "19", "22"});
  for (const char* version : {"16", "19", "22"}) {
    if (!mlir.Has(version)) continue;
    const JsonReader decision = mlir.Field(version);
    expected.mlir[version] = decision.String();
    if (expected.mlir[version] != "accept" && expected.mlir[version] != "refuse") {
      decision.Fail("it must be accept or refuse");
    }
  }
  return expected;
}

absl::StatusOr<OpSignature> ReadProbe(const JsonReader& reader) {
  reader.AllowOnly({"tosaic_probe", "origin", "probe", "expected"});
  if (reader.Field("tosaic_probe").Int() != kProbeFormatVersion) {
    reader.Field("tosaic_probe").Fail("this build reads version 1");
  }
  const std::string text = reader.Field("probe").String();
  if (!reader.ok()) return OpSignature();
  TOSAIC_ASSIGN_OR_RETURN(OpSignature probe, At("probe", ParseOpSignature(text)));
  if (probe.op == kProbeOp) return probe;
  return absl::InvalidArgumentError(absl::StrCat("probe: its op is '", kProbeOp, "'"));
}

}  // namespace

absl::StatusOr<SpecCase> SpecCaseFromText(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  absl::Status status;
  const JsonReader reader(&json, "", &status);
  SpecCase spec_case;
  if (reader.Has("tosaic_probe")) {
    absl::StatusOr<OpSignature> probe = ReadProbe(reader);
    if (!status.ok()) return status;
    if (!probe.ok()) return probe.status();
    spec_case.subject = *std::move(probe);
    if (reader.Has("origin")) spec_case.origin = reader.Field("origin").String();
  } else {
    TOSAIC_ASSIGN_OR_RETURN(Case test_case, CaseFromJson(json));
    spec_case.origin = test_case.origin;
    spec_case.subject = std::move(test_case);
  }
  if (reader.Has("expected")) {
    const JsonReader expected = reader.Field("expected");
    spec_case.expected = ReadExpectation(expected);
    const bool validates = !spec_case.expected->validation.empty();
    if (validates && spec_case.probe() != nullptr) expected.Field("validation").Fail("a probe is no program");
  }
  if (!status.ok()) return status;
  return spec_case;
}

std::string SpecCaseToText(const SpecCase& spec_case) {
  Json json;
  if (const OpSignature* probe = spec_case.probe()) {
    json = Json{{"tosaic_probe", kProbeFormatVersion}, {"origin", spec_case.origin}, {"probe", ToString(*probe)}};
  } else {
    json = ToJson(*spec_case.test_case());
  }
  if (spec_case.expected) json["expected"] = ToJson(*spec_case.expected);
  return Dump(json, 2) + "\n";
}

}  // namespace tosaic
