// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The support table lists programs that a toolchain may refuse cleanly without a divergence. It never covers illegal
// IR, crashes or wrong values. Every row names its reason, and rows that no case needs are reported.
#ifndef TOSAIC_MODEL_SUPPORT_TABLE_H_
#define TOSAIC_MODEL_SUPPORT_TABLE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/dialect.h"
#include "model/program.h"
#include "model/rules.h"

namespace tosaic {

struct SupportEntry {
  RuleId rule;  // which also names the document
  absl::string_view reason;
  bool (*covers)(const Program& program, const OpApplication& op, Dialect dialect, SpecVersion version);
  bool unwritable = false;  // the dialect cannot express it, so a toolchain need not even build it
  bool (*only_if)(const DialectInfo& dialect) = nullptr;  // not null: the row applies only to these dialects
};

absl::Span<const SupportEntry> SupportTable();

// Whether the draft of 1.1 got the op's element types only after the dialect had taken its tables from it: casts
// between i1 and f32 or i64 (docs/policies.md). The dialect's tosa-validate, which some routes begin with, does not
// know them.
bool IsLaterDraft(const Program& program, const OpApplication& op, Dialect dialect);

// Whether the row applies to the dialect.
bool HoldsFor(const SupportEntry& entry, Dialect dialect);

// The first row that covers some op of the program, or null: then a refusal after the verifier is a divergence.
const SupportEntry* FindSupportEntry(const Program& program, Dialect dialect,
                                     SpecVersion version = SpecVersion::k1_0_2);

// The first row by which a dialect cannot express the program, or null.
const SupportEntry* FindUnwritable(const Program& program, Dialect dialect);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SUPPORT_TABLE_H_
