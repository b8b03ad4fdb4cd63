// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The provenance of what this process finds with a toolchain (model/provenance.h).
#ifndef TOSAIC_CHECKING_PROVENANCE_H_
#define TOSAIC_CHECKING_PROVENANCE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/provenance.h"
#include "oracle/policy.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The commit that Tosaic was built from, as `git describe` names it; "unknown" if that was no clone.
absl::string_view Revision();

// The flags of a command that reads the documents so; none for the default.
std::vector<std::string> FlagsOf(const Policies& policies);

// Everything beside cases and policies that decides the verdicts. `routes`: of the cases, in the campaign's order; only
// a journal that no campaign wrote may have none. It asks the toolchain for its features, for which external tools are
// started several times: call it once.
Provenance VersionsOf(const Toolchain& toolchain, const std::vector<std::string>& routes);

// The same with the policies, and with what is of one machine: the command line, and the flags that give the route
// `custom`.
Provenance ProvenanceOf(const std::string& command_line, const Toolchain& toolchain,
                        const std::vector<std::string>& routes, const Policies& policies);
// The same of what VersionsOf() has said.
Provenance WithCommandLine(Provenance versions, const std::string& command_line, const Toolchain& toolchain,
                           const Policies& policies);

}  // namespace tosaic

#endif  // TOSAIC_CHECKING_PROVENANCE_H_
