// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports cases as tests of Arm's conformance suite: a folder each, as arm_suite.h reads them and Arm's runner runs
// them. The reference model makes the results that an implementation is compared with, so a test states only a
// tolerance.
#ifndef TOSAIC_CONFORMANCE_ARM_EXPORT_H_
#define TOSAIC_CONFORMANCE_ARM_EXPORT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/program.h"
#include "oracle/policy.h"

namespace tosaic {

struct ArmFolder {
  std::string name;  // "add/f32/static-equal/0-1", the last number being the run's
  std::map<std::string, std::string> files;
  bool must_fail = false;
};

// A case of one op as tests, one for each run with its shapes, or one that must be refused. Errors: kUnimplemented with
// the reason why there is none: a run that the documents leave undefined in part, for instance.
absl::StatusOr<std::vector<ArmFolder>> ArmFoldersOf(absl::string_view name, const Case& test_case,
                                                    const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_EXPORT_H_
