// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/tally.h"

#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "campaign/confirming.h"
#include "campaign/counting.h"
#include "campaign/tiles.h"
#include "codec/codec.h"

namespace tosaic {

namespace {

// Both lists are sorted. A long campaign has a hundred thousand ways to put three ops together: one pass for all of
// them.
void AddRows(const std::vector<JudgedElements>& others, std::vector<JudgedElements>* rows) {
  const auto is_before = [](const JudgedElements& a, const JudgedElements& b) {
    return std::tie(a.computed, a.types) < std::tie(b.computed, b.types);
  };
  std::vector<JudgedElements> united;
  const auto is_new = [&](const JudgedElements& row) { return united.empty() || is_before(united.back(), row); };
  size_t next = 0;
  const auto take = [&](JudgedElements row) {
    is_new(row) ? united.push_back(std::move(row)) : united.back().Add(row);
  };
  for (JudgedElements& row : *rows) {
    for (; next < others.size() && is_before(others[next], row); ++next) take(others[next]);
    take(std::move(row));
  }
  for (; next < others.size(); ++next) take(others[next]);
  *rows = std::move(united);
}

void Add(const OpSummary& other, OpSummary* to) {
  AddCounts(other.verdicts, &to->verdicts);
  AddCounts(other.types, &to->types);
  to->compared += other.compared;
  to->masked += other.masked;
  to->open += other.open;
  to->compared_beyond_spec += other.compared_beyond_spec;
  to->masked_beyond_spec += other.masked_beyond_spec;
  to->open_beyond_spec += other.open_beyond_spec;
}

void Add(const CampaignSummary& other, CampaignSummary* to) {
  to->cases += other.cases;
  to->executed += other.executed;
  to->runs += other.runs;
  AddCounts(other.verdicts, &to->verdicts);
  AddCounts(other.notes, &to->notes);
  for (const auto& [op, counts] : other.by_op) Add(counts, &to->by_op[op]);
  for (const JudgedElements& judged : other.judged_ops) AddTo(&to->judged_ops, judged);
  absl::c_copy(other.harness_faults, std::back_inserter(to->harness_faults));
  absl::c_sort(to->harness_faults,
               [](const HarnessFault& a, const HarnessFault& b) { return a.case_number < b.case_number; });
}

// The part of a summary that is counted case by case.
struct CountedPart {
  CampaignSummary& summary;
};

void Fields(Visitor& v, CountedPart& counted) {
  CampaignSummary& summary = counted.summary;
  v("cases", summary.cases);
  v.MayLack("cases_executed", summary.executed);
  v("runs", summary.runs);
  v("verdicts", summary.verdicts, "cases by verdict");
  v("by_op", summary.by_op);
  v("judged_ops", summary.judged_ops);
  v("harness_faults", summary.harness_faults);
  v("notes", summary.notes);
}

}  // namespace

void Fields(Visitor& v, Tally& tally) {
  CountedPart counted = {tally.counted};
  v("counted", counted, "as in `summary.json`");
  v("chains", tally.chains, "all of `judged_chains`");
  v("reached", tally.reached);
  v("tiles", tally.tiles, "their findings by the keys of groups");
  v("kinds", tally.kinds, "cases by op, element types and route");
}

Tally TallyOf(const std::vector<const CaseRecord*>& records, const std::map<uint64_t, std::string>& keys) {
  Tally tally;
  Count(records, &tally.counted, &tally.chains);
  tally.reached = ReachedBy(records);
  tally.tiles = TilesOf(records, keys);
  tally.kinds = KindsOf(records);
  return tally;
}

void Add(const Tally& other, Tally* to) {
  Add(other.counted, &to->counted);
  AddRows(other.chains, &to->chains);
  Add(other.reached, &to->reached);
  to->tiles = United(to->tiles, other.tiles);
  AddCounts(other.kinds, &to->kinds);
}

void Summarize(const Tally& tally, const std::vector<FindingGroup>& groups, const GeneratorOptions& options,
               Toolchain& toolchain, CampaignSummary* summary) {
  for (const FindingGroup& group : groups) {
    const Judgement& last = group.finding.judgement;
    if (!IsFailure(last.verdict, last.rule)) continue;
    const uint64_t number = group.finding.cases().case_number;
    summary->harness_faults.push_back({number, ToString(DecidingRule{last.rule, last.actual}), number});
  }
  Add(tally.counted, summary);  // which puts all faults in order
  summary->judged_chains = LargestChains(tally.chains);
  PatternWatcher* patterns = toolchain.patterns();
  summary->coverage =
      CoverageOf(tally.reached, options, patterns != nullptr ? patterns->Patterns() : std::vector<std::string>());
  summary->unused_support = UnusedSupport(toolchain.description().dialect, summary->coverage.rules);
  std::map<std::string, FindingSignature> names;  // by key
  for (const FindingGroup& group : groups) names[group.key] = group.finding.signature;
  for (const CountedTile& counted : tally.tiles) {
    std::set<FindingSignature> signatures;
    for (const std::string& key : counted.keys) {
      const auto name = names.find(key);
      signatures.insert(name != names.end() ? name->second : FindingSignature{.detail = key});
    }
    const TileName name = {ToString(counted.op), ToString(counted.types), std::string(Name(counted.shapes))};
    summary->tiles.push_back({name, counted, {signatures.begin(), signatures.end()}});
  }
}

}  // namespace tosaic
