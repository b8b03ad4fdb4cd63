// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memref descriptors as the C interface of compiled code passes them: allocated and aligned pointer, offset, sizes,
// strides, each one 64-bit word; an unranked one is a rank and a pointer to those. Reads and writes; owns nothing.
#ifndef TOSAIC_TOOLCHAIN_EXECUTION_MEMREF_DESCRIPTOR_H_
#define TOSAIC_TOOLCHAIN_EXECUTION_MEMREF_DESCRIPTOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "model/program.h"
#include "model/shape.h"
#include "model/tensor.h"

namespace tosaic {

using DescriptorWords = std::vector<int64_t>;

// The descriptor of a row-major buffer.
DescriptorWords DescriptorOf(const void* data, const std::vector<int64_t>& sizes);

// Words that a result of this type takes in the area that compiled code fills.
size_t WordsOf(const TensorType& type);

struct ResultDescriptor {
  uint8_t* allocated = nullptr;
  uint8_t* aligned = nullptr;
  int64_t offset = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  void* unranked_copy = nullptr;  // the descriptor itself, allocated by the callee, if the result is unranked
};

// Reads a descriptor of this rank.
ResultDescriptor ReadDescriptor(const int64_t* words, size_t rank);

// Reads the results' descriptors; may fault if an unranked one has a bad pointer. Refused with a description: a rank
// beyond any tensor's, a negative extent, more than `most_elements`.
absl::StatusOr<std::vector<ResultDescriptor>> ReadResults(const Program& program, const DescriptorWords& area,
                                                          int64_t most_elements);

// The addresses of the elements that a descriptor describes, in row-major order.
std::vector<const uint8_t*> ElementAddresses(const ResultDescriptor& descriptor, ElementType type);
// Copies the elements that a descriptor describes; faults if it has a bad pointer.
Tensor CopyElements(const ResultDescriptor& from, ElementType type);
// The reverse. REQUIRES: the tensor has the descriptor's sizes.
void WriteElements(const Tensor& tensor, const ResultDescriptor& to);
// Copies elements of `width` bytes to another descriptor of as many dimensions, and calls stored() with the address of
// each; faults if one has a bad pointer.
void CopyBetween(const ResultDescriptor& from, const ResultDescriptor& to, size_t width,
                 absl::FunctionRef<void(const void*)> stored);

}  // namespace tosaic

#endif  // TOSAIC_TOOLCHAIN_EXECUTION_MEMREF_DESCRIPTOR_H_
