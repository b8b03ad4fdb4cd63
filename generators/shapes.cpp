// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/shapes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tosaic {
namespace {

enum class Style : uint8_t { kStatic, kMixed, kMostlyDynamic };
constexpr int kStyleWeights[] = {24, 53, 23};

// Chances of a dimension to be of the full size, 1, dynamic; by style. A lone operand has fewer dimensions of 1.
constexpr int kDimWeights[][3] = {{75, 25, 0}, {34, 16, 50}, {8, 7, 85}};
constexpr int kSingleDimWeights[][3] = {{92, 8, 0}, {44, 6, 50}, {12, 3, 85}};

size_t DrawRank(ChoiceSource& choices, const ShapeOptions& options) {
  constexpr size_t kRanks[] = {1, 2, 3, 4, 5, 6, 0, 7, 8};
  constexpr int kWeights[] = {22, 37, 20, 9, 3, 2, 4, 2, 1};
  const size_t rank = kRanks[choices.Weighted(kWeights)];
  return std::clamp(rank, options.min_rank, options.max_rank);
}

// In 1/10,000: now and then beyond kLargeElements, hardly ever all that is allowed.
int64_t DrawPlanLimit(ChoiceSource& choices, int64_t max_elements) {
  constexpr int kWeights[] = {9954, 45, 1};
  constexpr int64_t kBeyondLarge = 8 * kLargeElements;
  switch (choices.Weighted(kWeights)) {
    case 0:
      return DrawElementLimit(choices, max_elements);
    case 1:
      return std::min(kBeyondLarge, max_elements);
    default:
      return max_elements;
  }
}

std::vector<int64_t> DrawFullSizes(ChoiceSource& choices, size_t rank, int64_t limit) {
  std::vector<int64_t> sizes(rank, 1);
  int64_t count = 1;
  // From a random dimension on, so that no position is favoured when the limit is reached.
  const size_t first = rank > 0 ? choices.Below(rank) : 0;
  for (size_t i = 0; i < rank; ++i) {
    int64_t& size = sizes[(first + i) % rank];
    size = DrawSize(choices, limit / count);
    count *= size;
  }
  return sizes;
}

Shape DrawOperandShape(ChoiceSource& choices, const std::vector<int64_t>& full, Style style, bool must_be_static,
                       bool single) {
  std::vector<Dim> dims;
  for (int64_t size : full) {
    const size_t row = must_be_static ? static_cast<size_t>(Style::kStatic) : static_cast<size_t>(style);
    switch (choices.Weighted(single ? kSingleDimWeights[row] : kDimWeights[row])) {
      case 0:
        dims.push_back(Dim::Static(size));
        break;
      case 1:
        dims.push_back(Dim::Static(1));
        break;
      default:
        dims.push_back(Dim::Dynamic());
    }
  }
  return Shape(std::move(dims));
}

// Makes one dimension dynamic, if an operand may have one.
void DrawOneDynamic(ChoiceSource& choices, const std::vector<bool>& must_be_static, std::vector<Shape>& operands) {
  std::vector<Shape*> candidates;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!must_be_static[i] && operands[i].rank() > 0) candidates.push_back(&operands[i]);
  }
  if (candidates.empty()) return;
  Shape& shape = *candidates[choices.Below(candidates.size())];
  const size_t dim = choices.Below(shape.rank());
  shape.mutable_dims()[dim] = Dim::Dynamic();
}

// Makes operands unranked: one, or at times all that may be.
void DrawUnranked(ChoiceSource& choices, const std::vector<bool>& must_be_static, std::vector<Shape>& operands) {
  const size_t chosen = choices.Below(operands.size());
  const bool all = choices.Chance(1, 3);
  for (size_t i = 0; i < operands.size(); ++i) {
    if ((all || i == chosen) && !must_be_static[i]) operands[i] = Shape::Unranked();
  }
}

// Turns dimensions that `from_dynamic` says into the other kind, each with a chance of one half, or all of them.
Shape DrawVariation(ChoiceSource& choices, const Shape& implied, const std::vector<int64_t>& full, bool from_dynamic) {
  Shape varied = implied;
  const bool all = choices.Chance(1, 2);
  for (size_t i = 0; i < varied.rank(); ++i) {
    if (varied[i].IsDynamic() != from_dynamic || !(all || choices.Chance(1, 2))) continue;
    varied.mutable_dims()[i] = from_dynamic ? Dim::Static(full[i]) : Dim::Dynamic();
  }
  return varied;
}

// The implied shape, one more general, one more specific, or unranked.
Shape DrawResultShape(ChoiceSource& choices, const ShapePlan& plan, Style style, bool allow_unranked) {
  const std::optional<Shape> implied = ImpliedShape(plan.operands);
  if (!implied) {
    if (choices.Chance(1, 2)) return Shape::Unranked();
    return choices.Chance(1, 2) ? Shape(std::vector<Dim>(plan.full.size(), Dim::Dynamic())) : Shape::OfSizes(plan.full);
  }
  constexpr int kWeights[][4] = {{90, 7, 0, 3}, {57, 20, 18, 5}};
  switch (choices.Weighted(kWeights[style == Style::kStatic ? 0 : 1])) {
    case 1:
      return DrawVariation(choices, *implied, plan.full, /*from_dynamic=*/false);
    case 2:
      return DrawVariation(choices, *implied, plan.full, /*from_dynamic=*/true);
    case 3:
      return allow_unranked ? Shape::Unranked() : *implied;
    default:
      return *implied;
  }
}

}  // namespace

std::optional<Shape> ImpliedShape(absl::Span<const Shape> operands) {
  std::optional<Shape> implied;
  for (const Shape& operand : operands) {
    if (!operand.IsRanked()) continue;
    if (!implied) {
      implied = operand;
      continue;
    }
    for (size_t i = 0; i < operand.rank(); ++i) {
      Dim& dim = implied->mutable_dims()[i];
      // A static size above 1 wins over `?`, and both over 1.
      if (dim.Is(1) || (dim.IsDynamic() && operand[i].IsStatic() && !operand[i].Is(1))) dim = operand[i];
    }
  }
  return implied;
}

// A favoured number as a size, or one beside it, of 2 to `most`; none if there is none.
static std::optional<int64_t> DrawFavouredSize(ChoiceSource& choices, int64_t most) {
  constexpr int64_t kLeast = 2;
  std::vector<int64_t> sizes;
  for (const double number : choices.favoured()) {
    if (number < kLeast || number > static_cast<double>(most) || number != std::floor(number)) continue;
    const auto size = static_cast<int64_t>(number);
    for (const int64_t beside : {size, size, size - 1, size + 1}) {
      if (beside >= kLeast && beside <= most) sizes.push_back(beside);
    }
  }
  if (sizes.empty()) return std::nullopt;
  return choices.Pick<int64_t>(sizes);
}

int64_t DrawSize(ChoiceSource& choices, int64_t limit) {
  constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33, 65};
  constexpr int kWeights[] = {12, 27, 27, 17, 11, 2, 1, 1, 2, 1, 1, 1};
  constexpr int64_t kLanes[] = {64, 32, 128, 256};
  constexpr int kLaneWeights[] = {4, 2, 2, 2};
  constexpr int64_t kBeside[] = {0, 0, -1, 1};
  limit = std::max<int64_t>(limit, 1);
  if (!choices.favoured().empty() && choices.Chance(1, 2)) {
    if (const std::optional<int64_t> size = DrawFavouredSize(choices, limit)) return *size;
    if (limit >= 32 && choices.Chance(1, 4)) return limit;  // of several dimensions, the elements then are the number
  }
  if (limit > 1000 && choices.Chance(1, 2)) return choices.Between(limit / 8, limit / 2);
  if (limit >= 64 && choices.Chance(limit > 256 ? 3 : 1, 4)) {
    return std::min(kLanes[choices.Weighted(kLaneWeights)] + kBeside[choices.Below(std::size(kBeside))], limit);
  }
  return std::min(kSizes[choices.Weighted(kWeights)], limit);
}

int64_t DrawElementLimit(ChoiceSource& choices, int64_t max_elements) {
  constexpr int kWeights[] = {890, 75, 32, 3};
  constexpr int64_t kLimits[] = {30, 160, 600, kLargeElements};
  if (!choices.favoured().empty() && choices.Chance(choices.favours_strongly() ? 2 : 1, 4)) {
    const std::optional<int64_t> size = DrawFavouredSize(choices, max_elements);
    // The larger, the rarer: a case of thousands of elements takes as long as dozens of others.
    constexpr int64_t kCheap = 2048;
    if (size && choices.Chance(kCheap, static_cast<uint64_t>(std::max(kCheap, *size)))) {
      return std::min(std::max(choices.Between(1, 2) * *size, kLimits[0]), max_elements);
    }
  }
  return std::min(kLimits[choices.Weighted(kWeights)], max_elements);
}

ShapePlan DrawShapes(ChoiceSource& choices, const std::vector<bool>& must_be_static, const ShapeOptions& options) {
  ShapePlan plan;
  const auto style = static_cast<Style>(choices.Weighted(kStyleWeights));
  const size_t rank = DrawRank(choices, options);
  plan.element_limit = DrawPlanLimit(choices, options.max_elements);
  plan.full = DrawFullSizes(choices, rank, plan.element_limit);
  const bool single = must_be_static.size() == 1;
  for (bool is_static : must_be_static) {
    plan.operands.push_back(DrawOperandShape(choices, plan.full, style, is_static, single));
  }
  const bool all_static =
      std::all_of(plan.operands.begin(), plan.operands.end(), [](const Shape& shape) { return shape.IsStatic(); });
  if (style != Style::kStatic && all_static) DrawOneDynamic(choices, must_be_static, plan.operands);
  if (options.allow_unranked && options.unranked_operands && choices.Chance(3, 100))
    DrawUnranked(choices, must_be_static, plan.operands);
  if (const std::optional<Shape> implied = ImpliedShape(plan.operands)) {
    for (size_t i = 0; i < plan.full.size(); ++i) {
      // A dimension that all ranked operands fix at 1 stays 1, whatever an unranked one could be.
      if ((*implied)[i].Is(1)) plan.full[i] = 1;
    }
  }
  plan.result = DrawResultShape(choices, plan, style, options.allow_unranked);
  return plan;
}

}  // namespace tosaic
