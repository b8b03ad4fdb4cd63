// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "workers/worker_process.h"

namespace tosaic {
namespace {

// The inaccessible stretch between two slots: wide enough that a stride of a few rows does not jump over it.
constexpr size_t kGuardBytes = 64 * 1024;
constexpr uint8_t kCanary = 0xc9;

size_t PageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

size_t RoundUp(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Reserves address space, or makes what is there inaccessible again and gives its memory back.
void* Close(void* at, size_t bytes) {
  const int fixed = at != nullptr ? MAP_FIXED : 0;
  return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

size_t ViewBytes(size_t slots, size_t slot_bytes) { return kGuardBytes + slots * (slot_bytes + kGuardBytes); }

std::string Failed(absl::string_view call) { return absl::StrCat(call, " for guarded memory: ", std::strerror(errno)); }

}  // namespace

uint8_t* GuardedMemory::Map(void* result) {
  if (result != MAP_FAILED) return static_cast<uint8_t*>(result);
  if (broken_.empty()) broken_ = Failed("mmap");
  return nullptr;
}

GuardedMemory::GuardedMemory(size_t slot_bytes, size_t operand_slots, size_t allocation_slots, size_t arena_bytes)
    : slot_bytes_(RoundUp(slot_bytes, PageBytes())),
      arena_bytes_(arena_bytes),
      operand_slots_{.count = operand_slots},
      allocation_slots_{.count = allocation_slots} {
  // Operands are mapped twice, read-only for generated code and writable for the harness: no mprotect per run. Of an
  // old size of 0, mremap maps the same pages once more: `ulimit -f` would apply to a file, even to one of memory.
  operand_slots_.writable =
      Map(mmap(nullptr, operand_slots * slot_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  operand_slots_.visible = Map(Close(nullptr, ViewBytes(operand_slots, slot_bytes_)));
  allocation_slots_.visible = Map(Close(nullptr, ViewBytes(allocation_slots, slot_bytes_)));
  allocation_slots_.writable = allocation_slots_.visible;
  bool are_aliased = broken_.empty();
  for (size_t i = 0; i < operand_slots && are_aliased; ++i) {
    void* again = mremap(operand_slots_.writable + i * slot_bytes_, 0, slot_bytes_, MREMAP_MAYMOVE | MREMAP_FIXED,
                         operand_slots_.visible + ViewBytes(i, slot_bytes_));
    are_aliased = again != MAP_FAILED && mprotect(again, slot_bytes_, PROT_NONE) == 0;
  }
  if (broken_.empty() && !are_aliased) {  // as qemu-user has it: their protection changes with each run
    munmap(std::exchange(operand_slots_.writable, operand_slots_.visible), operand_slots * slot_bytes_);
    Map(Close(operand_slots_.visible, ViewBytes(operand_slots, slot_bytes_)));
  }
}

GuardedMemory::~GuardedMemory() {
  const auto unmap = [](uint8_t* memory, size_t bytes) {
    if (memory != nullptr) munmap(memory, bytes);
  };
  uint8_t* const writable = operand_slots_.writable;
  if (writable != operand_slots_.visible) unmap(writable, operand_slots_.count * slot_bytes_);
  unmap(operand_slots_.visible, ViewBytes(operand_slots_.count, slot_bytes_));
  unmap(allocation_slots_.visible, ViewBytes(allocation_slots_.count, slot_bytes_));
  unmap(arena_, arena_bytes_);
}

void GuardedMemory::Forget() {
  ForgetBuffers();
  for (Slots* slots : {&operand_slots_, &allocation_slots_}) {
    const size_t bytes = ViewBytes(std::exchange(slots->open, 0), slot_bytes_);
    if (broken_.empty() && mprotect(slots->visible, bytes, PROT_NONE) != 0) broken_ = Failed("mprotect");
  }
}

void GuardedMemory::ForgetBuffers() {
  failure_.clear();
  for (const std::vector<Slot>* slots : {&operands_, &allocations_}) {
    for (const Slot& slot : *slots) {
      if (slot.is_in_arena) continue;
      if (slot.closed) Protect(slot, PROT_READ | PROT_WRITE);
      if (failure_.empty()) std::memset(slot.writable, 0, slot.capacity);
    }
  }
  if (arena_used_ > 0) Map(Close(arena_, std::exchange(arena_used_, 0)));
  operands_.clear();
  allocations_.clear();
  operand_slots_.used = allocation_slots_.used = 0;
}

void GuardedMemory::BeginRun(Placement placement, uint8_t poison, size_t alignment, bool counts_stores,
                             size_t most_bytes) {
  ForgetBuffers();
  most_bytes_ = std::min(most_bytes, std::max(slot_bytes_, arena_bytes_));
  counts_stores_ = counts_stores;
  placement_ = placement;
  poison_ = poison;
  alignment_ = alignment;
  asked_for_too_much_ = false;
  bad_free_.reset();
  slack_write_before_free_.reset();
}

GuardedMemory::Slot GuardedMemory::Find(Slots& slots, size_t bytes) {
  if (bytes > slot_bytes_ || slots.used == slots.count) return FindInArena(bytes);
  const size_t i = slots.used++;
  uint8_t* visible = slots.visible + ViewBytes(i, slot_bytes_);
  const bool is_aliased = slots.writable != slots.visible;
  const Slot slot = {
      .visible = visible, .writable = is_aliased ? slots.writable + i * slot_bytes_ : visible, .capacity = slot_bytes_};
  // Until the next Forget: to open and close it in each run would take longer than many a run.
  if (i >= slots.open) Protect(slot, is_aliased ? PROT_READ : PROT_READ | PROT_WRITE);
  slots.open = std::max(slots.open, slots.used);
  return failure_.empty() ? slot : Slot();
}

GuardedMemory::Slot GuardedMemory::FindInArena(size_t bytes) {
  const size_t capacity = RoundUp(std::max<size_t>(bytes, 1), PageBytes());
  const size_t begin = std::max(arena_used_, kGuardBytes);
  if (begin + capacity + kGuardBytes > arena_bytes_) {
    failure_ = absl::StrCat("the run takes more than ", arena_bytes_ >> 20, " MiB of guarded memory");
    return {};
  }
  if (arena_ == nullptr) {
    RaiseAddressSpaceLimit(arena_bytes_);
    void* reserved = Close(nullptr, arena_bytes_);
    if (reserved == MAP_FAILED) {
      failure_ = Failed(absl::StrCat("mmap of ", arena_bytes_ >> 20, " MiB"));
      return {};
    }
    arena_ = static_cast<uint8_t*>(reserved);
  }
  const Slot slot = {.visible = arena_ + begin, .writable = arena_ + begin, .capacity = capacity, .is_in_arena = true};
  Protect(slot, PROT_READ | PROT_WRITE);
  arena_used_ = begin + capacity + kGuardBytes;
  return failure_.empty() ? slot : Slot();
}

uint8_t* GuardedMemory::Place(Slot& slot, size_t bytes, size_t alignment) {
  size_t offset = 0;
  if (placement_ == Placement::kEndsAtGuard) offset = (slot.capacity - bytes) / alignment * alignment;
  slot.buffer = slot.visible + offset;
  slot.bytes = bytes;
  slot.begin = slot.buffer;
  slot.end = slot.buffer + bytes;
  slot.live = true;
  return slot.writable + offset;
}

const void* GuardedMemory::AddOperand(const std::vector<uint8_t>& bytes) {
  Slot slot = Find(operand_slots_, bytes.size());
  if (slot.capacity == 0) return nullptr;
  uint8_t* target = Place(slot, bytes.size(), 1);
  if (!bytes.empty()) std::memcpy(target, bytes.data(), bytes.size());
  slot.closed = slot.writable == slot.visible;
  if (slot.closed) Protect(slot, PROT_READ);
  operands_.push_back(slot);
  return slot.buffer;
}

void* GuardedMemory::Allocate(size_t bytes, size_t alignment, bool zeroed) {
  alignment = std::max<size_t>(alignment, 1);
  if (bytes > most_bytes_) {
    asked_for_too_much_ = true;
    return nullptr;
  }
  // Places begin at a page: a coarser alignment is beyond them.
  if (PageBytes() % alignment != 0) {
    failure_ = absl::StrCat("guarded memory has no alignment of ", alignment, " bytes");
    return nullptr;
  }
  Slot found = Find(allocation_slots_, bytes);
  if (found.capacity == 0) return nullptr;
  Slot& slot = allocations_.emplace_back(std::move(found));
  Place(slot, bytes, alignment);
  if (alignment_ > 0 && bytes >= alignment_) {
    const uintptr_t address = RoundUp(reinterpret_cast<uintptr_t>(slot.buffer), alignment_);
    slot.begin = slot.buffer + (address - reinterpret_cast<uintptr_t>(slot.buffer));
    slot.end = slot.begin + (bytes - alignment_);
  }
  if (counts_stores_) slot.stores.assign(bytes, 0);
  // Whatever lies around it, up to the guard it should touch, is slack; a write there shows in the canary.
  std::memset(slot.buffer, kCanary, static_cast<size_t>(slot.begin - slot.buffer));
  std::memset(slot.begin, zeroed ? 0 : poison_, static_cast<size_t>(slot.end - slot.begin));
  std::memset(slot.end, kCanary, static_cast<size_t>(EndOfSlack(slot) - slot.end));
  return slot.buffer;
}

void GuardedMemory::Protect(const Slot& slot, int protection) {
  if (mprotect(slot.visible, slot.capacity, protection) != 0) failure_ = Failed("mprotect");
}

GuardedMemory::Slot* GuardedMemory::LiveAt(const void* pointer) {
  const auto found = std::find_if(allocations_.begin(), allocations_.end(),
                                  [&](const Slot& slot) { return slot.live && slot.buffer == pointer; });
  return found == allocations_.end() ? nullptr : &*found;
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
  return static_cast<size_t>(
      std::count_if(allocations_.begin(), allocations_.end(), [](const Slot& slot) { return slot.live; }));
}

uint8_t* GuardedMemory::EndOfSlack(const Slot& slot) const {
  return placement_ == Placement::kEndsAtGuard ? slot.visible + slot.capacity : slot.buffer + slot.bytes;
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
  for (const Slot& slot : allocations_) {
    if (slot.closed) continue;
    if (std::optional<MemoryFault> fault = SlackWriteOf(slot)) return fault;
  }
  return std::nullopt;
}

const GuardedMemory::Slot* GuardedMemory::Around(const void* pointer) const {
  const uint8_t* p = static_cast<const uint8_t*>(pointer);
  for (const Slot& slot : allocations_) {
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
  for (Slot& slot : allocations_) {
    const uint8_t* from = std::max<const uint8_t*>(first, slot.buffer);
    const uint8_t* to = std::min<const uint8_t*>(first + bytes, slot.buffer + slot.bytes);
    for (; from < to && !slot.stores.empty(); ++from) ++slot.stores[static_cast<size_t>(from - slot.buffer)];
  }
}

uint32_t GuardedMemory::StoresTo(const void* pointer) const {
  const Slot* slot = Around(pointer);
  return slot == nullptr ? 0 : slot->stores[static_cast<size_t>(static_cast<const uint8_t*>(pointer) - slot->buffer)];
}

std::vector<UnevenStores> GuardedMemory::FindUnevenStores() const {
  std::vector<UnevenStores> uneven;
  for (const Slot& slot : allocations_) {
    UnevenStores found{.region = RegionName(slot), .region_bytes = static_cast<int64_t>(slot.bytes)};
    for (size_t byte = 0; byte < slot.bytes; ++byte) {
      found.never += slot.stores[byte] == 0;
      found.most = std::max<int64_t>(found.most, slot.stores[byte]);
      if (slot.stores[byte] > 1 && found.repeated++ == 0) found.first_repeated = static_cast<int64_t>(byte);
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

std::string GuardedMemory::NameOf(const void* pointer) const {
  const uint8_t* p = static_cast<const uint8_t*>(pointer);
  for (const std::vector<Slot>* slots : {&operands_, &allocations_}) {
    for (const Slot& slot : *slots) {
      if (p >= slot.buffer && p < slot.buffer + slot.bytes) return RegionName(slot);
    }
  }
  return std::string(kNobodysMemory);
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
  for (const std::vector<Slot>* slots : {&operands_, &allocations_}) {
    for (const Slot& slot : *slots) {
      const uint8_t* end = slot.buffer + slot.bytes;
      const int64_t distance = p < slot.buffer ? slot.buffer - p : (p >= end ? p - end : 0);
      if (distance < nearest_distance) {
        nearest_distance = distance;
        nearest = &slot;
      }
    }
  }
  return nearest != nullptr ? std::optional(Relative(*nearest, p, is_write)) : std::nullopt;
}

}  // namespace tosaic
