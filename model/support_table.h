// The support table: what a toolchain may refuse cleanly without that being a divergence. Illegal IR, crashes and
// wrong values are never covered. Every row names its reason and source; rows that no case needs are reported.
#ifndef TOSAIC_MODEL_SUPPORT_TABLE_H_
#define TOSAIC_MODEL_SUPPORT_TABLE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/program.h"

namespace tosaic {

struct SupportEntry {
  absl::string_view label;  // "support.unranked"
  int first_version;        // MLIR major versions the row holds for, both inclusive
  int last_version;
  absl::string_view reason;
  absl::string_view source;
  bool (*covers)(const Program& program, const OpApplication& op);
};

absl::Span<const SupportEntry> SupportTable();

// The first row that covers some op of the program, or null: then a refusal after the verifier is a divergence.
const SupportEntry* FindSupportEntry(const Program& program, int mlir_version);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SUPPORT_TABLE_H_
