// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which dialect tools read, and which ops and attributes of it they do not, by trying each.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/dialect.h"
#include "model/op_catalogue.h"
#include "model/program.h"
#include "toolchain/external/tool_calls.h"

namespace tosaic {

// A part of the dialect that Tosaic writes and the tools do not read.
struct Unspoken {
  OpKind op;
  std::optional<Attribute> attribute;  // none: the op altogether
  std::string why;
};
std::string ToString(const Unspoken& unspoken);  // "sin: unregistered operation ...", "nan_mode of clamp: ..."

struct SpokenDialect {
  Dialect dialect = kCanonicalDialect;
  std::vector<Unspoken> unspoken;
};

// The nearest dialect that the tools read completely, otherwise the one of which they read most. Ops and attributes
// that they cannot read are unspoken; cases show what their verifier refuses. Error: they read none.
absl::StatusOr<SpokenDialect> FindDialect(const ToolCalls& calls);

// The first unspoken part that a program has, if any.
const Unspoken* FindUnspoken(const Program& program, absl::Span<const Unspoken> unspoken);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_
