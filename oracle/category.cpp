#include "oracle/category.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"

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
    {"bcast.property.operands", Category::kOperandCount},
    {"bcast.property.container", Category::kContainer},
    {"bcast.property.mixed", Category::kContainer},
    {"bcast.dimension.zero", Category::kDimensionSize},
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

std::string WrongReason(Category got, absl::Span<const Category> broken, absl::string_view rule) {
  if (std::find(broken.begin(), broken.end(), got) != broken.end()) return "";
  const Category expected = CategoryOfRule(rule).value_or(Category::kUnknown);
  return absl::StrCat("refused.wrong-reason: ", Name(got), ", expected ", Name(expected));
}

void AddCategories(absl::Span<const absl::string_view> rules, std::vector<Category>* categories) {
  for (absl::string_view rule : rules) {
    const Category category = CategoryOfRule(rule).value_or(Category::kUnknown);
    if (std::find(categories->begin(), categories->end(), category) == categories->end()) {
      categories->push_back(category);
    }
  }
}

std::vector<Category> BrokenCategories(const Program& program, const Policies& policies) {
  std::vector<Category> categories;
  for (const OpApplication& op : program.ops) AddCategories(BrokenRules(program, op, policies), &categories);
  return categories;
}

std::vector<Category> BrokenCategories(const OpSignature& probe, const Policies& policies) {
  const Legality legality = JudgeProbe(probe, policies);
  std::vector<Category> categories;
  if (legality.answer != Answer::kAccept) {
    categories.push_back(CategoryOfRule(legality.rule).value_or(Category::kUnknown));
  }
  if (legality.rule == "bcast.property.container") {
    // What the tensors and vectors break among themselves.
    OpSignature others = probe;
    std::erase_if(others.operands, [](const ValueType& operand) { return operand.container == Container::kScalar; });
    if (others.result.container == Container::kScalar) {
      others.result = {Container::kTensor, {Shape::Unranked(), others.result.type.element_type}};
    }
    if (!others.operands.empty()) {
      for (const Category category : BrokenCategories(others, policies)) categories.push_back(category);
    }
  }
  // Whatever else is wrong, a verifier may name what is left open to it: a mixture, and where a 0 does not fit.
  if (legality.rule == "bcast.dimension.zero") {
    categories.insert(categories.end(), {Category::kNotBroadcastable, Category::kResultIncompatible});
  }
  if (IsMixed(probe)) categories.push_back(Category::kContainer);
  return categories;
}

}  // namespace tosaic
