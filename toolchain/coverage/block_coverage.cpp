// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/coverage/block_coverage.h"

#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "codec/status.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include "model/digest.h"
#include "toolchain/coverage/block_finder.h"
#include "toolchain/coverage/function_names.h"
#include "toolchain/coverage/library_image.h"
#include "toolchain/coverage/loaded_library.h"

namespace tosaic {
namespace {

struct Row {
  std::string group;
  llvm::GlobPattern glob;
};

absl::StatusOr<std::vector<Row>> RowsOf(const std::vector<WatchPattern>& list) {
  constexpr size_t kMostAlternatives = 1024;  // of braces in a glob
  std::vector<Row> rows;
  for (const WatchPattern& pattern : list) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern.glob, kMostAlternatives);
    if (!glob) {
      return absl::InvalidArgumentError(absl::StrCat("'", pattern.glob, "': ", llvm::toString(glob.takeError())));
    }
    rows.push_back({pattern.group, *std::move(glob)});
  }
  return rows;
}

// A library that is looked at.
struct Subject {
  LoadedLibrary library;
  std::unique_ptr<LibraryImage> image;
  std::vector<std::string> names;  // of its functions

  // "": it has none.
  std::string NameOf(uint64_t address) const {
    if (const LibraryFunction* function = image->FunctionAt(address)) {
      return names[static_cast<size_t>(function - image->functions().data())];
    }
    const std::string symbol = image->SymbolCalledThrough(address);
    return symbol.empty() ? "" : PlainName(symbol);
  }
  // Whether the code is still what its file says: a library that was replaced meanwhile is another one.
  bool IsAsInFile(const LibraryFunction& function) const {
    const absl::Span<const uint8_t> code = image->Constant(function.address, function.size);
    return std::memcmp(reinterpret_cast<const void*>(library.bias + function.address), code.data(), code.size()) == 0;
  }
};

absl::StatusOr<Subject> Open(absl::string_view library) {
  Subject subject;
  TOSAIC_ASSIGN_OR_RETURN(subject.library, FindLoadedLibrary(library));
  TOSAIC_ASSIGN_OR_RETURN(subject.image, LibraryImage::Open(subject.library.file));
  subject.names = FunctionNames(*subject.image, subject.library.bias);
  return subject;
}

// Where a function ends whose stack was overwritten: no case comes by as long as the compiler is right.
bool IsStackGuard(const Subject& subject, const CodeBlock& block) {
  return block.calls.size() == 1 && subject.NameOf(block.calls.front()) == "__stack_chk_fail";
}

WatchedFunction FunctionOf(const Subject& subject, const LibraryFunction& function,
                           const std::vector<CodeBlock>& blocks) {
  WatchedFunction watched{.name = subject.NameOf(function.address), .address = function.address};
  for (const CodeBlock& block : blocks) {
    watched.blocks.push_back({.offset = block.address - function.address});
    for (const uint64_t call : block.calls) {
      if (std::string name = subject.NameOf(call); !name.empty())
        watched.blocks.back().calls.push_back(std::move(name));
    }
  }
  return watched;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BlockCoverage>> BlockCoverage::Watch(absl::string_view library,
                                                                    const std::vector<WatchPattern>& list) {
  TOSAIC_ASSIGN_OR_RETURN(const std::vector<Row> rows, RowsOf(list));
  TOSAIC_ASSIGN_OR_RETURN(const Subject subject, Open(library));
  TOSAIC_ASSIGN_OR_RETURN(const std::unique_ptr<BlockFinder> finder, BlockFinder::Create(*subject.image));
  std::unique_ptr<BlockCoverage> coverage(new BlockCoverage);
  coverage->library_ = subject.library.file;
  std::vector<uintptr_t> blocks;
  for (size_t i = 0; i < subject.names.size(); ++i) {
    const auto row = absl::c_find_if(rows, [&](const Row& row) { return row.glob.match(subject.names[i]); });
    if (row == rows.end()) continue;
    const LibraryFunction& function = subject.image->functions()[i];
    if (!subject.IsAsInFile(function)) {
      return absl::FailedPreconditionError(
          absl::StrCat(subject.library.file, ": it has been replaced since it was loaded"));
    }
    absl::StatusOr<std::vector<CodeBlock>> found = finder->BlocksOf(function);
    if (!found.ok()) {
      coverage->left_out_.push_back(absl::StrCat(subject.names[i], ": ", found.status().message()));
      continue;
    }
    std::erase_if(*found, [&](const CodeBlock& block) { return IsStackGuard(subject, block); });
    for (const CodeBlock& block : *found) blocks.push_back(subject.library.bias + block.address);
    coverage->functions_.push_back(FunctionOf(subject, function, *found));
    coverage->functions_.back().group = row->group;
  }
  coverage->count_ = static_cast<uint32_t>(blocks.size());
  TOSAIC_ASSIGN_OR_RETURN(coverage->breakpoints_, Breakpoints::Arm(std::move(blocks)));
  return coverage;
}

std::string BlockCoverage::name() const {
  std::string addresses;
  for (const WatchedFunction& function : functions_) {
    for (const WatchedBlock& block : function.blocks) absl::StrAppend(&addresses, function.address + block.offset, " ");
  }
  return absl::StrFormat("%s %016x", std::filesystem::path(library_).filename().string(), Digest(addresses));
}

std::vector<WatchedFunction> BlockCoverage::Functions() const {
  std::vector<WatchedFunction> functions = functions_;
  size_t i = 0;
  for (WatchedFunction& function : functions) {
    for (WatchedBlock& block : function.blocks) block.is_seen = breakpoints_->IsSeen(i++);
  }
  return functions;
}

}  // namespace tosaic
