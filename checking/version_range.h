// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VersionRange: a set of versions of a toolchain. "22": every 22; "22.1": includes 22.1.8, but not 22.10; "22+": all
// from 22 on; "22-23": 22 and 23; "trunk": unreleased versions such as 24.0.0git, because since 18 LLVM's releases
// begin with NN.1.
#ifndef TOSAIC_CHECKING_VERSION_RANGE_H_
#define TOSAIC_CHECKING_VERSION_RANGE_H_

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// The numbers that a toolchain's version begins with: {24, 0, 0} of "LLVM 24.0.0 (torch-mlir 20261001)"; empty if it
// begins with none.
std::vector<int> NumbersOfVersion(absl::string_view version);

class VersionRange {
 public:
  // `version`: as a toolchain says it, "LLVM 22.1.8", "LLVM 24.0.0git", "LLVM 24.0.0 (torch-mlir 20261001)".
  bool Contains(absl::string_view version) const;

 private:
  friend std::string ToString(const VersionRange& range);
  friend absl::Status ReadText(absl::string_view text, VersionRange& range);

  std::string text_;
  bool trunk_ = false;
  std::vector<int> numbers_;  // that the version begins with; empty: it is one of those below
  int first_ = 0, last_ = std::numeric_limits<int>::max();
};

std::string ToString(const VersionRange& range);
absl::Status ReadText(absl::string_view text, VersionRange& range);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_VERSION_RANGE_H_
