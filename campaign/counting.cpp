// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/counting.h"

#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "checking/check_case.h"
#include "model/pass_sequence.h"
#include "model/support_table.h"

namespace tosaic {
namespace {

// Rows of chains that a summary has: there are thousands of ways to put three ops together.
constexpr size_t kMostChains = 100;

}  // namespace

void Count(const std::vector<const CaseRecord*>& records, CampaignSummary* summary,
           std::vector<JudgedElements>* chains) {
  for (const CaseRecord* record : records) {
    ++summary->cases;
    summary->executed += record->runs > 0 ? 1 : 0;
    summary->runs += record->runs;
    ++summary->verdicts[record->verdict];
    OpSummary& op = summary->by_op[ToString(record->op)];
    ++op.verdicts[record->verdict];
    ++op.types[ToString(record->types)];
    op.compared += record->compared;
    op.masked += record->masked;
    op.open += record->open;
    op.compared_beyond_spec += record->beyond_spec ? record->compared : 0;
    op.masked_beyond_spec += record->beyond_spec ? record->masked : 0;
    op.open_beyond_spec += record->beyond_spec ? record->open : 0;
    for (JudgedElements judged : record->judged) {
      if (judged.IsChain()) judged.types.clear();
      AddTo(judged.IsChain() ? chains : &summary->judged_ops, judged);
    }
    for (const std::string& note : std::set<std::string>(record->notes.begin(), record->notes.end())) {
      ++summary->notes[note];
    }
    if (record->verdict == Verdict::kHarnessFault) {
      summary->harness_faults.push_back({record->number, ToString(record->rule), record->first_preceding});
    }
  }
}

std::vector<JudgedElements> LargestChains(std::vector<JudgedElements> chains) {
  return Largest(std::move(chains), kMostChains);
}

std::map<std::string, uint64_t> KindsOf(const std::vector<const CaseRecord*>& records) {
  std::map<std::string, uint64_t> kinds;
  for (const CaseRecord* record : records) {
    if (record->verdict == Verdict::kUnsupported) continue;  // as a route that this MLIR does not have
    const bool several = record->shapes == ShapeClass::kSeveralOps;
    ++kinds[absl::StrCat(several ? kSeveralOps : Name(record->op), " ", several ? "" : ToString(record->types), " ",
                         RouteName(record->route))];
  }
  return kinds;
}

std::vector<std::string> UnusedSupport(Dialect dialect, const std::map<std::string, uint64_t>& rules) {
  std::vector<std::string> unused;
  for (const SupportEntry& entry : SupportTable()) {
    const bool is_needed = rules.contains(std::string(Name(entry.rule)));
    if (HoldsFor(entry, dialect) && !is_needed) unused.push_back(std::string(Name(entry.rule)));
  }
  return unused;
}

std::vector<std::string> UnseenKnown(const std::map<std::string, uint64_t>& kinds, const KnownDivergences& known,
                                     uint64_t cases_without, std::set<std::string> seen,
                                     absl::FunctionRef<bool(const std::string& cause)> still_shows) {
  std::map<std::string, uint64_t> may_show;  // by cause
  for (const KnownDivergences::Entry& entry : known.entries()) {
    for (const auto& [kind, count] : kinds) {
      const std::vector<std::string> parts = absl::StrSplit(kind, ' ');  // op, element types, route
      if (entry.MayBeShownBy(parts[0], parts[1], parts[2])) may_show[entry.cause] += count;
    }
  }
  std::vector<std::string> unseen;
  for (const KnownDivergences::Entry& entry : known.entries()) {
    if (seen.contains(entry.cause) || may_show[entry.cause] < cases_without) continue;
    if (absl::EndsWith(entry.signature, kUnrankedOperand)) continue;  // no case is drawn that would end the worker
    still_shows(entry.cause) ? void(seen.insert(entry.cause)) : unseen.push_back(entry.signature);
  }
  return unseen;
}

std::vector<std::string> UnseenKnownOf(const CampaignRun& run, const std::map<std::string, uint64_t>& kinds,
                                       const std::vector<Finding>& findings) {
  const CampaignOptions& options = run.options;
  std::set<std::string> seen;  // causes
  for (const Finding& finding : findings) seen.insert(finding.cause);
  const auto still_shows = [&](const std::string& cause) {
    if (!options.known_cases) return false;
    return absl::c_any_of(options.known_cases(cause), [&](const Case& test_case) {
      const CheckedCase checked = CheckCase(run.toolchain, test_case, options.limits, options.judge);
      const Case& shown = checked.twin ? *checked.twin : test_case;
      const KnownDivergences::Entry* entry = options.known.Find(checked.signature, &shown, run.toolchain);
      return entry != nullptr && entry->cause == cause;
    });
  };
  return UnseenKnown(kinds, options.known, options.cases_without_known, seen, still_shows);
}

}  // namespace tosaic
