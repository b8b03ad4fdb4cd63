// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the conformance suite (generators/suite.h) and the corpus as a campaign, and shows its results as a mosaic.
#ifndef TOSAIC_CONFORMANCE_CONFORMANCE_H_
#define TOSAIC_CONFORMANCE_CONFORMANCE_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "campaign/campaign_options.h"
#include "campaign/case_record.h"
#include "generators/suite.h"
#include "model/program.h"
#include "results/conformance.h"
#include "toolchain/toolchain.h"

namespace tosaic {

// The class of shapes that the corpus' cases have in the mosaic.
inline constexpr absl::string_view kCorpusShapes = "corpus";

struct ConformanceOptions {
  SuiteProfile profile = SuiteProfile::kAll;
  std::vector<OpKind> ops;                           // empty: all
  std::string route = "loops";                       // of the suite's cases; those of the corpus have their own
  std::vector<std::pair<std::string, Case>> corpus;  // by name
  bool corpus_alone = false;                         // it is a suite that others wrote (arm_conformance.h)
  // For suites that are too large to keep in memory: the cases of `corpus` then have no inputs.
  struct Stored {
    std::function<Case(size_t index)> whole;  // also in workers
    std::string digest;                       // of all
  };
  std::optional<Stored> stored;
  bool ir = false;           // SuiteCase::ir is wanted: each case is lowered once more
  CampaignOptions campaign;  // jobs, limits, judge, known, reduce, out, command_line
};

// Runs the suite; continues where an earlier start on the same work directory stopped. Errors: those of RunCampaign.
// `records`, if not null, gets the campaign's record of each case, in the report's order.
absl::StatusOr<ConformanceReport> RunConformance(Toolchain& toolchain, const ConformanceOptions& options,
                                                 const std::atomic<bool>* stop,
                                                 std::vector<CaseRecord>* records = nullptr);

// Cases of the suite by their names, in that order. Error: it has none of a name.
absl::StatusOr<std::vector<Case>> CasesNamed(const ConformanceOptions& options, const std::vector<std::string>& names);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_CONFORMANCE_H_
