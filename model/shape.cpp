// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shape.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "codec/status.h"

namespace tosaic {

Shape Shape::Unranked() {
  Shape shape;
  shape.ranked_ = false;
  return shape;
}

Shape Shape::OfSizes(const std::vector<int64_t>& sizes) {
  Shape shape;
  for (int64_t size : sizes) shape.dims_.push_back(Dim::Static(size));
  return shape;
}

std::vector<int64_t> StaticSizes(const Shape& shape) {
  std::vector<int64_t> sizes;
  for (const Dim dim : shape.dims()) sizes.push_back(dim.size());
  return sizes;
}

bool Shape::IsStatic() const {
  if (!ranked_) return false;
  for (Dim dim : dims_) {
    if (dim.IsDynamic()) return false;
  }
  return true;
}

std::string ToString(Dim dim) { return dim.IsDynamic() ? "?" : absl::StrCat(dim.size()); }

std::string ToString(const Shape& shape) {
  if (!shape.IsRanked()) return "*";
  return absl::StrJoin(shape.dims(), "x", [](std::string* out, Dim dim) { out->append(ToString(dim)); });
}

std::string ToString(const TensorType& type) {
  std::string shape = ToString(type.shape);
  return absl::StrCat("tensor<", shape, shape.empty() ? "" : "x", Name(type.element_type), ">");
}

std::string ToString(const ValueType& type) {
  if (type.container == Container::kScalar) return std::string(Name(type.type.element_type));
  std::string text = ToString(type.type);
  if (type.container == Container::kVector) text.replace(0, strlen("tensor"), "vector");
  return text;
}

namespace {

absl::Status Expected(absl::string_view message) { return absl::InvalidArgumentError(message); }

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

absl::Status ConsumeElementType(absl::string_view* rest, absl::string_view expected, ElementType* type) {
  const auto end = std::find_if(rest->begin(), rest->end(), [](unsigned char c) { return std::isalnum(c) == 0; });
  const bool is_block_scaled = absl::StartsWith(*rest, "!tosa.block_scaled<");
  const size_t length =
      is_block_scaled ? std::min(rest->find('>'), rest->size() - 1) + 1 : static_cast<size_t>(end - rest->begin());
  const std::optional<ElementType> found = FindElementType(rest->substr(0, length));
  if (!found) return Expected(expected);
  *type = *found;
  rest->remove_prefix(length);
  return absl::OkStatus();
}

enum class SizesTaken : uint8_t { kFromZero, kAny };

bool BeginsDim(absl::string_view rest, SizesTaken sizes) {
  if (sizes == SizesTaken::kAny) absl::ConsumePrefix(&rest, "-");
  return !rest.empty() && (rest.front() == '?' || IsDigit(rest.front()));
}

// A dimension and the 'x' behind it.
absl::Status ConsumeDim(absl::string_view* rest, Container container, Dim* dim) {
  if (rest->front() == '?') {
    if (container == Container::kVector) return Expected("a static dimension: a vector has no other");
    rest->remove_prefix(1);
    *dim = Dim::Dynamic();
  } else {
    const auto end = std::find_if_not(rest->begin() + 1, rest->end(), IsDigit);
    const size_t length = static_cast<size_t>(end - rest->begin());
    int64_t size = 0;
    if (!absl::SimpleAtoi(rest->substr(0, length), &size)) return Expected("a dimension below 2^63");
    if (container == Container::kVector && size < 1)
      return Expected("a dimension of at least 1: a vector has no other");
    rest->remove_prefix(length);
    *dim = Dim::Static(size);
  }
  return absl::ConsumePrefix(rest, "x") ? absl::OkStatus() : Expected("'x' after a dimension");
}

// The text after the opening bracket: dimensions, element type and the closing bracket.
absl::Status ConsumeShapeAndElementType(absl::string_view* rest, Container container, SizesTaken sizes,
                                        TensorType* type) {
  absl::string_view expected = "a dimension (2, ?) or an element type (f32, i8, ...)";
  if (container == Container::kTensor && absl::ConsumePrefix(rest, "*")) {
    if (!absl::ConsumePrefix(rest, "x")) return Expected("'x' after '*'");
    type->shape = Shape::Unranked();
    expected = "an element type (f32, i8, ...): '*' stands alone";
  } else {
    std::vector<Dim>& dims = type->shape.mutable_dims();
    while (BeginsDim(*rest, sizes)) {
      dims.push_back(Dim::Dynamic());
      TOSAIC_RETURN_IF_ERROR(ConsumeDim(rest, container, &dims.back()));
    }
  }
  TOSAIC_RETURN_IF_ERROR(ConsumeElementType(rest, expected, &type->element_type));
  return absl::ConsumePrefix(rest, ">") ? absl::OkStatus() : Expected("'>'");
}

absl::StatusOr<ValueType> Consume(absl::string_view* rest, SizesTaken sizes) {
  ValueType type;
  absl::Status status;
  if (absl::ConsumePrefix(rest, "tensor<")) {
    status = ConsumeShapeAndElementType(rest, type.container, sizes, &type.type);
  } else if (absl::ConsumePrefix(rest, "vector<")) {
    type.container = Container::kVector;
    status = ConsumeShapeAndElementType(rest, type.container, sizes, &type.type);
  } else {
    type.container = Container::kScalar;
    status = ConsumeElementType(rest, "a type: tensor<2x?xf32>, tensor<*xi8>, ...", &type.type.element_type);
  }
  if (!status.ok()) return status;
  return type;
}

absl::StatusOr<TensorType> Parse(absl::string_view text, SizesTaken sizes) {
  absl::string_view rest = text;
  const absl::StatusOr<ValueType> type = Consume(&rest, sizes);
  absl::string_view expected;
  if (!type.ok()) {
    expected = type.status().message();
  } else if (type->container != Container::kTensor) {
    rest = text;
    expected = "tensor<...>";
  } else if (!rest.empty()) {
    expected = "nothing more";
  } else {
    return type->type;
  }
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' is not a tensor type: expected ", expected,
                                                 rest.empty() ? " at the end" : absl::StrCat(" at '", rest, "'")));
}

absl::Status Read(absl::string_view text, SizesTaken sizes, TensorType& type) {
  const absl::StatusOr<TensorType> read = Parse(text, sizes);
  if (read.ok()) type = *read;
  return read.status();
}

}  // namespace

absl::StatusOr<ValueType> ConsumeValueType(absl::string_view* rest) { return Consume(rest, SizesTaken::kFromZero); }
absl::StatusOr<TensorType> ParseTensorType(absl::string_view text) { return Parse(text, SizesTaken::kFromZero); }
absl::Status ReadText(absl::string_view text, TensorType& type) { return Read(text, SizesTaken::kFromZero, type); }
absl::Status ReadText(absl::string_view text, MadeType& type) { return Read(text, SizesTaken::kAny, type); }

bool Admits(const Shape& shape, const std::vector<int64_t>& sizes) {
  if (!shape.IsRanked()) return true;
  if (shape.rank() != sizes.size()) return false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (shape[i].IsStatic() && shape[i].size() != sizes[i]) return false;
  }
  return true;
}

int64_t ElementCount(const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size == 0) return 0;
  }
  for (int64_t size : sizes) {
    if (count > std::numeric_limits<int64_t>::max() / size) return std::numeric_limits<int64_t>::max();
    count *= size;
  }
  return count;
}

std::string SizesToString(const std::vector<int64_t>& sizes) {
  return sizes.empty() ? "scalar" : absl::StrJoin(sizes, "x");
}

}  // namespace tosaic
