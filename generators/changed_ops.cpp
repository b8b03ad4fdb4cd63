// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/changed_ops.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "generators/typed_op.h"

namespace tosaic {
namespace {

constexpr size_t kMany = 128;     // programs: they have most ops
constexpr size_t kEnough = 5000;  // more say nothing new

}  // namespace

void ChangedOps::Add(const Program& program, bool is_changed) {
  if (programs_.size() == kEnough) return;
  Known& known = programs_.emplace_back();
  known.is_changed = is_changed;
  for (const OpApplication& op : program.ops) known.ops.insert(op.op);
}

std::vector<OpKind> ChangedOps::Likely() const {
  std::set<OpKind> likely;
  // The share of changed programs among those that have an op, by op, of programs without a likely op, and with `with`.
  const auto shares = [&](std::optional<OpKind> with) {
    std::map<OpKind, std::pair<double, double>> counts;  // changed, and all
    for (const Known& program : programs_) {
      const bool counts_here =
          with ? program.ops.contains(*with)
               : std::none_of(program.ops.begin(), program.ops.end(), [&](OpKind op) { return likely.contains(op); });
      if (!counts_here) continue;
      for (const OpKind op : program.ops) {
        counts[op].first += program.is_changed ? 1 : 0;
        ++counts[op].second;
      }
    }
    std::map<OpKind, double> shares;
    // Of few programs a share says little: one more counts as unchanged.
    for (const auto& [op, count] : counts) shares[op] = count.first / (count.second + 1);
    return shares;
  };
  const auto highest = [](const std::map<OpKind, double>& shares) {
    return std::max_element(shares.begin(), shares.end(), [](auto& a, auto& b) { return a.second < b.second; });
  };
  const auto changes_alone = [&](OpKind op) {
    return std::any_of(programs_.begin(), programs_.end(),
                       [&](const Known& program) { return program.is_changed && program.ops == std::set{op}; });
  };
  double first_share = 0;
  while (true) {
    const std::map<OpKind, double> alone = shares(std::nullopt);
    const auto best = highest(alone);
    if (best == alone.end() || best->second == 0 || 2 * best->second < first_share) break;
    first_share = std::max(first_share, best->second);
    likely.insert(best->first);
    if (changes_alone(best->first)) continue;
    std::map<OpKind, double> beside = shares(best->first);
    beside.erase(best->first);
    const auto partner = highest(beside);
    for (const auto& [op, share] : beside) {
      if (2 * share >= partner->second) likely.insert(op);
    }
  }
  return {likely.begin(), likely.end()};
}

GeneratorOptions ChangedOps::PreferredOf(const GeneratorOptions& all) const {
  GeneratorOptions preferred = all;
  std::vector<OpKind> ops = Likely();
  std::erase_if(ops, [&](OpKind op) { return !Allows(all, op); });
  if (!ops.empty()) {
    preferred.ops = std::move(ops);
  } else if (programs_.size() >= kMany) {
    std::tie(preferred.chain_percent, preferred.graph_percent, preferred.identity_percent) = std::tuple(65, 10, 25);
  }
  return preferred;
}

}  // namespace tosaic
