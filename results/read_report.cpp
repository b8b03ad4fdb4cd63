// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader: from a result file of any kind to its view.
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "codec/status.h"
#include "model/counted.h"
#include "model/work_paths.h"
#include "results/campaign.h"
#include "results/result_file.h"
#include "results/view.h"

namespace tosaic {
namespace {

// Adds to a finding of the summary what its folder has. A folder that is not there adds nothing.
absl::Status ReadFolder(ReadBeside read, Finding* finding) {
  CaseEvidence& cases = finding->cases();
  const FindingPaths paths = {cases.folder};
  if (const auto text = read(paths.reduced_case())) {
    TOSAIC_ASSIGN_OR_RETURN(cases.reduced, At(paths.reduced_case(), CaseFromText(*text)));
  }
  if (const auto text = read(paths.description())) {
    TOSAIC_ASSIGN_OR_RETURN(Finding described, At(paths.description(), FromText<Finding>(*text)));
    described.judgement.verdict = finding->judgement.verdict;  // the summary's, if the reduction died
    described.judgement.beyond_spec = finding->judgement.beyond_spec;
    finding->judgement = std::move(described.judgement);
  }
  if (auto script = read(paths.script())) cases.reproducer[kScript] = *std::move(script);
  return absl::OkStatus();
}

// A value of the kind, and its view.
template <typename T>
absl::StatusOr<ResultReport> Read(const Json& json, const std::string& file) {
  TOSAIC_ASSIGN_OR_RETURN(T read, FromJson<T>(json));
  return ViewOf(std::move(read), file);
}

absl::StatusOr<ResultReport> Read(ResultKind kind, const Json& json, const std::string& file, ReadBeside beside) {
  switch (kind) {
    case ResultKind::kCampaign: {
      TOSAIC_ASSIGN_OR_RETURN(CampaignSummary read, FromJson<CampaignSummary>(json));
      uint64_t counted = 0;
      for (const auto& [verdict, count] : read.verdicts) counted += count;
      if (counted != read.cases) {
        return absl::DataLossError(absl::StrCat(file, ": its verdicts are of ", Counted(counted, "case"),
                                                ", and its `cases` of ", read.cases));
      }
      for (Finding& finding : read.findings) TOSAIC_RETURN_IF_ERROR(ReadFolder(beside, &finding));
      return ViewOf(std::move(read), file);
    }
    case ResultKind::kConformance:
      return Read<ConformanceReport>(json, file);
    case ResultKind::kComparison:
      return Read<Comparison>(json, file);
    case ResultKind::kSweep:
      return Read<SweepSummary>(json, file);
    case ResultKind::kValues:
      return Read<ValueSweepSummary>(json, file);
    case ResultKind::kCoverage:
      return Read<BlockReport>(json, file);
    case ResultKind::kProofs:
      return Read<ProofSummary>(json, file);
  }
  return absl::InternalError("no kind of result");
}

}  // namespace

absl::StatusOr<ResultReport> ReadReport(absl::string_view text, const std::string& file, ReadBeside read_beside) {
  TOSAIC_ASSIGN_OR_RETURN(const Json json, ParseResultFile(text));
  const std::string kind = json["kind"].get<std::string>();
  const std::optional<ResultKind> known = Find<ResultKind>(kind);
  if (!known) {
    return absl::InvalidArgumentError(
        absl::StrCat("a result of the kind ", Dump(json["kind"], -1), ", which has no report"));
  }
  return Read(*known, json, file, read_beside);
}

}  // namespace tosaic
