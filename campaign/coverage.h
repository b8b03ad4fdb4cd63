// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes how much the cases of a campaign reached of what they could have reached.
#ifndef TOSAIC_CAMPAIGN_COVERAGE_H_
#define TOSAIC_CAMPAIGN_COVERAGE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/case_record.h"
#include "generators/generator_options.h"
#include "results/campaign.h"

namespace tosaic {

// The part of it that records show, in a form that can be added up.
struct Reached {
  std::set<std::string> op_types, op_types_shapes, op_types_shapes_routes, fired;
  std::map<std::string, uint64_t> shapes, routes, twins, rules, categories;
};
void Fields(Visitor& v, Reached& reached);
Reached ReachedBy(const std::vector<const CaseRecord*>& records);
void Add(const Reached& other, Reached* to);

// `patterns`: those that the toolchain can list. The options bound what is possible, on the routes that they name.
Coverage CoverageOf(const Reached& reached, const GeneratorOptions& options, const std::vector<std::string>& patterns);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_COVERAGE_H_
