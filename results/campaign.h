// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CampaignSummary: what a campaign found, as a plain value for reports/.
#ifndef TOSAIC_RESULTS_CAMPAIGN_H_
#define TOSAIC_RESULTS_CAMPAIGN_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/judged_elements.h"
#include "model/provenance.h"
#include "results/finding.h"
#include "results/tile.h"

namespace tosaic {

struct OpSummary {
  VerdictCounts verdicts;
  std::map<std::string, uint64_t> types;  // cases per element types: "f32", "i8-i32"
  uint64_t compared = 0;                  // elements really compared
  uint64_t masked = 0;                    // elements left out as unpredictable
  uint64_t open = 0;                      // elements of which more than half of all values are right
  uint64_t compared_beyond_spec = 0, masked_beyond_spec = 0, open_beyond_spec = 0;  // in cases beyond the specification
};

// A divergence that did not repeat alone in a fresh process, or a failure of the harness itself.
struct HarnessFault {
  uint64_t case_number = 0;
  std::string text;
  uint64_t first_preceding = 0;  // the first case its worker had run
};
void Fields(Visitor& v, HarnessFault& fault);
// A suite's report has no cases that came before.
struct FaultOfSuite {
  HarnessFault& fault;
};
void Fields(Visitor& v, FaultOfSuite& fault);

// A number out of a total.
struct Share {
  uint64_t seen = 0;
  uint64_t possible = 0;
};

// This is what a campaign's cases reached.
struct Coverage {
  // Combinations of cases of one op of the specification's types: with each line the combination grows.
  Share op_types;                                                            // op x element types
  Share op_types_shapes;                                                     // ... x shape class
  Share op_types_shapes_routes;                                              // ... x route
  std::map<std::string, uint64_t> shapes, routes, twins, rules, categories;  // cases, by name
  Share patterns;                        // rewrite patterns for elementwise ops that fired, of those that can be listed
  std::vector<std::string> never_fired;  // the others of them
  std::vector<std::string> fired;        // all that fired
};

// A route of a campaign's mix that the toolchain does not have.
struct UntestedRoute {
  std::string route;
  std::string why;

  friend auto operator<=>(const UntestedRoute& a, const UntestedRoute& b) = default;
};
void Fields(Visitor& v, UntestedRoute& route);
// "route fused (not there: pass X)", "routes a, b (WHY), c (WHY)": each reason once; empty if there are none.
std::string RoutesInWords(const std::vector<UntestedRoute>& routes);

struct CampaignSummary {
  Provenance provenance;
  uint64_t seed = 0;
  std::vector<uint64_t> seeds;  // of campaigns merged into one list; empty if they have one seed
  uint64_t cases = 0;
  uint64_t cases_observed = 0;  // by this start; the rest comes from the journal of earlier ones
  uint64_t executed = 0;        // cases with a run that was executed
  uint64_t runs = 0;
  VerdictCounts verdicts;
  std::map<std::string, OpSummary> by_op;
  // The elements that programs return, by what computed them: for ops on known values, by their types; for ops on
  // values that the program does not return, over all types.
  std::vector<JudgedElements> judged_ops, judged_chains;
  Coverage coverage;
  std::vector<Tile> tiles;        // in the catalogue's order
  std::vector<Finding> findings;  // sorted by signature
  std::vector<HarnessFault> harness_faults;
  std::map<std::string, uint64_t> notes;       // "infer.less-precise": cases
  std::vector<std::string> unused_support;     // rows of the support table that no case needed
  std::vector<std::string> unseen_known;       // known divergences that many cases might have shown, and none did
  std::vector<UntestedRoute> untested_routes;  // by name
  std::vector<std::string> missing;            // of a merged one: "shard 3 of 8: it is not there"
  bool interrupted = false;
  double elapsed_seconds = 0;  // of this start's observing
};

// summary.json.
void Fields(Visitor& v, OpSummary& op);
void Fields(Visitor& v, CampaignSummary& summary);
std::string SeedsInWords(const CampaignSummary& summary);  // "seed 7", "seeds 3, 4"
double ComparedShare(const OpSummary& op);
// The cases that the patch under review leaves as they are, which were not run.
uint64_t UnchangedIn(const CampaignSummary& summary);
// Whether these are all but for those that the verifier refuses: nothing is known of the patch's lowering.
bool TestsNoPatch(const CampaignSummary& summary);
// The distinct causes of what was found within the specification.
uint64_t CountCauses(const CampaignSummary& summary);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_CAMPAIGN_H_
