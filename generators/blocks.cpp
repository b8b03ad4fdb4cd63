// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generators/blocks.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generators/data.h"
#include "generators/intents.h"
#include "generators/program_edits.h"
#include "generators/typed_op.h"
#include "model/blocks.h"
#include "model/static_program.h"

namespace tosaic {
namespace {

using Sizes = std::vector<int64_t>;

constexpr auto kBlock = static_cast<int64_t>(kBlockSize);
constexpr int64_t kMostBlocks = 24;
constexpr size_t kMostRank = 4;
constexpr uint64_t kMostOps = 5;

// --- Legal programs ----------------------------------------------------------------------------------------------

bool IsDrawn(const GeneratorOptions& options, ElementType type) {
  return !IsBlockScaled(type) || absl::c_linear_search(options.blocks, type);
}

// The ops of these options on block-scaled types; if a type is given, those that take it, and if it is a float's also
// ops that keep it.
std::vector<TypedOp> OpsOn(const GeneratorOptions& options, std::optional<ElementType> input) {
  std::vector<TypedOp> ops;
  const auto add = [&](const TypedOp& op) {
    if (Allows(options, op) && IsDrawn(options, op.input) && IsDrawn(options, op.result)) ops.push_back(op);
  };
  for (const OpInfo& op : AllOps()) {
    for (const TypeTuple& tuple : op.block_types) {
      if (!input || tuple.input == *input) add({op.kind, tuple.input, tuple.result});
    }
    const bool keeps = !op.block_types.empty() && op.kind != OpKind::kCast;
    if (keeps && input && IsFloat(*input)) add({op.kind, *input, *input});
  }
  return ops;
}

// Half of the ops are casts; behind a cast, three quarters, of which three quarters lead back to its type. Casts there
// and back are what passes fold.
TypedOp DrawOp(ChoiceSource& choices, std::vector<TypedOp> ops, std::optional<ElementType> back) {
  const auto is_cast = [](const TypedOp& op) { return op.op == OpKind::kCast; };
  const bool casts = back ? choices.Chance(3, 4) : choices.Chance(1, 2);
  if (absl::c_any_of(ops, [&](const TypedOp& op) { return is_cast(op) == casts; }))
    std::erase_if(ops, [&](const TypedOp& op) { return is_cast(op) != casts; });
  const auto leads_back = absl::c_find_if(ops, [&](const TypedOp& op) { return is_cast(op) && op.result == back; });
  if (leads_back != ops.end() && choices.Chance(3, 4)) return *leads_back;
  return ops[choices.Below(ops.size())];
}

Sizes DrawSizes(ChoiceSource& choices, const GeneratorOptions& options) {
  int64_t room = std::min(options.max_elements / kBlock, kMostBlocks);
  const auto draw = [&](int64_t most) {
    const int64_t size = choices.Between(1, std::min(most, room));
    room /= size;
    return size;
  };
  Sizes sizes = {kBlock * draw(choices.Chance(1, 4) ? 3 : 1)};
  while (sizes.size() < kMostRank && choices.Chance(1, 2)) sizes.insert(sizes.begin(), draw(4));
  return sizes;
}

// As many elements, in whole blocks.
Sizes DrawReshaped(ChoiceSource& choices, const Sizes& sizes) {
  const int64_t blocks = ElementCount(sizes) / kBlock;
  const int64_t kept = sizes.back() / kBlock;
  const int64_t in_last[] = {1, blocks, kept};
  const int64_t last = in_last[choices.Below(3)];
  int64_t rest = blocks / last;
  Sizes reshaped = {last * kBlock};
  if (rest % 2 == 0 && choices.Chance(1, 2)) {
    reshaped.insert(reshaped.begin(), 2);
    rest /= 2;
  }
  if (rest > 1 || choices.Chance(1, 3)) reshaped.insert(reshaped.begin(), rest);
  return reshaped;
}

// The op on a value of these sizes, which become those of its result.
OpApplication Applied(ChoiceSource& choices, const TypedOp& typed, ValueRef value, Sizes* sizes) {
  OpApplication op = {.op = typed.op, .operands = {value}};
  if (HasNewShape(Info(typed.op))) *sizes = DrawReshaped(choices, *sizes);
  op.result = {Shape::OfSizes(*sizes), typed.result};
  StateNewShape(op);
  return op;
}

Program DrawProgram(ChoiceSource& choices, const GeneratorOptions& options, uint64_t ops) {
  Program program;
  Sizes sizes = DrawSizes(choices, options);
  TypedOp op = DrawOp(choices, OpsOn(options, std::nullopt), std::nullopt);
  ValueRef value;
  // A fold, if any, takes an op on constants alone.
  if (ops > 1 && choices.Chance(1, 8)) {
    Tensor constant(op.input, sizes);
    FillConstant(choices, op.result, constant);
    value = AddConstant(program, std::move(constant));
  } else {
    value = AddArgument(program, {Shape::OfSizes(sizes), op.input});
  }
  while (true) {
    program.ops.push_back(Applied(choices, op, value, &sizes));
    value = {ValueRef::Kind::kOp, static_cast<int>(program.ops.size()) - 1};
    const std::vector<TypedOp> next = OpsOn(options, op.result);
    if (program.ops.size() >= ops || next.empty()) break;
    const bool is_cast = op.input != op.result;
    op = DrawOp(choices, next, is_cast ? std::make_optional(op.input) : std::nullopt);
  }
  // A cast of blocks that are not known is judged only where it is a round trip (docs/policies.md).
  const bool all = choices.Chance(2, 3);
  for (int i = 0; i <= value.index; ++i) {
    if (all || i == value.index) program.results.push_back({ValueRef::Kind::kOp, i});
  }
  return program;
}

// --- Illegal ones ------------------------------------------------------------------------------------------------

bool TakesBlocks(const OpInfo&, ElementType input, ElementType result) {
  return IsBlockScaled(input) || IsBlockScaled(result);
}

// No dimension at all, or a last one that no multiple of blocks fills: less than one, or some and a part.
void BreakBlock(ChoiceSource& choices, Program& program) {
  constexpr int64_t kWrong[] = {1, 16, 31, 33, 48, 63};
  OpApplication& op = TheOp(program);
  Shape shape = OperandType(program, 0).shape;
  if (HasNewShape(Info(op.op))) {
    // The elements are as many, in halves of blocks.
    const Shape halves = Shape::OfSizes({2 * ElementCount(StaticSizes(op.result.shape)) / kBlock, kBlock / 2});
    if (choices.Chance(1, 2)) return SetOperandShape(program, 0, halves);
    op.result.shape = halves;
    StateNewShape(op);
    return;
  }
  if (choices.Chance(1, 6)) {
    shape = Shape();
  } else {
    shape.mutable_dims().back() = Dim::Static(kWrong[choices.Below(6)]);
  }
  SetOperandShape(program, 0, shape);
  op.result.shape = shape;
}

// Another block-scaled type or an integer where the op has a type, so that no op has both.
void MistypeBlock(ChoiceSource& choices, Program& program) {
  constexpr ElementType kIntegers[] = {ElementType::kI1, ElementType::kI8, ElementType::kI32};
  const ElementType input = OperandType(program, 0).element_type;
  const ElementType result = TheOp(program).result.element_type;
  const ElementType block = IsBlockScaled(input) ? input : result;
  std::vector<ElementType> wrong(std::begin(kIntegers), std::end(kIntegers));
  for (const ElementTypeInfo& info : BlockScaledTypes()) {
    if (info.type != block) wrong.push_back(info.type);
  }
  const ElementType drawn = wrong[choices.Below(wrong.size())];
  if (IsBlockScaled(input)) {
    TheOp(program).result.element_type = drawn;
  } else {
    SetOperandElementType(program, 0, drawn);
  }
}

constexpr Illegality kBlockIllegalities[] = {
    {"block-extent", RuleId::kLegalBlockScaled, TakesBlocks, BreakBlock},
    {"block-element-type", RuleId::kLegalElementType, TakesBlocks, MistypeBlock},
};

const Illegality& DrawIllegality(ChoiceSource& choices, const Program& program, bool for_validator) {
  if (choices.Chance(1, 2)) return choices.Pick(BlockIllegalities());
  const OpApplication& op = program.ops.front();
  std::vector<const Illegality*> fitting;
  for (const Illegality& each : for_validator ? AllValidatorIllegalities() : AllIllegalities()) {
    if (each.applicable(Info(op.op), InputElementType(program, op), op.result.element_type)) fitting.push_back(&each);
  }
  return *fitting[choices.Below(fitting.size())];
}

}  // namespace

absl::Span<const Illegality> BlockIllegalities() { return kBlockIllegalities; }

bool DrawsBlocks(const GeneratorOptions& options) {
  return !options.blocks.empty() && options.max_elements >= kBlock && !OpsOn(options, std::nullopt).empty();
}

Case GenerateBlocks(ChoiceSource& choices, const GeneratorOptions& options, bool for_validator) {
  Case generated = {.origin = absl::StrCat("intent=", kBlockScaled)};
  const bool is_illegal = choices.Chance(static_cast<uint64_t>(options.illegal_percent), 100);
  generated.program = DrawProgram(choices, options, is_illegal ? 1 : 1 + choices.Below(kMostOps));
  if (is_illegal) {
    const Illegality& illegality = DrawIllegality(choices, generated.program, for_validator);
    illegality.apply(choices, generated.program);
    absl::StrAppend(&generated.origin, "/", illegality.name);
    return generated;
  }
  const Program& program = generated.program;
  const int runs = program.arguments.empty() ? std::min(1, options.runs) : options.runs;
  for (int i = 0; i < runs; ++i) {
    Run& run = generated.runs.emplace_back();
    for (const TensorType& type : program.arguments) {
      FillData(choices, program.ops.front().result.element_type, nullptr,
               run.emplace_back(type.element_type, StaticSizes(type.shape)));
    }
  }
  return generated;
}

bool HasWholeBlocks(const Program& program) {
  const auto is_whole = [](const TensorType& type) {
    return !IsBlockScaled(type.element_type) || HasWholeBlocks(type.shape);
  };
  return absl::c_all_of(program.arguments, is_whole) &&
         absl::c_all_of(program.ops, [&](const OpApplication& op) { return is_whole(op.result); }) &&
         absl::c_all_of(program.constants, [&](const Tensor& constant) {
           return is_whole({Shape::OfSizes(constant.sizes()), constant.element_type()});
         });
}

}  // namespace tosaic
