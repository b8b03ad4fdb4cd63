// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breakpoints: tells which instructions of this process, and of those forked from it, have been executed. Each gets a
// breakpoint of one byte, which the first execution removes, so an instruction costs nothing after it was seen.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_BREAKPOINTS_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_BREAKPOINTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tosaic {

// Overwrites code of this process and of those that it forks from now on. Error: the system does not allow it.
// REQUIRES: no breakpoint is on its pages.
absl::Status WriteCode(uintptr_t address, absl::Span<const uint8_t> code);

class Breakpoints {
 public:
  // Arms them, and handles SIGTRAP from now on; a SIGTRAP for another reason goes to the previous handler. Errors:
  // another kind of machine, no permission. REQUIRES: an instruction begins at each address, no other thread runs, no
  // other object exists.
  static absl::StatusOr<std::unique_ptr<Breakpoints>> Arm(std::vector<uintptr_t> instructions);
  Breakpoints(const Breakpoints&) = delete;
  ~Breakpoints();  // disarms those of this process

  // Whether the instruction, given by its index in ascending order, has been executed by this process or one forked
  // from it.
  bool IsSeen(size_t instruction) const;

  // The instructions that this process has executed since the last call, or since it was forked by a process that never
  // called this, in ascending order, but for those that have been disarmed meanwhile. They are armed again.
  std::vector<uint32_t> TakeHits();
  // Removes these in this process; processes that it forks from now on do not stop there.
  void Disarm(absl::Span<const uint32_t> instructions);

  // Removes, in this process, those that other processes have seen; processes that it forks from now on do not stop
  // there.
  void DisarmSeen();

 private:
  struct State;
  explicit Breakpoints(State* state);
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_BREAKPOINTS_H_
