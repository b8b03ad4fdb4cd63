// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/category.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "oracle/legality.h"
#include "oracle/probe_legality.h"

namespace tosaic {
namespace {

// The reason that a refusing rule gives.
Category ReasonOf(RuleId rule) { return Info(rule).refusal.value_or(Category::kUnknown); }

}  // namespace

std::string WrongReason(Category got, absl::Span<const Category> broken, RuleId rule) {
  if (std::find(broken.begin(), broken.end(), got) != broken.end()) return "";
  return absl::StrCat(Name(RuleId::kRefusedWrongReason), ": ", Name(got), ", expected ", Name(ReasonOf(rule)));
}

void AddCategories(absl::Span<const RuleId> rules, std::vector<Category>* categories) {
  for (RuleId rule : rules) {
    const Category category = ReasonOf(rule);
    if (std::find(categories->begin(), categories->end(), category) == categories->end()) {
      categories->push_back(category);
    }
  }
}

std::vector<Category> BrokenCategories(const Program& program, const Policies& policies) {
  std::vector<Category> categories;
  for (const OpApplication& op : program.ops) AddCategories(BrokenRules(program, op, policies), &categories);
  if (HasEmptyConstant(program)) AddCategories({RuleId::kLegalDimension}, &categories);
  return categories;
}

std::vector<Category> BrokenCategories(const OpSignature& probe, const Policies& policies) {
  const Legality legality = JudgeProbe(probe, policies);
  std::vector<Category> categories;
  if (legality.answer != Answer::kAccept) categories.push_back(ReasonOf(legality.rule));
  if (legality.rule == RuleId::kBcastPropertyContainer) {
    // The rules that the tensors and vectors break among themselves.
    OpSignature others = probe;
    std::erase_if(others.operands, [](const ValueType& operand) { return operand.container == Container::kScalar; });
    if (others.result.container == Container::kScalar) {
      others.result = {Container::kTensor, {Shape::Unranked(), others.result.type.element_type}};
    }
    if (!others.operands.empty()) {
      for (const Category category : BrokenCategories(others, policies)) categories.push_back(category);
    }
  }
  // A verifier may always name the reasons that are left open to it: a mixture of containers, and a 0 that does not
  // fit.
  if (legality.rule == RuleId::kBcastDimensionZero) {
    categories.insert(categories.end(), {Category::kNotBroadcastable, Category::kResultIncompatible});
  }
  if (IsMixed(probe)) categories.push_back(Category::kContainer);
  return categories;
}

}  // namespace tosaic
