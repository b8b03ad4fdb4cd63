// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an edit of a route changes: a patch under review, as a pass put into the pipeline or instead of one. A program
// of which the passes that differ make the same IR cannot show what the patch does, and need not be run.
#ifndef TOSAIC_CHECKING_EDITED_ROUTE_H_
#define TOSAIC_CHECKING_EDITED_ROUTE_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "model/program.h"
#include "toolchain/toolchain.h"

namespace tosaic {

class EditedRoute {
 public:
  // The toolchain must outlive it. Errors: it has no custom pipeline that edits a route, or does not lower text.
  static absl::StatusOr<EditedRoute> Of(Toolchain& toolchain);

  // Whether the IR behind the passes that differ is another than on the route itself, for the case or its twin. What
  // cannot be told, because a pass refuses the program, is a change. A case without runs asks the verifier alone, which
  // no pass changes. In a worker: MLIR may die.
  bool Changes(const Case& test_case) const;

 private:
  EditedRoute(Toolchain* toolchain, std::string before, std::string after)
      : toolchain_(toolchain), before_(std::move(before)), after_(std::move(after)) {}
  bool Changes(const Program& program) const;

  Toolchain* toolchain_;
  std::string before_, after_;  // pipelines up to and with the passes in which they differ
};

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_EDITED_ROUTE_H_
