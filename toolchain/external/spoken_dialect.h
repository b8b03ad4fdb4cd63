// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dialect tools speak, and what of it they do not: each op, and each attribute that an op may have, is asked for.
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

// What Tosaic writes in the dialect, and the tools do not read.
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

// The nearest dialect that the tools take as a whole, else the one of which they take most. What they cannot read is
// unspoken; what their verifier refuses is for cases to show. Error: they take none.
absl::StatusOr<SpokenDialect> FindDialect(const ToolCalls& calls);

// What of it a program has, if anything.
const Unspoken* FindUnspoken(const Program& program, absl::Span<const Unspoken> unspoken);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_SPOKEN_DIALECT_H_
