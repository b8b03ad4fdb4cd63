// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/campaign_part.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "campaign/campaign_options.h"
#include "campaign/journals.h"
#include "checking/files.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "model/counted.h"
#include "results/result_file.h"

namespace tosaic {
void Fields(Visitor& v, PartSummary& summary) {
  v.MayLack("provenance", summary.provenance);
  v.MayLack("interrupted", summary.interrupted);
  v.MayLack("elapsed_seconds", summary.elapsed_seconds);
  v.MayLack("cases_per_second", summary.cases_per_second);
  v.MayLack("untested_routes", summary.untested_routes);
}

absl::Status ReadResults(CampaignPart* part, PartResults* results) {
  if (!std::filesystem::exists(part->paths.summary()) || !std::filesystem::exists(part->paths.tally())) {
    part->problem = "it has no results: it is at work, or was killed";
    return absl::OkStatus();
  }
  TOSAIC_ASSIGN_OR_RETURN(part->summary,
                          ReadAs<PartSummary>(part->paths.summary(), ResultFromText<PartSummary, kCampaignKind>));
  TOSAIC_ASSIGN_OR_RETURN(results->tally, ReadAs<Tally>(part->paths.tally(), FromText<Tally>));
  part->cases = results->tally.counted.cases;
  part->verdicts = results->tally.counted.verdicts;
  TOSAIC_ASSIGN_OR_RETURN(const std::string groups, ReadFile(part->paths.groups()));
  size_t number = 0;
  uint64_t grouped = 0;
  for (const absl::string_view line : absl::StrSplit(groups, '\n')) {
    const std::string place = absl::StrCat(part->paths.groups(), ":", ++number);
    if (line.empty()) continue;
    TOSAIC_ASSIGN_OR_RETURN(FindingGroup group, At(place, FromText<FindingGroup>(line)));
    grouped += group.finding.count;
    if (const uint64_t shown = group.finding.cases().case_number;
        shown % part->identity.shards != part->identity.shard) {
      return absl::DataLossError(absl::StrCat(place, ": case ", shown, " is another shard's"));
    }
    for (const auto& [name, content] : group.finding.cases().reproducer) {
      TOSAIC_RETURN_IF_ERROR(At(absl::StrCat(place, ": reproducer"), PathBelow(part->paths.findings(), name)).status());
    }
    results->groups.push_back(std::move(group));
  }
  uint64_t divergent = 0;
  for (const auto& [verdict, count] : results->tally.counted.verdicts) divergent += IsDivergence(verdict) ? count : 0;
  if (grouped != divergent) {
    return absl::DataLossError(absl::StrCat(part->paths.groups(), ": its groups have ", Counted(grouped, "case"),
                                            ", but ", part->paths.tally(), " counts ", divergent,
                                            " that diverge: run the shard's command again, which writes both"));
  }
  part->has_results = true;
  if (part->summary.interrupted) part->problem = "it was interrupted";
  return absl::OkStatus();
}

absl::StatusOr<CampaignPart> ReadPart(const std::string& directory) {
  if (!std::filesystem::is_directory(directory)) {
    return absl::NotFoundError(absl::StrCat(directory, ": there is no such folder"));
  }
  CampaignPart part = {.paths = {directory}};
  TOSAIC_ASSIGN_OR_RETURN(const Json first_line, IdentityIn(part.paths.journal()));
  absl::StatusOr<Identity> identity = FromJson<Identity>(first_line);
  if (!identity.ok() || identity->shard >= identity->shards || identity->shards > kMostShards) {
    return absl::InvalidArgumentError(
        absl::StrCat(part.paths.journal(), ": its first line is not what a campaign writes"));
  }
  if (identity->list) {
    return absl::InvalidArgumentError(
        absl::StrCat(directory, ": this is the work directory of a suite, not of a campaign"));
  }
  part.identity = *std::move(identity);
  return part;
}

}  // namespace tosaic
