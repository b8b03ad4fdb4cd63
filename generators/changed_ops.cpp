// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/changed_ops.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/typed_op.h"

namespace tosaic {
namespace {

constexpr size_t kMany = 128;     // programs: they have most ops
constexpr size_t kEnough = 5000;  // more say nothing new
constexpr size_t kMostNumbers = 8;
constexpr size_t kMostPatchOps = 12;      // named by a patch's code
constexpr int kPercentOfNumbers = 90;     // of the cases: the patch compares something with them
constexpr int kPercentOfFewNumbers = 50;  // of the cases: it may
constexpr int kFewestOfType = 3;          // programs that changed: of fewer, each may have the type by chance

// Whether cases have the ops that the patch's code names, after that many programs of which none has changed. They take
// turns with all ops, for the code of the mistake may name none of its ops, as where it is about linalg.
bool IsTurnOfCode(size_t programs) {
  constexpr size_t kFew = 32, kTurn = 400;
  return programs < kFew || (programs >= kMany && programs / kTurn % 2 == 0);
}

}  // namespace

ChangedOps::Known::Known(const Case& test_case, bool is_changed, std::vector<double> numbers)
    : is_changed(is_changed), numbers(std::move(numbers)), has_runs(!test_case.runs.empty()) {
  for (const OpApplication& op : test_case.program.ops) {
    ops.insert(op.op);
    typed_ops.push_back({op.op, InputElementType(test_case.program, op), op.result.element_type});
  }
}

void ChangedOps::Add(Known known) {
  if (known.has_runs && programs_.size() < kEnough) programs_.push_back(std::move(known));
}

std::map<OpKind, double> ChangedOps::SharesAmong(absl::FunctionRef<bool(const std::set<OpKind>&)> counts) const {
  std::map<OpKind, std::pair<double, double>> programs;  // changed, and all
  for (const Known& known : programs_) {
    if (!counts(known.ops)) continue;
    for (const OpKind op : known.ops) {
      programs[op].first += known.is_changed ? 1 : 0;
      ++programs[op].second;
    }
  }
  std::map<OpKind, double> shares;
  // Of few programs a share says little: one more counts as unchanged.
  for (const auto& [op, count] : programs) shares[op] = count.first / (count.second + 1);
  return shares;
}

bool ChangedOps::ChangesAlone(OpKind op) const {
  return absl::c_any_of(programs_, [&](const Known& known) { return known.is_changed && known.ops == std::set{op}; });
}

bool ChangedOps::ChangesBeyond(SpecVersion version) const {
  const auto is_beyond = [version](const TypedOp& op) {
    return FindSpecTuple(Info(op.op), op.input, op.result, version) == nullptr;
  };
  bool some = false;
  for (const Known& known : programs_) {
    if (known.is_changed && absl::c_none_of(known.typed_ops, is_beyond)) return false;
    some = some || known.is_changed;
  }
  return some;
}

std::vector<OpKind> ChangedOps::Likely() const {
  const auto highest = [](const std::map<OpKind, double>& shares) {
    return absl::c_max_element(shares, [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  std::set<OpKind> likely;
  const auto is_unexplained = [&](const std::set<OpKind>& ops) {
    return absl::c_none_of(ops, [&](OpKind op) { return likely.contains(op); });
  };
  double first_share = 0;
  while (true) {
    const std::map<OpKind, double> shares = SharesAmong(is_unexplained);
    const auto best = highest(shares);
    if (best == shares.end() || best->second == 0 || 2 * best->second < first_share) break;
    first_share = std::max(first_share, best->second);
    const OpKind op = best->first;
    likely.insert(op);
    if (ChangesAlone(op)) continue;
    std::map<OpKind, double> beside = SharesAmong([&](const std::set<OpKind>& ops) { return ops.contains(op); });
    beside.erase(op);
    const auto partner = highest(beside);
    for (const auto& [other, share] : beside) {
      if (2 * share >= partner->second) likely.insert(other);
    }
  }
  return {likely.begin(), likely.end()};
}

std::optional<ElementType> ChangedOps::LikelyType(const std::vector<OpKind>& likely) const {
  std::map<ElementType, std::pair<double, double>> programs;  // changed, and all
  int changed = 0;
  for (const Known& known : programs_) {
    std::set<ElementType> types;
    for (const TypedOp& op : known.typed_ops) {
      if (absl::c_linear_search(likely, op.op)) types.insert({op.input, op.result});
    }
    changed += known.is_changed ? 1 : 0;
    for (const ElementType type : types) {
      programs[type].first += known.is_changed ? 1 : 0;
      ++programs[type].second;
    }
  }
  std::optional<ElementType> best;
  double highest = 0;
  for (const auto& [type, count] : programs) {
    if (changed < kFewestOfType || count.first < changed || count.first / count.second <= highest) continue;
    best = type;
    highest = count.first / count.second;
  }
  return best;
}

std::vector<double> ChangedOps::Numbers() const {
  std::map<double, int> programs;
  for (const Known& known : programs_) {
    for (const double number : known.numbers) ++programs[number];
  }
  std::vector<std::pair<int, double>> shared;  // by how many programs lack it
  for (const auto& [number, count] : programs) {
    if (count > 1) shared.emplace_back(-count, number);
  }
  absl::c_sort(shared);
  std::vector<double> numbers;
  for (const auto& [count, number] : shared) {
    if (numbers.size() < kMostNumbers) numbers.push_back(number);
  }
  return numbers;
}

GeneratorOptions ChangedOps::PreferredOf(const GeneratorOptions& all) const {
  GeneratorOptions preferred = all;
  const bool has_few = all.numbers.size() <= kMostNumbers;
  if (std::vector<double> numbers = Numbers(); !numbers.empty()) {
    // Those of the code too: the number on which it depends whether it does something is seldom in what it does.
    if (has_few) absl::c_copy(all.numbers, std::back_inserter(numbers));
    preferred.numbers = std::move(numbers);
    preferred.numbers_percent = kPercentOfNumbers;
  } else if (has_few) {
    preferred.numbers_percent = kPercentOfFewNumbers;
  }
  std::vector<OpKind> ops = Likely();
  const bool says_much = all.patch_ops.size() <= kMostPatchOps;
  if (ops.empty() && says_much && IsTurnOfCode(programs_.size())) ops = all.patch_ops;
  std::erase_if(ops, [&](OpKind op) { return !Allows(all, op); });
  if (!ops.empty()) {
    const std::optional<ElementType> type = LikelyType(ops);
    preferred.ops = std::move(ops);
    if (type && (all.types.empty() || absl::c_linear_search(all.types, *type))) preferred.types = {*type};
    if (!CheckOptions(preferred).ok()) preferred.types = all.types;
  } else if (programs_.size() >= kMany) {
    std::tie(preferred.chain_percent, preferred.graph_percent, preferred.identity_percent) = std::tuple(65, 10, 25);
  }
  if (all.beyond_spec_percent > 0 && ChangesBeyond(all.spec_version)) preferred.beyond_spec_percent = 60;
  return preferred;
}

}  // namespace tosaic
