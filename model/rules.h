// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RuleId: every rule that a verdict, a note or an explanation can name (rows in rules.def), with the document that it
// comes from. Files and reports contain its label; code compares ids.
#ifndef TOSAIC_MODEL_RULES_H_
#define TOSAIC_MODEL_RULES_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codec/names.h"
#include "model/category.h"
#include "model/op_catalogue.h"

namespace tosaic {

enum class RuleId : uint8_t {
  kNone,  // no rule decided yet; its label is empty, and it is in no list
#define TOSAIC_RULE(enumerator, ...) k##enumerator,
#include "model/rules.def"
#define TOSAIC_VALUE_RULE(op, value_case, ...) kValue##op##value_case,
#include "model/rules.def"
};

// Rules of one family are asked together. People see the family in the beginning of the label.
enum class RuleFamily : uint8_t {
  kBroadcastable,
  kLegal,         // the op verifier, beside the trait
  kValidate,      // tosa-validate alone
  kInfer,         // MLIR's own inference
  kRuntime,       // run-time shapes
  kContract,      // the lowered IR: the RFC's strategy
  kSpirv,         // the graph of SPIR-V's TOSA instructions
  kLinalg,        // the lowered IR: linalg's properties
  kLinalgRun,     // linalg's properties that only a run shows
  kLower,         // refused or illegal on the way down
  kRun,           // how code, or MLIR, ends
  kVerification,  // run-time verification
  kExtents,       // the memory that a run with misfitting extents touches
  kRefused,       // the reason of a refusal
  kMetamorphic,   // a case and its twin
  kSupport,       // abilities that a toolchain may lack
  kHarness,       // Tosaic itself
  kValue,         // elements of a result
};

// The part of an op's definition that a value rule is about, or the reason why any value is allowed. For ops with
// several value rules.
enum class ValueCase : uint8_t {
#define TOSAIC_VALUE_CASE(enumerator, name) k##enumerator,
#include "model/rules.def"
};
EnumNames NamesOf(ValueCase value_case);  // "overflow"; "" of an op's only rule

struct RuleInfo {
  RuleId id = RuleId::kNone;
  std::string label;  // "bcast.verify.rank"
  RuleFamily family = RuleFamily::kHarness;
  std::string document;
  std::string section;
  std::string link;                 // permanent, or a path of this repository
  std::string states;               // a sentence: the rule
  std::string broken;               // a sentence: when it is broken
  std::optional<Category> refusal;  // why a program that breaks it is refused; empty if the rule never refuses

  // Whether the document is one of Tosaic's own, whose name means little to others.
  bool is_ours() const;
};

absl::Span<const RuleInfo> AllRules();
const RuleInfo& Info(RuleId rule);
EnumNames NamesOf(RuleId rule);  // the labels
std::ostream& operator<<(std::ostream& out, RuleId rule);
inline RuleFamily FamilyOf(RuleId rule) { return Info(rule).family; }

// The rule of an op's elements; kNone if the op has no such case.
RuleId ValueRule(OpKind op, ValueCase value_case);

// The name of the twin that the rule is about: "all-returned". REQUIRES: a rule of kMetamorphic.
absl::string_view TwinName(RuleId rule);
std::optional<RuleId> FindTwinRule(absl::string_view twin);

// The row with the section that states the rule for an op: the rule's own, or for kLegalResultShape and
// kLegalZeroPoint, which hold for many ops and name the section of one, a value rule of the op.
const RuleInfo& SourceFor(RuleId rule, OpKind op);
// The document and section that state the rule for the op, for people outside Tosaic: "Traits: Broadcastable,
// Verification". If the document is one of ours, the rule's own sentence.
std::string Citation(RuleId rule, OpKind op);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_RULES_H_
