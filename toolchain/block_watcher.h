// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockWatcher: tells which basic blocks of the code under test a case reaches, so that new blocks can guide a
// campaign. Blocks are numbered from 0.
#ifndef TOSAIC_TOOLCHAIN_BLOCK_WATCHER_H_
#define TOSAIC_TOOLCHAIN_BLOCK_WATCHER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace tosaic {

class BlockWatcher {
 public:
  virtual ~BlockWatcher() = default;

  // The number of blocks, and a name for the numbering: under another name, the numbers mean other blocks.
  virtual uint32_t count() const = 0;
  virtual std::string name() const = 0;

  // The blocks that this process has reached since it began, or since the last call, in ascending order. It watches
  // them again.
  virtual std::vector<uint32_t> Take() = 0;
  // Stops watching these, in this process and in those that it forks from now on.
  virtual void Forget(absl::Span<const uint32_t> blocks) = 0;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_BLOCK_WATCHER_H_
