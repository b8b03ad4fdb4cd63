// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/block_coverage.h"

#include <iterator>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "toolchain/coverage/function_names.h"
#include "toolchain/coverage/library_image.h"
#include "toolchain/coverage/loaded_library.h"
#include "toolchain/coverage/watched_library_testing.h"

namespace tosaic {
namespace {

TEST(FunctionNames, ArePlain) {
  EXPECT_EQ(PlainName("_ZN4mlir4tosa5AddOp4foldENS0_19AddOpGenericAdaptorIN4llvm8ArrayRefINS_9AttributeEEEEE"),
            "mlir::tosa::AddOp::fold");
  EXPECT_EQ(PlainName("KnownBlocks"), "KnownBlocks");
}

#if defined(__x86_64__)

std::vector<size_t> Reached(const BlockCoverage& coverage) {
  std::vector<size_t> reached;
  for (const WatchedFunction& function : coverage.Functions()) {
    reached.push_back(
        static_cast<size_t>(absl::c_count_if(function.blocks, [](auto& block) { return block.is_seen; })));
  }
  return reached;
}

TEST(BlockCoverage, CountsTheBlocksOfWhatIsWatched) {
  const FunctionOfInt known = CodeOf("KnownBlocks");
  const auto coverage = BlockCoverage::Watch(kWatchedLibrary, {{"first", "Known*"}, {"second", "{Known,Sum}*"}});
  ASSERT_TRUE(coverage.ok()) << coverage.status();
  std::map<std::string, std::string> groups;
  for (const WatchedFunction& function : (*coverage)->Functions()) groups[function.name] = function.group;
  EXPECT_EQ(groups["KnownBlocks"], "first");
  EXPECT_EQ(groups["SumBelow"], "second");
  EXPECT_EQ(groups.count("Choose"), 0u);
  const auto before = Reached(**coverage);
  EXPECT_EQ(absl::c_count(before, 0u), static_cast<ptrdiff_t>(before.size()));
  EXPECT_EQ(known(2), 30);
  for (const WatchedFunction& function : (*coverage)->Functions()) {
    if (function.name != "KnownBlocks") continue;
    std::vector<bool> seen;
    for (const WatchedBlock& block : function.blocks) seen.push_back(block.is_seen);
    EXPECT_EQ(seen, (std::vector<bool>{true, false, true, true, false, true, true, false}));
  }
}

TEST(BlockCoverage, NamesWhatABlockCallsWithinTheLibraryAndThroughItsStubs) {
  CodeOf("Choose");
  const auto coverage = BlockCoverage::Watch(kWatchedLibrary, {{"", "Choose"}});
  ASSERT_TRUE(coverage.ok()) << coverage.status();
  std::vector<std::string> calls;
  const std::vector<WatchedFunction> functions = (*coverage)->Functions();
  for (const WatchedBlock& block : functions.front().blocks) {
    absl::c_copy(block.calls, std::back_inserter(calls));
  }
  EXPECT_TRUE(absl::c_linear_search(calls, "SumBelow"));
  EXPECT_TRUE(absl::c_linear_search(calls, "CallLocal"));
}

TEST(BlockCoverage, LeavesOutStackGuards) {
  const FunctionOfInt guarded = CodeOf("Guarded");
  const auto coverage = BlockCoverage::Watch(kWatchedLibrary, {{"", "Guarded"}});
  ASSERT_TRUE(coverage.ok()) << coverage.status();
  EXPECT_EQ(guarded(1), 2);
  const std::vector<WatchedFunction> functions = (*coverage)->Functions();
  EXPECT_EQ(functions.front().blocks.size(), 2u);
  EXPECT_EQ(Reached(**coverage), std::vector<size_t>{2});
}

TEST(BlockCoverage, SaysWhatCouldNotBeFollowed) {
  CodeOf("Choose");
  const auto coverage = BlockCoverage::Watch(kWatchedLibrary, {{"", "Jumps*"}});
  ASSERT_TRUE(coverage.ok()) << coverage.status();
  EXPECT_TRUE((*coverage)->Functions().empty());
  ASSERT_EQ((*coverage)->left_out().size(), 1u);
  EXPECT_TRUE(absl::StartsWith((*coverage)->left_out()[0], "JumpsIntoAnInstruction: a jump into the instruction"));
}

TEST(BlockCoverage, SaysWhereItCannotWork) {
  EXPECT_EQ(BlockCoverage::Watch("libnone.so", {}).status().message(),
            "no library libnone.so is loaded: is it linked statically?");
  EXPECT_FALSE(BlockCoverage::Watch(kWatchedLibrary, {{"", "[z-a"}}).ok());
}

TEST(BlockCoverage, OfMlirEveryRowOfTheListIsThere) {
  if (!FindLoadedLibrary("libMLIR.so").ok()) GTEST_SKIP() << "MLIR is linked statically";
  const std::vector<WatchPattern> list = DefaultWatchList();
  const auto coverage = BlockCoverage::Watch("libMLIR.so", list);
  ASSERT_TRUE(coverage.ok()) << coverage.status();
  EXPECT_EQ((*coverage)->left_out(), std::vector<std::string>());
  std::map<std::string, size_t> blocks;  // by group
  std::vector<std::string> names;
  for (const WatchedFunction& function : (*coverage)->Functions()) {
    blocks[function.group] += function.blocks.size();
    names.push_back(function.name);
  }
  for (const WatchPattern& row : list) EXPECT_GT(blocks[row.group], 0u) << row.glob;
  for (const char* name : {"mlir::tosa::AddOp::fold", "mlir::tosa::AddOp::fold [local ", "mlir::tosa::ClampOp::verify",
                           "(anonymous namespace)::PointwiseConverter<mlir::tosa::AddOp> [virtual "}) {
    EXPECT_TRUE(absl::c_any_of(names, [&](const std::string& candidate) { return absl::StartsWith(candidate, name); }))
        << name;
  }
}

#endif

}  // namespace
}  // namespace tosaic
