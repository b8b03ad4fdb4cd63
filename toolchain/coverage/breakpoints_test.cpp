// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/breakpoints.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>

#include "absl/algorithm/container.h"
#include "gtest/gtest.h"
#include "toolchain/coverage/block_finder.h"
#include "toolchain/coverage/library_image.h"
#include "toolchain/coverage/loaded_library.h"
#include "toolchain/coverage/watched_library_testing.h"

namespace tosaic {
namespace {

#if defined(__x86_64__)

// All blocks of some functions of the small library, ascending.
std::vector<uintptr_t> BlocksOf(const std::vector<std::string>& symbols) {
  CodeOf("Choose");  // loads it
  const absl::StatusOr<LoadedLibrary> library = FindLoadedLibrary(kWatchedLibrary);
  const auto image = LibraryImage::Open(library->file);
  const auto finder = BlockFinder::Create(**image);
  std::vector<uintptr_t> blocks;
  for (const LibraryFunction& function : (*image)->functions()) {
    if (!symbols.empty() && !absl::c_linear_search(symbols, function.symbol)) continue;
    const auto found = (*finder)->BlocksOf(function);
    if (!found.ok()) continue;  // one does not let itself be followed
    for (const CodeBlock& block : *found) blocks.push_back(library->bias + block.address);
  }
  return blocks;
}

std::vector<int> Seen(const Breakpoints& breakpoints, size_t count) {
  std::vector<int> seen;
  for (size_t i = 0; i < count; ++i) {
    if (breakpoints.IsSeen(i)) seen.push_back(static_cast<int>(i) + 1);
  }
  return seen;
}

// Its exit status, or 128 + the signal that ended it.
int InChild(const std::function<int()>& body) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(Breakpoints, SeeTheBlocksOfEachWay) {
  const FunctionOfInt known = CodeOf("KnownBlocks");
  const std::vector<uintptr_t> blocks = BlocksOf({"KnownBlocks"});
  const auto breakpoints = Breakpoints::Arm(blocks);
  ASSERT_TRUE(breakpoints.ok()) << breakpoints.status();
  EXPECT_EQ(known(0), 1);
  EXPECT_EQ(Seen(**breakpoints, blocks.size()), (std::vector<int>{1, 2}));
  EXPECT_EQ(known(2), 30);
  EXPECT_EQ(Seen(**breakpoints, blocks.size()), (std::vector<int>{1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(known(9), 21);
  EXPECT_EQ(Seen(**breakpoints, blocks.size()), (std::vector<int>{1, 2, 3, 4, 6, 7, 8}));
  EXPECT_EQ(known(1), 20);
  EXPECT_EQ(Seen(**breakpoints, blocks.size()).size(), 8u);
}

// Switches, loops and a local function, as the compiler has made them: results are the same, and all is seen.
TEST(Breakpoints, ChangeNoResult) {
  const char* const names[] = {"Choose", "SumBelow", "CallLocal", "KnownBlocks"};
  const auto results = [&] {
    std::vector<int> all;
    for (const char* name : names) {
      for (int i = -2; i < 20; ++i) all.push_back(CodeOf(name)(i));
    }
    return all;
  };
  const std::vector<int> before = results();
  const std::vector<uintptr_t> blocks = BlocksOf({"Choose", "SumBelow", "CallLocal", "KnownBlocks"});
  ASSERT_GT(blocks.size(), 20u);
  const std::vector<uintptr_t> all_blocks = BlocksOf({});
  const auto breakpoints = Breakpoints::Arm(all_blocks);
  ASSERT_TRUE(breakpoints.ok()) << breakpoints.status();
  EXPECT_EQ(results(), before);
  EXPECT_EQ(results(), before);
  EXPECT_GE(Seen(**breakpoints, all_blocks.size()).size(), blocks.size());
}

TEST(Breakpoints, AreSeenFromForkedProcessesAndStayArmedInThisOne) {
  const FunctionOfInt known = CodeOf("KnownBlocks");
  const std::vector<uintptr_t> blocks = BlocksOf({"KnownBlocks"});
  const auto breakpoints = Breakpoints::Arm(blocks);
  ASSERT_TRUE(breakpoints.ok()) << breakpoints.status();
  const auto is_armed = [&](size_t i) { return *reinterpret_cast<const volatile uint8_t*>(blocks[i]) == 0xcc; };
  EXPECT_EQ(InChild([&] { return known(0) + (is_armed(0) ? 10 : 0); }), 1);
  EXPECT_EQ(Seen(**breakpoints, blocks.size()), (std::vector<int>{1, 2}));
  EXPECT_TRUE(is_armed(0));
  EXPECT_EQ(InChild([&] { return InChild([&] { return known(2); }); }), 30);
  (*breakpoints)->DisarmSeen();
  EXPECT_FALSE(is_armed(0));
  EXPECT_TRUE(is_armed(7));
  EXPECT_EQ(Seen(**breakpoints, blocks.size()).size(), 6u);
}

TEST(Breakpoints, HitsThatAreTakenAreArmedAgainAndThoseDisarmedAreNotHit) {
  using Hits = std::vector<uint32_t>;
  const FunctionOfInt known = CodeOf("KnownBlocks");
  const auto breakpoints = Breakpoints::Arm(BlocksOf({"KnownBlocks"}));
  ASSERT_TRUE(breakpoints.ok()) << breakpoints.status();
  known(0);
  known(0);
  EXPECT_EQ((*breakpoints)->TakeHits(), (Hits{0, 1}));
  EXPECT_EQ((*breakpoints)->TakeHits(), Hits());
  known(2);
  EXPECT_EQ((*breakpoints)->TakeHits(), (Hits{0, 2, 3, 5, 6}));
  (*breakpoints)->Disarm({0, 1, 3});
  known(2);
  EXPECT_EQ((*breakpoints)->TakeHits(), (Hits{2, 5, 6}));
  // Those that were hit before they were disarmed, too: a campaign's parent never takes what its warm-up case hit.
  known(2);
  (*breakpoints)->Disarm({2});
  EXPECT_EQ((*breakpoints)->TakeHits(), (Hits{5, 6}));
  known(2);
  EXPECT_EQ((*breakpoints)->TakeHits(), (Hits{5, 6}));
  // A process has its own hits, and leaves those of others alone.
  EXPECT_EQ(InChild([&] {
              known(0);
              return (*breakpoints)->TakeHits().empty() ? known(0) : 99;
            }),
            1);
  EXPECT_EQ((*breakpoints)->TakeHits(), Hits());
}

TEST(Breakpoints, ThreadsMayComeByTogether) {
  const FunctionOfInt choose = CodeOf("Choose");
  for (int round = 0; round < 20; ++round) {
    const std::vector<uintptr_t> all_blocks = BlocksOf({});
    const auto breakpoints = Breakpoints::Arm(all_blocks);
    ASSERT_TRUE(breakpoints.ok()) << breakpoints.status();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] { wrong += choose(0) == 45 && choose(5) == (15 ^ 21) ? 0 : 1; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Breakpoints, LeaveNothingBehind) {
  const std::vector<uintptr_t> blocks = BlocksOf({"SumBelow"});
  std::vector<uint8_t> bytes;
  for (const uintptr_t block : blocks) bytes.push_back(*reinterpret_cast<const uint8_t*>(block));
  {
    ASSERT_TRUE(Breakpoints::Arm(blocks).ok());
  }
  for (size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(*reinterpret_cast<const uint8_t*>(blocks[i]), bytes[i]);
  EXPECT_EQ(InChild([] { return raise(SIGTRAP); }), 128 + SIGTRAP);
}

TEST(Breakpoints, ATrapOfAnotherGoesToWhoeverHandledItBefore) {
  const auto breakpoints = Breakpoints::Arm(BlocksOf({"SumBelow"}));
  ASSERT_TRUE(breakpoints.ok()) << breakpoints.status();
  EXPECT_EQ(InChild([] { return raise(SIGTRAP); }), 128 + SIGTRAP);
  EXPECT_EQ(InChild([] {
              __asm__ volatile("int3");
              return 0;
            }),
            128 + SIGTRAP);
}

#endif

}  // namespace
}  // namespace tosaic
