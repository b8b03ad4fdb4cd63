// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_flatbuffer.h"

#include <utility>

namespace tosaic {
namespace {

constexpr std::pair<absl::string_view, ElementType> kTypes[] = {
    {"BOOL", ElementType::kI1},   {"INT4", ElementType::kI4},          {"INT8", ElementType::kI8},
    {"INT16", ElementType::kI16}, {"INT32", ElementType::kI32},        {"INT48", ElementType::kI48},
    {"INT64", ElementType::kI64}, {"FP32", ElementType::kF32},         {"FP16", ElementType::kF16},
    {"BF16", ElementType::kBF16}, {"FP8E4M3", ElementType::kF8E4M3FN}, {"FP8E5M2", ElementType::kF8E5M2}};

}  // namespace

void Fields(Visitor& v, StoredTensor& tensor) {
  v("name", tensor.name);
  v.MayLack("shape", tensor.shape);
  v("type", tensor.type);
  v.Optional("data", tensor.data);
}

void Fields(Visitor& v, StoredOp& op) {
  v("op", op.op);
  v.MayLack("attribute_type", op.attribute_type);
  v.MayLack("attribute", op.attribute);
  v.MayLack("inputs", op.inputs);
  v.MayLack("outputs", op.outputs);
}

void Fields(Visitor& v, StoredBlock& block) {
  v.MayLack("name", block.name);
  v("operators", block.ops);
  v("tensors", block.tensors);
  v.MayLack("inputs", block.inputs);
  v.MayLack("outputs", block.outputs);
}

void Fields(Visitor& v, StoredRegion& region) {
  v.MayLack("name", region.name);
  v("blocks", region.blocks);
}

void Fields(Visitor& v, StoredVersion& version) {
  v.MayLack("_major", version.major);
  v.MayLack("_minor", version.minor);
  v.MayLack("_patch", version.patch);
  v.MayLack("_draft", version.draft);
}

void Fields(Visitor& v, StoredGraph& graph) {
  v.MayLack("version", graph.version);
  v("regions", graph.regions);
}

std::optional<ElementType> StoredType(absl::string_view name) {
  for (const auto& [spelling, type] : kTypes) {
    if (spelling == name) return type;
  }
  return std::nullopt;
}

std::optional<absl::string_view> StoredName(ElementType type) {
  for (const auto& [spelling, stored] : kTypes) {
    if (stored == type) return spelling;
  }
  return std::nullopt;
}

int PackedWidth(ElementType type) { return type == ElementType::kI1 ? 8 : BitWidth(type); }

uint64_t PackedBits(const std::vector<uint8_t>& data, ElementType type, size_t index) {
  const int width = PackedWidth(type);
  if (width == 4) return data[index / 2] >> (index % 2 * 4) & 0xf;
  const size_t bytes = static_cast<size_t>(width) / 8;
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes; ++i) bits |= uint64_t{data[index * bytes + i]} << (8 * i);
  return bits;
}

std::vector<uint8_t> Packed(const Tensor& tensor) {
  const auto width = static_cast<size_t>(PackedWidth(tensor.element_type()));
  std::vector<uint8_t> data((tensor.element_count() * width + 7) / 8);
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t bits = tensor.Bits(i);
    if (width == 4) data[i / 2] |= static_cast<uint8_t>(bits << (i % 2 * 4));
    for (size_t byte = 0; byte < width / 8; ++byte) {
      data[i * width / 8 + byte] = static_cast<uint8_t>(bits >> (8 * byte));
    }
  }
  return data;
}

}  // namespace tosaic
