// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/block_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "codec/status.h"
#include "model/blocks.h"
#include "model/counted.h"
#include "model/mlir_text.h"

namespace tosaic {
namespace {

constexpr absl::string_view kNanOfF64 = "0x7FF8000000000000";

// The type that MLIR writes behind each value: the format's; of mxint8 the integer that holds it.
std::string ValueTypeOf(ElementType type) {
  const absl::string_view name = Name(type);
  const absl::string_view value = absl::StripSuffix(name.substr(name.find("f8E8M0FNU:") + 10), ">");
  return value == "!tosa.mxint8" ? "i8" : std::string(value);
}

std::string ScaleToText(uint64_t scale) {
  if (scale == kNanScale) return std::string(kNanOfF64);
  const std::string text = absl::StrFormat("%.17g", std::ldexp(1.0, static_cast<int>(scale) - 127));
  return text.find('.') == text.npos ? text + ".0" : text;
}

std::string ValueToText(ElementType type, uint64_t bits) {
  const uint64_t value = ValueInBlock(bits);
  if (Info(type).exponent_bits == 0) return absl::StrCat(static_cast<int>(static_cast<int8_t>(value)), " : i8");
  return absl::StrFormat("0x%0*x : %s", (BlockValueBits(type) + 3) / 4, value, ValueTypeOf(type));
}

std::optional<uint64_t> ScaleFromText(absl::string_view text) {
  double scale = 0;
  uint64_t bits = 0;
  if (text == "0xFF") return kNanScale;
  if (absl::StartsWith(text, "0x")) {
    if (text.size() != kNanOfF64.size() || !absl::SimpleHexAtoi(text, &bits)) return std::nullopt;
    scale = std::bit_cast<double>(bits);
  } else if (!absl::SimpleAtod(text, &scale)) {
    return std::nullopt;
  }
  if (std::isnan(scale)) return kNanScale;
  if (!(scale > 0)) return std::nullopt;
  // Six digits of a power of two are so near to it.
  const double exponent = std::round(std::log2(scale)), quotient = scale / std::exp2(exponent);
  if (std::abs(quotient - 1) > 1e-5 || exponent < -127 || exponent > 127) return std::nullopt;
  return static_cast<uint64_t>(exponent + 127);
}

// The nearest value of a float format, ties to even.
std::optional<uint64_t> NearestValue(ElementType type, double number) {
  std::optional<uint64_t> nearest;
  double distance = 0, greatest = 0;
  for (uint64_t bits = 0; bits >> BlockValueBits(type) == 0; ++bits) {
    const double value = ElementToDouble(type, ElementInBlock(kScaleOfOne, bits));
    if (!std::isfinite(value)) continue;
    greatest = std::max(greatest, value);
    if (std::signbit(value) != std::signbit(number)) continue;
    const double apart = std::abs(value - number);
    if (nearest && (apart > distance || (apart == distance && bits % 2 != 0))) continue;
    nearest = bits;
    distance = apart;
  }
  return std::abs(number) <= greatest * 1.00001 ? nearest : std::nullopt;
}

std::optional<uint64_t> ValueFromText(ElementType type, absl::string_view text) {
  uint64_t bits = 0;
  if (absl::StartsWith(text, "0x")) {
    return absl::SimpleHexAtoi(text, &bits) && bits >> BlockValueBits(type) == 0 ? std::optional(bits) : std::nullopt;
  }
  if (Info(type).exponent_bits == 0) {
    int value = 0;
    if (!absl::SimpleAtoi(text, &value) || value < -128 || value > 127) return std::nullopt;
    return static_cast<uint8_t>(value);
  }
  double number = 0;
  return absl::SimpleAtod(text, &number) && std::isfinite(number) ? NearestValue(type, number) : std::nullopt;
}

class Reading {
 public:
  Reading(Tensor* tensor, const std::vector<uint64_t>& scales, absl::string_view text)
      : tensor_(*tensor), scales_(scales), value_type_(ValueTypeOf(tensor->element_type())), rest_(text) {}

  absl::Status Read() {
    if (!absl::StartsWith(rest_, "[")) {
      TOSAIC_ASSIGN_OR_RETURN(const uint64_t value, Value());
      while (next_ < tensor_.element_count()) Add(value);
    } else {
      TOSAIC_RETURN_IF_ERROR(List(0));
    }
    return rest_.empty() ? absl::OkStatus() : Expected("the end");
  }

 private:
  absl::Status List(size_t dim) {
    TOSAIC_RETURN_IF_ERROR(Take('['));
    for (int64_t i = 0; i < tensor_.sizes()[dim]; ++i) {
      if (i > 0) TOSAIC_RETURN_IF_ERROR(Take(','));
      if (dim + 1 < tensor_.sizes().size()) {
        TOSAIC_RETURN_IF_ERROR(List(dim + 1));
        continue;
      }
      TOSAIC_ASSIGN_OR_RETURN(const uint64_t value, Value());
      Add(value);
    }
    return Take(']');
  }

  // "1.5 : f4E2M1FN"
  absl::StatusOr<uint64_t> Value() {
    const absl::string_view literal = rest_.substr(0, rest_.find_first_of(",]"));
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(literal, absl::MaxSplits(':', 1));
    const absl::string_view number = absl::StripAsciiWhitespace(parts.first);
    const std::optional<uint64_t> value = ValueFromText(tensor_.element_type(), number);
    if (!value || absl::StripAsciiWhitespace(parts.second) != value_type_) {
      return Expected(absl::StrCat("a value of ", value_type_));
    }
    rest_.remove_prefix(literal.size());
    return *value;
  }

  void Add(uint64_t value) {
    tensor_.SetBits(next_, ElementInBlock(scales_[next_ / kBlockSize], value));
    ++next_;
  }

  absl::Status Take(char c) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    if (rest_.empty() || rest_.front() != c) return Expected(absl::StrCat("'", std::string(1, c), "'"));
    rest_ = absl::StripLeadingAsciiWhitespace(rest_.substr(1));
    return absl::OkStatus();
  }

  absl::Status Expected(absl::string_view what) const {
    const absl::string_view there = rest_.substr(0, rest_.find_first_of(",]"));
    return absl::InvalidArgumentError(
        absl::StrCat("element ", next_, ": ", what, " was expected, not '", there.substr(0, 40), "'"));
  }

  Tensor& tensor_;
  const std::vector<uint64_t>& scales_;
  const std::string value_type_;
  absl::string_view rest_;
  size_t next_ = 0;
};

}  // namespace

std::string BlockConstantToText(const Tensor& tensor) {
  std::vector<std::string> scales;
  for (size_t i = 0; i < tensor.element_count(); i += kBlockSize) {
    scales.push_back(ScaleToText(ScaleInBlock(tensor.Bits(i))));
  }
  const std::string type = ToString(TensorType{Shape::OfSizes(tensor.sizes()), tensor.element_type()});
  return absl::StrCat("dense<", absl::StripSuffix(type, ">>"), ", {", absl::StrJoin(scales, ", "),
                      "}>> : ", DenseElements(tensor, ValueToText), ">");
}

absl::StatusOr<Tensor> BlockConstantFromText(absl::string_view text) {
  absl::Status malformed = absl::InvalidArgumentError(
      "no constant of a block-scaled type, as dense<tensor<32x!tosa.block_scaled<..., {SCALE}>> : VALUES> is one");
  if (!absl::ConsumePrefix(&text, "dense<") || !absl::ConsumeSuffix(&text, ">")) return malformed;
  // TYPE, {SCALES}>> : VALUES
  using Halves = std::pair<absl::string_view, absl::string_view>;
  const Halves at_open = absl::StrSplit(text, absl::MaxSplits('{', 1));
  const Halves at_close = absl::StrSplit(at_open.second, absl::MaxSplits('}', 1));
  const Halves at_colon = absl::StrSplit(at_close.second, absl::MaxSplits(':', 1));
  absl::string_view head = absl::StripTrailingAsciiWhitespace(at_open.first);
  if (!absl::ConsumeSuffix(&head, ",")) return malformed;
  TensorType type;
  TOSAIC_RETURN_IF_ERROR(ReadText(absl::StrCat(head, absl::StripAsciiWhitespace(at_colon.first)), type));
  if (!IsBlockScaled(type.element_type) || !type.shape.IsStatic() || !HasWholeBlocks(type.shape)) return malformed;
  std::vector<uint64_t> scales;
  for (absl::string_view scale : absl::StrSplit(at_close.first, ',')) {
    scale = absl::StripAsciiWhitespace(scale);
    const std::optional<uint64_t> bits = ScaleFromText(scale);
    if (!bits) {
      return absl::InvalidArgumentError(absl::StrCat("a scale is ", scale, ", no power of 2 from 2^-127 to 2^127"));
    }
    scales.push_back(*bits);
  }
  const std::vector<int64_t> sizes = StaticSizes(type.shape);
  if (static_cast<int64_t>(scales.size() * kBlockSize) != ElementCount(sizes)) {
    return absl::InvalidArgumentError(absl::StrCat("has ", Counted(scales.size(), "scale"), ", and ",
                                                   Counted(ElementCount(sizes) / kBlockSize, "block")));
  }
  Tensor tensor(type.element_type, sizes);
  TOSAIC_RETURN_IF_ERROR(Reading(&tensor, scales, absl::StripAsciiWhitespace(at_colon.second)).Read());
  return tensor;
}

}  // namespace tosaic
