// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spec_version.h"

namespace tosaic {

EnumNames NamesOf(SpecVersion) {
  static constexpr absl::string_view kNames[] = {"1.0.0", "1.0.2", "1.1"};
  return NamesFor<SpecVersion>(kNames, "a version of the specification");
}

}  // namespace tosaic
