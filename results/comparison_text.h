// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A comparison of two conformance reports for people: the text at the end of a run. Nothing is decided here.
#ifndef TOSAIC_RESULTS_COMPARISON_TEXT_H_
#define TOSAIC_RESULTS_COMPARISON_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "results/conformance.h"

namespace tosaic {

std::string ComparisonToText(const Comparison& comparison);

// Changes of one kind by what became of what. The changes outlive it.
struct ChangeGroup {
  std::string what;  // "agree [] -> crash [run.signal]"
  std::vector<const CaseChange*> cases;
};
// The most frequent first.
std::vector<ChangeGroup> GroupsOf(absl::Span<const CaseChange> changes, Change change);
// What changed in the IR, by the ops that came and went: lines, and samples as diffs, in which every line begins with
// `before_diff`.
std::string IrToText(const IrChange& change, absl::string_view before_diff);

// "add/f32, add/i32 and 12 more": the ops and element types of a group's cases.
std::string OpsOf(const ChangeGroup& group, size_t most);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_COMPARISON_TEXT_H_
