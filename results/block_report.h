// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BlockReport: the result of `tosaic coverage` as a plain value: for each watched function of MLIR, the basic blocks
// that the cases reached.
#ifndef TOSAIC_RESULTS_BLOCK_REPORT_H_
#define TOSAIC_RESULTS_BLOCK_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codec/visitor.h"
#include "model/provenance.h"

namespace tosaic {

struct UnreachedBlock {
  uint64_t offset = 0;             // from the function's beginning, in bytes
  std::vector<std::string> calls;  // what it would call
};
void Fields(Visitor& v, UnreachedBlock& block);

struct FunctionBlocks {
  std::string group;  // "fold"
  std::string name;
  uint64_t address = 0;  // in the library's file
  uint64_t blocks = 0;
  uint64_t reached = 0;
  std::string unreachable;  // not empty: why no case enters it
  std::vector<UnreachedBlock> unreached;
};
void Fields(Visitor& v, FunctionBlocks& function);

// Totals over some functions, without those that are known to be unreachable.
struct BlockTotals {
  uint64_t functions = 0;
  uint64_t never_entered = 0;
  uint64_t blocks = 0;
  uint64_t reached = 0;
};
void Fields(Visitor& v, BlockTotals& totals);
BlockTotals TotalsOf(const std::vector<FunctionBlocks>& functions, const std::string& group = "");  // "": of all groups

struct BlockReport {
  Provenance provenance;
  std::string library;  // "libMLIR.so.22.1"
  std::string of;       // which cases: "seed 1"
  std::string route;    // empty: each case has its own
  uint64_t cases = 0;
  uint64_t deaths = 0;                    // cases that killed their process
  std::vector<FunctionBlocks> functions;  // never entered first, then by how many blocks are not reached
  std::vector<std::string> left_out;      // functions that cannot be watched, and why
  bool interrupted = false;
  double startup_seconds = 0;
  double elapsed_seconds = 0;
};
// The result file.
void Fields(Visitor& v, BlockReport& report);

// In the order in which they are shown.
void SortForReaders(std::vector<FunctionBlocks>* functions);
// Sorted.
std::vector<std::string> GroupsOf(const std::vector<FunctionBlocks>& functions);

// For people. `all_blocks`: with each block that is not reached.
std::string FunctionsToText(const std::vector<FunctionBlocks>& functions, bool all_blocks);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_BLOCK_REPORT_H_
