// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA's flatbuffer as JSON: the parts of its schema (tosa.fbs) that elementwise programs have. Arm's generator writes
// such files, and its reference model reads them.
#ifndef TOSAIC_CONFORMANCE_ARM_FLATBUFFER_H_
#define TOSAIC_CONFORMANCE_ARM_FLATBUFFER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "codec/visitor.h"
#include "model/attributes.h"
#include "model/element_type.h"
#include "model/tensor.h"

namespace tosaic {

struct StoredTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::string type;
  std::vector<uint8_t> data;  // of a constant, else empty
};
void Fields(Visitor& v, StoredTensor& tensor);

// A number as the list of its bytes; true where a bool is, else nothing; the name of an enum's value.
using StoredAttributes = std::map<Attribute, Json>;

struct StoredOp {
  std::string op;
  std::string attribute_type;  // of a union, so that it is read: "ClampAttribute"
  StoredAttributes attribute;
  std::vector<std::string> inputs, outputs;
};
void Fields(Visitor& v, StoredOp& op);

struct StoredBlock {
  std::string name;
  std::vector<StoredOp> ops;
  std::vector<StoredTensor> tensors;
  std::vector<std::string> inputs, outputs;
};
void Fields(Visitor& v, StoredBlock& block);

struct StoredRegion {
  std::string name;
  std::vector<StoredBlock> blocks;
};
void Fields(Visitor& v, StoredRegion& region);

// The version of the specification, not of the schema.
struct StoredVersion {
  int major = 0, minor = 0, patch = 0;
  bool draft = false;
};
void Fields(Visitor& v, StoredVersion& version);

struct StoredGraph {
  StoredVersion version;
  std::vector<StoredRegion> regions;
};
void Fields(Visitor& v, StoredGraph& graph);

// An element type's name in the schema: "FP8E4M3"; none for a type that the schema lacks.
std::optional<ElementType> StoredType(absl::string_view name);
std::optional<absl::string_view> StoredName(ElementType type);

// How data are packed: i1 in a byte, i4 two in a byte, the lower one first, i48 in six bytes; the rest as in memory.
int PackedWidth(ElementType type);  // bits
uint64_t PackedBits(const std::vector<uint8_t>& data, ElementType type, size_t index);
std::vector<uint8_t> Packed(const Tensor& tensor);

}  // namespace tosaic

#endif  // TOSAIC_CONFORMANCE_ARM_FLATBUFFER_H_
