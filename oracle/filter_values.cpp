// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/filter_values.h"

#include "model/tensor.h"

namespace tosaic {

std::vector<double> ValuesOf(ElementType type) {
  std::vector<double> values;
  for (uint64_t bits = 0; bits <= BitMask(type); ++bits) values.push_back(ElementToDouble(type, bits));
  return values;
}

}  // namespace tosaic
