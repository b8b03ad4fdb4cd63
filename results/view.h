// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts that the views of several kinds of results share. A view of a kind is a function from its value to a
// ResultReport (results/report.h), and stands in a file of its own.
#ifndef TOSAIC_RESULTS_VIEW_H_
#define TOSAIC_RESULTS_VIEW_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "model/json.h"
#include "model/program.h"
#include "results/block_report.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "results/proofs.h"
#include "results/report.h"
#include "results/type_sweep.h"
#include "results/value_sweep.h"

namespace tosaic {

// The views. `file` is the result file's name, for the places of findings.
ResultReport ViewOf(CampaignSummary summary, const std::string& file);
ResultReport ViewOf(ConformanceReport conformance, const std::string& file);
ResultReport ViewOf(Comparison comparison, const std::string& file);
ResultReport ViewOf(const SweepSummary& summary, const std::string& file);
ResultReport ViewOf(const ValueSweepSummary& summary, const std::string& file);
ResultReport ViewOf(BlockReport report, const std::string& file);
ResultReport ViewOf(const ProofSummary& summary, const std::string& file);

// A text as it is, any other value as JSON.
std::string TextOf(const Json& json);
// "max rank: 2" of `max_rank`; the elements of a list with commas between.
Fact FactInWords(absl::string_view key, const Json& value);
// "mlir-22, LLVM 22.1.8".
std::string ToolchainInWords(const Provenance& provenance);
// The facts about where results come from, in the order of interest.
std::vector<Fact> FactsOf(const Provenance& provenance);

// Names a side by its toolchain, and by the directory and plugins that tell sides of one toolchain apart. `quote` makes
// text of a value.
using Quote = absl::FunctionRef<std::string(const std::string&)>;
std::string SideInWords(const Provenance& side, Quote quote);
// "after `cse`, base runs nothing and patch runs `my-pass`"; "" if the sides have one pipeline, or one of them none.
std::string PipelinesInWords(const Provenance& base, const Provenance& patch, Quote quote);

// The class of shapes of a tile that is a sweep over all inputs.
inline constexpr absl::string_view kAllInputs = "all-inputs";

// A finding without its case.
ReportFinding ViewOf(const Finding& source, const std::string& file);
// A finding with ValuesEvidence, and the case that shows it.
ReportFinding ViewOfValues(const Finding& source, const std::string& file, const Provenance& provenance);
// Adds the case that shows it. `file`: that of the case, empty if it has none of its own.
void ShowCase(const Case& reduced, const std::string& file, const Provenance& provenance, ReportFinding* finding);
// New and regressed ones first.
void Sort(std::vector<ReportFinding>* findings);

// "crash [run.signal]".
std::string VerdictInWords(const SuiteCase& result);

// Of one signature there may be several causes: the one that asks for attention first comes first.
using FindingsBySignature = std::map<FindingSignature, std::vector<const ReportFinding*>>;
// REQUIRES: the findings outlive the result.
FindingsBySignature BySignature(const std::vector<ReportFinding>& findings);
// What regressed in a comparison and has no finding, because it is refused now: as findings, each named by its case.
std::vector<ReportFinding> RegressionsWithoutFinding(const ResultReport& report);

// Adds tiles, judged by the findings that the report has.
void AddTiles(std::vector<Tile> tiles, ResultReport* report);
void AddFaults(const std::vector<HarnessFault>& faults, ResultReport* report);
void AddNotes(const std::map<std::string, uint64_t>& notes, ResultReport* report);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_VIEW_H_
