#include "oracle/category.h"

#include <algorithm>

#include "oracle/legality.h"

namespace tosaic {
namespace {

struct Row {
  absl::string_view label;
  Category category;
};

constexpr Row kTable[] = {
    {"legal.element-type", Category::kElementType},
    {"legal.special-operand.type", Category::kSpecialOperand},
    {"legal.dimension", Category::kDimensionSize},
    {"legal.special-operand", Category::kSpecialOperand},
    {"legal.rank", Category::kRank},
    {"bcast.infer.conflict", Category::kNotBroadcastable},
    {"bcast.verify.rank", Category::kResultIncompatible},
    {"bcast.verify.dyn-static", Category::kResultIncompatible},
    {"bcast.verify.different", Category::kResultIncompatible},
    {"legal.attribute.missing", Category::kAttribute},
    {"legal.attribute.bounds", Category::kAttribute},
    {"legal.zero-point", Category::kZeroPoint},
    {"legal.shift", Category::kShift},
    {"validate.element-type", Category::kElementType},
    {"validate.version", Category::kSpecificationVersion},
    {"validate.profile", Category::kProfile},
    {"validate.constant-operand", Category::kConstantOperand},
    {"validate.unranked", Category::kUnranked},
    {"validate.dynamic", Category::kDynamic},
    {"validate.level.rank", Category::kLevel},
    {"validate.level.size", Category::kLevel},
};

}  // namespace

std::optional<Category> CategoryOfRule(absl::string_view label) {
  for (const Row& row : kTable) {
    if (row.label == label) return row.category;
  }
  return std::nullopt;
}

std::vector<Category> BrokenCategories(const Program& program, const Policies& policies) {
  std::vector<Category> categories;
  for (const OpApplication& op : program.ops) {
    for (absl::string_view rule : BrokenRules(program, op, policies)) {
      const Category category = CategoryOfRule(rule).value_or(Category::kUnknown);
      if (std::find(categories.begin(), categories.end(), category) == categories.end()) categories.push_back(category);
    }
  }
  return categories;
}

}  // namespace tosaic
