// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second stage of a campaign: a divergence counts only if it repeats alone in a fresh process. If the first route
// shows it as well, it counts as a divergence of that route.
#ifndef TOSAIC_CAMPAIGN_CONFIRMING_H_
#define TOSAIC_CAMPAIGN_CONFIRMING_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "campaign/campaign_run.h"
#include "campaign/case_record.h"
#include "campaign/case_source.h"

namespace tosaic {

// Whether it is a harness-fault other than harness.not-repeatable: Tosaic or its surroundings failed.
bool IsFailure(Verdict verdict, RuleId rule);

// The text of rule harness.not-repeatable about a divergence: "crash/abs/f32/loops/run.signal became agree".
std::string NotRepeatableText(const FindingSignature& divergence, Verdict now);

// The record that counts for a divergence that was found beside other cases, given the record of the same case `alone`.
// A divergence that does not repeat is a harness-fault, unless it is known.
CaseRecord Confirmed(CaseRecord before, CaseRecord alone, bool is_known);

// Whether the record is about the effect of a route other than the first.
bool MayBeOfFirstRoute(const CaseRecord& record, const std::string& first);

// The record that counts for a divergence, given that of the same case on the first route: the latter, if it is the
// same divergence.
CaseRecord AttributedToFirstRoute(CaseRecord record, const std::string& first, CaseRecord on_first);

// Replays the cases of these divergences, and those that somebody killed, as they are and then on the first route, and
// returns the records that count. A case that was killed from outside counts as right if two replays alone are right.
absl::StatusOr<std::map<uint64_t, CaseRecord>> Confirm(const CampaignRun& run, CaseSource& cases,
                                                       std::map<uint64_t, CaseRecord> records);

}  // namespace tosaic

#endif  // TOSAIC_CAMPAIGN_CONFIRMING_H_
