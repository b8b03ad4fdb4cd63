// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of MLIR that are watched by default, and those of them that no case can reach.
#ifndef TOSAIC_TOOLCHAIN_COVERAGE_WATCH_LIST_H_
#define TOSAIC_TOOLCHAIN_COVERAGE_WATCH_LIST_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tosaic {

// The library that is watched, as its file's name begins.
inline constexpr char kMlirLibrary[] = "libMLIR.so";

// The class that MLIR has for an op of the catalogue: ArithmeticRightShiftOp for "arithmetic_right_shift".
std::string ClassOf(absl::string_view op);

// The functions whose names (toolchain/coverage/function_names.h) a glob matches.
struct WatchPattern {
  std::string group;  // "fold"
  std::string glob;   // "mlir::tosa::{AddOp,SubOp}::fold*"
};

// Folders, verifiers, inference and canonicalization of the catalogue's ops, their lowering to linalg, TOSA's
// transforms that routes run, and of the dialects behind it folders and passes that they run.
std::vector<WatchPattern> DefaultWatchList();

// The rows whose blocks depend on the case. The others do not: filling sets of patterns is the same for each case, and
// which blocks of it, or of an analysis with maps of pointers, are reached depends on addresses.
std::vector<WatchPattern> GuidingWatchList();

// Functions that are watched, but that no case can enter.
struct Unreachable {
  absl::string_view glob;
  absl::string_view reason;
};
absl::Span<const Unreachable> UnreachableFunctions();

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_COVERAGE_WATCH_LIST_H_
