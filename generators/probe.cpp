// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/probe.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "generators/shapes.h"
#include "model/element_type.h"

namespace tosaic {
namespace {

constexpr size_t kMaxOperands = 8;
constexpr int64_t kMaxProbeElements = 4096;

ElementType DrawElementType(ChoiceSource& choices) {
  return AllElementTypes()[choices.Below(AllElementTypes().size())].type;
}

// Leaves out dimensions on the left, where the trait puts 1s.
Shape DropLeadingOnes(ChoiceSource& choices, const Shape& shape) {
  std::vector<Dim> dims = shape.dims();
  while (!dims.empty() && dims.front().Is(1) && choices.Chance(1, 2)) dims.erase(dims.begin());
  return Shape(std::move(dims));
}

void AddLeadingDim(Shape& shape, Dim dim) { shape.mutable_dims().insert(shape.mutable_dims().begin(), dim); }

// --- Illegalities ------------------------------------------------------------------------------------------------

void MakeScalar(ValueType& value) {
  value.container = Container::kScalar;
  value.type.shape = Shape();
}

void DropOperands(ChoiceSource&, OpSignature& probe) { probe.operands.clear(); }

void ScalarOperand(ChoiceSource& choices, OpSignature& probe) {
  MakeScalar(probe.operands[choices.Below(probe.operands.size())]);
}

void ScalarResult(ChoiceSource&, OpSignature& probe) { MakeScalar(probe.result); }

// Gives every value a rank of one more than `rank`, and `dim` in front.
void PrependToAll(OpSignature& probe, size_t rank, Dim dim) {
  auto prepend = [&](Shape& shape) {
    if (!shape.IsRanked()) shape = Shape(std::vector<Dim>(rank, Dim::Dynamic()));
    while (shape.rank() < rank) AddLeadingDim(shape, Dim::Static(1));
    AddLeadingDim(shape, dim);
  };
  for (ValueType& operand : probe.operands) prepend(operand.type.shape);
  prepend(probe.result.type.shape);
}

size_t MaxRank(const OpSignature& probe) {
  size_t rank = 0;
  auto look = [&](const Shape& shape) { rank = std::max(rank, shape.IsRanked() ? shape.rank() : 0); };
  for (const ValueType& operand : probe.operands) look(operand.type.shape);
  look(probe.result.type.shape);
  return rank;
}

void ConflictSizes(ChoiceSource& choices, OpSignature& probe) {
  if (probe.operands.size() == 1) probe.operands.push_back(probe.operands.front());
  const int64_t size = choices.Between(2, 5);
  PrependToAll(probe, MaxRank(probe), Dim::Static(size));
  const size_t k = choices.Below(probe.operands.size());
  probe.operands[k].type.shape.mutable_dims().front() = Dim::Static(choices.Chance(1, 4) ? size * 2 : size + 1);
}

void HigherResult(ChoiceSource& choices, OpSignature& probe) {
  const size_t rank = MaxRank(probe);
  PrependToAll(probe, rank, Dim::Static(1));
  AddLeadingDim(probe.result.type.shape, Dim::Static(choices.Between(1, 3)));
}

void LowerResult(ChoiceSource&, OpSignature& probe) {
  PrependToAll(probe, MaxRank(probe), Dim::Static(2));
  std::vector<Dim>& dims = probe.result.type.shape.mutable_dims();
  dims.erase(dims.begin());
}

void WrongResultSize(ChoiceSource& choices, OpSignature& probe) {
  const int64_t size = choices.Between(1, 5);
  PrependToAll(probe, MaxRank(probe), Dim::Static(size));
  const int64_t wrong[] = {size + 1, size == 1 ? 7 : 1, size * 2};
  probe.result.type.shape.mutable_dims().front() = Dim::Static(wrong[choices.Below(3)]);
}

constexpr ProbeIllegality kProbeIllegalities[] = {
    {"probe-no-operand", RuleId::kBcastPropertyOperands, DropOperands},
    {"probe-scalar-operand", RuleId::kBcastPropertyContainer, ScalarOperand},
    {"probe-scalar-result", RuleId::kBcastPropertyContainer, ScalarResult},
    {"probe-conflict", RuleId::kBcastInferConflict, ConflictSizes},
    {"probe-result-rank-higher", RuleId::kBcastVerifyRank, HigherResult},
    {"probe-result-rank-lower", RuleId::kBcastVerifyRank, LowerResult},
    {"probe-result-size", RuleId::kBcastVerifyDifferent, WrongResultSize},
};

// Turns some tensors of static shape into vectors, or vectors into tensors. The document says nothing about vectors.
void MixContainers(ChoiceSource& choices, OpSignature& probe) {
  auto mix = [&](ValueType& value) {
    if (value.container == Container::kScalar || !value.type.shape.IsStatic() || choices.Chance(1, 2)) return;
    value.container = value.container == Container::kTensor ? Container::kVector : Container::kTensor;
  };
  for (ValueType& operand : probe.operands) mix(operand);
  mix(probe.result);
}

}  // namespace

OpSignature DrawLegalProbe(ChoiceSource& choices) {
  const size_t count = 1 + static_cast<size_t>(choices.Below(kMaxOperands));
  const bool vectors = choices.Chance(1, 4);
  const ShapePlan plan = DrawShapes(choices, std::vector<bool>(count, vectors),
                                    {.allow_unranked = !vectors, .max_elements = kMaxProbeElements});
  const Container container = vectors ? Container::kVector : Container::kTensor;
  OpSignature probe{kProbeOp, {}, {container, {plan.result, DrawElementType(choices)}}};
  if (vectors) probe.result.type.shape = *ImpliedShape(plan.operands);
  // One operand keeps the rank, or the result would have too many dimensions.
  const size_t whole = choices.Below(count);
  for (size_t k = 0; k < count; ++k) {
    const Shape& shape = plan.operands[k];
    const bool shorten = k != whole && plan.operands[whole].IsRanked() && shape.IsRanked();
    probe.operands.push_back(
        {container, {shorten ? DropLeadingOnes(choices, shape) : shape, DrawElementType(choices)}});
  }
  return probe;
}

absl::Span<const ProbeIllegality> AllProbeIllegalities() { return kProbeIllegalities; }

OpSignature DrawProbe(ChoiceSource& choices) {
  OpSignature probe = DrawLegalProbe(choices);
  if (choices.Chance(1, 2)) AllProbeIllegalities()[choices.Below(AllProbeIllegalities().size())].apply(choices, probe);
  if (choices.Chance(1, 8)) MixContainers(choices, probe);
  return probe;
}

}  // namespace tosaic
