// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checking/library_function.h"

#include <cstddef>
#include <vector>

#include "oracle/compare.h"
#include "oracle/reference.h"

namespace tosaic {

LibraryFunction OracleLibrary() {
  return [](const Program& program, const OpApplication& op, absl::Span<const Tensor* const> operands,
            const std::vector<int64_t>& result_sizes) {
    Tensor result(op.result.element_type, result_sizes);
    const std::vector<Expected> expected = Evaluate(program, op, operands, result_sizes, Policies{});
    for (size_t i = 0; i < expected.size(); ++i) {
      result.SetBits(i, AllowedBits(op.result.element_type, expected[i]));
    }
    return result;
  };
}

}  // namespace tosaic
