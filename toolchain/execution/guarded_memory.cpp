// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

// The inaccessible stretch between two slots: wide enough that a stride of a few rows does not jump over it.
constexpr size_t kGuardBytes = 64 * 1024;
constexpr uint8_t kCanary = 0xc9;

size_t PageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

size_t RoundUp(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Own invariant: without address space there is nothing to run.
uint8_t* MustMap(void* result) {
  if (result == MAP_FAILED) {
    std::perror("tosaic: mmap for guarded memory");
    std::abort();
  }
  return static_cast<uint8_t*>(result);
}

uint8_t* Reserve(size_t bytes) {
  return MustMap(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

size_t ViewBytes(size_t slots, size_t slot_bytes) { return kGuardBytes + slots * (slot_bytes + kGuardBytes); }

}  // namespace

GuardedMemory::GuardedMemory(size_t slot_bytes, size_t operand_slots, size_t allocation_slots)
    : slot_bytes_(RoundUp(slot_bytes, PageBytes())), operands_(operand_slots), allocations_(allocation_slots) {
  // Operands are mapped twice, read-only for generated code and writable for the harness: no mprotect per run.
  const size_t alias_bytes = operand_slots * slot_bytes_;
  const int fd = memfd_create("tosaic-operands", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(alias_bytes)) != 0) {
    std::perror("tosaic: memfd for guarded memory");
    std::abort();
  }
  operand_alias_ = MustMap(mmap(nullptr, alias_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  operand_view_ = Reserve(ViewBytes(operand_slots, slot_bytes_));
  allocation_view_ = Reserve(ViewBytes(allocation_slots, slot_bytes_));
  for (size_t i = 0; i < operand_slots; ++i) {
    uint8_t* address = operand_view_ + kGuardBytes + i * (slot_bytes_ + kGuardBytes);
    operands_[i].visible =
        MustMap(mmap(address, slot_bytes_, PROT_READ, MAP_SHARED | MAP_FIXED, fd, static_cast<off_t>(i * slot_bytes_)));
    operands_[i].writable = operand_alias_ + i * slot_bytes_;
  }
  close(fd);
  for (size_t i = 0; i < allocation_slots; ++i) {
    uint8_t* address = allocation_view_ + kGuardBytes + i * (slot_bytes_ + kGuardBytes);
    allocations_[i].visible = MustMap(mmap(address, slot_bytes_, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0));
    allocations_[i].writable = allocations_[i].visible;
  }
}

GuardedMemory::~GuardedMemory() {
  munmap(operand_alias_, operands_.size() * slot_bytes_);
  munmap(operand_view_, ViewBytes(operands_.size(), slot_bytes_));
  munmap(allocation_view_, ViewBytes(allocations_.size(), slot_bytes_));
}

void GuardedMemory::BeginRun(Placement placement, uint8_t poison, size_t alignment, bool counts_stores) {
  for (size_t i = 0; i < allocations_used_; ++i) {
    if (std::exchange(allocations_[i].closed, false)) Protect(allocations_[i], PROT_READ | PROT_WRITE);
  }
  counts_stores_ = counts_stores;
  placement_ = placement;
  poison_ = poison;
  alignment_ = alignment;
  operands_used_ = 0;
  allocations_used_ = 0;
  ran_out_ = false;
  bad_free_.reset();
  slack_write_before_free_.reset();
}

uint8_t* GuardedMemory::Place(Slot& slot, size_t bytes, size_t alignment) {
  size_t offset = 0;
  if (placement_ == Placement::kEndsAtGuard) offset = (slot_bytes_ - bytes) / alignment * alignment;
  slot.buffer = slot.visible + offset;
  slot.bytes = bytes;
  slot.begin = slot.buffer;
  slot.end = slot.buffer + bytes;
  slot.live = true;
  return slot.writable + offset;
}

const void* GuardedMemory::AddOperand(const std::vector<uint8_t>& bytes) {
  Slot& slot = operands_[operands_used_++];
  uint8_t* target = Place(slot, bytes.size(), 1);
  if (!bytes.empty()) std::memcpy(target, bytes.data(), bytes.size());
  return slot.buffer;
}

void* GuardedMemory::Allocate(size_t bytes, size_t alignment) {
  alignment = std::max<size_t>(alignment, 1);
  // Slots begin at a page: a coarser alignment is beyond them.
  if (allocations_used_ == allocations_.size() || bytes > slot_bytes_ || PageBytes() % alignment != 0) {
    ran_out_ = true;
    return nullptr;
  }
  Slot& slot = allocations_[allocations_used_++];
  Place(slot, bytes, alignment);
  if (alignment_ > 0 && bytes >= alignment_) {
    const uintptr_t address = RoundUp(reinterpret_cast<uintptr_t>(slot.buffer), alignment_);
    slot.begin = slot.buffer + (address - reinterpret_cast<uintptr_t>(slot.buffer));
    slot.end = slot.begin + (bytes - alignment_);
  }
  if (counts_stores_) slot.stores.assign(bytes, 0);
  // Whatever lies around it, up to the guard it should touch, is slack; a write there shows in the canary.
  std::memset(slot.buffer, kCanary, static_cast<size_t>(slot.begin - slot.buffer));
  std::memset(slot.begin, poison_, static_cast<size_t>(slot.end - slot.begin));
  std::memset(slot.end, kCanary, static_cast<size_t>(EndOfSlack(slot) - slot.end));
  return slot.buffer;
}

void GuardedMemory::Protect(const Slot& slot, int protection) {
  if (mprotect(slot.visible, slot_bytes_, protection) == 0) return;
  std::perror("tosaic: mprotect of guarded memory");
  std::abort();
}

GuardedMemory::Slot* GuardedMemory::LiveAt(const void* pointer) {
  const auto used = allocations_.begin() + static_cast<ptrdiff_t>(allocations_used_);
  const auto found =
      std::find_if(allocations_.begin(), used, [&](const Slot& slot) { return slot.live && slot.buffer == pointer; });
  return found == used ? nullptr : &*found;
}

bool GuardedMemory::Release(void* pointer) {
  Slot* slot = LiveAt(pointer);
  if (slot != nullptr) slot->live = false;
  return slot != nullptr;
}

void GuardedMemory::Free(void* pointer) {
  if (pointer == nullptr) return;
  if (Slot* slot = LiveAt(pointer)) {
    if (!slack_write_before_free_) slack_write_before_free_ = SlackWriteOf(*slot);
    slot->live = false;
    slot->closed = true;
    Protect(*slot, PROT_NONE);
    return;
  }
  if (bad_free_) return;
  bad_free_ = Locate(pointer, /*is_write=*/true).value_or(MemoryFault{.is_write = true, .region = "unknown"});
  bad_free_->region = absl::StrCat("free of ", bad_free_->region);
}

size_t GuardedMemory::live_allocations() const {
  return static_cast<size_t>(std::count_if(allocations_.begin(), allocations_.begin() + allocations_used_,
                                           [](const Slot& slot) { return slot.live; }));
}

uint8_t* GuardedMemory::EndOfSlack(const Slot& slot) const {
  return placement_ == Placement::kEndsAtGuard ? slot.visible + slot_bytes_ : slot.buffer + slot.bytes;
}

std::optional<MemoryFault> GuardedMemory::SlackWriteOf(const Slot& slot) const {
  auto find = [](const uint8_t* from, const uint8_t* to) {
    return std::find_if(from, to, [](uint8_t byte) { return byte != kCanary; });
  };
  const uint8_t* before = find(slot.buffer, slot.begin);
  if (before != slot.begin) return Relative(slot, before, /*is_write=*/true);
  const uint8_t* behind = find(slot.end, EndOfSlack(slot));
  if (behind != EndOfSlack(slot)) return Relative(slot, behind, /*is_write=*/true);
  return std::nullopt;
}

std::optional<MemoryFault> GuardedMemory::FindSlackWrite() const {
  if (slack_write_before_free_) return slack_write_before_free_;
  for (size_t i = 0; i < allocations_used_; ++i) {
    if (allocations_[i].closed) continue;
    if (std::optional<MemoryFault> fault = SlackWriteOf(allocations_[i])) return fault;
  }
  return std::nullopt;
}

const GuardedMemory::Slot* GuardedMemory::Around(const void* pointer) const {
  const uint8_t* p = static_cast<const uint8_t*>(pointer);
  for (size_t i = 0; i < allocations_used_; ++i) {
    const Slot& slot = allocations_[i];
    if (p >= slot.buffer && p < slot.buffer + slot.bytes) return &slot;
  }
  return nullptr;
}

size_t GuardedMemory::BytesFrom(const void* pointer) const {
  const uint8_t* p = static_cast<const uint8_t*>(pointer);
  const Slot* slot = Around(pointer);
  return slot != nullptr && slot->live && p >= slot->begin && p < slot->end ? static_cast<size_t>(slot->end - p) : 0;
}

void GuardedMemory::CountStore(const void* pointer, size_t bytes) {
  const uint8_t* first = static_cast<const uint8_t*>(pointer);
  for (size_t i = 0; i < allocations_used_; ++i) {
    Slot& slot = allocations_[i];
    const uint8_t* from = std::max<const uint8_t*>(first, slot.buffer);
    const uint8_t* to = std::min<const uint8_t*>(first + bytes, slot.buffer + slot.bytes);
    for (; from < to; ++from) ++slot.stores[static_cast<size_t>(from - slot.buffer)];
  }
}

uint32_t GuardedMemory::StoresTo(const void* pointer) const {
  const Slot* slot = Around(pointer);
  return slot == nullptr ? 0 : slot->stores[static_cast<size_t>(static_cast<const uint8_t*>(pointer) - slot->buffer)];
}

std::vector<UnevenStores> GuardedMemory::FindUnevenStores() const {
  std::vector<UnevenStores> uneven;
  for (size_t i = 0; i < allocations_used_; ++i) {
    const Slot& slot = allocations_[i];
    UnevenStores found{.region = RegionName(slot), .region_bytes = static_cast<int64_t>(slot.bytes)};
    for (size_t byte = 0; byte < slot.bytes; ++byte) {
      found.never += slot.stores[byte] == 0;
      if (slot.stores[byte] <= 1) continue;
      if (found.repeated++ == 0) found.first_repeated = static_cast<int64_t>(byte);
    }
    if (found.never > 0 || found.repeated > 0) uneven.push_back(std::move(found));
  }
  return uneven;
}

std::optional<MemoryFault> GuardedMemory::FindFreed(const void* pointer) const {
  const Slot* slot = Around(pointer);
  if (slot == nullptr || slot->live) return std::nullopt;
  MemoryFault fault = Relative(*slot, static_cast<const uint8_t*>(pointer), /*is_write=*/false);
  fault.region = absl::StrCat("freed ", fault.region);
  return fault;
}

std::string GuardedMemory::RegionName(const Slot& slot) const {
  if (&slot >= operands_.data() && &slot < operands_.data() + operands_.size()) {
    return absl::StrCat("operand ", &slot - operands_.data());
  }
  return absl::StrCat("allocation ", &slot - allocations_.data());
}

MemoryFault GuardedMemory::Relative(const Slot& slot, const uint8_t* address, bool is_write) const {
  return {.is_write = is_write,
          .region = RegionName(slot),
          .offset = address - slot.begin,
          .region_bytes = slot.end - slot.begin};
}

std::optional<MemoryFault> GuardedMemory::Locate(const void* address, bool is_write) const {
  const uint8_t* p = static_cast<const uint8_t*>(address);
  const Slot* nearest = nullptr;
  int64_t nearest_distance = kGuardBytes;
  auto consider = [&](const std::vector<Slot>& slots, size_t used) {
    for (size_t i = 0; i < used; ++i) {
      const uint8_t* end = slots[i].buffer + slots[i].bytes;
      const int64_t distance = p < slots[i].buffer ? slots[i].buffer - p : (p >= end ? p - end : 0);
      if (distance < nearest_distance) {
        nearest_distance = distance;
        nearest = &slots[i];
      }
    }
  };
  consider(operands_, operands_used_);
  consider(allocations_, allocations_used_);
  if (nearest == nullptr) return std::nullopt;
  return Relative(*nearest, p, is_write);
}

}  // namespace tosaic
