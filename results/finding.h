// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: divergences of one signature and cause, as every kind of result has them.
#ifndef TOSAIC_RESULTS_FINDING_H_
#define TOSAIC_RESULTS_FINDING_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codec/names.h"
#include "model/program.h"
#include "model/signature.h"
#include "model/verdict.h"

namespace tosaic {

// A disagreement of a sweep over values, or an end before there was a result.
struct ValueDisagreement {
  Judgement judgement;                  // mismatch->index counts the sweep's inputs
  std::vector<std::string> input_bits;  // by operand; empty without a mismatch
};
void Fields(Visitor& v, ValueDisagreement& disagreement);

// The cases of a campaign or a suite that show a finding.
struct CaseEvidence {
  uint64_t case_number = 0;            // the first of a campaign's cases
  std::vector<uint64_t> case_numbers;  // all of them; in no file
  std::string case_name;               // the first of a suite's cases
  Case original;                       // the first case itself
  // False if reducing was not tried. Then it may be a known cause, because listed causes are recognised by their
  // canonical case.
  bool is_reduced = true;
  bool base_agrees = false;  // of the first case, as CaseRecord has it
  Case reduced;
  std::string folder;    // of its files, relative to the work directory; empty: none yet
  std::string pipeline;  // the shortest part of the route's pass pipeline that shows it; empty if all of it is needed
  std::map<std::string, std::string> reproducer;  // files that show it without Tosaic, by name
};

// The decisions of a sweep over types, each as `explain` takes it: the op with its types.
struct TypesEvidence {
  std::vector<std::string> decisions;
};

// The inputs of a sweep over values.
struct ValuesEvidence {
  std::string types;                      // "i8-i32"
  std::vector<ValueDisagreement> listed;  // the first of them
  Case example;                           // the smallest case that shows it alone in a fresh process
};

struct Finding {
  // The first asks for attention first.
  enum class Status : uint8_t { kRegressed, kNew, kNotReduced, kBeyondSpec, kKnown };

  FindingSignature signature;  // reducing a case keeps it
  Judgement judgement;         // of the reduced case
  std::string op;              // without the dialect's prefix
  std::string route;
  std::string known_reason;  // not empty: listed as known
  std::string cause;         // the cause in the list of known divergences; if it is not listed, the signature
  uint64_t count = 0;        // cases, decisions or inputs that show it
  std::variant<CaseEvidence, TypesEvidence, ValuesEvidence> evidence;

  // The evidence, which becomes one of that kind if it is of another.
  CaseEvidence& cases() { return OfKind<CaseEvidence>(); }
  TypesEvidence& types() { return OfKind<TypesEvidence>(); }
  ValuesEvidence& values() { return OfKind<ValuesEvidence>(); }
  // REQUIRES: the evidence is of that kind.
  const CaseEvidence& cases() const { return std::get<CaseEvidence>(evidence); }
  const TypesEvidence& types() const { return std::get<TypesEvidence>(evidence); }
  const ValuesEvidence& values() const { return std::get<ValuesEvidence>(evidence); }

 private:
  template <typename Kind>
  Kind& OfKind() {
    Kind* kind = std::get_if<Kind>(&evidence);
    return kind != nullptr ? *kind : evidence.emplace<Kind>();
  }
};
EnumNames NamesOf(Finding::Status status);  // "beyond-spec"

// The status of the finding by itself. In a comparison, the findings of the patch are regressed instead.
Finding::Status StatusOf(const Finding& finding);
// Neither known nor beyond the specification.
inline bool IsNew(const Finding& finding) { return StatusOf(finding) == Finding::Status::kNew; }
// New findings, and those that may be new, ask for attention. The exit status is about them.
inline bool IsUrgent(Finding::Status status) { return status <= Finding::Status::kNotReduced; }
inline bool IsUrgent(const Finding& finding) { return IsUrgent(StatusOf(finding)); }
bool AnyUrgent(const std::vector<Finding>& findings);
uint64_t CountNew(const std::vector<Finding>& findings);
uint64_t CountNotReduced(const std::vector<Finding>& findings);

// The keys about a finding that every kind of result has. Files of before lack some of them. On a page all are there,
// with the status that it has there.
void CommonFields(Visitor& v, Finding& finding, std::optional<Finding::Status> on_page = std::nullopt);
// These are the keys of finding.json.
void Fields(Visitor& v, Finding& finding);
// A suite's report and a comparison have the finding with its cases.
struct FindingOfSuite {
  Finding& finding;
};
void Fields(Visitor& v, FindingOfSuite& of_suite);

// The harness faults of both sides of a comparison, each with its side: "base: FAULT".
std::vector<std::string> FaultsOfSides(const std::vector<std::string>& base, const std::vector<std::string>& patch);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_FINDING_H_
