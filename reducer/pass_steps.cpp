// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <utility>

#include "model/pass_sequence.h"
#include "reducer/reduction_steps.h"

namespace tosaic {

void ProposeFewerPasses(Proposals& proposals) {
  const auto passes = [&] { return ParseSequence(proposals.current().route).value_or(PassSequence()); };
  for (size_t length = passes().size(); length > 0; length /= 2) {
    for (size_t begin = 0; begin < passes().size();) {
      PassSequence fewer = passes();
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(first, fewer.size() - begin <= length ? fewer.end() : first + static_cast<std::ptrdiff_t>(length));
      Case candidate = proposals.current();
      candidate.route = SequenceText(fewer);
      if (!proposals.Try(std::move(candidate))) begin += length;
    }
  }
}

}  // namespace tosaic
