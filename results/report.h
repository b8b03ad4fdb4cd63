// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ResultReport: the content of a result file of any kind that every format of `tosaic report` shows: one plain value
// between the readers of the kinds and the writers of the formats. docs/report-format.md has its JSON form.
#ifndef TOSAIC_RESULTS_REPORT_H_
#define TOSAIC_RESULTS_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/judged_elements.h"
#include "model/provenance.h"
#include "results/block_report.h"
#include "results/campaign.h"
#include "results/conformance.h"
#include "results/finding.h"
#include "results/judgement_text.h"
#include "results/result_file.h"
#include "results/tile.h"
#include "results/value_sweep.h"

namespace tosaic {

// The standing of a tile, the most urgent first.
enum class Standing : uint8_t {
  kRegressed,
  kNew,
  kHarnessFault,
  kNotReduced,
  kChanged,
  kKnown,
  kFixed,
  kSupported,
  kUnsupported,
  kUndefinedOnly,
  kConforms,
  kUnchanged,
  kNotApplicable,
};
struct StandingInfo {
  Standing standing;
  absl::string_view name;     // "undefined-only"
  absl::string_view mark;     // one character, so that nobody needs the colour
  absl::string_view meaning;  // for the legend
};
absl::Span<const StandingInfo> AllStandings();
const StandingInfo& Info(Standing standing);
EnumNames NamesOf(Standing standing);

struct ReportTile {
  Standing standing = Standing::kNotApplicable;
  Tile tile;                         // of a comparison: the patch's
  std::optional<TileChange> change;  // of a comparison
};

// A finding as pages show it.
struct ReportFinding : Finding {
  Status status = Status::kNew;  // of a comparison: kRegressed
  std::string first;             // the first case, decision or inputs that show it
  std::string program;           // the reduced case: MLIR, or the op with its types
  std::string data;              // and its runs
  std::string replay;            // shell commands that replay it with Tosaic, the case included
  std::string script;            // that shows it without Tosaic; empty if there is none
  std::string script_file;       // the file of the script; what the script needs lies beside it
  std::string location;          // the file with the reduced case, or the result file
};
// The label of the rule that it breaks, and the stage that ended it. Empty if unknown.
std::string RuleOf(const ReportFinding& finding);
std::string StageOf(const ReportFinding& finding);

// The accuracy of one op on one kind of inputs.
struct AccuracyRow {
  std::string op, types, setting;
  std::string accuracy;     // the rule: "0.5 ulp"
  bool exhaustive = false;  // every input there is
  uint64_t compared = 0;
  uint64_t open = 0;
  uint64_t disagreements = 0;
  double mean_error = 0;                      // in units of the result's last place, as the next
  double max_error = 0;                       //
  std::vector<std::string> max_error_inputs;  // bit patterns
  double bound_used = 0;                      // share of the allowed error; 1 is all of it
  std::string wrong;                          // of a sweep of all inputs: which are wrong, in words; empty if none is
  std::vector<CurvePoint> curve;              // of a sweep of all inputs
};

// Where results come from: one side, or the two of a comparison.
struct Side {
  std::string name;  // "base", "patch"; empty if it is the only one
  Provenance provenance;
};

struct ResultReport {
  ResultKind kind = ResultKind::kCampaign;  // of the result file
  std::string title;                        // "Campaign, seed 1"
  std::string file;                         // the result file
  std::string text;                         // what the command prints when it ends
  std::vector<Side> sides;
  std::vector<Fact> facts;  // the seed, route or suite that was asked for
  uint64_t cases = 0;
  uint64_t runs = 0;
  VerdictCounts verdicts;  // of the cases
  std::vector<ReportTile> tiles;
  std::vector<ReportFinding> findings;  // new or regressed ones, then known, then beyond-spec; by signature
  std::vector<JudgedElements> judged_ops, judged_chains;  // of a campaign (CampaignSummary)
  std::vector<AccuracyRow> accuracy;
  std::vector<FunctionBlocks> functions;  // of a coverage run
  std::vector<SuiteCase> suite_cases;     // of a conformance report
  std::vector<CaseChange> changes;        // of a comparison
  std::optional<IrChange> ir;             // of a comparison
  std::vector<std::string> harness_faults;
  std::vector<std::string> notes;
  std::vector<std::string> not_run;       // of what was asked for: "2 tests not run: WHY"; a tile without a proof: WHY
  std::vector<std::string> unseen_known;  // known divergences that did not show
  std::vector<UntestedRoute> untested_routes;  // of a campaign
  bool interrupted = false;
  double elapsed_seconds = 0;
};

// docs/report.schema.json: what --format=json writes.
void Fields(Visitor& v, ResultReport& report);

// Whether a finding asks for attention, or a tile does.
inline bool IsUrgent(const ReportFinding& finding) { return IsUrgent(finding.status); }
inline bool IsUrgent(Standing standing) { return standing <= Standing::kNotReduced; }

// Findings of one status that have one cause.
struct Cause {
  Finding::Status status = Finding::Status::kKnown;
  std::string name, reason;
  uint64_t count = 0;  // cases
  std::vector<const ReportFinding*> findings;
};
// The causes of the findings that need no attention. REQUIRES: the report outlives the result.
std::vector<Cause> QuietCauses(const ResultReport& report);

uint64_t CountFindings(const ResultReport& report, Finding::Status status);
uint64_t CountTiles(const ResultReport& report, Standing standing);

// Cases of a comparison, over all tiles.
CaseCounts CountChanges(const ResultReport& report);

// The first thing to know: "2 new findings", "1 case regressed, 3 fixed", "Nothing new".
std::string Headline(const ResultReport& report);
// The word for the entries of `not_run`: "not run", or of proofs "unknown".
absl::string_view NotRunInWords(const ResultReport& report);
// Whether nothing needs attention and the command did everything that it was asked to do.
bool IsGood(const ResultReport& report);

// The content of a file beside the result file, by relative name; nullopt if there is none.
using ReadBeside = absl::FunctionRef<std::optional<std::string>(const std::string& name)>;

// The report of a result file's text. `file` is its name, for the places of findings. Errors say what is wrong and
// where: it is not a result file, is of another version, is cut short, or is of a kind that has no report.
absl::StatusOr<ResultReport> ReadReport(absl::string_view text, const std::string& file, ReadBeside read_beside);

}  // namespace tosaic

#endif  // TOSAIC_RESULTS_REPORT_H_
