// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/new_shapes.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"

namespace tosaic {
namespace {

// A dimension of the new shape.
struct Part {
  int64_t size = 1;         // what it states
  bool is_open = false;     // the size differs from run to run: it is what is left of the elements
  bool is_general = false;  // the result's type does not say it
};
using Parts = std::vector<Part>;

// The operand's dimensions; those that differ from run to run are one.
Parts PartsOf(const ShapePlan& plan) {
  const Shape& operand = plan.operands.front();
  Parts parts;
  bool has_open = false;
  for (size_t d = 0; d < operand.rank(); ++d) {
    const bool is_declared = plan.result.IsRanked() && plan.result[d].IsStatic();
    if (operand[d].IsStatic() || is_declared) {
      parts.push_back({.size = plan.full[d], .is_general = !is_declared && plan.result.IsRanked()});
    } else if (!std::exchange(has_open, true)) {
      parts.push_back({.is_open = true});
    }
  }
  return parts;
}

void MergeOne(ChoiceSource& choices, Parts& parts) {
  const size_t at = choices.Below(parts.size() - 1);
  const Part& next = parts[at + 1];
  parts[at] = {parts[at].size * next.size, parts[at].is_open || next.is_open, parts[at].is_general || next.is_general};
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

void SplitOne(ChoiceSource& choices, Parts& parts) {
  const size_t at = choices.Below(parts.size());
  const int64_t size = parts[at].size;
  for (int64_t factor = 2; factor * factor <= size; ++factor) {
    if (size % factor != 0) continue;
    parts[at].size = size / factor;
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), Part{.size = factor});
    return;
  }
}

bool IsOne(const Part& part) { return part.size == 1 && !part.is_open; }

void Rearrange(ChoiceSource& choices, size_t least, size_t most, Parts& parts) {
  if (parts.size() > 1 && choices.Chance(1, 4)) {
    std::swap(parts[choices.Below(parts.size())], parts[choices.Below(parts.size())]);
  }
  while (parts.size() > 1 && choices.Chance(1, 2)) MergeOne(choices, parts);
  if (!parts.empty() && choices.Chance(1, 3)) SplitOne(choices, parts);
  if (choices.Chance(1, 4)) std::erase_if(parts, IsOne);
  while (parts.size() < least) parts.push_back({});
  while (parts.size() < most && choices.Chance(1, 4)) {
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(choices.Below(parts.size() + 1)), Part());
  }
  while (parts.size() > most) MergeOne(choices, parts);
}

}  // namespace

NewShape DrawNewShape(ChoiceSource& choices, const ShapePlan& plan, size_t min_rank) {
  Parts parts = PartsOf(plan);
  Rearrange(choices, min_rank, std::max(kMaxRankOfLevels, plan.operands.front().rank()), parts);
  NewShape drawn;
  for (const Part& part : parts) drawn.sizes.push_back(part.is_open ? -1 : part.size);
  const bool has_open = absl::c_linear_search(drawn.sizes, -1);
  // One size need not be stated where all are known.
  if (!parts.empty() && !has_open && choices.Chance(1, 5)) drawn.sizes[choices.Below(parts.size())] = -1;
  if (!plan.result.IsRanked()) {
    drawn.result = Shape::Unranked();
    return drawn;
  }
  std::vector<Dim> dims;
  for (const Part& part : parts) {
    dims.push_back(part.is_open || part.is_general ? Dim::Dynamic() : Dim::Static(part.size));
  }
  drawn.result = Shape(std::move(dims));
  return drawn;
}

}  // namespace tosaic
