#include "model/category.h"

#include <array>
#include <cstddef>

namespace tosaic {
namespace {

struct Row {
  Category category;
  absl::string_view name;
};

constexpr Row kRows[] = {
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

constexpr auto kCategories = [] {
  std::array<Category, kCount> categories{};
  for (size_t i = 0; i < kCount; ++i) categories[i] = kRows[i].category;
  return categories;
}();

}  // namespace

absl::Span<const Category> AllCategories() { return kCategories; }

absl::string_view Name(Category category) { return kRows[static_cast<size_t>(category)].name; }

std::optional<Category> FindCategory(absl::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.category;
  }
  return std::nullopt;
}

}  // namespace tosaic
