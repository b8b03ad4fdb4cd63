// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/program_builder.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "generators/attributes.h"
#include "generators/element_bits.h"
#include "generators/program_edits.h"
#include "generators/run_sizes.h"

namespace tosaic {
namespace {

constexpr size_t kMostArguments = 12;
// Numbers of elements that the oracle judges quickly, for a program of few ops and for any program.
constexpr size_t kFewOps = 4;
constexpr size_t kFewGroups = 2;
constexpr int kMostRunsOfManyOps = 5;
constexpr int64_t kMostElementsOfFewOps = 8 * kLargeElements;

// Ops that give back their operand, taken as often as the op has operands. NaNs stay NaNs.
constexpr OpKind kIdentityOps[] = {OpKind::kBitwiseOr,  OpKind::kBitwiseAnd, OpKind::kLogicalOr,
                                   OpKind::kLogicalAnd, OpKind::kMaximum,    OpKind::kClamp};

// Bounds that let everything pass, if the op has bounds.
Attributes WholeRange(const OpInfo& op, ElementType type) {
  Attributes attributes;
  ForEachBounds(attributes, [&](const AttributeInfo& info, auto& lower, const AttributeInfo&, auto& upper) {
    if (!HasAttribute(op, info.attribute)) return;
    lower = TypedBits{type, LowestBits(type)};
    upper = TypedBits{type, HighestBits(type)};
  });
  return attributes;
}

}  // namespace

ProgramBuilder::ProgramBuilder(ChoiceSource& choices, const GeneratorOptions& options, bool all_static)
    : choices_(choices), options_(options), all_static_(all_static) {}

void ProgramBuilder::BeginGroup() {
  // An empty one goes on.
  if (absl::c_any_of(sources_, [&](const Source& source) { return source.group == group_; })) ++group_;
}

void ProgramBuilder::KeepConstants(int most_runs) { most_runs_ = most_runs; }

ValueRef ProgramBuilder::AddSource(ValueRef ref, Domain domain, std::optional<uint64_t> splat) {
  sources_.push_back({ref, domain, splat, group_});
  return ref;
}

ValueRef ProgramBuilder::Argument(ElementType type, Domain domain) {
  return AddSource(AddArgument(program_, {Shape(), type}), domain, std::nullopt);
}

ValueRef ProgramBuilder::Constant(ElementType type) {
  return AddSource(AddConstant(program_, Tensor(type, {})), Domain::kAny, std::nullopt);
}

ValueRef ProgramBuilder::Splat(ElementType type, uint64_t bits) {
  return AddSource(AddConstant(program_, Tensor(type, {})), Domain::kAny, bits);
}

ValueRef ProgramBuilder::NearlySplat(ElementType type, uint64_t bits) {
  const ValueRef splat = Splat(type, bits);
  sources_.back().has_odd_place = true;
  return splat;
}

ValueRef ProgramBuilder::Parameter(Tensor value, bool at_run_time) {
  if (!at_run_time) return AddConstant(program_, std::move(value));
  const ValueRef ref = AddArgument(program_, {Shape::OfSizes(value.sizes()), value.element_type()});
  parameters_.emplace_back(ref.index, std::move(value));
  return ref;
}

ValueRef ProgramBuilder::Leaf(ElementType type) {
  const bool constant = choices_.Chance(1, 5) || program_.arguments.size() >= kMostArguments;
  return constant ? Constant(type) : Argument(type);
}

ValueRef ProgramBuilder::AddOp(const TypedOp& op, std::vector<ValueRef> operands, const Attributes& attributes,
                               std::optional<int> shift) {
  const OpInfo& row = Info(op.op);
  for (size_t k = operands.size(); k < row.operands.size(); ++k) {
    if (!IsSpecial(row.operands[k])) {
      operands.push_back(Leaf(OperandType(op, k)));
      continue;
    }
    Tensor special = DrawSpecial(choices_, row.operands[k], op, attributes);
    if (shift && row.operands[k] == OperandRole::kShift) special.SetBits(0, *shift);
    operands.push_back(AddConstant(program_, std::move(special)));
  }
  program_.ops.push_back({op.op, std::move(operands), attributes, {Shape(), op.result}});
  group_of_op_.push_back(group_);
  return {ValueRef::Kind::kOp, static_cast<int>(program_.ops.size()) - 1};
}

ValueRef ProgramBuilder::Apply(const TypedOp& op, std::vector<ValueRef> operands) {
  return AddOp(op, std::move(operands), DrawAttributes(choices_, op), std::nullopt);
}

ValueRef ProgramBuilder::Apply(const TypedOp& op, std::vector<ValueRef> operands, const Attributes& attributes) {
  return AddOp(op, std::move(operands), attributes, std::nullopt);
}

ValueRef ProgramBuilder::ApplyShifted(const TypedOp& op, std::vector<ValueRef> operands, int shift) {
  return AddOp(op, std::move(operands), {}, shift);
}

std::optional<ValueRef> ProgramBuilder::Weaken(ValueRef value) {
  const ElementType type = ElementTypeOf(value);
  std::vector<OpKind> ops;
  for (OpKind op : kIdentityOps) {
    if (Allows(options_, {op, type, type})) ops.push_back(op);
  }
  if (ops.empty()) return std::nullopt;
  const OpKind op = ops[choices_.Below(ops.size())];
  return Apply({op, type, type}, std::vector<ValueRef>(BroadcastOperandCount(Info(op)), value),
               WholeRange(Info(op), type));
}

Case ProgramBuilder::Finish() {
  std::vector<ShapePlan> plans;
  const size_t groups = sources_.back().group + 1;
  for (size_t group = 0; group < groups; ++group) plans.push_back(DrawSources(group));
  std::vector<std::vector<Sizes>> sources_in_runs, ops_in_runs;
  // If there are many independent parts, each has been given its values by then.
  const int most = program_.ops.size() > kFewOps ? kMostRunsOfManyOps : options_.runs;
  const int wanted = std::min({options_.runs, most, most_runs_.value_or(options_.runs)});
  const int runs = program_.arguments.empty() ? std::min(1, wanted) : wanted;
  int64_t computed = 0;
  // A dimension that is declared more specific than implied has one size in all runs.
  const bool is_one_size = HasReshape() || choices_.Chance(1, 4);
  for (int i = 0; i < runs && computed < MostElementsOfRuns(choices_); ++i) {
    sources_in_runs.push_back(i > 0 && is_one_size ? std::vector<Sizes>(sources_in_runs.front())
                                                   : DrawSourceSizes(plans));
    ops_in_runs.push_back(SizesOfOps(sources_in_runs.back()));
    for (const Sizes& sizes : ops_in_runs.back()) computed += ElementCount(sizes);
  }
  DrawResultTypes(plans, ops_in_runs);
  Case generated;
  for (const std::vector<Sizes>& sizes : sources_in_runs) generated.runs.push_back(DrawRun(sizes));
  DrawResults();
  generated.program = std::move(program_);
  return generated;
}

int64_t ProgramBuilder::MostElements() const {
  const bool is_small = program_.ops.size() <= kFewOps && sources_.back().group == 0;
  return std::min(options_.max_elements, is_small ? kMostElementsOfFewOps : kLargeElements);
}

bool ProgramBuilder::HasReshape() const {
  return absl::c_any_of(program_.ops, [](const OpApplication& op) { return HasNewShape(Info(op.op)); });
}

// Dynamic dimensions and broadcasts cost most of what compiling costs, and of these programs the ops are the point.
bool ProgramBuilder::HasManyGroups() const { return sources_.back().group >= kFewGroups; }

}  // namespace tosaic
