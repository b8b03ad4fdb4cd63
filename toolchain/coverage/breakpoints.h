// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breakpoints: says which instructions of this process, and of those forked from it, have been executed. Each is armed
// with a breakpoint of one byte, which the first to come by takes away: what has been seen costs nothing more.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_BREAKPOINTS_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_BREAKPOINTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tosaic {

class Breakpoints {
 public:
  // Arms them, and handles SIGTRAP from now on; other signals of that name go to whoever handled them before. Errors:
  // another machine, no permission. REQUIRES: an instruction begins at each, no other thread runs, no other object
  // lives.
  static absl::StatusOr<std::unique_ptr<Breakpoints>> Arm(std::vector<uintptr_t> instructions);
  Breakpoints(const Breakpoints&) = delete;
  ~Breakpoints();  // disarms those of this process

  // Whether the instruction has been executed, by this process or one forked from it: by its place in ascending order.
  bool IsSeen(size_t instruction) const;
  size_t CountSeen() const;

  // Those that this process has come by since the last call, or since it was forked by one that never called it;
  // ascending. They are armed again.
  std::vector<uint32_t> TakeHits();
  // Takes these away in this process: what it forks from now on does not stop there.
  void Disarm(absl::Span<const uint32_t> instructions);

  // Takes away, in this process, those that others have seen: what it forks from now on does not stop there.
  void DisarmSeen();

 private:
  struct State;
  explicit Breakpoints(State* state);
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_BREAKPOINTS_H_
