// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/lowering_prediction.h"

#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/broadcast.h"

namespace tosaic {

std::string ToString(const std::vector<RuntimeBroadcast>& broadcasts) {
  if (broadcasts.empty()) return "none";
  return absl::StrJoin(broadcasts, ", ", [](std::string* out, const RuntimeBroadcast& broadcast) {
    absl::StrAppend(out, "(operand ", broadcast.operand, ", dimension ", broadcast.dim, ")");
  });
}

std::string Compared(const std::vector<RuntimeBroadcast>& expected, const std::vector<RuntimeBroadcast>& actual) {
  std::vector<RuntimeBroadcast> missing, needless;
  absl::c_set_difference(expected, actual, std::back_inserter(missing));
  absl::c_set_difference(actual, expected, std::back_inserter(needless));
  std::string text = "at run time: " + ToString(actual);
  if (!missing.empty()) absl::StrAppend(&text, "; missing: ", ToString(missing));
  if (!needless.empty()) absl::StrAppend(&text, "; needless: ", ToString(needless));
  return text;
}

std::vector<RuntimeBroadcast> PredictRuntimeBroadcasts(const Program& program, const OpApplication& op) {
  const LoweringPrediction predicted(program, op);
  std::vector<RuntimeBroadcast> broadcasts;
  if (!predicted.ranked()) return broadcasts;
  for (size_t i = 0; i < predicted.operands().size(); ++i) {
    for (size_t d = 0; d < predicted.inferred().rank(); ++d) {
      if (predicted.IsBroadcastAtRunTime(i, d)) broadcasts.push_back({static_cast<int>(i), static_cast<int>(d)});
    }
  }
  return broadcasts;
}

MapResult LoopIndex(size_t loop) { return {MapResult::Kind::kLoop, static_cast<int64_t>(loop)}; }

IndexingMap IdentityMap(size_t rank) {
  IndexingMap map;
  for (size_t d = 0; d < rank; ++d) map.push_back(LoopIndex(d));
  return map;
}

LoweringPrediction::LoweringPrediction(const Program& program, const OpApplication& op)
    : ranked_(op.result.shape.IsRanked()), declared_(op.result.shape) {
  const std::vector<TensorType> types = OperandTypes(program, op);
  std::vector<const Shape*> pointers;
  for (size_t i = 0; i < BroadcastOperandCount(Info(op.op)); ++i) {
    operands_.push_back(types[i].shape);
    pointers.push_back(&types[i].shape);
    ranked_ &= types[i].shape.IsRanked();
  }
  if (!ranked_) return;
  inferred_ = *InferResultShape(pointers).shape;
  for (Shape& operand : operands_) ExpandRank(inferred_.rank(), &operand);
}

bool LoweringPrediction::IsOne(size_t dim) const {
  return dim < inferred_.rank() && (inferred_[dim].Is(1) || declared_[dim].Is(1));
}

bool LoweringPrediction::IsBroadcastAtRunTime(size_t operand, size_t dim) const {
  if (operands_[operand][dim].IsStatic()) return false;
  for (size_t other = 0; other < operands_.size(); ++other) {
    if (other != operand && !operands_[other][dim].Is(1)) return true;
  }
  return false;
}

IndexingMap LoweringPrediction::MapOf(size_t operand) const {
  IndexingMap map;
  for (size_t d = 0; d < inferred_.rank(); ++d) {
    const bool repeated = operands_[operand][d].Is(1) && !inferred_[d].Is(1);
    map.push_back(repeated ? kZeroIndex : LoopIndex(d));
  }
  return map;
}

}  // namespace tosaic
