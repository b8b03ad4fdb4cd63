// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/trait_narrator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tosaic {

std::string Step(RuleId rule, absl::string_view text) { return absl::StrCat(text, " [", Name(rule), "]"); }

TraitNarrator::TraitNarrator(std::vector<ValueType> operands, ValueType result, const Policies& policies,
                             std::vector<std::string>* steps)
    : operands_(std::move(operands)), result_(std::move(result)), policies_(policies), steps_(*steps) {}

bool TraitNarrator::Infer() {
  std::vector<const Shape*> shapes;
  for (size_t i = 0; i < operands_.size(); ++i) {
    const Shape& operand = operands_[i].type.shape;
    shapes.push_back(&operand);
    if (!operand.IsRanked()) {
      Say(RuleId::kBcastOperandsUnranked, absl::StrCat("operand ", i, " is unranked and takes no part"));
    } else if (!inferred_) {
      inferred_ = operand;
    } else if (!InferPair(i, operand)) {
      return false;
    }
  }
  ValueType type = result_;
  if (inferred_) type.type.shape = *inferred_;
  Say(InferResultShape(shapes).rule,
      inferred_ ? absl::StrCat("inferred type: ", ToString(type)) : "no operand is ranked: no shape can be inferred");
  return true;
}

bool TraitNarrator::Verify() {
  const Shape& result = result_.type.shape;
  if (!result.IsRanked()) return Say(RuleId::kBcastVerifyUnrankedResult, "the result is unranked: nothing to verify");
  if (!inferred_) return Say(RuleId::kBcastVerifyUnrankedOperands, "all operands are unranked: nothing to verify");
  if (inferred_->rank() != result.rank()) {
    return !Say(RuleId::kBcastVerifyRank,
                absl::StrCat("the inferred rank is ", inferred_->rank(), ", the result's ", result.rank(), ": error"));
  }
  for (size_t i = 0; i < result.rank(); ++i) {
    const Dim inferred = (*inferred_)[i];
    const Decision row = VerifyDim(inferred, result[i], policies_);
    const bool refused = row.answer == Answer::kRefuse;
    Say(row.rule, absl::StrCat("result dimension ", i, ": inferred ", ToString(inferred), ", declared ",
                               ToString(result[i]), refused ? ": error" : ": OK", Remark(row, inferred)));
    if (refused) return false;
  }
  return true;
}

bool TraitNarrator::Say(RuleId rule, absl::string_view text) {
  steps_.push_back(Step(rule, text));
  return true;
}

// InferShape of the shape inferred so far and the next ranked operand.
bool TraitNarrator::InferPair(size_t operand_index, const Shape& operand) {
  Shape expanded = operand;
  const size_t rank = std::max(inferred_->rank(), operand.rank());
  if (inferred_->rank() != operand.rank()) {
    ExpandRank(rank, &*inferred_);
    ExpandRank(rank, &expanded);
    Say(RuleId::kBcastExpandRank,
        absl::StrCat("ranks are equalized with 1s on the left: ", ToString(*inferred_), " and ", ToString(expanded)));
  }
  for (size_t i = 0; i < rank; ++i) {
    Dim& dim = inferred_->mutable_dims()[i];
    const DimInference row = InferDim(dim, expanded[i]);
    Say(row.rule, absl::StrCat("dimension ", i, operand_index > 1 ? absl::StrCat(", with operand ", operand_index) : "",
                               ": ", ToString(dim), " and ", ToString(expanded[i]),
                               row.dim ? absl::StrCat(" -> ", ToString(*row.dim)) : " are not broadcast-compatible"));
    if (!row.dim) return false;
    dim = *row.dim;
  }
  return true;
}

// Why a row of the verification table decides as it does, if that is not obvious.
absl::string_view TraitNarrator::Remark(const Decision& row, Dim inferred) const {
  if (row.rule == RuleId::kBcastVerifyDynStatic) {
    return policies_.refuse_static_result_of_dynamic_inference
               ? " (policy refuse_static_result_of_dynamic_inference is on: the trait's pseudo-code, RFC "
                 "modification 2)"
               : " (policy refuse_static_result_of_dynamic_inference is off: the trait's table)";
  }
  if (row.rule == RuleId::kBcastVerifyDifferent && inferred.Is(1))
    return " (results are not broadcast: RFC modification 1)";
  return "";
}

}  // namespace tosaic
