// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockCoverage: tells which basic blocks of a loaded library's functions this process, and those that it forks,
// execute. It works on the installed library, which needs no instrumentation.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_COVERAGE_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_COVERAGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "toolchain/block_watcher.h"
#include "toolchain/coverage/breakpoints.h"
#include "toolchain/coverage/watch_list.h"

namespace tosaic {

struct WatchedBlock {
  uint64_t offset = 0;             // from the function's beginning
  std::vector<std::string> calls;  // the names of the functions that it calls, as far as they are known
  bool is_seen = false;
};

struct WatchedFunction {
  std::string group;
  std::string name;
  uint64_t address = 0;  // in the library's file
  std::vector<WatchedBlock> blocks;
};

class BlockCoverage : public BlockWatcher {
 public:
  // Watches the functions that the list matches from now on; the first matching row of the list counts. Errors, in one
  // line: this machine or library does not allow it, or a glob is malformed. REQUIRES: as for Breakpoints::Arm.
  static absl::StatusOr<std::unique_ptr<BlockCoverage>> Watch(absl::string_view library,
                                                              const std::vector<WatchPattern>& list);

  // Sorted by address, with the blocks that have been executed so far.
  std::vector<WatchedFunction> Functions() const;
  // Functions that the list matches, but whose code could not be followed.
  const std::vector<std::string>& left_out() const { return left_out_; }

  // Sorted by address, numbered as in Functions().
  uint32_t count() const override { return count_; }
  std::string name() const override;
  std::vector<uint32_t> Take() override { return breakpoints_->TakeHits(); }
  void Forget(absl::Span<const uint32_t> blocks) override { breakpoints_->Disarm(blocks); }

  // The file that is watched.
  const std::string& library() const { return library_; }
  Breakpoints& breakpoints() { return *breakpoints_; }

 private:
  BlockCoverage() = default;

  std::string library_;
  std::vector<WatchedFunction> functions_;
  uint32_t count_ = 0;
  std::vector<std::string> left_out_;
  std::unique_ptr<Breakpoints> breakpoints_;
};

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_BLOCK_COVERAGE_H_
