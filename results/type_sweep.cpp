// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/type_sweep.h"

#include <utility>

#include "codec/visitor.h"
#include "results/result_file.h"
#include "results/tile.h"

namespace tosaic {

void SweepCounts::Add(const SweepCounts& other) {
  decisions += other.decisions;
  accepted += other.accepted;
  AddCounts(other.rules, &rules);
  AddCounts(other.categories, &categories);
  AddCounts(other.notes, &notes);
  for (const auto& [signature, disagreement] : other.disagreements) {
    const auto [at, is_new] = disagreements.emplace(signature, disagreement);
    if (is_new) continue;
    at->second.count += disagreement.count;
    const std::vector<std::string>& decisions = disagreement.types().decisions;
    at->second.types().decisions.insert(at->second.types().decisions.end(), decisions.begin(), decisions.end());
  }
}

void Fields(Visitor& v, SweepTally& tally) {
  v("decisions", tally.decisions);
  v("accepted", tally.accepted, "decisions that MLIR accepted");
  v("rules", tally.rules, "decisions by the label of the rule that decided");
  v("categories", tally.categories, "how many refusals there are by the subject of MLIR's diagnostic");
  v("notes", tally.notes);
}

namespace {

// A finding as the sweep has it.
struct Disagreement {
  Finding& finding;
};

void Fields(Visitor& v, Disagreement& disagreement) {
  Finding& finding = disagreement.finding;
  std::vector<std::string>& decisions = finding.types().decisions;
  v.Type("disagreement");
  CommonFields(v, finding);
  v("beyond_spec", finding.judgement.beyond_spec);
  v.MayLack("known_reason", finding.known_reason, "the same as `reason`");
  v.MayLack("stage", finding.judgement.stage);
  v.MayLack("rule", finding.judgement.rule);
  v("expected", finding.judgement.expected, "of the first such case");
  v("actual", finding.judgement.actual, "of the first such case");
  v("cases", decisions, "every such combination, in the words that `tosaic explain` takes");
  if (!v.IsReading()) return;
  if (decisions.empty()) v.Fail("a disagreement has a case", "cases");
  finding.count = decisions.size();
}

}  // namespace

void Fields(Visitor& v, SweepCounts& counts) {
  Fields(v, static_cast<SweepTally&>(counts));
  std::vector<Finding> disagreements;
  if (v.IsWriting()) {
    for (const auto& [signature, disagreement] : counts.disagreements) disagreements.push_back(disagreement);
  }
  v("disagreements", Each<Disagreement>(disagreements));
  if (!v.IsReading()) return;
  for (Finding& finding : disagreements) counts.disagreements[finding.signature] = std::move(finding);
}

void Fields(Visitor& v, SweptTypes& types) {
  v("max_rank", types.max_rank);
  v("dims", types.dims, "that shapes are made of");
  v.MayLack("ops", types.ops, "empty: all");
  v.MayLack("one_order_per_multiset", types.one_order_per_multiset,
            "of operands that differ in order alone, one order stands for all");
}

void Fields(Visitor& v, SweepSummary& summary) {
  v.Constant("tosaic_report", kReportVersion);
  v.Constant("kind", kSweepKind);
  v("provenance", summary.provenance);
  v("options", summary.options, "what was swept");
  Fields(v, summary.total);
  std::map<std::string, SweepTally> by_op(summary.by_op.begin(), summary.by_op.end());
  v("by_op", by_op);
  if (v.IsReading()) {
    for (auto& [op, tally] : by_op) static_cast<SweepTally&>(summary.by_op[op]) = std::move(tally);
  }
  v("interrupted", summary.interrupted);
  v("elapsed_seconds", summary.elapsed_seconds);
  v.Derived("decisions_per_second", summary.decisions_per_second());
  v.MayLack("jobs", summary.jobs);
}

}  // namespace tosaic
