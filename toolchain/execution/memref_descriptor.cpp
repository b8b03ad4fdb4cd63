// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/memref_descriptor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tosaic {
namespace {

constexpr int64_t kMostRank = 64;

// Reads where compiled code points, even if that is null: the caller catches the fault.
__attribute__((no_sanitize("address", "undefined"))) void CopyFrom(uint64_t address, size_t bytes, uint8_t* out) {
  struct __attribute__((packed, may_alias)) Word {
    uint64_t value;
  };
  size_t i = 0;
  for (; i + sizeof(Word) <= bytes; i += sizeof(Word)) {
    reinterpret_cast<Word*>(out + i)->value = reinterpret_cast<const volatile Word*>(address + i)->value;
  }
  for (; i < bytes; ++i) out[i] = *reinterpret_cast<const volatile uint8_t*>(address + i);
}

__attribute__((no_sanitize("address", "undefined"))) void CopyTo(uint64_t address, const uint8_t* from, size_t bytes) {
  volatile uint8_t* to = reinterpret_cast<volatile uint8_t*>(address);
  for (size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

// Nonsense wraps around instead of overflowing.
uint64_t AddressOf(const ResultDescriptor& descriptor, const std::vector<int64_t>& position, size_t width) {
  uint64_t element = static_cast<uint64_t>(descriptor.offset);
  for (size_t d = 0; d < position.size(); ++d) {
    element += static_cast<uint64_t>(position[d]) * static_cast<uint64_t>(descriptor.strides[d]);
  }
  return reinterpret_cast<uint64_t>(descriptor.aligned) + element * width;
}

// Calls visit(position, i) for each element i of a tensor.
template <typename Visit>
void WalkPositions(const std::vector<int64_t>& sizes, Visit visit) {
  std::vector<int64_t> position(sizes.size(), 0);
  const size_t count = static_cast<size_t>(ElementCount(sizes));
  for (size_t i = 0; i < count; ++i) {
    visit(position, i);
    for (size_t d = position.size(); d-- > 0;) {
      if (++position[d] < sizes[d]) break;
      position[d] = 0;
    }
  }
}

// Calls visit(address, i) for each element i that a descriptor names.
template <typename Visit>
void WalkElements(const ResultDescriptor& descriptor, size_t width, Visit visit) {
  WalkPositions(descriptor.sizes, [&](const std::vector<int64_t>& position, size_t i) {
    visit(AddressOf(descriptor, position, width), i);
  });
}

}  // namespace

ResultDescriptor ReadDescriptor(const int64_t* words, size_t rank) {
  ResultDescriptor result;
  result.allocated = reinterpret_cast<uint8_t*>(words[0]);
  result.aligned = reinterpret_cast<uint8_t*>(words[1]);
  result.offset = words[2];
  result.sizes.assign(words + 3, words + 3 + rank);
  result.strides.assign(words + 3 + rank, words + 3 + 2 * rank);
  return result;
}

DescriptorWords DescriptorOf(const void* data, const std::vector<int64_t>& sizes) {
  const int64_t address = reinterpret_cast<int64_t>(data);
  DescriptorWords words = {address, address, 0};
  words.insert(words.end(), sizes.begin(), sizes.end());
  int64_t stride = 1;
  for (size_t i = 0; i < sizes.size(); ++i) words.push_back(0);
  for (size_t i = sizes.size(); i-- > 0;) {
    words[3 + sizes.size() + i] = stride;
    stride *= sizes[i];
  }
  return words;
}

size_t WordsOf(const TensorType& type) { return type.shape.IsRanked() ? 3 + 2 * type.shape.rank() : 2; }

absl::StatusOr<std::vector<ResultDescriptor>> ReadResults(const Program& program, const DescriptorWords& area,
                                                          int64_t most_elements) {
  std::vector<ResultDescriptor> results;
  size_t at = 0;
  for (ValueRef ref : program.results) {
    const TensorType type = TypeOf(program, ref);
    ResultDescriptor result;
    if (type.shape.IsRanked()) {
      result = ReadDescriptor(&area[at], type.shape.rank());
    } else {
      const int64_t rank = area[at];
      if (rank < 0 || rank > kMostRank) {
        return absl::InvalidArgumentError(absl::StrCat("result ", results.size(), ", whose rank is ", rank));
      }
      DescriptorWords words(3 + 2 * static_cast<size_t>(rank));
      CopyFrom(static_cast<uint64_t>(area[at + 1]), words.size() * sizeof(int64_t),
               reinterpret_cast<uint8_t*>(words.data()));
      result = ReadDescriptor(words.data(), static_cast<size_t>(rank));
      result.unranked_copy = reinterpret_cast<void*>(area[at + 1]);
    }
    const bool negative = std::any_of(result.sizes.begin(), result.sizes.end(), [](int64_t size) { return size < 0; });
    if (negative || ElementCount(result.sizes) > most_elements) {
      return absl::InvalidArgumentError(
          absl::StrCat("result ", results.size(), ", whose extents are ", SizesToString(result.sizes)));
    }
    results.push_back(std::move(result));
    at += WordsOf(type);
  }
  return results;
}

std::vector<const uint8_t*> ElementAddresses(const ResultDescriptor& descriptor, ElementType type) {
  std::vector<const uint8_t*> addresses;
  WalkElements(descriptor, StorageBytes(type),
               [&](uint64_t address, size_t) { addresses.push_back(reinterpret_cast<const uint8_t*>(address)); });
  return addresses;
}

Tensor CopyElements(const ResultDescriptor& from, ElementType type) {
  Tensor tensor(type, from.sizes);
  const size_t width = StorageBytes(type);
  uint8_t* out = tensor.mutable_bytes().data();
  if (from.sizes.size() == 1 && from.strides[0] == 1) {
    const uint64_t first = reinterpret_cast<uint64_t>(from.aligned) + static_cast<uint64_t>(from.offset) * width;
    CopyFrom(first, tensor.bytes().size(), out);
    return tensor;
  }
  WalkElements(from, width, [&](uint64_t address, size_t i) { CopyFrom(address, width, out + i * width); });
  return tensor;
}

void WriteElements(const Tensor& tensor, const ResultDescriptor& to) {
  const size_t width = StorageBytes(tensor.element_type());
  const uint8_t* in = tensor.bytes().data();
  WalkElements(to, width, [&](uint64_t address, size_t i) { CopyTo(address, in + i * width, width); });
}

void CopyBetween(const ResultDescriptor& from, const ResultDescriptor& to, size_t width,
                 absl::FunctionRef<void(const void*)> stored) {
  WalkPositions(from.sizes, [&](const std::vector<int64_t>& position, size_t) {
    void* const target = reinterpret_cast<void*>(AddressOf(to, position, width));
    std::memmove(target, reinterpret_cast<const void*>(AddressOf(from, position, width)), width);
    stored(target);
  });
}

}  // namespace tosaic
