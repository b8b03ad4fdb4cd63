// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/reshape.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/algorithm/container.h"
#include "model/tensor.h"

namespace tosaic {
namespace {

constexpr int64_t kRest = -1;

// The product of the sizes that are stated.
int64_t Stated(absl::Span<const int64_t> new_shape) {
  int64_t elements = 1;
  for (const int64_t size : new_shape) elements *= size == kRest ? 1 : size;
  return elements;
}

// The sizes for this many elements; nullopt if no sizes have this many.
std::optional<std::vector<int64_t>> SizesFor(absl::Span<const int64_t> new_shape, int64_t elements) {
  const int64_t stated = Stated(new_shape);
  const bool has_rest = absl::c_linear_search(new_shape, kRest);
  if (stated < 1 || elements % stated != 0 || (!has_rest && elements != stated)) return std::nullopt;
  std::vector<int64_t> sizes(new_shape.begin(), new_shape.end());
  std::replace(sizes.begin(), sizes.end(), kRest, elements / stated);
  return sizes;
}

}  // namespace

bool FitsNewShape(const Shape& declared, absl::Span<const int64_t> new_shape) {
  if (!declared.IsRanked()) return true;
  if (declared.rank() != new_shape.size()) return false;
  for (size_t i = 0; i < new_shape.size(); ++i) {
    if (new_shape[i] != kRest && declared[i].IsStatic() && declared[i].size() != new_shape[i]) return false;
  }
  return true;
}

bool LeavesASizeOpen(const OpApplication& op) {
  return op.attributes.new_shape && absl::c_linear_search(*op.attributes.new_shape, kRest);
}

Shape InferReshape(absl::Span<const int64_t> new_shape, const Shape& operand) {
  if (operand.IsStatic()) {
    if (const auto sizes = SizesFor(new_shape, ElementCount(StaticSizes(operand)))) return Shape::OfSizes(*sizes);
  }
  std::vector<Dim> dims;
  for (const int64_t size : new_shape) dims.push_back(size < 1 ? Dim::Dynamic() : Dim::Static(size));
  return Shape(std::move(dims));
}

bool IsReshapable(absl::Span<const int64_t> new_shape, const Shape& operand, const Shape& result) {
  const bool is_stated = absl::c_all_of(new_shape, [](int64_t size) { return size >= 1 || size == kRest; });
  if (!is_stated || absl::c_count(new_shape, kRest) > 1 || !FitsNewShape(result, new_shape)) return false;
  // If the result's type declares the size that is left, this is as good as a new shape that states it.
  std::vector<int64_t> sizes(new_shape.begin(), new_shape.end());
  for (size_t i = 0; result.IsRanked() && i < sizes.size(); ++i) {
    if (result[i].IsStatic()) sizes[i] = result[i].size();
  }
  if (operand.IsStatic()) return SizesFor(sizes, ElementCount(StaticSizes(operand))).has_value();
  if (!operand.IsRanked() || absl::c_linear_search(sizes, kRest)) return true;
  int64_t least = 1;  // the known sizes of the input are a factor of the total
  for (const Dim dim : operand.dims()) least *= dim.IsStatic() ? dim.size() : 1;
  return least >= 1 && Stated(sizes) % least == 0;
}

RuntimeShape ReshapedSizes(absl::Span<const int64_t> new_shape, const std::vector<int64_t>& operand,
                           const Shape& declared_result) {
  const auto sizes = SizesFor(new_shape, static_cast<int64_t>(ElementCount(operand)));
  if (!sizes) return {.defined = false, .sizes = {}, .rule = RuleId::kRuntimeReshapeElements};
  if (!Admits(declared_result, *sizes)) return {.defined = false, .sizes = {}, .rule = RuleId::kRuntimeStaticResult};
  return {.sizes = *sizes, .rule = RuleId::kRuntimeReshape};
}

ShapeInference InferShapeOf(const OpApplication& op, absl::Span<const Shape* const> operands) {
  if (!op.attributes.new_shape) return InferResultShape(operands);
  return {.shape = InferReshape(*op.attributes.new_shape, *operands[0])};
}

}  // namespace tosaic
