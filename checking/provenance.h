// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a result file comes from: command line, revision, versions.
#ifndef TOSAIC_CHECKING_PROVENANCE_H_
#define TOSAIC_CHECKING_PROVENANCE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/json.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The commit that Tosaic was built from, as `git describe` names it; "unknown" if that was no clone.
absl::string_view Revision();

// Everything beside cases and policies that decides the verdicts. REQUIRES: at least one route.
Json Versions(const Toolchain& toolchain, const std::vector<std::string>& routes);

// The same and the key command_line.
Json Provenance(const std::string& command_line, const Toolchain& toolchain, const std::vector<std::string>& routes);

// The schema of both.
Json SchemaOfProvenance();

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_PROVENANCE_H_
