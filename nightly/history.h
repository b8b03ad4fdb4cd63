// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the nights in a directory of states: history.json with a row per night, index.html with their trend, and the
// folders of the latest nights. nightly.h says what else is there.
#ifndef TOSAIC_NIGHTLY_HISTORY_H_
#define TOSAIC_NIGHTLY_HISTORY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "results/campaign.h"
#include "results/nights.h"

namespace tosaic {

// A campaign's numbers.
void FillFromCampaign(const CampaignSummary& summary, NightCampaign* campaign);

// The history.json of that directory; if there is none, a history without nights. Error: the file is not a history.
absl::StatusOr<NightHistory> ReadHistory(const std::string& state);
// Writes history.json with this row, which takes the place of one of the same night, and index.html.
absl::Status WriteHistory(const std::string& state, NightHistory history, const NightRow& row);

// Removes the folders of the nights that were done first, so that `keep` stay with tonight's, which is not yet done.
absl::Status RemoveOldNights(const std::string& state, size_t keep, const std::string& tonight);

}  // namespace tosaic

#endif  // TOSAIC_NIGHTLY_HISTORY_H_
