// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/category.h"

#include <array>
#include <cstddef>

namespace tosaic {
namespace {

struct CategoryRow {
  Category category;
  absl::string_view name;
};

constexpr CategoryRow kRows[] = {
    {Category::kElementType, "element-type"},
    {Category::kDimensionSize, "dimension-size"},
    {Category::kSpecialOperand, "special-operand"},
    {Category::kRank, "rank"},
    {Category::kNotBroadcastable, "not-broadcastable"},
    {Category::kResultIncompatible, "result-incompatible"},
    {Category::kAttribute, "attribute"},
    {Category::kZeroPoint, "zero-point"},
    {Category::kShift, "shift"},
    {Category::kOperandCount, "operand-count"},
    {Category::kContainer, "container"},
    {Category::kConstantOperand, "constant-operand"},
    {Category::kUnranked, "unranked"},
    {Category::kDynamic, "dynamic"},
    {Category::kLevel, "level"},
    {Category::kProfile, "profile"},
    {Category::kSpecificationVersion, "specification-version"},
    {Category::kUnknown, "unknown"},
};
constexpr size_t kCount = sizeof(kRows) / sizeof(kRows[0]);

constexpr bool RowsAreInOrder() {
  for (size_t i = 0; i < kCount; ++i) {
    if (static_cast<size_t>(kRows[i].category) != i) return false;
  }
  return kCount == static_cast<size_t>(Category::kUnknown) + 1;
}
static_assert(RowsAreInOrder());

}  // namespace

EnumNames NamesOf(Category) {
  static constexpr auto kNames = [] {
    std::array<absl::string_view, kCount> names{};
    for (size_t i = 0; i < kCount; ++i) names[i] = kRows[i].name;
    return names;
  }();
  return NamesFor<Category>(kNames, "a category");
}

}  // namespace tosaic
