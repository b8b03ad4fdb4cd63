// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a case smaller as long as it stays interesting. A predicate decides what is interesting; a table of steps
// (reduction_steps.h) proposes smaller cases. It runs nothing itself and does not know verdicts.
#ifndef TOSAIC_REDUCER_REDUCER_H_
#define TOSAIC_REDUCER_REDUCER_H_

#include <cstdint>
#include <functional>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "model/program.h"

namespace tosaic {

// Whether a case still shows the original's divergence. It must always give the same answer for the same case.
using Interesting = absl::FunctionRef<bool(const Case&)>;

struct ReductionOptions {
  int max_attempts = 3000;  // calls of the predicate, the one on the original included
  // Asked before each call but the first: whether to stop with the current result (time is up, Ctrl-C). If not set, it
  // never stops.
  std::function<bool()> stop;
  // Gets the original, if it is interesting, and each candidate that replaces it.
  std::function<void(const Case&)> on_best;
  // Gets each step (its name, and what it does) that made the case smaller, once it can do no more.
  std::function<void(absl::string_view name, absl::string_view description)> on_step;
};

struct Reduction {
  enum class Status : uint8_t {
    kReduced,         // no candidate of any step is interesting any more (possibly the original already)
    kNotInteresting,  // the original itself is not; `reduced` is the original
    kStopped,         // by `stop` or at the limit of attempts; `reduced` is interesting, but may not be minimal
  };
  Status status = Status::kReduced;
  Case reduced;
  int attempts = 0;  // calls of the predicate
  int accepted = 0;  // candidates that were interesting
};

// Reduces `original`, a well-formed case, as far as the steps can. The result is well-formed and 1-minimal: no
// candidate of any step is interesting, so reducing it again changes nothing. It is deterministic. `origin` gets "
// reduced" appended, once.
Reduction Reduce(const Case& original, Interesting interesting, const ReductionOptions& options = {});

}  // namespace tosaic

#endif  // TOSAIC_REDUCER_REDUCER_H_
