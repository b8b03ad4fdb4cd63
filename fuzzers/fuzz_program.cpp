// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer target: the whole chain on case files: a corpus is readable, and an artifact is a case for `tosaic check`.
// Inputs are mutated by the table of mutation/, and guided by the basic blocks of MLIR that they reach.
#include <cstdio>
#include <cstring>
#include <memory>

#include "campaign/campaign.h"
#include "fuzzers/case_mutation.h"
#include "fuzzers/features.h"
#include "fuzzers/fuzz_one.h"
#include "toolchain/coverage/block_coverage.h"
#include "toolchain/mlir/mlir_toolchain.h"

namespace tosaic {
namespace {

const GeneratorOptions& Options() {
  static const GeneratorOptions options = {
      .runs = 3, .max_elements = 256, .routes = MixedRoutes(RoutesInProcess()), .illegal_percent = 10};
  return options;
}

absl::string_view Text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// Null, which is said, where blocks cannot be watched: then names guide alone.
BlockWatcher* Eyes() {
  static const std::unique_ptr<BlockCoverage> eyes = [] {
    absl::StatusOr<std::unique_ptr<BlockCoverage>> watched = BlockCoverage::Watch(kMlirLibrary, GuidingWatchList());
    if (watched.ok()) return *std::move(watched);
    std::fprintf(stderr, "tosaic: no blocks are watched: %s\n", std::string(watched.status().message()).c_str());
    return std::unique_ptr<BlockCoverage>();
  }();
  return eyes.get();
}

// The input that reaches a block first is the one that libFuzzer keeps for it: for others it costs nothing.
void LightNewBlocks(BlockWatcher& eyes) {
  const std::vector<uint32_t> blocks = eyes.Take();
  for (const uint32_t block : blocks) LightBlock(block);
  eyes.Forget(blocks);
}

size_t Copied(const std::string& text, uint8_t* out) {
  std::memcpy(out, text.data(), text.size());
  return text.size();
}

}  // namespace
}  // namespace tosaic

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static tosaic::FuzzOne fuzz(/*inputs_per_toolchain=*/1000);
  static tosaic::BlockWatcher* const eyes = tosaic::Eyes();
  const std::optional<tosaic::Case> test_case = tosaic::CaseInInput(tosaic::Text(data, size));
  if (!test_case) return -1;  // not for the corpus
  fuzz.Try(*test_case);
  if (eyes != nullptr) tosaic::LightNewBlocks(*eyes);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return tosaic::Copied(tosaic::MutatedInput(tosaic::Text(data, size), "", seed, tosaic::Options(), most), data);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t size_of_one, const uint8_t* other,
                                            size_t size_of_other, uint8_t* out, size_t most, unsigned seed) {
  return tosaic::Copied(tosaic::MutatedInput(tosaic::Text(one, size_of_one), tosaic::Text(other, size_of_other), seed,
                                             tosaic::Options(), most),
                        out);
}
