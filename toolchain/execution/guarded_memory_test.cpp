// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/guarded_memory.h"

#include <signal.h>

#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "workers/signal_trap.h"

namespace tosaic {
namespace {

constexpr size_t kPage = 4096;
constexpr Placement kPlacements[] = {Placement::kEndsAtGuard, Placement::kBeginsAtGuard};

// Reads one byte; the fault as the executor sees it.
std::optional<MemoryFault> Read(const GuardedMemory& memory, const void* at) {
  const auto trapped = RunTrapped([&] { (void)*static_cast<const volatile uint8_t*>(at); });
  if (!trapped) return std::nullopt;
  EXPECT_EQ(trapped->signal, SIGSEGV);
  EXPECT_EQ(trapped->address, at);
  return memory.Locate(trapped->address, trapped->is_write);
}

std::optional<MemoryFault> Write(const GuardedMemory& memory, const void* at) {
  const auto trapped = RunTrapped([&] { *static_cast<volatile uint8_t*>(const_cast<void*>(at)) = 1; });
  if (!trapped) return std::nullopt;
  EXPECT_EQ(trapped->address, at);
  return memory.Locate(trapped->address, trapped->is_write);
}

const uint8_t* At(const void* buffer, ptrdiff_t offset) { return static_cast<const uint8_t*>(buffer) + offset; }

TEST(GuardedMemory, ShowsOperandsByteForByte) {
  GuardedMemory memory(kPage, 2, 2);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    const std::vector<uint8_t> first = {1, 2, 3}, second = {4, 5};
    const void* a = memory.AddOperand(first);
    const void* b = memory.AddOperand(second);
    EXPECT_EQ(std::memcmp(a, first.data(), 3), 0);
    EXPECT_EQ(std::memcmp(b, second.data(), 2), 0);
  }
}

TEST(GuardedMemory, LeavesNothingOfARunToTheNext) {
  const std::vector<uint8_t> many(kPage, 7), few(4, 7);
  for (const Placement placement : kPlacements) {
    GuardedMemory memory(kPage, 1, 2);
    memory.BeginRun(placement, 0xa5);
    memory.AddOperand(many);
    void* freed = memory.Allocate(kPage, 1);
    memory.Allocate(kPage, 1);
    memory.Free(freed);
    memory.BeginRun(placement, 0xa5);
    const ptrdiff_t beside = placement == Placement::kBeginsAtGuard ? 4 : -1;
    EXPECT_EQ(*At(memory.AddOperand(few), beside), 0);
    EXPECT_EQ(*At(memory.Allocate(4, 1), beside), 0);
    EXPECT_EQ(*At(memory.Allocate(4, 1), beside), 0);
  }
}

TEST(GuardedMemory, RoundsSlotsUpToPages) {
  EXPECT_EQ(GuardedMemory(1, 1, 1).slot_bytes(), kPage);
  EXPECT_EQ(GuardedMemory(kPage + 1, 1, 1).slot_bytes(), 2 * kPage);
}

TEST(GuardedMemory, FaultsOnAWriteToAnOperand) {
  GuardedMemory memory(kPage, 2, 2);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    memory.AddOperand({9});
    const void* operand = memory.AddOperand({1, 2, 3, 4});
    EXPECT_EQ(Write(memory, At(operand, 2)),
              (MemoryFault{.is_write = true, .region = "operand 1", .offset = 2, .region_bytes = 4}));
    EXPECT_EQ(*At(operand, 2), 3);
  }
}

TEST(GuardedMemory, FaultsOnTheGuardedSideOfAnOperand) {
  GuardedMemory memory(kPage, 3, 2);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  const void* operand = memory.AddOperand(std::vector<uint8_t>(12));
  EXPECT_EQ(Read(memory, At(operand, 11)), std::nullopt);
  EXPECT_EQ(Read(memory, At(operand, 12)),
            (MemoryFault{.is_write = false, .region = "operand 0", .offset = 12, .region_bytes = 12}));
  memory.BeginRun(Placement::kBeginsAtGuard, 0xa5);
  operand = memory.AddOperand(std::vector<uint8_t>(12));
  EXPECT_EQ(Read(memory, At(operand, 0)), std::nullopt);
  EXPECT_EQ(Read(memory, At(operand, -4)),
            (MemoryFault{.is_write = false, .region = "operand 0", .offset = -4, .region_bytes = 12}));
}

TEST(GuardedMemory, FaultsOnTheGuardedSideOfAnAllocation) {
  GuardedMemory memory(kPage, 1, 3);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  memory.Allocate(8, 1);
  void* allocation = memory.Allocate(12, 1);
  EXPECT_EQ(Write(memory, At(allocation, 11)), std::nullopt);
  EXPECT_EQ(Write(memory, At(allocation, 12)),
            (MemoryFault{.is_write = true, .region = "allocation 1", .offset = 12, .region_bytes = 12}));
  memory.BeginRun(Placement::kBeginsAtGuard, 0xa5);
  allocation = memory.Allocate(12, 1);
  EXPECT_EQ(Read(memory, At(allocation, -1)),
            (MemoryFault{.is_write = false, .region = "allocation 0", .offset = -1, .region_bytes = 12}));
}

TEST(GuardedMemory, GuardsABufferThatFillsItsSlotOnBothSides) {
  GuardedMemory memory(kPage, 2, 2);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    const void* operand = memory.AddOperand(std::vector<uint8_t>(kPage, 7));
    EXPECT_TRUE(Read(memory, At(operand, -1)).has_value());
    EXPECT_TRUE(Read(memory, At(operand, kPage)).has_value());
  }
}

TEST(GuardedMemory, FillsAllocationsWithThePoisonOfTheRun) {
  GuardedMemory memory(kPage, 1, 2);
  for (uint8_t poison : {0xa5, 0x5c}) {
    for (Placement placement : kPlacements) {
      memory.BeginRun(placement, poison);
      uint8_t* allocation = static_cast<uint8_t*>(memory.Allocate(64, 1));
      for (int i = 0; i < 64; ++i) ASSERT_EQ(allocation[i], poison);
      std::memset(allocation, 0, 64);
    }
  }
}

TEST(GuardedMemory, AlignsAsAsked) {
  GuardedMemory memory(kPage, 1, 8);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    for (size_t alignment : {1, 2, 16, 64, 4096}) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.Allocate(10, alignment)) % alignment, 0u) << alignment;
    }
    EXPECT_NE(memory.Allocate(10, 0), nullptr);  // as malloc would
  }
}

TEST(GuardedMemory, FindsAWriteIntoTheSlackOfAnAlignment) {
  GuardedMemory memory(kPage, 1, 4);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  uint8_t* exact = static_cast<uint8_t*>(memory.Allocate(12, 1));
  uint8_t* aligned = static_cast<uint8_t*>(memory.Allocate(12, 64));
  std::memset(exact, 0, 12);
  std::memset(aligned, 0, 12);
  EXPECT_EQ(memory.FindSlackWrite(), std::nullopt);
  aligned[13] = 0;
  EXPECT_EQ(memory.FindSlackWrite(),
            (MemoryFault{.is_write = true, .region = "allocation 1", .offset = 13, .region_bytes = 12}));
  // The next run starts clean.
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  memory.Allocate(12, 1);
  memory.Allocate(12, 64);
  EXPECT_EQ(memory.FindSlackWrite(), std::nullopt);
}

TEST(GuardedMemory, FindsAWriteIntoTheSlackOfACallerThatAlignsByItself) {
  GuardedMemory memory(kPage, 1, 4);
  for (Placement placement : kPlacements) {
    for (const int64_t offset : {-1, 12}) {
      memory.BeginRun(placement, 0xa5, 64);
      auto* allocated = static_cast<uint8_t*>(memory.Allocate(12 + 64, 1));
      auto* aligned = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(allocated) + 63) / 64 * 64);
      std::memset(aligned, 0, 12);
      EXPECT_EQ(memory.FindSlackWrite(), std::nullopt);
      EXPECT_EQ(memory.BytesFrom(aligned), 12u);
      if (offset < 0 && aligned == allocated) continue;  // no slack in front
      aligned[offset] = 0;
      EXPECT_EQ(memory.FindSlackWrite(),
                (MemoryFault{.is_write = true, .region = "allocation 0", .offset = offset, .region_bytes = 12}));
      EXPECT_TRUE(memory.Release(allocated));
    }
  }
}

TEST(GuardedMemory, CountsLiveAllocations) {
  GuardedMemory memory(kPage, 1, 4);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  void* a = memory.Allocate(4, 1);
  void* b = memory.Allocate(0, 1);
  EXPECT_EQ(memory.live_allocations(), 2u);
  memory.Free(a);
  memory.Free(nullptr);
  EXPECT_EQ(memory.live_allocations(), 1u);
  EXPECT_TRUE(memory.Release(b));
  EXPECT_FALSE(memory.Release(b));
  EXPECT_EQ(memory.live_allocations(), 0u);
  EXPECT_EQ(memory.bad_free(), std::nullopt);
  memory.Allocate(4, 1);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  EXPECT_EQ(memory.live_allocations(), 0u);
}

TEST(GuardedMemory, RecordsTheFirstBadFree) {
  GuardedMemory memory(kPage, 2, 4);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  const void* operand = memory.AddOperand({1, 2, 3, 4});
  memory.Free(const_cast<void*>(operand));
  ASSERT_TRUE(memory.bad_free().has_value());
  EXPECT_EQ(memory.bad_free()->region, "free of operand 0");
  int on_stack = 0;
  memory.Free(&on_stack);
  EXPECT_EQ(memory.bad_free()->region, "free of operand 0");

  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  EXPECT_EQ(memory.bad_free(), std::nullopt);
  memory.Free(&on_stack);
  EXPECT_EQ(memory.bad_free()->region, "free of unknown");

  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  uint8_t* allocation = static_cast<uint8_t*>(memory.Allocate(16, 1));
  memory.Free(allocation + 4);
  EXPECT_EQ(memory.bad_free(),
            (MemoryFault{.is_write = true, .region = "free of allocation 0", .offset = 4, .region_bytes = 16}));
  EXPECT_EQ(memory.live_allocations(), 1u);
}

TEST(GuardedMemory, RecordsADoubleFree) {
  GuardedMemory memory(kPage, 1, 4);
  memory.BeginRun(Placement::kBeginsAtGuard, 0xa5);
  memory.Allocate(16, 1);
  void* allocation = memory.Allocate(16, 1);
  memory.Free(allocation);
  EXPECT_EQ(memory.bad_free(), std::nullopt);
  memory.Free(allocation);
  EXPECT_EQ(memory.bad_free(),
            (MemoryFault{.is_write = true, .region = "free of allocation 1", .offset = 0, .region_bytes = 16}));
}

TEST(GuardedMemory, ClosesAndNamesWhatWasFreed) {
  GuardedMemory memory(kPage, 1, 4);
  memory.BeginRun(Placement::kEndsAtGuard, 0x5c);
  uint8_t* allocation = static_cast<uint8_t*>(memory.Allocate(16, 1));
  std::memset(allocation, 1, 16);
  EXPECT_EQ(memory.FindFreed(allocation), std::nullopt);
  EXPECT_EQ(memory.BytesFrom(allocation + 4), 12u);
  memory.Free(allocation);
  const std::optional<TrappedSignal> trapped = RunTrapped([&] { allocation[15] = 1; });
  ASSERT_TRUE(trapped.has_value());
  EXPECT_EQ(trapped->signal, SIGSEGV);
  EXPECT_EQ(memory.BytesFrom(allocation), 0u);
  EXPECT_EQ(memory.FindFreed(allocation + 4),
            (MemoryFault{.is_write = false, .region = "freed allocation 0", .offset = 4, .region_bytes = 16}));
  EXPECT_EQ(memory.FindFreed(allocation + 16), std::nullopt);
  memory.BeginRun(Placement::kEndsAtGuard, 0x5c);
  static_cast<uint8_t*>(memory.Allocate(16, 1))[15] = 1;
}

TEST(GuardedMemory, RemembersAWriteIntoTheSlackOfWhatWasFreed) {
  GuardedMemory memory(kPage, 1, 4);
  memory.BeginRun(Placement::kEndsAtGuard, 0x5c, 64);
  uint8_t* allocation = static_cast<uint8_t*>(memory.Allocate(64 + 8, 1));
  const auto address = reinterpret_cast<uintptr_t>(allocation);
  allocation[(address + 63) / 64 * 64 - address + 8] = 1;
  memory.Free(allocation);
  EXPECT_EQ(memory.FindSlackWrite(),
            (MemoryFault{.is_write = true, .region = "allocation 0", .offset = 8, .region_bytes = 8}));
  memory.BeginRun(Placement::kEndsAtGuard, 0x5c, 64);
  EXPECT_EQ(memory.FindSlackWrite(), std::nullopt);
}

TEST(GuardedMemory, MeasuresDistancesFromTheNearestBuffer) {
  GuardedMemory memory(kPage, 2, 2);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  const void* first = memory.AddOperand(std::vector<uint8_t>(8));
  const void* second = memory.AddOperand(std::vector<uint8_t>(8));
  EXPECT_EQ(memory.Locate(At(first, 40), false)->region, "operand 0");
  EXPECT_EQ(memory.Locate(At(first, 40), false)->offset, 40);
  EXPECT_EQ(memory.Locate(At(second, -5000), true)->region, "operand 1");
  EXPECT_EQ(memory.Locate(At(second, -5000), true)->offset, -5000);
  EXPECT_EQ(memory.Locate(At(first, 7), false)->offset, 7);
  EXPECT_EQ(memory.Locate(nullptr, false), std::nullopt);
  EXPECT_EQ(memory.Locate(At(second, 1 << 20), false), std::nullopt);
  // The buffers of the last run are nobody's in this one.
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  EXPECT_EQ(memory.Locate(first, false), std::nullopt);
}

TEST(GuardedMemory, NamesTheBufferAroundAnAddress) {
  GuardedMemory memory(kPage, 1, 1);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  const void* operand = memory.AddOperand(std::vector<uint8_t>(8));
  const void* allocation = memory.Allocate(8, 1);
  EXPECT_EQ(memory.NameOf(operand), "operand 0");
  EXPECT_EQ(memory.NameOf(At(allocation, 7)), "allocation 0");
  for (const void* outside : {At(allocation, -1), At(allocation, 8), static_cast<const uint8_t*>(nullptr)}) {
    EXPECT_EQ(memory.NameOf(outside), kNobodysMemory);
  }
}

// The slots lie 64 KiB and a page apart.
TEST(GuardedMemory, ClosesWhatNoBufferUses) {
  constexpr ptrdiff_t kApart = 64 * 1024 + kPage;
  GuardedMemory memory(kPage, 3, 3);
  for (const Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    const void* operand = memory.AddOperand(std::vector<uint8_t>(8));
    void* allocation = memory.Allocate(8, 1);
    for (const ptrdiff_t slots : {1, 2}) {
      EXPECT_TRUE(RunTrapped([&] { (void)*static_cast<const volatile uint8_t*>(At(operand, slots * kApart)); }));
      EXPECT_TRUE(RunTrapped([&] { *const_cast<volatile uint8_t*>(At(allocation, slots * kApart)) = 1; }));
    }
    // What a run has used stays open for the case's next ones, and Forget ends the case.
    memory.AddOperand(std::vector<uint8_t>(8));
    memory.Allocate(8, 1);
    memory.BeginRun(placement, 0xa5);
    operand = memory.AddOperand(std::vector<uint8_t>(8));
    allocation = memory.Allocate(8, 1);
    EXPECT_EQ(Read(memory, At(operand, kApart)), std::nullopt);
    memory.Forget();
    EXPECT_TRUE(RunTrapped([&] { (void)*static_cast<const volatile uint8_t*>(operand); }));
    EXPECT_TRUE(RunTrapped([&] { *static_cast<volatile uint8_t*>(allocation) = 1; }));
  }
}

TEST(GuardedMemory, RunsOutOfSlotsWithoutHarm) {
  GuardedMemory memory(kPage, 1, 2);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  EXPECT_NE(memory.Allocate(kPage, 1), nullptr);
  EXPECT_EQ(memory.Allocate(kPage + 1, 1), nullptr);
  EXPECT_TRUE(memory.asked_for_too_much());
  EXPECT_EQ(memory.failure(), "");
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
  EXPECT_FALSE(memory.asked_for_too_much());
  memory.Allocate(1, 1);
  memory.Allocate(1, 1);
  EXPECT_EQ(memory.failure(), "");
  EXPECT_EQ(memory.Allocate(1, 1), nullptr);
  EXPECT_NE(memory.failure(), "");
  EXPECT_FALSE(memory.asked_for_too_much());
  EXPECT_EQ(memory.live_allocations(), 2u);
}

TEST(GuardedMemory, KnowsWhatNoBufferOfTheRunNeeds) {
  GuardedMemory memory(kPage, 1, 4, 1 << 20);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5, 0, /*counts_stores=*/false, /*most_bytes=*/100);
  EXPECT_NE(memory.Allocate(100, 1), nullptr);
  EXPECT_FALSE(memory.asked_for_too_much());
  EXPECT_EQ(memory.Allocate(101, 1), nullptr);
  EXPECT_TRUE(memory.asked_for_too_much());
}

TEST(GuardedMemory, RefusesAnAlignmentThatTheSlotHasNoRoomFor) {
  GuardedMemory memory(kPage, 1, 4);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    EXPECT_EQ(memory.Allocate(16, 1 << 20), nullptr);
    EXPECT_NE(memory.failure(), "");
  }
}

// ---- The arena ----

constexpr size_t kGuard = 64 * 1024;

TEST(GuardedMemory, GuardsWhatNeedsMoreThanASlotOnBothSides) {
  GuardedMemory memory(kPage, 1, 1, 1 << 20);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    const void* operand = memory.AddOperand(std::vector<uint8_t>(2 * kPage, 7));
    auto* buffer = static_cast<uint8_t*>(memory.Allocate(2 * kPage, 1));
    EXPECT_EQ(*At(operand, 2 * kPage - 1), 7);
    EXPECT_EQ(buffer[0], 0xa5);
    EXPECT_EQ(Write(memory, operand)->region, "operand 0");
    EXPECT_EQ(Write(memory, buffer), std::nullopt);
    for (const ptrdiff_t outside : {ptrdiff_t{-1}, static_cast<ptrdiff_t>(2 * kPage)}) {
      EXPECT_EQ(Read(memory, At(operand, outside))->offset, outside);
      EXPECT_EQ(Write(memory, At(buffer, outside))->offset, outside);
    }
    memory.Free(buffer);
    EXPECT_TRUE(Read(memory, buffer).has_value());
  }
}

// Many small buffers, and large ones among them, lie in each run where they lay in the first.
TEST(GuardedMemory, LaysARunOutByWhatItAsksFor) {
  GuardedMemory memory(kPage, 1, 2, 1 << 20);
  const std::vector<size_t> sizes = {8, 3 * kPage, 8, 8, kPage};
  std::vector<void*> first;
  for (int run = 0; run < 3; ++run) {
    memory.BeginRun(Placement::kEndsAtGuard, 0xa5);
    if (run == 1) {
      EXPECT_NE(memory.Allocate(4 * kPage, 1), nullptr);
      continue;
    }
    std::vector<void*> buffers;
    for (const size_t size : sizes) buffers.push_back(memory.Allocate(size, 1));
    if (run == 0) first = buffers;
    EXPECT_EQ(buffers, first);
    EXPECT_EQ(static_cast<uint8_t*>(buffers[1])[0], 0xa5);
  }
}

TEST(GuardedMemory, SaysThatTheArenaIsFull) {
  GuardedMemory memory(kPage, 1, 0, 2 * kGuard + 2 * kPage);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5);
    EXPECT_EQ(memory.Allocate(2 * kPage + 1, 1), nullptr);
    EXPECT_NE(memory.failure(), "");
    memory.BeginRun(placement, 0xa5);
    EXPECT_NE(memory.Allocate(2 * kPage, 1), nullptr);
    EXPECT_EQ(memory.failure(), "");
    EXPECT_EQ(memory.Allocate(1, 1), nullptr);
    EXPECT_NE(memory.failure(), "");
  }
}

// ---- Counting stores ----

TEST(GuardedMemory, CountsStoresByByte) {
  GuardedMemory memory(kPage, 1, 3);
  for (Placement placement : kPlacements) {
    memory.BeginRun(placement, 0xa5, 0, /*counts_stores=*/true);
    const void* even = memory.Allocate(8, 1);
    const void* uneven = memory.Allocate(8, 1);
    const void* untouched = memory.Allocate(4, 1);
    memory.CountStore(even, 4);
    memory.CountStore(At(even, 4), 4);
    memory.CountStore(uneven, 4);
    memory.CountStore(At(uneven, 2), 4);
    EXPECT_EQ(memory.StoresTo(At(even, 7)), 1u);
    EXPECT_EQ(memory.StoresTo(At(uneven, 1)), 1u);
    EXPECT_EQ(memory.StoresTo(At(uneven, 2)), 2u);
    EXPECT_EQ(memory.StoresTo(At(uneven, 6)), 0u);
    EXPECT_EQ(memory.StoresTo(untouched), 0u);
    EXPECT_EQ(memory.FindUnevenStores(),
              (std::vector<UnevenStores>{{"allocation 1", 8, 2, 2, 2, 2}, {"allocation 2", 4, 4, 0, -1, 0}}));
  }
}

TEST(GuardedMemory, CountsOnlyWhatLiesInABuffer) {
  GuardedMemory memory(kPage, 1, 2);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5, 0, /*counts_stores=*/true);
  const void* buffer = memory.Allocate(4, 1);
  int elsewhere = 0;
  memory.CountStore(&elsewhere, sizeof(elsewhere));
  memory.CountStore(At(buffer, -2), 8);
  EXPECT_TRUE(memory.FindUnevenStores().empty());
}

TEST(GuardedMemory, BeginsEachRunWithoutStores) {
  GuardedMemory memory(kPage, 1, 1);
  for (int run = 0; run < 2; ++run) {
    memory.BeginRun(Placement::kEndsAtGuard, 0xa5, 0, /*counts_stores=*/true);
    const void* buffer = memory.Allocate(4, 1);
    EXPECT_EQ(memory.StoresTo(buffer), 0u);
    memory.CountStore(buffer, 4);
    EXPECT_EQ(memory.StoresTo(buffer), 1u);
  }
}

TEST(GuardedMemory, WhatIsZeroedLeavesTheSlackOfAnAlignmentAlone) {
  GuardedMemory memory(kPage, 1, 2);
  memory.BeginRun(Placement::kEndsAtGuard, 0xa5, /*alignment=*/64);
  const void* pointer = memory.Allocate(96, 1, /*zeroed=*/true);
  EXPECT_EQ(memory.FindSlackWrite(), std::nullopt);
  size_t zeros = 0;
  for (ptrdiff_t i = 0; i < 96; ++i) zeros += *At(pointer, i) == 0 ? 1 : 0;
  EXPECT_EQ(zeros, 32u);
}

}  // namespace
}  // namespace tosaic
