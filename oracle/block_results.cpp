// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/block_results.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "model/blocks.h"
#include "oracle/block_scaled.h"
#include "oracle/float_format.h"

namespace tosaic {
namespace {

BlockInput InputAt(const Tensor& input, size_t begin) {
  BlockInput elements;
  for (size_t i = 0; i < kBlockSize; ++i) elements[i] = ElementToDouble(input.element_type(), input.Bits(begin + i));
  return elements;
}

Block BlockAt(const Tensor& blocks, size_t begin) {
  Block block = {.scale = static_cast<uint8_t>(ScaleInBlock(blocks.Bits(begin)))};
  for (size_t i = 0; i < kBlockSize; ++i) block.values[i] = static_cast<uint8_t>(blocks.Bits(begin + i));
  return block;
}

uint64_t BitsOf(const Block& block, size_t index) { return ElementInBlock(block.scale, block.values[index]); }

// Whether all elements of a block have one scale, as every block has.
bool HasOneScale(const Tensor& blocks, size_t begin) {
  for (size_t i = 1; i < kBlockSize; ++i) {
    if (ScaleInBlock(blocks.Bits(begin)) != ScaleInBlock(blocks.Bits(begin + i))) return false;
  }
  return true;
}

bool AnyOfBlock(const std::vector<bool>& elements, size_t begin) {
  if (elements.empty()) return false;
  const auto first = elements.begin() + static_cast<std::ptrdiff_t>(begin);
  return std::find(first, first + kBlockSize, true) != first + kBlockSize;
}

std::string ElementText(ElementType type, uint64_t bits) {
  const uint64_t scale = ScaleInBlock(bits);
  const std::string of_scale = scale == kNanScale ? "NaN" : absl::StrCat("2^", static_cast<int>(scale) - 127);
  return absl::StrCat(ElementToString(type, bits), " of scale ", of_scale);
}

ElementMismatch MismatchIn(ElementType type, size_t begin, const BlockInput& input, const Block& own,
                           const Tensor& actual) {
  size_t index = 0;
  while (index + 1 < kBlockSize && BitsOf(own, index) == actual.Bits(begin + index)) ++index;
  const uint64_t expected = BitsOf(own, index), bits = actual.Bits(begin + index);
  return {.index = begin + index,
          .inputs = {absl::StrCat(input[index])},
          .expected = ElementText(type, expected),
          .actual = ElementText(type, bits),
          .expected_bits = BitsToString(type, expected),
          .actual_bits = BitsToString(type, bits),
          .bound = "a unit of the scale, and of the value"};
}

// `input_at`: what CAST got, or would get of a first cast that rounds to nearest. `check`: of the block at this
// element.
enum class BlockCheck : uint8_t { kWrong, kRight, kAnything };
ValueComparison CompareAll(const Tensor& actual, const std::vector<bool>& left_out,
                           absl::FunctionRef<BlockInput(size_t begin)> input_at,
                           absl::FunctionRef<BlockCheck(size_t begin, const Block& block)> check) {
  const ElementType type = actual.element_type();
  const BlockFormat& format = BlockFormatOf(type);
  ValueComparison comparison;
  for (size_t begin = 0; begin < actual.element_count(); begin += kBlockSize) {
    const Block block = BlockAt(actual, begin);
    const bool is_left_out = AnyOfBlock(left_out, begin);
    const BlockCheck found = is_left_out                  ? BlockCheck::kAnything
                             : HasOneScale(actual, begin) ? check(begin, block)
                                                          : BlockCheck::kWrong;
    if (found == BlockCheck::kAnything) {
      comparison.masked += kBlockSize;
      continue;
    }
    const BlockInput input = input_at(begin);
    comparison.compared += kBlockSize;
    for (size_t i = 0; i < kBlockSize; ++i) comparison.widths.Add(AllowedValues(format, input[i], block.scale) - 1);
    if (found == BlockCheck::kRight) continue;
    comparison.mismatches += kBlockSize;  // as a whole
    if (comparison.first) continue;
    comparison.first = MismatchIn(type, begin, input, ToBlock(format, input), actual);
    comparison.rule = RuleId::kValueCastToBlockScaled;
  }
  if (comparison.first) comparison.first->count = comparison.mismatches;
  return comparison;
}

}  // namespace

bool MakesBlocks(const Program& program, const OpApplication& op) {
  const ElementType input = InputElementType(program, op), result = op.result.element_type;
  return op.op == OpKind::kCast && IsBlockScaled(result) && IsFloat(input);
}

const OpApplication& MakerOf(const Program& program, ValueRef ref, const std::vector<const Tensor*>& known) {
  const OpApplication* maker = &program.ops[ref.index];
  while (maker->op == OpKind::kIdentity) {
    const ValueRef of = maker->operands[0];
    if (of.kind != ValueRef::Kind::kOp || known[of.index] != nullptr) break;
    maker = &program.ops[of.index];
  }
  return *maker;
}

Tensor BlocksOf(const Tensor& input, ElementType type) {
  Tensor result(type, input.sizes());
  for (size_t begin = 0; begin < input.element_count(); begin += kBlockSize) {
    const Block block = ToBlock(BlockFormatOf(type), InputAt(input, begin));
    for (size_t i = 0; i < kBlockSize; ++i) result.SetBits(begin + i, BitsOf(block, i));
  }
  return result;
}

ValueComparison CompareBlocks(const Tensor& input, const Tensor& actual, const std::vector<bool>& left_out) {
  const BlockFormat& format = BlockFormatOf(actual.element_type());
  const auto input_at = [&](size_t begin) { return InputAt(input, begin); };
  return CompareAll(actual, left_out, input_at, [&](size_t begin, const Block& block) {
    const BlockInput elements = InputAt(input, begin);
    if (MayBeAnyBlock(elements)) return BlockCheck::kAnything;
    return AllowsBlock(format, elements, block) ? BlockCheck::kRight : BlockCheck::kWrong;
  });
}

ValueComparison CompareRoundTrip(const Tensor& blocks, ElementType between, const Tensor& actual,
                                 const std::vector<bool>& left_out) {
  const BlockFormat& format = BlockFormatOf(actual.element_type());
  const auto input_at = [&](size_t begin) {
    BlockInput nearest = InputAt(blocks, begin);
    for (double& x : nearest) x = ElementToDouble(between, NearestBits(between, x));
    return nearest;
  };
  return CompareAll(actual, left_out, input_at, [&](size_t begin, const Block& block) {
    const Block source = BlockAt(blocks, begin);
    if (MayBeAnyRoundTrip(format, source, between)) return BlockCheck::kAnything;
    return AllowsRoundTrip(format, source, between, block) ? BlockCheck::kRight : BlockCheck::kWrong;
  });
}

}  // namespace tosaic
