// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpecCase: what a case file may contain beyond a plain case: a probe of the trait in place of a program, and what the
// document that it was taken from says about it.
#ifndef TOSAIC_MODEL_SPEC_CASE_H_
#define TOSAIC_MODEL_SPEC_CASE_H_

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/rules.h"

namespace tosaic {

struct Expectation {
  std::string decision;                 // "accept", "refuse", "either": on the whole program
  RuleId rule = RuleId::kNone;          // that decides
  std::optional<std::string> inferred;  // the last op's inferred type in MLIR's spelling; none: nothing can be inferred
  // The expected decision of the op verifiers by MLIR's version ("16", "22"), if the file has it: "accept", "refuse".
  std::map<std::string, std::string> mlir;
  // The rule by which tosa-validate decides for a target ("1.0,pro_int,8k"), if the file says so.
  std::map<std::string, RuleId> validation;

  friend bool operator==(const Expectation& a, const Expectation& b) = default;
};
void Fields(Visitor& v, Expectation& expected);

struct SpecCase {
  std::variant<Case, OpSignature> subject;
  std::string origin;
  std::optional<Expectation> expected;

  const Case* test_case() const { return std::get_if<Case>(&subject); }
  const OpSignature* probe() const { return std::get_if<OpSignature>(&subject); }
};

// A case file with the key `expected`, or without; or {"tosaic_probe": 1, "origin": ..., "probe": "broadcastable(...)
// -> ...", "expected": ...} (docs/keys.md). Strict, as CaseFromJson.
absl::StatusOr<SpecCase> SpecCaseFromText(absl::string_view text);
std::string SpecCaseToText(const SpecCase& spec_case);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SPEC_CASE_H_
