// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which dialect tools read, and which ops and attributes of it they do not, by trying each.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "model/dialect.h"
#include "toolchain/external/tool_calls.h"
#include "toolchain/spoken_words.h"

namespace tosaic {

struct SpokenDialect {
  Dialect dialect = kCanonicalDialect;
  std::vector<Unspoken> unspoken;
};

// The nearest dialect that the tools read completely, otherwise the one of which they read most. Ops and attributes
// that they cannot read are unspoken; cases show what their verifier refuses. Error: they read none.
absl::StatusOr<SpokenDialect> FindDialect(const ToolCalls& calls);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_
