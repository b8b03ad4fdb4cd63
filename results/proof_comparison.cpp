// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/proof_comparison.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codec/visitor.h"
#include "model/counted.h"

namespace tosaic {
namespace {

std::string NameOf(const ProofRow& row) { return absl::StrCat(row.op, " ", row.types); }

std::string LineOf(const ProofChange& change) {
  return absl::StrCat(change.HasRegressed() ? "regressed " : "changed   ", change.row, ": ", Name(change.before),
                      " -> ", Name(change.after), change.why.empty() ? "" : ": ", change.why,
                      change.inputs.empty() ? "" : " at ", absl::StrJoin(change.inputs, ", "),
                      change.execution.empty() ? "" : "; run: ", change.execution, "\n");
}

}  // namespace

ProofComparison CompareProofs(const ProofSummary& base, const ProofSummary& patch) {
  ProofComparison comparison;
  std::map<std::string, const ProofRow*> rows;  // of the base
  for (const ProofRow& row : base.rows) rows[NameOf(row)] = &row;
  for (const ProofRow& after : patch.rows) {
    const auto found = rows.find(NameOf(after));
    if (found == rows.end()) {
      comparison.uncompared.push_back(NameOf(after));
      continue;
    }
    const ProofRow& before = *found->second;
    rows.erase(found);
    ++comparison.compared;
    const bool newly_refused = after.refused && !before.refused;
    if (before.verdict != after.verdict || newly_refused) {
      comparison.changes.push_back(
          {NameOf(after), before.verdict, after.verdict, after.why, newly_refused, after.inputs, after.execution});
    }
  }
  for (const auto& [name, row] : rows) comparison.uncompared.push_back(name);
  comparison.harness_faults = FaultsOfSides(base.harness_faults, patch.harness_faults);
  return comparison;
}

std::string ToText(const ProofComparison& comparison) {
  std::string out;
  uint64_t regressed = 0;
  for (const ProofChange& change : comparison.changes) {
    out += LineOf(change);
    regressed += change.HasRegressed() ? 1 : 0;
  }
  for (const std::string& name : comparison.uncompared) {
    absl::StrAppend(&out, "not compared: ", name, ": one of them lacks it\n");
  }
  for (const std::string& fault : comparison.harness_faults) absl::StrAppend(&out, "harness fault: ", fault, "\n");
  return absl::StrCat(out, Counted(comparison.compared, "proof"), " compared, ", comparison.changes.size(),
                      " changed, ", regressed, " regressed\n");
}

void Fields(Visitor& v, ProofChange& change) {
  v("row", change.row, "the op with its types");
  v("before", change.before);
  v("after", change.after);
  v("why", change.why, "of the patch, if it is not proved");
  v("newly_refused", change.newly_refused, "the patch's pass pipeline refuses a program that the base's takes");
  v("inputs", change.inputs, "refuted: bit patterns of an element of each operand");
  v("execution", change.execution, "refuted: what running the patch's inputs shows");
  v.Derived("regressed", change.HasRegressed());
}

void Fields(Visitor& v, ProofComparison& comparison) {
  v("compared", comparison.compared, "rows of both files");
  v("changes", comparison.changes);
  v("uncompared", comparison.uncompared, "rows that one of them lacks");
  v.Optional("harness_faults", comparison.harness_faults, "of both, each with its side");
}

}  // namespace tosaic
