// Where a result file comes from: command line, revision, versions.
#ifndef TOSAIC_CAMPAIGN_PROVENANCE_H_
#define TOSAIC_CAMPAIGN_PROVENANCE_H_

#include <string>

#include "model/json.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// Keys: command_line, tosaic_revision, toolchain, toolchain_version, runtime.
Json Provenance(const std::string& command_line, const Toolchain& toolchain);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_PROVENANCE_H_
