// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor has one content. If several results are made of a value that the program does not return, each may be
// allowed by itself although no one value makes them all: abs(e) and identity(e) of e = exp(x) with different numbers.
// For each element of a hidden value with several uses, its allowed set is halved, and a part is dropped if some result
// is not in the image of it (RunSets::AllowedIf). Images are never too narrow: if no part is left, no value explains
// the results. A single member that explains them all ends the search.
#ifndef TOSAIC_ORACLE_ONE_CONTENT_H_
#define TOSAIC_ORACLE_ONE_CONTENT_H_

#include <cstdint>
#include <optional>

#include "model/program.h"
#include "model/verdict.h"
#include "oracle/run_sets.h"

namespace tosaic {

struct OneContent {
  // A result that no value explains that explains the others.
  std::optional<ElementMismatch> contradiction;
  uint64_t open = 0;  // elements of hidden values with several uses whose search was given up: they prove nothing
};

// REQUIRES: each result by itself is allowed. The search stops at the first contradiction.
OneContent CheckOneContent(const Program& program, RunSets* sets);

}  // namespace tosaic

#endif  // TOSAIC_ORACLE_ONE_CONTENT_H_
