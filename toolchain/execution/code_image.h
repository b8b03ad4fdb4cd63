// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CodeImage: a program that is linked for the memory of another process. LLVM's linker asks ImageMemory for memory as
// it does for this process's, and all of it goes into an image.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_CODE_IMAGE_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_CODE_IMAGE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "toolchain/execution/cpu_protocol.h"

namespace tosaic {

struct CodeImage {
  std::vector<CodeSegment> segments;
  std::deque<std::string> contents;  // of each segment; the linker keeps pointers into them
};

class ImageMemory : public llvm::jitlink::JITLinkMemoryManager {
 public:
  // Images begin at this address of the other process, and have at most so many bytes.
  ImageMemory(uint64_t base, uint64_t bytes) : base_(base), end_(base + bytes) {}

  const CodeImage& image() const { return image_; }
  void Clear();  // REQUIRES: nobody executes the image

  using JITLinkMemoryManager::allocate;
  void allocate(const llvm::jitlink::JITLinkDylib* dylib, llvm::jitlink::LinkGraph& graph,
                OnAllocatedFunction on_allocated) override;
  using JITLinkMemoryManager::deallocate;
  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction on_deallocated) override;

 private:
  const uint64_t base_, end_;
  uint64_t next_ = base_;
  CodeImage image_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_CODE_IMAGE_H_
