// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of MLIR is watched unless one asks for more, and what of it no case of ours can reach.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_WATCH_LIST_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_WATCH_LIST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

// The functions whose names (toolchain/coverage/function_names.h) a glob matches.
struct WatchPattern {
  std::string group;  // "fold"
  std::string glob;   // "mlir::tosa::{AddOp,SubOp}::fold*"
};

// Folders, verifiers, inference and canonicalization of the catalogue's ops, their lowering to linalg, and TOSA's
// transforms that routes run.
std::vector<WatchPattern> DefaultWatchList();

// Functions that are watched and that no case enters.
struct Unreachable {
  absl::string_view glob;
  absl::string_view reason;
};
absl::Span<const Unreachable> UnreachableFunctions();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_WATCH_LIST_H_
