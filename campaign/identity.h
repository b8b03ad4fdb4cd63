// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of a campaign: the first line of its journal. A campaign can only continue a journal with an equal
// identity.
#ifndef TOSAIC_CAMPAIGN_IDENTITY_H_
#define TOSAIC_CAMPAIGN_IDENTITY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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
  friend bool operator==(const AskedFor& a, const AskedFor& b) = default;
};
void Fields(Visitor& v, AskedFor& asked);

// What decides a campaign's verdicts; the number of cases may grow between two starts on one work directory. A journal
// of an earlier version may lack some of it.
struct Identity {
  std::optional<std::string> list;  // the name of a list of cases, which has neither seed nor routes nor generator
  std::optional<uint64_t> seed;
  uint64_t shard = 0, shards = 1;
  std::vector<std::pair<std::string, int>> routes;  // with weights
  Provenance versions;                              // without what is of one machine
  std::string generator, policies;                  // `asked_for` as text, for people
  std::optional<bool> steered;
  bool changed_only = false;
  std::string changed_from;    // what a patch is compared with
  std::optional<bool> guided;  // by blocks, or by rules alone
  std::optional<AskedFor> asked_for;
  std::string options;  // a digest of every option that decides verdicts, but for the shard
  friend bool operator==(const Identity& a, const Identity& b) = default;
};
void Fields(Visitor& v, Identity& identity);

// `versions`: of the toolchain (checking/provenance.h).
Identity IdentityOf(const CampaignOptions& options, const Provenance& versions);

std::vector<std::string> RoutesOf(const Identity& identity);

// How the campaign that is there differs from the one that is asked for: "seed 1, not 2; ops all, not add".
std::string DifferenceInWords(const Identity& there, const Identity& asked_for);

Json SchemaOfIdentity();

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_IDENTITY_H_
