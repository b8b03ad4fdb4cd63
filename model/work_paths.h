// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paths in the work directory of a campaign. They are text, because reports use them relative to the directory.
#ifndef TOSAIC_MODEL_WORK_PATHS_H_
#define TOSAIC_MODEL_WORK_PATHS_H_

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tosaic {

// A path below a folder, which may be empty or end in a slash.
inline std::string Below(absl::string_view folder, absl::string_view name) {
  return absl::StrCat(folder, folder.empty() || absl::EndsWith(folder, "/") ? "" : "/", name);
}

struct WorkPaths {
  std::string root;

  std::string journal() const { return Below(root, "journal.jsonl"); }
  std::string summary() const { return Below(root, "summary.json"); }
  std::string findings() const { return Below(root, "findings"); }
  // Case files that a guided campaign found to mutate.
  std::string corpus() const { return Below(root, "corpus"); }
  // The files that `merge` reads.
  std::string groups() const { return Below(root, "groups.jsonl"); }
  std::string tally() const { return Below(root, "tally.json"); }
};

inline constexpr char kScript[] = "repro.sh";  // shows a finding without Tosaic

// The folder of one finding.
struct FindingPaths {
  std::string folder;

  std::string original_case() const { return Below(folder, "original.json"); }
  std::string original_mlir() const { return Below(folder, "original.mlir"); }
  std::string reduced_case() const { return Below(folder, "reduced.json"); }
  std::string reduced_mlir() const { return Below(folder, "reduced.mlir"); }
  std::string description() const { return Below(folder, "finding.json"); }
  std::string text() const { return Below(folder, "finding.txt"); }
  std::string script() const { return Below(folder, kScript); }
};

}  // namespace tosaic

#endif  // TOSAIC_MODEL_WORK_PATHS_H_
