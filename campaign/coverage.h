// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cases of a campaign reached, of what they could have.
#ifndef TOSAIC_CAMPAIGN_COVERAGE_H_
#define TOSAIC_CAMPAIGN_COVERAGE_H_

#include <string>
#include <vector>

#include "campaign/case_record.h"
#include "generators/generator_options.h"
#include "results/campaign.h"

namespace tosaic {

// `patterns`: those that the toolchain can list. What is possible is what the options allow, on the routes they name.
Coverage CoverageOf(const std::vector<const CaseRecord*>& records, const GeneratorOptions& options,
                    const std::vector<std::string>& patterns);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_COVERAGE_H_
