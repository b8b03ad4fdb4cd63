// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features: the feedback of a libFuzzer target on a stock MLIR. Each named feature increments one of libFuzzer's extra
// counters, so libFuzzer keeps an input that shows a new feature. (Debian's MLIR is not instrumented for coverage.)
#ifndef TOSAIC_FUZZERS_FEATURES_H_
#define TOSAIC_FUZZERS_FEATURES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "model/observation.h"
#include "model/op_signature.h"
#include "model/program.h"
#include "model/verdict.h"

namespace tosaic {

// Increments the counter of a name for the current input.
void LightFeature(absl::string_view name);

// Increments the counter of a basic block of MLIR, by its number in a BlockWatcher.
void LightBlock(uint32_t block);

// Increments the counters of what a campaign's coverage counts (results/campaign.h), for each op: op x element types x
// shape class x route, the deciding rule, the category of a refusal; and of finer features: the kinds of dimensions of
// each operand, the verdict, and the first diagnostic without types and numbers.
void LightFeatures(const Case& test_case, const Observation& observation, const Judgement& judgement);
// The same for a probe of the trait: each value's container and shape class instead of op and element types.
void LightFeatures(const OpSignature& probe, const Observation& observation, const Judgement& judgement);

}  // namespace tosaic

#endif  // TOSAIC_FUZZERS_FEATURES_H_
