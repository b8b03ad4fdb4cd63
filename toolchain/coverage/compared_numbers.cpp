// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/compared_numbers.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/status/status.h"
#include "codec/status.h"
#include "model/sort_unique.h"
#include "toolchain/coverage/block_finder.h"
#include "toolchain/coverage/library_image.h"

namespace tosaic {

absl::StatusOr<std::vector<int64_t>> ComparedNumbers(const std::string& file) {
  constexpr int64_t kLeast = 9, kGreatest = 1 << 20;
  constexpr uintmax_t kMostBytes = 32 << 20;
  std::error_code error;
  if (std::filesystem::file_size(file, error) > kMostBytes && !error) {
    return absl::ResourceExhaustedError("it is too large to be read in a second");
  }
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<LibraryImage> image, LibraryImage::Open(file));
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<BlockFinder> finder, BlockFinder::Create(*image));
  std::vector<int64_t> numbers;
  for (const LibraryFunction& function : image->functions()) {
    if (!function.symbol.empty() && !function.is_strong) continue;
    const absl::StatusOr<std::vector<CodeBlock>> blocks = finder->BlocksOf(function);
    if (!blocks.ok()) continue;  // code that cannot be followed only says nothing
    for (const CodeBlock& block : *blocks) {
      for (const int64_t number : block.compared) {
        if (number >= kLeast && number <= kGreatest) numbers.push_back(number);
      }
    }
  }
  SortUnique(&numbers);
  return numbers;
}

}  // namespace tosaic
