// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keys that all result files have: "tosaic_report", the version of their format, and "kind".
#ifndef TOSAIC_RESULTS_RESULT_FILE_H_
#define TOSAIC_RESULTS_RESULT_FILE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "codec/codec.h"
#include "codec/json.h"
#include "codec/names.h"

namespace tosaic {

// The version that this build writes, and the only one that it reads.
inline constexpr int kReportVersion = 1;

// Kinds: what `tosaic fuzz`, `conform`, `compare`, `sweep`, `sweep --values`, `coverage` and `prove` leave.
inline constexpr char kCampaignKind[] = "campaign";
inline constexpr char kConformanceKind[] = "conformance";
inline constexpr char kComparisonKind[] = "comparison";
inline constexpr char kSweepKind[] = "sweep";
inline constexpr char kValuesKind[] = "values";
inline constexpr char kCoverageKind[] = "coverage";
inline constexpr char kProofsKind[] = "proofs";

enum class ResultKind : uint8_t { kCampaign, kConformance, kComparison, kSweep, kValues, kCoverage, kProofs };
EnumNames NamesOf(ResultKind kind);

// The document of a result file of any kind. Errors: it is not a result file, is of another version, or is cut short.
absl::StatusOr<Json> ParseResultFile(absl::string_view text);
// The same, if it is of the kind.
absl::StatusOr<Json> ParseResultFile(absl::string_view text, absl::string_view kind);
// The value of that kind in it. Errors: also what is wrong inside, by place.
template <typename Result, const char* kKind>
absl::StatusOr<Result> ResultFromText(absl::string_view text) {
  const absl::StatusOr<Json> json = ParseResultFile(text, kKind);
  if (!json.ok()) return json.status();
  return FromJson<Result>(*json);
}

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_RESULT_FILE_H_
