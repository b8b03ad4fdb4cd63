// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor's half of an external library call (docs/tosa-semantics.md: Linalg, Property 5), which generated code
// calls. It records the views that it gets, computes with the function that it was given, and writes the result.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_LIBRARY_CALLS_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_LIBRARY_CALLS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "model/lowered_ir.h"
#include "model/observation.h"
#include "model/program.h"
#include "toolchain/execution/guarded_memory.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class LibraryCaller {
 public:
  // All must outlive it. `most_elements`: no buffer of the case has more. REQUIRES: the signatures' ops are of the
  // program.
  LibraryCaller(const Program& program, const std::vector<LibrarySignature>& signatures,
                const LibraryFunction& function, int64_t most_elements, GuardedMemory& memory)
      : program_(program),
        signatures_(signatures),
        function_(function),
        most_elements_(most_elements),
        memory_(memory) {}

  // The call of function `number`, with a memref descriptor per view. May fault if a descriptor has a bad pointer.
  void Call(int64_t number, const int64_t* const* descriptors);

  // The calls since this was last called.
  std::vector<LibraryCall> Take() { return std::exchange(calls_, {}); }

 private:
  bool Compute(LibraryCall* call) const;
  LibraryView Describe(const LibrarySignature::View& view, const int64_t* descriptor) const;

  const Program& program_;
  const std::vector<LibrarySignature>& signatures_;
  const LibraryFunction& function_;
  const int64_t most_elements_;
  GuardedMemory& memory_;
  std::vector<LibraryCall> calls_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_LIBRARY_CALLS_H_
