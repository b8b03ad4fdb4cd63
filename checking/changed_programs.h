// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs that a patch under review changes. The patch is a pass put into a route or instead of one, or another
// build of MLIR. If both sides make the same IR of a program, it cannot show what the patch does, and need not be run.
#ifndef TOSAIC_CHECKING_CHANGED_PROGRAMS_H_
#define TOSAIC_CHECKING_CHANGED_PROGRAMS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codec/visitor.h"
#include "model/program.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The text of a lowered module without the one thing in it that depends on what the process lowered before: MLIR names
// the messages of its checks @assert_msg_N by a count. Here N is 0 for the first of the text.
std::string WithoutCounts(absl::string_view mlir);

struct ProgramChange {
  bool is_changed = false;
  std::vector<double> numbers;  // that constants of the IR have with the patch alone (new_numbers.h)
};
void Fields(Visitor& v, ProgramChange& change);

class ChangedPrograms {
 public:
  // Before the patch: the route that the toolchain's custom pipeline edits. Errors: it edits none, or the toolchain
  // does not lower text.
  static absl::StatusOr<ChangedPrograms> ByEdit(Toolchain& toolchain);
  // Before the patch: `base`. The toolchains must outlive the result. Error: one does not lower text.
  static absl::StatusOr<ChangedPrograms> ByPatch(Toolchain& base, Toolchain& patch);

  // Whether the patch changes the IR of each case or of its twin; if both sides refuse a program or die of it, whether
  // their messages differ. It counts as changed if the dialect of a side cannot spell the program, or a side lacks the
  // route. A case without runs asks the verifiers: an edit does not change these, and another build may. In a worker,
  // because MLIR may die.
  std::vector<ProgramChange> Among(absl::Span<const Case> cases) const;
  ProgramChange Of(const Case& test_case) const { return Among({&test_case, 1}).front(); }

  // Lowers the programs of a case with or without the patch alone, to see whether MLIR dies of them: in a worker.
  // REQUIRES: a worker died of Among, so both sides have texts of them, and the route.
  void LowerAlone(const Case& test_case, bool with_patch) const;

 private:
  struct Side {
    Toolchain* toolchain;
    std::string pipeline;  // up to and with the passes in which the sides differ; empty: that of the case's route
  };
  struct Item;

  ChangedPrograms(Side before, Side after) : before_(std::move(before)), after_(std::move(after)) {}
  bool IsByEdit() const { return before_.toolchain == after_.toolchain; }
  // The programs as a side's text.
  static std::vector<std::string> Written(const Side& side, absl::Span<const Item> items);
  // The IR of programs on one route, each as text or why there is none.
  static std::vector<absl::StatusOr<std::string>> Lowered(const Side& side, const std::string& route,
                                                          absl::Span<const std::string> modules);

  Side before_, after_;
};

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_CHANGED_PROGRAMS_H_
