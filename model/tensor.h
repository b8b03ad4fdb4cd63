// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor: run-time sizes and the elements' bit patterns, in memory as compiled code reads them (row major).
#ifndef TOSAIC_MODEL_TENSOR_H_
#define TOSAIC_MODEL_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/element_type.h"
#include "model/shape.h"

namespace tosaic {

class Visitor;

class Tensor {
 public:
  Tensor() = default;  // an f32 tensor without elements
  // All elements zero.
  Tensor(ElementType element_type, std::vector<int64_t> sizes);

  ElementType element_type() const { return element_type_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  size_t element_count() const { return bytes_.size() / StorageBytes(element_type_); }

  // The bit pattern of element `index` (row major), exactly as it lies in memory: a compiled program that
  // writes an i1 as 0xa5 shows here.
  uint64_t RawBits(size_t index) const;
  // The same with the bits beyond the type's width cut off.
  uint64_t Bits(size_t index) const { return RawBits(index) & BitMask(element_type_); }
  // The bits that a store of the type reaches; it makes them Bits().
  uint64_t StoredBits(size_t index) const { return RawBits(index) & StoredMask(element_type_); }
  void SetBits(size_t index, uint64_t bits);

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t>& mutable_bytes() { return bytes_; }

  friend bool operator==(const Tensor& a, const Tensor& b) = default;

 private:
  ElementType element_type_ = ElementType::kF32;
  std::vector<int64_t> sizes_ = {0};
  std::vector<uint8_t> bytes_;
};

// {"type": "f32", "shape": [2], "data": "3f800000 7fc00000"}: numbers would lose NaN payloads and infinities.
void Fields(Visitor& v, Tensor& tensor);

// Whether the ranks are equal, and each size is 1 or the result's. (BroadcastIndex takes lower ranks, too.)
bool BroadcastsTo(const std::vector<int64_t>& operand_sizes, const std::vector<int64_t>& result_sizes);

// The row-major index of the operand's element that element `index` of the result is computed from. Dimensions of 1,
// and missing leading ones, are repeated.
// REQUIRES: the operand's sizes broadcast to the result's.
size_t BroadcastIndex(size_t index, const std::vector<int64_t>& result_sizes,
                      const std::vector<int64_t>& operand_sizes);

// Bit patterns in hexadecimal, fixed width per type, separated by blanks: "3f800000 7fc00000".
std::string DataToHex(const Tensor& tensor);
// Reads what DataToHex writes. Errors: a malformed pattern, bits beyond the type, a wrong count.
absl::StatusOr<Tensor> TensorFromHex(ElementType element_type, std::vector<int64_t> sizes, absl::string_view hex);

// One element for people: "1.5", "-nan(0x7fc00001)", "-128", "true".
std::string ElementToString(ElementType type, uint64_t bits);
// A bit pattern with the type's width: "0x7fc00000".
std::string BitsToString(ElementType type, uint64_t bits);

// The element's value as a double. Exact for every type but i64 beyond 2^53; NaN payloads are lost.
double ElementToDouble(ElementType type, uint64_t bits);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_TENSOR_H_
