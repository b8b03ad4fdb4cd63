// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codec/visitor.h"

namespace tosaic {

void Visitor::Constant(absl::string_view key, const Json& value, absl::string_view description) {
  if (!Enter(key, Presence::kAlways, true, description)) return;
  Only(value);
  Leave();
}

}  // namespace tosaic
