// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guarded memory for generated code. Operands are read-only and between inaccessible pages; allocations are guarded,
// poisoned and counted. Slots are mapped once and reused, so each further run costs microseconds. The layout is the
// run's alone, and around its buffers is 0: what a program reads beyond them must not depend on the worker's past.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_GUARDED_MEMORY_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_GUARDED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/observation.h"

namespace tosaic {

// Which inaccessible page a buffer touches: over- or underruns by one byte fault on that side, and on the other
// side only beyond the page's slack.
enum class Placement : uint8_t { kEndsAtGuard, kBeginsAtGuard };

class GuardedMemory {
 public:
  // Slots of `slot_bytes` (rounded up to pages) for operands and for allocations. What needs more, or comes when the
  // slots are used up, gets a place of its own in an arena of `arena_bytes`, which is reserved once it is needed.
  GuardedMemory(size_t slot_bytes, size_t operand_slots, size_t allocation_slots, size_t arena_bytes = 0);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  size_t slot_bytes() const { return slot_bytes_; }
  void Forget();  // the buffers of the last run and what is in them, and closes the slots that runs have used so far
  // Forgets the buffers, too. `poison` fills the allocations of the next run. `alignment`: malloc's callers ask for
  // this many bytes more than they need and use the memory from the first multiple of it on; 0: they need all.
  // `counts_stores`: CountStore will be called for each store. `most_bytes`: no allocation can need more.
  void BeginRun(Placement placement, uint8_t poison, size_t alignment = 0, bool counts_stores = false,
                size_t most_bytes = ~size_t{0});

  // Copies `bytes` for generated code, which sees them here, read-only. Null if there is no place (failure()).
  const void* AddOperand(const std::vector<uint8_t>& bytes);

  // malloc, aligned_alloc and free of generated code. Null if there is no place (failure()), or if the size is beyond
  // what any can need (asked_for_too_much()). `zeroed`: as calloc has it.
  void* Allocate(size_t bytes, size_t alignment, bool zeroed = false);
  // Freed memory is inaccessible until the next run: an access is a fault.
  void Free(void* pointer);
  // Forgets the live allocation that begins at `pointer`; false if there is none.
  bool Release(void* pointer);

  size_t live_allocations() const;
  // Why this memory could not do its part, in this run or at all; empty: it did. Generated code is not to blame.
  const std::string& failure() const { return broken_.empty() ? failure_ : broken_; }
  bool asked_for_too_much() const { return asked_for_too_much_; }
  // The first call of free with a pointer that was never allocated or is already free.
  const std::optional<MemoryFault>& bad_free() const { return bad_free_; }
  // A write into the slack that an alignment made necessary, found by its canary here or when it was freed.
  std::optional<MemoryFault> FindSlackWrite() const;

  // The live allocation that contains `pointer`, as bytes left from there; 0 if there is none.
  size_t BytesFrom(const void* pointer) const;

  // Counts a store of `bytes` at `pointer` for each of them that lies in an allocation.
  void CountStore(const void* pointer, size_t bytes);
  // The stores to the byte at `pointer` since its allocation. REQUIRES: BytesFrom(pointer) > 0.
  uint32_t StoresTo(const void* pointer) const;
  // The allocations that hold a byte that was not stored to exactly once.
  std::vector<UnevenStores> FindUnevenStores() const;

  // Describes `pointer` if it lies in an allocation that was freed.
  std::optional<MemoryFault> FindFreed(const void* pointer) const;
  // The buffer of this run that contains `pointer`: "operand 0"; kNobodysMemory if there is none.
  std::string NameOf(const void* pointer) const;

  // Describes an access at `address` relative to the nearest buffer, or nothing if none is near.
  std::optional<MemoryFault> Locate(const void* address, bool is_write) const;

 private:
  struct Slot {
    uint8_t* visible = nullptr;   // as generated code sees it
    uint8_t* writable = nullptr;  // the same memory for the harness; another address for the operands in slots
    size_t capacity = 0;          // bytes between the guards
    bool is_in_arena = false;
    uint8_t* buffer = nullptr;  // the buffer within `visible`
    size_t bytes = 0;
    // The part that its owner may use, without the slack before and after it that an alignment required.
    uint8_t* begin = nullptr;
    uint8_t* end = nullptr;
    bool live = false;
    std::vector<uint32_t> stores;  // to each byte of the buffer, where they are counted
    bool closed = false;           // not writable: freed by generated code, or an operand's only view
  };
  // Of one kind, behind one another.
  struct Slots {
    uint8_t *visible = nullptr, *writable = nullptr;
    size_t count = 0, used = 0, open = 0;  // the others are inaccessible
  };
  void ForgetBuffers();
  Slot Find(Slots& slots, size_t bytes);  // its capacity is 0 if there is no place
  Slot FindInArena(size_t bytes);
  uint8_t* Map(void* result);
  void Protect(const Slot& slot, int protection);
  Slot* LiveAt(const void* pointer);
  // The allocation that contains `pointer`, freed or not; null if there is none.
  const Slot* Around(const void* pointer) const;
  std::optional<MemoryFault> SlackWriteOf(const Slot& slot) const;
  uint8_t* Place(Slot& slot, size_t bytes, size_t alignment);
  uint8_t* EndOfSlack(const Slot& slot) const;
  std::string RegionName(const Slot& slot) const;
  MemoryFault Relative(const Slot& slot, const uint8_t* address, bool is_write) const;

  size_t slot_bytes_, arena_bytes_;
  std::string broken_;
  Slots operand_slots_, allocation_slots_;
  uint8_t* arena_ = nullptr;
  size_t arena_used_ = 0, most_bytes_ = 0;
  std::vector<Slot> operands_, allocations_;  // of this run
  Placement placement_ = Placement::kEndsAtGuard;
  uint8_t poison_ = 0;
  size_t alignment_ = 0;
  bool counts_stores_ = false, asked_for_too_much_ = false;
  std::string failure_;
  std::optional<MemoryFault> bad_free_, slack_write_before_free_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_GUARDED_MEMORY_H_
