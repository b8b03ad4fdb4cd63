// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/code_image.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/Support/Error.h"

namespace tosaic {
namespace {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

// The largest page of the CPUs' systems: what is protected differently never shares one.
constexpr uint64_t kPageBytes = 64 * 1024;

// The bytes are in the image already.
class InImage : public llvm::jitlink::JITLinkMemoryManager::InFlightAlloc {
 public:
  explicit InImage(uint64_t address) : address_(address) {}
  void abandon(OnAbandonedFunction on_abandoned) override { on_abandoned(llvm::Error::success()); }
  void finalize(OnFinalizedFunction on_finalized) override {
    on_finalized(llvm::jitlink::JITLinkMemoryManager::FinalizedAlloc(llvm::orc::ExecutorAddr(address_)));
  }

 private:
  const uint64_t address_;
};

}  // namespace

void ImageMemory::Clear() {
  image_ = {};
  next_ = base_;
}

void ImageMemory::allocate(const llvm::jitlink::JITLinkDylib*, llvm::jitlink::LinkGraph& graph,
                           OnAllocatedFunction on_allocated) {
  llvm::jitlink::BasicLayout layout(graph);
  const uint64_t first = next_;
  for (auto& [group, segment] : layout.segments()) {
    const uint64_t page = std::max<uint64_t>(kPageBytes, segment.Alignment.value());
    const uint64_t address = (next_ + page - 1) / page * page;
    const uint64_t bytes = segment.ContentSize + segment.ZeroFillSize;
    if (address > end_ || bytes > end_ - address) {
      return on_allocated(llvm::createStringError("the program is larger than the memory for code"));
    }
    next_ = address + bytes;
    std::string& content = image_.contents.emplace_back(bytes, '\0');
    image_.segments.push_back(
        {.address = address,
         .bytes = bytes,
         .is_executable = (group.getMemProt() & llvm::orc::MemProt::Exec) != llvm::orc::MemProt::None,
         .is_writable = (group.getMemProt() & llvm::orc::MemProt::Write) != llvm::orc::MemProt::None});
    segment.Addr = llvm::orc::ExecutorAddr(address);
    segment.WorkingMem = content.data();
  }
  if (llvm::Error error = layout.apply()) return on_allocated(std::move(error));
  on_allocated(std::make_unique<InImage>(first));
}

void ImageMemory::deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction on_deallocated) {
  for (FinalizedAlloc& allocation : allocations) (void)allocation.release();
  on_deallocated(llvm::Error::success());
}

}  // namespace tosaic
