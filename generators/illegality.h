// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named illegalities: each breaks exactly one rule of a legal program on purpose. The oracle judges the result
// independently.
#ifndef TOSAIC_GENERATORS_ILLEGALITY_H_
#define TOSAIC_GENERATORS_ILLEGALITY_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generators/choice_source.h"
#include "model/program.h"
#include "model/rules.h"

namespace tosaic {

struct Illegality {
  absl::string_view name;
  RuleId rule;  // the rule that it breaks
  // Whether an op with these element types (a tuple of the specification) can break the rule.
  bool (*applicable)(const OpInfo& op, ElementType input, ElementType result);
  // Breaks the rule. REQUIRES: `applicable`; the program has one op, legal, its operands arguments (but for shift and
  // zero points, which are constants), all types ranked, with a rank of 1 to 6.
  void (*apply)(ChoiceSource& choices, Program& program);
  // Drawn as often as the row before it, and in its place: the other rows are drawn where they were without this one.
  bool shares_place = false;
};

absl::Span<const Illegality> AllIllegalities();

// Programs that the op verifier accepts and tosa-validate refuses for version 1.0, level 8k and, of rescale's
// attributes, strict alignment. `apply` also REQUIRES that all types are static. (A profile or extension that the
// target lacks is missing for legal programs too.)
absl::Span<const Illegality> AllValidatorIllegalities();

}  // namespace tosaic

#endif  // TOSAIC_GENERATORS_ILLEGALITY_H_
