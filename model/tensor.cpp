// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codec/visitor.h"
#include "model/counted.h"

namespace tosaic {
namespace {

int HexDigits(ElementType type) { return (BitWidth(type) + 3) / 4; }

// With leading zeros up to that many digits.
void AppendHex(uint64_t bits, int digits, std::string* out) {
  while (digits < 16 && bits >> (4 * digits) != 0) ++digits;
  while (digits-- > 0) *out += "0123456789abcdef"[bits >> (4 * digits) & 15];
}

// 2 to the power of a normal double's exponent.
double PowerOfTwo(int exponent) {
  constexpr int kBias = 1023, kMantissaBits = 52;
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + kBias) << kMantissaBits);
}

// A float of `width` bits in the format of a type's row.
double FloatToDouble(const ElementTypeInfo& info, int width, uint64_t bits) {
  const int exponent_max = (1 << info.exponent_bits) - 1;
  const int bias = exponent_max >> 1;
  const double sign = (bits >> (width - 1)) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> info.mantissa_bits) & exponent_max;
  const uint64_t mantissa = bits & ((uint64_t{1} << info.mantissa_bits) - 1);
  if (exponent == exponent_max) {
    // In a format without infinities (f8E4M3FN) only the all-ones mantissa is special.
    if (info.has_infinity && mantissa == 0) return sign * std::numeric_limits<double>::infinity();
    const bool has_nan = width >= 8;  // narrower formats have nothing but numbers
    if (has_nan && (info.has_infinity || mantissa == (uint64_t{1} << info.mantissa_bits) - 1)) {
      return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
    }
  }
  if (width == 64) return std::bit_cast<double>(bits);
  // No value of a narrower format is subnormal in double, so the product is exact. ldexp was a fifth of what judging
  // takes.
  const uint64_t hidden = exponent == 0 ? 0 : uint64_t{1} << info.mantissa_bits;
  return sign * static_cast<double>(mantissa | hidden) * PowerOfTwo(std::max(exponent, 1) - bias - info.mantissa_bits);
}

double BlockScaleToDouble(uint64_t byte) {
  return byte == kNanScale ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(byte) - 127);
}

double BlockValueToDouble(ElementType type, uint64_t bits) {
  if (Info(type).exponent_bits == 0) return static_cast<int8_t>(bits) / 64.0;
  const int width = BlockValueBits(type);
  return FloatToDouble(Info(type), width, bits & ((uint64_t{1} << width) - 1));
}

}  // namespace

Tensor::Tensor(ElementType element_type, std::vector<int64_t> sizes)
    : element_type_(element_type), sizes_(std::move(sizes)) {
  bytes_.resize(static_cast<size_t>(ElementCount(sizes_)) * StorageBytes(element_type_));
}

// A copy of as many bytes as the compiler knows is one instruction.
template <typename Stored>
static uint64_t Load(const uint8_t* from) {
  Stored bits;
  std::memcpy(&bits, from, sizeof(bits));
  return bits;
}

uint64_t Tensor::RawBits(size_t index) const {
  const auto width = static_cast<size_t>(StorageBytes(element_type_));
  const uint8_t* from = bytes_.data() + index * width;
  if (width == 4) return Load<uint32_t>(from);
  if (width == 2) return Load<uint16_t>(from);
  return width == 1 ? *from : Load<uint64_t>(from);
}

void Tensor::SetBits(size_t index, uint64_t bits) {
  const int width = StorageBytes(element_type_);
  bits &= BitMask(element_type_);
  std::memcpy(bytes_.data() + index * width, &bits, width);
}

bool BroadcastsTo(const std::vector<int64_t>& operand_sizes, const std::vector<int64_t>& result_sizes) {
  if (operand_sizes.size() != result_sizes.size()) return false;
  for (size_t d = 0; d < result_sizes.size(); ++d) {
    if (operand_sizes[d] != result_sizes[d] && operand_sizes[d] != 1) return false;
  }
  return true;
}

size_t BroadcastIndex(size_t index, const std::vector<int64_t>& result_sizes,
                      const std::vector<int64_t>& operand_sizes) {
  size_t operand_index = 0;
  size_t stride = 1;
  const size_t missing = result_sizes.size() - operand_sizes.size();
  for (size_t i = result_sizes.size(); i-- > missing;) {
    const int64_t size = operand_sizes[i - missing];
    if (size != 1) operand_index += stride * (index % result_sizes[i]);
    index /= result_sizes[i];
    stride *= size;
  }
  return operand_index;
}

std::string DataToHex(const Tensor& tensor) {
  std::string out;
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    if (i > 0) out += ' ';
    AppendHex(tensor.Bits(i), HexDigits(tensor.element_type()), &out);
  }
  return out;
}

absl::StatusOr<Tensor> TensorFromHex(ElementType element_type, std::vector<int64_t> sizes, absl::string_view hex) {
  const std::vector<absl::string_view> words = absl::StrSplit(hex, ' ', absl::SkipEmpty());
  const int64_t count = ElementCount(sizes);
  if (static_cast<int64_t>(words.size()) != count) {
    return absl::InvalidArgumentError(absl::StrCat("the data has ", Counted(words.size(), "element"), ", the sizes (",
                                                   SizesToString(sizes), ") call for ", count));
  }
  Tensor tensor(element_type, std::move(sizes));
  for (size_t i = 0; i < words.size(); ++i) {
    uint64_t bits = 0;
    const bool digits = words[i].find_first_not_of("0123456789abcdefABCDEF") == absl::string_view::npos;
    if (!digits || words[i].size() != static_cast<size_t>(HexDigits(element_type)) ||
        !absl::SimpleHexAtoi(words[i], &bits) || (bits & ~BitMask(element_type)) != 0) {
      return absl::InvalidArgumentError(absl::StrCat("element ", i, ": '", words[i], "' is not a bit pattern of ",
                                                     Name(element_type), " (", HexDigits(element_type),
                                                     " hexadecimal digits)"));
    }
    tensor.SetBits(i, bits);
  }
  return tensor;
}

double ElementToDouble(ElementType type, uint64_t bits) {
  // Most elements are of these two, and converting them was a fiftieth of what a campaign takes. A subnormal number is
  // not left to the machine, whose state a library may change.
  if (type == ElementType::kF32 || type == ElementType::kBF16) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(type == ElementType::kF32 ? bits : bits << 16));
    if (std::isnormal(value)) return value;
  }
  const ElementTypeInfo& info = Info(type);
  bits &= BitMask(type);
  switch (info.element_class) {
    case ElementClass::kBool:
    case ElementClass::kUnsigned:
      return static_cast<double>(bits);
    case ElementClass::kSignless:
    case ElementClass::kSigned: {
      const int shift = 64 - info.bits;
      return static_cast<double>(static_cast<int64_t>(bits << shift) >> shift);
    }
    case ElementClass::kBlockScaled:
      return BlockScaleToDouble(bits >> kBlockScaleShift) * BlockValueToDouble(type, bits);
    case ElementClass::kFloat:
      break;
  }
  return FloatToDouble(info, info.bits, bits);
}

std::string BitsToString(ElementType type, uint64_t bits) {
  std::string text = "0x";
  AppendHex(bits, HexDigits(type), &text);
  return text;
}

std::string ElementToString(ElementType type, uint64_t bits) {
  const ElementTypeInfo& info = Info(type);
  switch (info.element_class) {
    case ElementClass::kBool:
      return (bits & 1) != 0 ? "true" : "false";
    case ElementClass::kUnsigned:
      return absl::StrCat(bits);
    case ElementClass::kSignless:
    case ElementClass::kSigned: {
      const int shift = 64 - info.bits;
      return absl::StrCat(static_cast<int64_t>(bits << shift) >> shift);
    }
    case ElementClass::kFloat:
    case ElementClass::kBlockScaled:
      break;
  }
  const double value = ElementToDouble(type, bits);
  if (std::isnan(value)) return absl::StrCat(std::signbit(value) ? "-" : "", "nan(", BitsToString(type, bits), ")");
  char text[32];
  std::snprintf(text, sizeof(text), "%.*g", info.bits > 32 ? 17 : 9, value);
  return text;
}

void Fields(Visitor& v, Tensor& tensor) {
  ElementType type = tensor.element_type();
  std::vector<int64_t> sizes = tensor.sizes();
  std::string data = v.IsWriting() ? DataToHex(tensor) : "";
  v.Type("tensor");
  v.Strict();
  v("type", type);
  v("shape", sizes, "sizes");
  v("data", data,
    "bit patterns in hexadecimal without 0x, separated by spaces, row major, as many digits as the type needs; of a "
    "block-scaled type the byte of the scale, then that of the value");
  for (size_t i = 0; v.IsReading() && i < sizes.size(); ++i) {
    if (sizes[i] < 0) v.Fail("a size is not negative", absl::StrCat("shape[", i, "]"));
  }
  if (v.IsReading()) v.Take(TensorFromHex(type, std::move(sizes), data), &tensor, "data");
}

}  // namespace tosaic
