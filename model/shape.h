// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes and tensor types: each dimension is static or dynamic, or the rank is unknown. Broadcast rules are not here.
#ifndef TOSAIC_MODEL_SHAPE_H_
#define TOSAIC_MODEL_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/element_type.h"

namespace tosaic {

// One dimension of a type: a static size (>= 0; MLIR's TOSA refuses 0) or dynamic, written `?`.
class Dim {
 public:
  static constexpr Dim Static(int64_t size) { return Dim(size); }
  static constexpr Dim Dynamic() { return Dim(kDynamicSize); }

  constexpr bool IsDynamic() const { return size_ == kDynamicSize; }
  constexpr bool IsStatic() const { return !IsDynamic(); }
  constexpr bool Is(int64_t size) const { return size_ == size; }
  // REQUIRES: IsStatic().
  constexpr int64_t size() const { return size_; }

  friend constexpr bool operator==(Dim a, Dim b) = default;

 private:
  static constexpr int64_t kDynamicSize = std::numeric_limits<int64_t>::min();  // so that a size of -1 is told from it
  explicit constexpr Dim(int64_t size) : size_(size) {}
  int64_t size_;
};

// The shape of a type: unranked, or a list of dimensions (rank 0 if it is empty).
class Shape {
 public:
  Shape() = default;  // rank 0
  explicit Shape(std::vector<Dim> dims) : dims_(std::move(dims)) {}
  static Shape Unranked();
  static Shape OfSizes(const std::vector<int64_t>& sizes);

  bool IsRanked() const { return ranked_; }
  bool IsStatic() const;  // ranked, and every dimension static
  // REQUIRES: IsRanked(), for these and for iteration.
  size_t rank() const { return dims_.size(); }
  const std::vector<Dim>& dims() const { return dims_; }
  std::vector<Dim>& mutable_dims() { return dims_; }
  Dim operator[](size_t i) const { return dims_[i]; }

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  bool ranked_ = true;
  std::vector<Dim> dims_;
};

struct TensorType {
  Shape shape;
  ElementType element_type = ElementType::kF32;

  friend bool operator==(const TensorType& a, const TensorType& b) = default;
};

// The sizes of a static shape.
std::vector<int64_t> StaticSizes(const Shape& shape);

std::string ToString(Dim dim);
// "2x?x3", "*" when unranked, "" for rank 0.
std::string ToString(const Shape& shape);
// MLIR's spelling: tensor<2x?xf32>, tensor<*xf32>, tensor<f32>.
std::string ToString(const TensorType& type);

// The container of a value's elements. TOSA has only tensors; the Broadcastable trait also allows vectors, but no
// scalars.
enum class Container : uint8_t { kTensor, kVector, kScalar };

struct ValueType {
  Container container = Container::kTensor;
  TensorType type;  // kVector: ranked, static, every dimension at least 1; kScalar: rank 0

  friend bool operator==(const ValueType& a, const ValueType& b) = default;
};
// MLIR's spelling: tensor<2x?xf32>, vector<2x3xi32>, i32.
std::string ToString(const ValueType& type);

// Parses MLIR's spelling of a tensor type. The error says what was found and what would be right.
absl::StatusOr<TensorType> ParseTensorType(absl::string_view text);
absl::Status ReadText(absl::string_view text, TensorType& type);

// A type that MLIR made, which may have sizes below 0; no reader takes those. Its text is a TensorType's.
struct MadeType : TensorType {
  MadeType() = default;
  MadeType(TensorType type) : TensorType(std::move(type)) {}  // NOLINT(google-explicit-constructor)
};
absl::Status ReadText(absl::string_view text, MadeType& type);

// Takes a type from the front of *rest. On an error *rest begins with the offending character, and the message says
// what was expected there.
absl::StatusOr<ValueType> ConsumeValueType(absl::string_view* rest);

// Whether a tensor with these run-time sizes can have a type of this shape: the ranks and the static dimensions are
// equal.
bool Admits(const Shape& shape, const std::vector<int64_t>& sizes);

// Product of the sizes; 1 for rank 0. Saturates at INT64_MAX.
int64_t ElementCount(const std::vector<int64_t>& sizes);

// "2x3", or "scalar" for rank 0: for messages.
std::string SizesToString(const std::vector<int64_t>& sizes);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_SHAPE_H_
