// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of a campaign: the first line of its journal. A campaign can only continue a journal with an equal
// identity.
#ifndef TOSAIC_CAMPAIGN_IDENTITY_H_
#define TOSAIC_CAMPAIGN_IDENTITY_H_

#include "campaign/campaign_options.h"
#include "model/json.h"

namespace tosaic {

// What decides a campaign's verdicts; the number of cases may grow between two starts on one work directory. `versions`
// are those of the toolchain (checking/provenance.h). The key "options" is a digest of every option that
// decides verdicts; the others are for people.
Json IdentityOf(const CampaignOptions& options, const Json& versions);

Json SchemaOfIdentity();

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_IDENTITY_H_
