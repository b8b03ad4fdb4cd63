// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spec_case.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/json.h"
#include "model/validation_target.h"

namespace tosaic {

void Fields(Visitor& v, Expectation& x) {
  constexpr absl::string_view kVersions[] = {"16", "19", "22"};
  const auto is_decided = [](absl::string_view decision) { return decision == "accept" || decision == "refuse"; };
  v.Strict();
  v("decision", x.decision);
  v("rule", x.rule);
  v("inferred", x.inferred);
  v.Optional("mlir", x.mlir);
  v.Optional("validation", x.validation);
  if (!v.IsReading()) return;
  if (!is_decided(x.decision) && x.decision != "either") v.Fail("it must be accept, refuse or either", "decision");
  for (const auto& [target, rule] : x.validation) {
    const absl::Status status = ParseValidationTarget(target).status();
    if (!status.ok()) v.Fail(status.message(), absl::StrCat("validation.", target));
  }
  for (const auto& [version, decision] : x.mlir) {
    if (!absl::c_linear_search(kVersions, version)) {
      v.Fail(absl::StrCat("the key \"", version, "\" is none of ", absl::StrJoin(kVersions, ", ")), "mlir");
    }
    if (!is_decided(decision)) v.Fail("it must be accept or refuse", absl::StrCat("mlir.", version));
  }
}

namespace {

constexpr int kProbeFormatVersion = 1;

// The content of a file with a probe.
struct ProbeFile {
  int version = kProbeFormatVersion;
  std::string origin;
  OpSignature probe;
  std::optional<Expectation> expected;
};

void Fields(Visitor& v, ProbeFile& x) {
  v.Strict();
  v("tosaic_probe", x.version);
  if (v.IsReading() && x.version != kProbeFormatVersion) v.Fail("this build reads version 1", "tosaic_probe");
  v.MayLack("origin", x.origin);
  std::string probe = ToString(x.probe);
  v("probe", probe);
  if (v.IsReading()) v.Take(ParseOpSignature(probe), &x.probe, "probe");
  if (v.IsReading() && x.probe.op != kProbeOp) v.Fail(absl::StrCat("its op is '", kProbeOp, "'"), "probe");
  v.Optional("expected", x.expected);
  const bool validates = x.expected && !x.expected->validation.empty();
  if (v.IsReading() && validates) v.Fail("a probe is no program", "expected.validation");
}

// The fields of a case file beside those of its case.
struct ExpectationOfCase {
  std::optional<Expectation> expected;
};

void Fields(Visitor& v, ExpectationOfCase& x) { v.Optional("expected", x.expected); }

}  // namespace

absl::StatusOr<SpecCase> SpecCaseFromText(absl::string_view text) {
  TOSAIC_ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  if (json.is_object() && json.contains("tosaic_probe")) {
    TOSAIC_ASSIGN_OR_RETURN(ProbeFile file, FromJson<ProbeFile>(json));
    return SpecCase{std::move(file.probe), std::move(file.origin), std::move(file.expected)};
  }
  TOSAIC_ASSIGN_OR_RETURN(Case test_case, CaseFromJson(json));
  TOSAIC_ASSIGN_OR_RETURN(ExpectationOfCase beyond, FromJson<ExpectationOfCase>(json));
  std::string origin = test_case.origin;
  return SpecCase{std::move(test_case), std::move(origin), std::move(beyond.expected)};
}

std::string SpecCaseToText(const SpecCase& spec_case) {
  if (const OpSignature* probe = spec_case.probe()) {
    return Dump(ToJson(ProbeFile{.origin = spec_case.origin, .probe = *probe, .expected = spec_case.expected}), 2) +
           "\n";
  }
  Json json = ToJson(*spec_case.test_case());
  if (spec_case.expected) json["expected"] = ToJson(*spec_case.expected);
  return Dump(json, 2) + "\n";
}

}  // namespace tosaic
