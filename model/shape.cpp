#include "model/shape.h"

#include <cctype>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

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

absl::StatusOr<TensorType> ParseTensorType(absl::string_view text) {
  auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not a tensor type: ", what, " (for instance tensor<2x?xf32>, tensor<*xi8>)"));
  };
  absl::string_view rest = text;
  if (!absl::ConsumePrefix(&rest, "tensor<") || !absl::ConsumeSuffix(&rest, ">")) {
    return error("it must be tensor<...>");
  }
  TensorType type;
  std::vector<Dim> dims;
  bool unranked = false;
  // Dimensions are consumed while they look like one; what is left is the element type.
  while (!rest.empty() && !unranked) {
    if (absl::ConsumePrefix(&rest, "*x")) {
      if (!dims.empty()) return error("'*' stands alone");
      unranked = true;
    } else if (absl::ConsumePrefix(&rest, "?x")) {
      dims.push_back(Dim::Dynamic());
    } else if (std::isdigit(static_cast<unsigned char>(rest.front()))) {
      size_t end = rest.find('x');
      int64_t size = 0;
      if (end == absl::string_view::npos) return error("the element type is missing");
      absl::string_view digits = rest.substr(0, end);
      if (digits.find_first_not_of("0123456789") != absl::string_view::npos || !absl::SimpleAtoi(digits, &size)) {
        return error(absl::StrCat("'", digits, "' is no dimension"));
      }
      dims.push_back(Dim::Static(size));
      rest.remove_prefix(end + 1);
    } else {
      break;
    }
  }
  std::optional<ElementType> element = FindElementType(rest);
  if (!element) return error(absl::StrCat("unknown element type '", rest, "'"));
  type.element_type = *element;
  type.shape = unranked ? Shape::Unranked() : Shape(std::move(dims));
  return type;
}

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
