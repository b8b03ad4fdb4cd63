// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ProgramBuilder draws shapes and data, once all ops are there.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/data.h"
#include "generators/element_bits.h"
#include "generators/program_builder.h"
#include "generators/program_edits.h"
#include "generators/program_runs.h"
#include "generators/run_sizes.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

// Used where shapes do not matter, and mostly elsewhere, because compile time depends on the number of loops.
constexpr size_t kMaxRankOfPlain = 2, kMaxRankOfMost = 3;

void Restrict(ChoiceSource& choices, Domain domain, Tensor& tensor) {
  const ElementType type = tensor.element_type();
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    uint64_t bits = tensor.Bits(i);
    // Ops are elementwise: what one element makes of a NaN or a huge number leaves the others as they are.
    if (domain == Domain::kModerate && choices.Chance(1, 8)) continue;
    if (domain == Domain::kLimits && choices.Chance(1, 2)) {
      bits = choices.Chance(1, 2) ? LowestBits(type) : HighestBits(type);
    } else if (IsFloat(type) && (domain == Domain::kPositive || domain == Domain::kModerate)) {
      if (IsNan(type, bits)) bits = MadeFinite(type, bits);
      if (domain == Domain::kPositive) bits &= ~SignMask(type);
      if (domain == Domain::kModerate) {
        if (IsInfinite(type, bits)) bits = MadeFinite(type, bits);
        bits = EncodeFloat(type, std::fmod(ElementToDouble(type, bits), 16));
      }
    }
    tensor.SetBits(i, bits);
  }
}

}  // namespace

// Shapes as if all sources of the group were operands of one op: then those of every op are compatible, declared and at
// run time.
ShapePlan ProgramBuilder::DrawSources(size_t group) {
  std::vector<const Source*> members;
  std::vector<bool> must_be_static;
  for (const Source& source : sources_) {
    if (source.group != group) continue;
    members.push_back(&source);
    must_be_static.push_back(all_static_ || source.ref.kind == ValueRef::Kind::kConstant);
  }
  const bool all_constant =
      absl::c_all_of(members, [](const Source* source) { return source->ref.kind == ValueRef::Kind::kConstant; });
  is_plain_.push_back(!all_constant && (HasManyGroups() ? choices_.Chance(4, 5) : choices_.Chance(3, 5)));
  const bool broadcasts = all_constant && choices_.Chance(3, 4);
  const size_t highest = all_static_ ? kMaxRankOfLevels : ShapeOptions().max_rank;
  const size_t max_rank = is_plain_.back() ? kMaxRankOfPlain : choices_.Chance(1, 3) ? highest : kMaxRankOfMost;
  ShapePlan plan = DrawShapes(choices_, must_be_static,
                              {.allow_unranked = !all_static_ && !HasReshape(),
                               .min_rank = broadcasts ? 2u : 0u,
                               .max_rank = max_rank,
                               .max_elements = MostElements()});
  if (is_plain_.back()) MakePlain(plan, must_be_static);
  if (broadcasts) BroadcastAllButOne(plan);
  // Beside values of a dynamic shape, a constant with that of the result is none of plain types. Folders of two
  // constants want them to be of one.
  const bool plain_ones = is_plain_.back() && (!plan.result.IsStatic() || choices_.Chance(1, 4));
  for (size_t i = 0; i < members.size(); ++i) {
    const Source& source = *members[i];
    if (source.splat) {
      const bool ones = !source.has_odd_place && (is_plain_.back() ? plain_ones : choices_.Chance(1, 2));
      plan.operands[i] = Shape::OfSizes(ones ? Sizes(plan.full.size(), 1) : plan.full);
    }
    if (source.ref.kind == ValueRef::Kind::kArgument) {
      program_.arguments[source.ref.index].shape = plan.operands[i];
    } else {
      FillConstantSource(source, plan.operands[i]);
    }
  }
  return plan;
}

// Most folders require all types to be the same.
void ProgramBuilder::MakePlain(ShapePlan& plan, const std::vector<bool>& must_be_static) {
  Shape shape = Shape::OfSizes(plan.full);
  const bool has_constants = absl::c_any_of(must_be_static, [](bool is_static) { return is_static; });
  if (!all_static_ && choices_.Chance(1, has_constants ? 4 : HasManyGroups() ? 3 : 2)) {
    for (Dim& dim : shape.mutable_dims()) {
      if (choices_.Chance(1, 2)) dim = Dim::Dynamic();
    }
  }
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    plan.operands[i] = must_be_static[i] ? Shape::OfSizes(plan.full) : shape;
  }
  plan.result = *ImpliedShape(plan.operands);
}

// A fold of constants that forgets to broadcast one of them is right for most constants. A fold that takes the elements
// in order is wrong only for constants that repeat within the first dimension.
void ProgramBuilder::BroadcastAllButOne(ShapePlan& plan) {
  // A wrong fold iterates over the first operand's elements, so this one mostly has the full shape.
  const size_t whole = choices_.Chance(1, 3) ? choices_.Below(plan.operands.size()) : 0;
  const bool within = choices_.Chance(3, 4);
  for (size_t d : {size_t{0}, plan.full.size() - 1}) {  // a size of 1 repeats nothing
    if (within && plan.full[d] == 1 && 2 * ElementCount(plan.full) <= MostElements()) plan.full[d] = 2;
  }
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    Sizes sizes = plan.full;
    for (size_t d = 0; i != whole && d < sizes.size(); ++d) {
      const bool is_first = d == 0, is_last = d + 1 == sizes.size();
      if (within && (is_first || is_last) ? is_last : choices_.Chance(1, 2)) sizes[d] = 1;
    }
    plan.operands[i] = Shape::OfSizes(sizes);
  }
  plan.result = Shape::OfSizes(plan.full);
}

void ProgramBuilder::FillConstantSource(const Source& source, const Shape& shape) {
  const ElementType type = ElementTypeOf(source.ref);
  Tensor& constant = program_.constants[source.ref.index];
  constant = Tensor(type, StaticSizes(shape));
  if (!source.splat) return FillConstant(choices_, UsedFor(source.ref), constant);
  for (size_t i = 0; i < constant.element_count(); ++i) constant.SetBits(i, *source.splat);
  if (!source.has_odd_place || constant.element_count() < 3) return;
  constant.SetBits(choices_.Below(constant.element_count()), DrawElement(choices_, type, UsedFor(source.ref)));
}

// The sizes of all sources in one run.
std::vector<ProgramBuilder::Sizes> ProgramBuilder::DrawSourceSizes(const std::vector<ShapePlan>& plans) {
  std::vector<Sizes> sizes(sources_.size());
  for (size_t group = 0; group < plans.size(); ++group) {
    std::vector<Sizes> drawn = DrawRunSizes(choices_, plans[group], MostElements());
    size_t next = 0;
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].group == group) sizes[i] = std::move(drawn[next++]);
    }
  }
  return sizes;
}

ElementType ProgramBuilder::UsedFor(ValueRef ref) const {
  for (const OpApplication& op : program_.ops) {
    if (std::find(op.operands.begin(), op.operands.end(), ref) != op.operands.end()) return op.result.element_type;
  }
  return ElementTypeOf(ref);
}

std::vector<ProgramBuilder::Sizes> ProgramBuilder::SizesOfOps(const std::vector<Sizes>& source_sizes) const {
  std::vector<Sizes> ops;
  auto sizes_of = [&](ValueRef ref) -> const Sizes& {
    if (ref.kind == ValueRef::Kind::kOp) return ops[ref.index];
    size_t i = 0;
    while (sources_[i].ref != ref) ++i;
    return source_sizes[i];
  };
  for (const OpApplication& op : program_.ops) {
    Sizes sizes = sizes_of(op.operands[0]);
    for (size_t k = 1; k < BroadcastOperandCount(Info(op.op)); ++k) {
      const Sizes& operand = sizes_of(op.operands[k]);
      for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::max(sizes[d], operand[d]);
    }
    ops.push_back(std::move(sizes));
  }
  return ops;
}

// Declares each result: as its operands imply, more general, or more specific where all runs agree. What is declared is
// true of every run, and so legal for the ops behind it.
void ProgramBuilder::DrawResultTypes(const std::vector<ShapePlan>& plans, const std::vector<std::vector<Sizes>>& runs) {
  enum { kImplied, kGeneral, kSpecific };
  constexpr int kWeights[] = {50, 20, 30};
  const bool allow_unranked = !all_static_ && !HasReshape() && choices_.Chance(1, 25);
  for (size_t i = 0; i < program_.ops.size(); ++i) {
    OpApplication& op = program_.ops[i];
    const size_t rank = plans[group_of_op_[i]].full.size();
    std::vector<Shape> operands;
    size_t constants = 0;
    for (size_t k = 0; k < BroadcastOperandCount(Info(op.op)); ++k) {
      operands.push_back(TypeOf(program_, op.operands[k]).shape);
      constants += op.operands[k].kind == ValueRef::Kind::kConstant ? 1 : 0;
    }
    const std::optional<Shape> implied = ImpliedShape(operands);
    if (HasNewShape(Info(op.op))) {
      op.attributes.new_shape = runs.empty() ? NewShapeFor(operands[0]) : runs.front()[i];
    }
    DrawChannels(operands[0], &op);
    const bool is_plain = all_static_ || is_plain_[group_of_op_[i]];
    size_t kind = choices_.Weighted(kWeights);
    // Folders of constants look at the declared types; what folds them all wants a static one.
    if (constants > 0 && constants < operands.size() && choices_.Chance(2, 3)) kind = kGeneral;
    const bool is_static = implied && implied->IsStatic();
    if (all_static_ || (is_plain && is_static && choices_.Chance(1, 2))) kind = kImplied;
    if ((!is_plain && allow_unranked && choices_.Chance(1, 4)) || (!implied && choices_.Chance(1, 2))) {
      op.result.shape = Shape::Unranked();
      continue;
    }
    Shape shape = implied.value_or(Shape(std::vector<Dim>(rank, Dim::Dynamic())));
    for (size_t d = 0; d < rank; ++d) {
      const std::optional<int64_t> size = SizeInAllRuns(runs, i, d);
      Dim& dim = shape.mutable_dims()[d];
      // An unranked operand's sizes can exceed what the ranked operands imply.
      const bool untrue = dim.IsStatic() && !runs.empty() && size != dim.size();
      if (untrue || (kind == kGeneral && choices_.Chance(2, 3))) {
        dim = Dim::Dynamic();
      } else if (kind == kSpecific && dim.IsDynamic() && size) {
        dim = Dim::Static(*size);
      }
    }
    op.result.shape = std::move(shape);
  }
}

// Draws the parameters of an op that have an element per channel, now that the input's shape is known.
void ProgramBuilder::DrawChannels(const Shape& input, OpApplication* op) {
  const OpInfo& row = Info(op->op);
  const int64_t channels = SettleChannels(input, &op->attributes);
  if (channels == 1) return;
  for (size_t k = 0; k < row.operands.size(); ++k) {
    if (Info(row.operands[k]).access != OperandAccess::kChannel) continue;
    const TypedOp typed = {op->op, InputElementType(program_, *op), op->result.element_type};
    program_.constants[op->operands[k].index] = DrawSpecial(choices_, row.operands[k], typed, op->attributes, channels);
  }
}

Run ProgramBuilder::DrawRun(const std::vector<Sizes>& source_sizes) {
  Run run(program_.arguments.size());
  const Tensor* sibling = nullptr;
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (source.ref.kind != ValueRef::Kind::kArgument) continue;
    Tensor& tensor = run[source.ref.index];
    tensor = Tensor(ElementTypeOf(source.ref), source_sizes[i]);
    FillData(choices_, UsedFor(source.ref), sibling, tensor);
    Restrict(choices_, source.domain, tensor);
    sibling = &tensor;
  }
  for (const auto& [argument, value] : parameters_) run[static_cast<size_t>(argument)] = value;
  // If constants must be kept, a copy's constants are repaired instead.
  Program copy;
  if (most_runs_) copy = program_;
  RepairProgramRun(most_runs_ ? copy : program_, run);
  return run;
}

void ProgramBuilder::DrawResults() {
  std::vector<bool> used(program_.ops.size(), false);
  for (const OpApplication& op : program_.ops) {
    for (const ValueRef operand : op.operands) {
      if (operand.kind == ValueRef::Kind::kOp) used[operand.index] = true;
    }
  }
  const bool all = choices_.Chance(1, 4);
  for (size_t i = 0; i < used.size(); ++i) {
    if (all || !used[i]) program_.results.push_back({ValueRef::Kind::kOp, static_cast<int>(i)});
  }
  if (program_.arguments.empty() || !choices_.Chance(1, 16)) return;
  const auto argument = static_cast<int>(choices_.Below(program_.arguments.size()));
  const bool first = choices_.Chance(1, 2);
  program_.results.insert(first ? program_.results.begin() : program_.results.end(),
                          {ValueRef::Kind::kArgument, argument});
}

}  // namespace tosaic
