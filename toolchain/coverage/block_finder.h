// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockFinder: splits a function's machine code into basic blocks. Each block begins with an instruction. If the code
// cannot be followed reliably, it returns none. It also says what tells a function from one of another build.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_FINDER_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_FINDER_H_

#include <cstddef>
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

struct FunctionCode {
  // A hash of its instructions without addresses and padding: the same in this process for code that only stands
  // elsewhere.
  size_t digest = 0;
  std::vector<double> compared;  // the numbers that its instructions compare something with
  std::vector<uint64_t> calls;   // what it calls directly
  std::vector<uint64_t> data;    // addresses that its instructions name
};

class BlockFinder {
 public:
  // Error: it cannot disassemble this machine's code. REQUIRES: the image outlives it.
  static absl::StatusOr<std::unique_ptr<BlockFinder>> Create(const LibraryImage& image);
  virtual ~BlockFinder() = default;

  // In ascending order, without blocks that only end the process (traps at places that the compiler knew to be
  // unreachable). Error: bytes that are not an instruction, or a jump into the middle of one.
  virtual absl::StatusOr<std::vector<CodeBlock>> BlocksOf(const LibraryFunction& function) const = 0;
  // Error: bytes that are not an instruction.
  virtual absl::StatusOr<FunctionCode> CodeOf(const LibraryFunction& function) const = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_FINDER_H_
