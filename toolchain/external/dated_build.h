// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dated builds: MLIR as it was on a certain day, which ci/install_versions.sh fetches. An iree-opt has the passes from
// TOSA to linalg and MLIR's general ones, but few of those behind. So a dated build does the first half of a lowering,
// up to the pass that makes buffers. The tools of the LLVM that Tosaic is linked with do the second half, for every
// build the same. A tosa-opt has no pass that lowers, and tells what a verifier decides.
#ifndef TOSAIC_TOOLCHAIN_EXTERNAL_DATED_BUILD_H_
#define TOSAIC_TOOLCHAIN_EXTERNAL_DATED_BUILD_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/program.h"

namespace tosaic {

struct DatedBuild {
  std::string name;                  // "iree-3.3.0"
  std::string opt;                   // the path of its program
  std::string source;                // "iree-base-compiler 3.3.0"
  std::string date;                  // of its MLIR: "2025-03-20"
  std::string program = "iree-opt";  // in its folder
  bool is_latest_day = false;        // its MLIR may be older than `date`
};

// Those in the cache directory, oldest first.
std::vector<DatedBuild> ListDatedBuilds();

using PassNames = std::set<std::string, std::less<>>;

// The passes that its program has, by its --help. Error: it does not run, or names none.
absl::StatusOr<PassNames> PassesOf(const DatedBuild& build);

// Whether all shapes are static, and the operands that broadcast have the rank of the result.
bool HasPlainShapes(const Program& program);

// A pass pipeline in two halves, the second from the pass on that makes buffers.
struct Halves {
  std::string first;
  std::string second;             // empty: no pass makes buffers
  std::vector<std::string> lost;  // the passes before buffers that `passes` lacks, which `first` is without
};
// Error: it is no pipeline.
absl::StatusOr<Halves> SplitAtBuffers(absl::string_view pipeline, const PassNames& passes);
// The pipeline again, without the passes that were lost.
std::string JoinHalves(const Halves& halves);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXTERNAL_DATED_BUILD_H_
