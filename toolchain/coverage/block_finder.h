// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockFinder: takes a function's machine code apart into basic blocks. Each block begins with an instruction; where
// the code cannot be followed for sure, it gives none.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_FINDER_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_FINDER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "toolchain/coverage/library_image.h"

namespace tosaic {

// Addresses are those of the file.
struct CodeBlock {
  uint64_t address = 0;         // of its first instruction that does something
  std::vector<uint64_t> calls;  // what it calls directly
};

class BlockFinder {
 public:
  // Error: this machine's code cannot be taken apart. REQUIRES: the image outlives it.
  static absl::StatusOr<std::unique_ptr<BlockFinder>> Create(const LibraryImage& image);
  virtual ~BlockFinder() = default;

  // In ascending order, without those that only end the process (a trap where the compiler knew that nothing comes).
  // Error: bytes that are no instruction, or a jump into one.
  virtual absl::StatusOr<std::vector<CodeBlock>> BlocksOf(const LibraryFunction& function) const = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_FINDER_H_
