// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/sweep_comparison.h"

#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "codec/visitor.h"
#include "model/counted.h"
#include "results/text.h"

namespace tosaic {
namespace {

// The order of the inputs of a stretch: the last operand changes slowest.
std::string PlaceOf(const std::string& bits) {
  std::vector<std::string> operands = absl::StrSplit(bits, ' ');
  absl::c_reverse(operands);
  return absl::StrJoin(operands, " ");
}

bool Contains(const BitStretch& outer, const BitStretch& inner) {
  return PlaceOf(outer.first) <= PlaceOf(inner.first) && PlaceOf(inner.last) <= PlaceOf(outer.last);
}

// The first listed stretch that no stretch before contains. Behind the last one that the base lists nothing is known.
std::string NewlyWrong(const ValueSweepRow& before, const ValueSweepRow& after) {
  const bool lists_all = before.wrong.size() == before.wrong_stretches;
  for (const BitStretch& stretch : after.wrong) {
    const bool is_known =
        lists_all || (!before.wrong.empty() && PlaceOf(stretch.last) <= PlaceOf(before.wrong.back().last));
    if (!is_known) break;
    const auto contains = [&](const BitStretch& outer) { return Contains(outer, stretch); };
    if (absl::c_none_of(before.wrong, contains)) return InWords(stretch);
  }
  return "";
}

bool HasFault(const ValueSweepRow& row) { return row.verdicts.contains(Verdict::kHarnessFault); }

bool HasChanged(const ValueSweepRow& before, const ValueSweepRow& after) {
  return before.profile.Judged() != after.profile.Judged() || before.profile.open != after.profile.open ||
         before.verdicts != after.verdicts || before.profile.error.value != after.profile.error.value ||
         before.profile.disagreements != after.profile.disagreements || before.wrong != after.wrong;
}

// With as many decimals as tell the two apart.
std::string ErrorsInWords(const SweepChange& change) {
  for (int digits = 1;; ++digits) {
    const std::string before = absl::StrFormat("%.*f", digits, change.error_before);
    const std::string after = absl::StrFormat("%.*f", digits, change.error_after);
    if (before != after || digits == 17) return absl::StrCat(before, " -> ", after);
  }
}

std::string LineOf(const SweepChange& change) {
  std::vector<std::string> parts;
  if (change.judged_before != change.judged_after) {
    parts.push_back(absl::StrCat(change.judged_before, " -> ", Counted(change.judged_after, "judged input"),
                                 change.not_judged.empty() ? "" : ", now ", change.not_judged));
  }
  const bool both_ran = change.judged_before > 0 && change.judged_after > 0;
  if (both_ran && change.error_before != change.error_after) {
    parts.push_back(absl::StrCat("worst error ", ErrorsInWords(change), " ulp", change.error_at.empty() ? "" : " at ",
                                 change.error_at));
  }
  if (change.open_before != change.open_after) {
    parts.push_back(absl::StrCat(change.open_before, " -> ", Counted(change.open_after, "open input")));
  }
  if (change.wrong_before != change.wrong_after) {
    parts.push_back(absl::StrCat(change.wrong_before, " -> ", Counted(change.wrong_after, "wrong input")));
  }
  if (change.wrong_before > 0 && !change.newly_wrong.empty())
    parts.push_back(absl::StrCat("newly wrong ", change.newly_wrong));
  if (parts.empty()) parts.push_back(change.wrong_after > 0 ? "other inputs are wrong" : "other verdicts");
  return absl::StrCat(change.HasRegressed() ? "regressed " : "changed   ", change.row, ": ", absl::StrJoin(parts, ", "),
                      change.wrong_in_words.empty() ? "" : "; now ", change.wrong_in_words, "\n");
}

}  // namespace

SweepComparison CompareSweeps(const ValueSweepSummary& base, const ValueSweepSummary& patch) {
  SweepComparison comparison;
  std::map<std::string, const ValueSweepRow*> rows;  // of the base
  for (const ValueSweepRow& row : base.rows) rows[NameOf(row)] = &row;
  for (const ValueSweepRow& after : patch.rows) {
    const std::string name = NameOf(after);
    const auto found = rows.find(name);
    const ValueSweepRow* before = found == rows.end() ? nullptr : found->second;
    if (before != nullptr) rows.erase(found);
    const bool is_known = before != nullptr && !HasFault(*before) && !HasFault(after);
    if (!is_known || before->inputs != after.inputs || before->exhaustive != after.exhaustive) {
      comparison.uncompared.push_back(name);
      continue;
    }
    ++comparison.compared;
    if (!HasChanged(*before, after)) continue;
    comparison.changes.push_back({.row = name,
                                  .op = after.op,
                                  .types = after.types,
                                  .error_before = before->profile.error.value,
                                  .error_after = after.profile.error.value,
                                  .error_at = absl::StrJoin(after.profile.error.inputs, ", "),
                                  .judged_before = before->profile.Judged(),
                                  .judged_after = after.profile.Judged(),
                                  .not_judged = after.profile.Judged() < after.inputs ? Oddities(after.verdicts) : "",
                                  .open_before = before->profile.open,
                                  .open_after = after.profile.open,
                                  .wrong_before = before->profile.disagreements,
                                  .wrong_after = after.profile.disagreements,
                                  .wrong_in_words = WrongInputsInWords(after, 4),
                                  .newly_wrong = NewlyWrong(*before, after)});
  }
  for (const auto& [name, row] : rows) comparison.uncompared.push_back(name);
  comparison.harness_faults = FaultsOfSides(base.harness_faults, patch.harness_faults);
  for (const Finding& finding : patch.findings) {
    const bool is_regressed = absl::c_any_of(comparison.changes, [&](const SweepChange& change) {
      return change.HasRegressed() && change.op == finding.op && change.types == finding.values().types;
    });
    if (is_regressed) comparison.regressions.push_back(finding);
  }
  return comparison;
}

bool HasRegressed(const SweepComparison& comparison) {
  return absl::c_any_of(comparison.changes, [](const SweepChange& change) { return change.HasRegressed(); });
}

std::string ToText(const SweepComparison& comparison) {
  std::string out;
  uint64_t regressed = 0;
  for (const SweepChange& change : comparison.changes) {
    out += LineOf(change);
    regressed += change.HasRegressed() ? 1 : 0;
  }
  for (const std::string& name : comparison.uncompared) {
    absl::StrAppend(&out, "not compared: ", name, ": one of them lacks it, has tried other inputs, or failed on it\n");
  }
  for (const std::string& fault : comparison.harness_faults) absl::StrAppend(&out, "harness fault: ", fault, "\n");
  absl::StrAppend(&out, Counted(comparison.compared, "sweep"), " compared, ", comparison.changes.size(), " changed, ",
                  regressed, " regressed\n");
  return out;
}

void Fields(Visitor& v, SweepChange& change) {
  v("row", change.row, "the op with its types and setting");
  v.MayLack("op", change.op);
  v.MayLack("types", change.types);
  v("error_before_ulp", change.error_before, "the largest of the base");
  v("error_after_ulp", change.error_after);
  v("error_at", change.error_at, "inputs with the patch's largest error");
  v.MayLack("judged_before", change.judged_before, "inputs that ran and were judged");
  v.MayLack("judged_after", change.judged_after);
  v.MayLack("not_judged", change.not_judged, "why the patch's others were not; empty if there are none");
  v.MayLack("open_before", change.open_before, "of these: inputs for which more than half of all values are right");
  v.MayLack("open_after", change.open_after);
  v("wrong_before", change.wrong_before, "inputs");
  v("wrong_after", change.wrong_after);
  v("wrong", change.wrong_in_words, "the patch's, in words");
  v.MayLack("newly_wrong", change.newly_wrong,
            "of `--all`: a stretch of these that has an input that the base has right");
  v.Derived("regressed", change.HasRegressed());
}

void Fields(Visitor& v, SweepComparison& comparison) {
  v("compared", comparison.compared, "sweeps of both files");
  v("changes", comparison.changes);
  v("uncompared", comparison.uncompared, "sweeps that one of them lacks, has with other inputs, or failed on");
  v.Optional("harness_faults", comparison.harness_faults, "of both, each with its side");
  v.MayLack("regressions", Each<FindingOfValues>(comparison.regressions),
            "findings of the patch that regressed sweeps show");
}

}  // namespace tosaic
