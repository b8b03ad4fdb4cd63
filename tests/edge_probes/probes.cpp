// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/edge_probes/probes.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "model/tensor.h"
#include "oracle/judge.h"
#include "oracle/run_values.h"
#include "tests/edge_probes/columns.h"
#include "tests/edge_probes/programs.h"

namespace tosaic::edge_probes {
namespace {

constexpr size_t kShownComplaints = 30;

// Puts the columns side by side: a run, and what it returned.
void AddRun(const std::vector<Column>& columns, Probe& probe) {
  const Program& program = probe.test_case.program;
  const std::vector<int64_t> sizes = {static_cast<int64_t>(columns.size())};
  Run run;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    Tensor& tensor = run.emplace_back(program.arguments[i].element_type, sizes);
    for (size_t k = 0; k < columns.size(); ++k) tensor.SetBits(k, columns[k].arguments[i]);
  }
  probe.test_case.runs.push_back(std::move(run));
  RunObservation observed;
  for (const ValueRef ref : program.results) {
    Tensor tensor(ElementTypeOf(program, ref), sizes);
    for (size_t k = 0; k < columns.size(); ++k) tensor.SetBits(k, columns[k].ops[ref.index]);
    observed.results.push_back({std::move(tensor), {}});
  }
  probe.observation.runs.push_back(std::move(observed));
  probe.observation.inferred.resize(program.ops.size());
}

void CountProbe(const Probe& probe, const Judgement& judgement, Counts& counts) {
  const bool blamed = IsDivergence(judgement.verdict);
  // An explanation may need a target that flushes and keeps subnormals, which the whole case then shows.
  const bool is_mixture = judgement.rule == RuleId::kValueFlushing;
  if (!probe.outside) {
    ++counts.allowed;
    counts.blamed += blamed;
  } else if (probe.all_returned) {
    ++counts.outside;
    counts.accepted += !blamed;
  } else if (!probe.explained || (*probe.explained && is_mixture)) {
    ++counts.hidden_undecided;
  } else if (*probe.explained) {
    ++counts.hidden_explained;
    counts.blamed += blamed;  // a value that nobody sees makes it right
  } else {
    ++counts.hidden_outside;
    counts.hidden_accepted += !blamed;
  }
}

}  // namespace

std::optional<Probe> Make(uint64_t seed, uint64_t number) {
  Dice dice(seed, number);
  Probe probe;
  const size_t ops = 1 + dice.Below(3), elements = 1 + 2 * dice.Below(2);
  const auto returned = static_cast<Returned>(dice.Below(3));
  probe.all_returned = returned == Returned::kAll || ops == 1;
  probe.test_case.program = MakeProgram(ops, static_cast<int64_t>(elements), returned, dice);
  const Program& program = probe.test_case.program;
  std::optional<Mistake> mistake;
  if (dice.OneIn(2)) mistake = Mistake{Mistake::Kind::kStepOutside, dice.Below(ops)};
  if (mistake && !probe.all_returned && dice.OneIn(3))
    mistake = Mistake{Mistake::Kind::kOtherContent, 1 + dice.Below(ops - 1)};
  if (mistake) probe.outside = mistake->op;
  ColumnMaker maker(program, dice.OneIn(4), dice);
  const size_t wrong_column = dice.Below(elements);
  std::vector<Column> columns;
  for (size_t i = 0; i < elements; ++i) {
    std::optional<Column> column = maker.Make(i == wrong_column ? mistake : std::nullopt);
    if (!column) return std::nullopt;
    columns.push_back(*std::move(column));
  }
  if (mistake && !probe.all_returned) probe.explained = maker.IsExplained(columns[wrong_column]);
  AddRun(columns, probe);
  const ValueRef cause = probe.outside && probe.all_returned
                             ? ValueRef{ValueRef::Kind::kOp, static_cast<int>(*probe.outside)}
                             : program.results.back();
  probe.cause = ComputationOf(program, cause);
  return probe;
}

Counts& Counts::operator+=(const Counts& other) {
  allowed += other.allowed;
  blamed += other.blamed;
  outside += other.outside;
  accepted += other.accepted;
  hidden_outside += other.hidden_outside;
  hidden_accepted += other.hidden_accepted;
  hidden_explained += other.hidden_explained;
  hidden_undecided += other.hidden_undecided;
  return *this;
}

Counts Result::Total() const {
  Counts total;
  for (const auto& [cause, counts] : by_cause) total += counts;
  return total;
}

Result JudgeProbes(uint64_t seed, uint64_t first, uint64_t count) {
  Result result;
  for (uint64_t number = first; number < first + count; ++number) {
    const std::optional<Probe> probe = Make(seed, number);
    if (!probe) {
      ++result.left_out;
      continue;
    }
    const Judgement judgement = Judge(probe->test_case, probe->observation);
    Counts counts;
    CountProbe(*probe, judgement, counts);
    result.by_cause[probe->cause] += counts;
    std::vector<std::string>& complaints =
        counts.blamed + counts.accepted > 0 ? result.complaints : result.hidden_complaints;
    if (counts.blamed + counts.accepted + counts.hidden_accepted == 0 || complaints.size() >= kShownComplaints)
      continue;
    complaints.push_back(absl::StrCat("probe ", number, ", ", probe->cause, ": ", Name(judgement.verdict), " [",
                                      Name(judgement.rule), "], expected ", judgement.expected, ", actual ",
                                      judgement.actual));
  }
  return result;
}

}  // namespace tosaic::edge_probes
