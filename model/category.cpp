// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/category.h"

namespace tosaic {

EnumNames NamesOf(Category) {
  static constexpr absl::string_view kNames[] = {"element-type",
                                                 "dimension-size",
                                                 "special-operand",
                                                 "rank",
                                                 "not-broadcastable",
                                                 "result-incompatible",
                                                 "attribute",
                                                 "zero-point",
                                                 "shift",
                                                 "operand-count",
                                                 "container",
                                                 "constant-operand",
                                                 "unranked",
                                                 "dynamic",
                                                 "level",
                                                 "profile",
                                                 "specification-version",
                                                 "unknown"};
  return NamesFor<Category>(kNames, "a category");
}

}  // namespace tosaic
