// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/npy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codec/status.h"
#include "model/element_type.h"

namespace tosaic {
namespace {

constexpr absl::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;  // of the elements, as NumPy writes them

// How NumPy and ml_dtypes write the type. Tosaic writes the first form.
std::vector<std::string> DescriptionsOf(ElementType type) {
  if (type == ElementType::kI1) return {"|b1"};
  const int bytes = StorageBytes(type);
  const absl::string_view order = bytes == 1 ? "|" : "<";
  if (IsFp8(type)) return {"|V1", "<V1", "|u1", "<f1", "|f1"};
  if (type == ElementType::kBF16) return {"<V2", "|V2", "<u2"};
  const char kind = IsFloat(type) ? 'f' : IsUnsigned(type) ? 'u' : 'i';
  return {absl::StrCat(order, std::string(1, kind), bytes)};
}

// The value of a key in the header, which is a Python dictionary. A comma ends the value unless it is inside
// parentheses.
absl::string_view ValueOf(absl::string_view header, absl::string_view key) {
  const size_t at = header.find(absl::StrCat("'", key, "'"));
  if (at == absl::string_view::npos) return "";
  absl::string_view value = header.substr(at + key.size() + 2);
  value.remove_prefix(std::min(value.size(), value.find_first_not_of(": ")));
  const size_t end = value.substr(0, 1) == "(" ? value.find(')') + 1 : value.find_first_of(",}");
  return value.substr(0, end);
}

absl::StatusOr<std::vector<int64_t>> SizesIn(absl::string_view tuple) {
  if (!absl::ConsumePrefix(&tuple, "(") || !absl::ConsumeSuffix(&tuple, ")")) {
    return absl::InvalidArgumentError("its header has no shape");
  }
  std::vector<int64_t> sizes;
  for (const absl::string_view part : absl::StrSplit(tuple, ',', absl::SkipWhitespace())) {
    int64_t size = 0;
    if (!absl::SimpleAtoi(part, &size) || size < 0) {
      return absl::InvalidArgumentError(absl::StrCat("its header has a dimension '", part, "'"));
    }
    sizes.push_back(size);
  }
  return sizes;
}

// Takes the header from the front of a file's bytes.
absl::StatusOr<absl::string_view> ConsumeHeader(absl::string_view* bytes) {
  if (!absl::ConsumePrefix(bytes, kMagic) || bytes->size() < 2) return absl::InvalidArgumentError("it is no .npy file");
  const int version = static_cast<uint8_t>((*bytes)[0]);
  if (version < 1 || version > 3) {
    return absl::InvalidArgumentError(absl::StrCat("it has version ", version, " of the format, not 1 to 3"));
  }
  const size_t width = version == 1 ? 2 : 4;  // of the header's length
  bytes->remove_prefix(2);
  size_t length = 0;
  if (bytes->size() < width) return absl::InvalidArgumentError("it ends within its header");
  for (size_t i = 0; i < width; ++i) length |= size_t{static_cast<uint8_t>((*bytes)[i])} << (8 * i);
  bytes->remove_prefix(width);
  if (bytes->size() < length) return absl::InvalidArgumentError("it ends within its header");
  const absl::string_view header = bytes->substr(0, length);
  for (const absl::string_view key : {"'descr'", "'fortran_order'", "'shape'"}) {
    if (header.find(key) != header.rfind(key)) {
      return absl::InvalidArgumentError(absl::StrCat("its header has the key ", key, " twice"));
    }
  }
  bytes->remove_prefix(length);
  return header;
}

}  // namespace

absl::StatusOr<Tensor> TensorFromNpy(absl::string_view bytes, ElementType type) {
  TOSAIC_ASSIGN_OR_RETURN(const absl::string_view header, ConsumeHeader(&bytes));
  absl::string_view description = ValueOf(header, "descr");
  description = absl::StripSuffix(absl::StripPrefix(description, "'"), "'");
  if (!absl::c_linear_search(DescriptionsOf(type), description)) {
    return absl::InvalidArgumentError(absl::StrCat("its elements are '", description, "', and ", Name(type), " is '",
                                                   absl::StrJoin(DescriptionsOf(type), "' or '"), "'"));
  }
  TOSAIC_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, SizesIn(ValueOf(header, "shape")));
  const size_t rank = sizes.size();
  if (ValueOf(header, "fortran_order") != "False" && rank > 1) {
    return absl::InvalidArgumentError("its elements lie in Fortran's order, column by column");
  }
  const int64_t width = StorageBytes(type);
  const int64_t count = ElementCount(sizes);
  if (count > static_cast<int64_t>(bytes.size()) || static_cast<int64_t>(bytes.size()) != count * width) {
    return absl::InvalidArgumentError(absl::StrCat("it has ", bytes.size(), " bytes of elements, and ",
                                                   SizesToString(sizes), " of ", Name(type), " needs ", width,
                                                   " each"));
  }
  Tensor tensor(type, std::move(sizes));
  tensor.mutable_bytes().assign(bytes.begin(), bytes.end());
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t raw = tensor.RawBits(i), bits = tensor.Bits(i);
    if (raw != ExtendedBits(type, bits)) {
      return absl::InvalidArgumentError(
          absl::StrCat("its element ", i, " is 0x", absl::Hex(raw), ", which is no value of ", Name(type)));
    }
    tensor.SetBits(i, bits);
  }
  return tensor;
}

std::string ToNpy(const Tensor& tensor) {
  std::string shape = absl::StrJoin(tensor.sizes(), ", ");
  if (tensor.sizes().size() == 1) shape += ",";
  std::string header = absl::StrCat("{'descr': '", DescriptionsOf(tensor.element_type()).front(),
                                    "', 'fortran_order': False, 'shape': (", shape, "), }");
  const size_t before = kMagic.size() + 4;  // version and length
  header.append(kAlignment - (before + header.size() + 1) % kAlignment, ' ');
  header.push_back('\n');
  const std::string length = {static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  std::string bytes = absl::StrCat(kMagic, absl::string_view("\x01\x00", 2), length, header);
  const size_t width = StorageBytes(tensor.element_type());
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    const uint64_t stored = ExtendedBits(tensor.element_type(), tensor.Bits(i));
    for (size_t k = 0; k < width; ++k) bytes.push_back(static_cast<char>(stored >> (8 * k) & 0xff));
  }
  return bytes;
}

}  // namespace tosaic
