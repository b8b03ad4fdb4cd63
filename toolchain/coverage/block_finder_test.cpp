// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/block_finder.h"

#include "absl/algorithm/container.h"
#include "gtest/gtest.h"
#include "toolchain/coverage/library_image.h"
#include "toolchain/coverage/loaded_library.h"
#include "toolchain/coverage/watched_library_testing.h"

namespace tosaic {
namespace {

std::unique_ptr<LibraryImage> OpenWatched() {
  absl::StatusOr<std::unique_ptr<LibraryImage>> image = LibraryImage::Open(TOSAIC_WATCHED_LIBRARY);
  EXPECT_TRUE(image.ok()) << image.status();
  return *std::move(image);
}

const LibraryFunction& FunctionOf(const LibraryImage& image, absl::string_view symbol) {
  const auto found =
      absl::c_find_if(image.functions(), [&](const auto& function) { return function.symbol == symbol; });
  EXPECT_NE(found, image.functions().end()) << symbol;
  return *found;
}

std::vector<uint64_t> BlocksOf(const LibraryImage& image, absl::string_view symbol) {
  const LibraryFunction& function = FunctionOf(image, symbol);
  const auto finder = BlockFinder::Create(image);
  EXPECT_TRUE(finder.ok()) << finder.status();
  const auto blocks = (*finder)->BlocksOf(function);
  EXPECT_TRUE(blocks.ok()) << blocks.status();
  std::vector<uint64_t> offsets;
  for (const CodeBlock& block : *blocks) offsets.push_back(block.address - function.address);
  return offsets;
}

TEST(LibraryImage, HasTheExportedFunctions) {
  const auto image = OpenWatched();
  EXPECT_TRUE(FunctionOf(*image, "Choose").is_strong);
  EXPECT_EQ(image->FunctionAt(FunctionOf(*image, "Choose").address), &FunctionOf(*image, "Choose"));
  EXPECT_EQ(image->FunctionAt(FunctionOf(*image, "Choose").address + 1), nullptr);
}

TEST(LibraryImage, SaysWhatAFileLacks) {
  EXPECT_FALSE(LibraryImage::Open("/no/such/library").ok());
  EXPECT_FALSE(LibraryImage::Open(TOSAIC_SOURCE_DIR "/README.md").ok());
  EXPECT_EQ(FindLoadedLibrary("libnone").status().message(), "no library libnone is loaded: is it linked statically?");
}

#if defined(__x86_64__)
TEST(BlockFinder, FindsTheBlocksThatAreKnown) {
  const auto image = OpenWatched();
  // Behind endbr64; after the first jump; behind the alignment; after the second jump; then what the table has, their
  // common end, and the tail call. Neither the trap nor padding.
  EXPECT_EQ(BlocksOf(*image, "KnownBlocks"), (std::vector<uint64_t>{4, 8, 32, 37, 58, 65, 79, 80}));
}

TEST(BlockFinder, AJumpIntoAnInstructionIsNotFollowed) {
  const auto image = OpenWatched();
  const auto finder = BlockFinder::Create(*image);
  const auto blocks = (*finder)->BlocksOf(FunctionOf(*image, "JumpsIntoAnInstruction"));
  EXPECT_FALSE(blocks.ok());
}

TEST(BlockFinder, SaysWhatABlockCallsAlsoALocalFunction) {
  const auto image = OpenWatched();
  const auto finder = BlockFinder::Create(*image);
  const auto blocks = (*finder)->BlocksOf(FunctionOf(*image, "CallLocal"));
  ASSERT_TRUE(blocks.ok());
  const auto is_local = [&](uint64_t address) {
    const LibraryFunction* called = image->FunctionAt(address);
    return called != nullptr && called->symbol.empty();
  };
  EXPECT_TRUE(absl::c_any_of(*blocks, [&](const CodeBlock& block) { return absl::c_any_of(block.calls, is_local); }));
}

// Every function of the real library: what cannot be followed is rare, and hand-written if anything.
TEST(BlockFinder, FollowsMlirItself) {
  const absl::StatusOr<LoadedLibrary> library = FindLoadedLibrary("libMLIR.so");
  if (!library.ok()) GTEST_SKIP() << library.status();
  const auto image = LibraryImage::Open(library->file);
  ASSERT_TRUE(image.ok()) << image.status();
  const auto finder = BlockFinder::Create(**image);
  uint64_t blocks = 0, functions = 0;
  for (size_t i = 0; i < (*image)->functions().size(); i += 7) {  // a sample, for the time's sake
    const auto found = (*finder)->BlocksOf((*image)->functions()[i]);
    EXPECT_TRUE(found.ok()) << std::hex << (*image)->functions()[i].address << ": " << found.status();
    if (found.ok()) blocks += found->size();
    ++functions;
  }
  EXPECT_GT(functions, 1000u);
  EXPECT_GT(blocks, functions);
}
#endif

}  // namespace
}  // namespace tosaic
