// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of a campaign: the first line of its journal. A campaign can only continue a journal with an equal
// identity.
#ifndef TOSAIC_CAMPAIGN_IDENTITY_H_
#define TOSAIC_CAMPAIGN_IDENTITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/campaign_options.h"
#include "model/element_type.h"
#include "model/json.h"
#include "model/profile.h"
#include "model/provenance.h"

namespace tosaic {

// The request for a campaign, by the names that people know from its flags: its key "asked_for".
struct AskedFor {
  std::vector<std::string> ops;    // empty: all
  std::vector<ElementType> types;  // empty: all
  int runs = 0;
  int64_t max_elements = 0;
  int illegal = 0, beyond_spec = 0, misfit = 0, chains = 0, graphs = 0, identities = 0, twins = 0, reshapes = 0;
  bool strict_static_result = false, strict_values = false;
  SpecVersion spec = SpecVersion::k1_0_2;
};
void Fields(Visitor& v, AskedFor& asked);

// This decides a campaign's verdicts; the number of cases may grow between two starts on one work directory. `versions`
// are those of the toolchain (checking/provenance.h). The key "options" is a digest of every option that
// decides verdicts; the others are for people and for `merge`.
Json IdentityOf(const CampaignOptions& options, const Provenance& versions);

Json SchemaOfIdentity();

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_IDENTITY_H_
