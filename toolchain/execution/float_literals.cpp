// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/execution/float_literals.h"

#include <cstdint>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Error.h"

namespace tosaic {
namespace {

struct Format {
  absl::string_view name;
  int exponent, mantissa;  // bits
  const llvm::fltSemantics& (*semantics)();
};
constexpr Format kFormats[] = {{"half", 5, 10, llvm::APFloat::IEEEhalf},
                               {"bfloat", 8, 7, llvm::APFloat::BFloat},
                               {"float", 8, 23, llvm::APFloat::IEEEsingle},
                               {"double", 11, 52, llvm::APFloat::IEEEdouble}};
constexpr const Format& kDouble = kFormats[3];

uint64_t Infinity(const Format& format) { return ((uint64_t{1} << format.exponent) - 1) << format.mantissa; }

// inf, qnan, nan(0xPAYLOAD) and snan(0xPAYLOAD), behind their sign.
std::optional<uint64_t> BitsOfSpecial(absl::string_view text, const Format& format) {
  if (text == "inf") return Infinity(format);
  const bool is_quiet = !absl::ConsumePrefix(&text, "s");
  uint64_t bits = Infinity(format) | (is_quiet ? uint64_t{1} << (format.mantissa - 1) : 0);
  if (is_quiet && text == "qnan") return bits;
  uint64_t payload = 0;
  if (!absl::ConsumePrefix(&text, "nan(") || !absl::ConsumeSuffix(&text, ")")) return std::nullopt;
  if (!absl::SimpleHexAtoi(text, &payload)) return std::nullopt;
  return bits | payload;
}

std::optional<uint64_t> BitsOf(absl::string_view literal, const Format& format) {
  uint64_t bits = 0;
  if (absl::ConsumePrefix(&literal, "f0x")) {
    return absl::SimpleHexAtoi(literal, &bits) ? std::optional(bits) : std::nullopt;
  }
  absl::string_view magnitude = literal;
  const bool is_negative = absl::ConsumePrefix(&magnitude, "-");
  if (!is_negative) absl::ConsumePrefix(&magnitude, "+");
  const uint64_t sign = is_negative ? uint64_t{1} << (format.exponent + format.mantissa) : 0;
  if (const std::optional<uint64_t> special = BitsOfSpecial(magnitude, format)) return sign | *special;
  const bool is_decimal = !magnitude.empty() && absl::ascii_isdigit(static_cast<unsigned char>(magnitude[0])) &&
                          magnitude.find('.') != absl::string_view::npos;
  if (!is_decimal) return std::nullopt;
  llvm::APFloat number(format.semantics());
  auto read =
      number.convertFromString(llvm::StringRef(magnitude.data(), magnitude.size()), llvm::APFloat::rmNearestTiesToEven);
  if (!read) {
    llvm::consumeError(read.takeError());
    return std::nullopt;
  }
  return sign | number.bitcastToAPInt().getZExtValue();
}

// A float is spelt as the double of its value.
uint64_t AsDouble(uint64_t bits, const Format& format) {
  const int sign_bit = format.exponent + format.mantissa;
  const uint64_t magnitude = bits & ((uint64_t{1} << sign_bit) - 1);
  const uint64_t sign = (bits >> sign_bit) << 63;
  if (magnitude >= Infinity(format)) {  // with its payload, and as quiet or not as it is
    return sign | Infinity(kDouble) | (magnitude - Infinity(format)) << (kDouble.mantissa - format.mantissa);
  }
  llvm::APFloat number(format.semantics(), llvm::APInt(static_cast<unsigned>(sign_bit) + 1, magnitude));
  bool loses = false;
  number.convert(kDouble.semantics(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return sign | number.bitcastToAPInt().getZExtValue();
}

std::string Spelt(uint64_t bits, const Format& format) {
  if (format.name == "half") return absl::StrCat("0xH", absl::Hex(bits, absl::kZeroPad4));
  if (format.name == "bfloat") return absl::StrCat("0xR", absl::Hex(bits, absl::kZeroPad4));
  return absl::StrCat("0x", absl::Hex(format.name == "float" ? AsDouble(bits, format) : bits, absl::kZeroPad16));
}

// The next piece of a text: a string, a comment, a word with what stands in its parentheses if it is a NaN, or another
// character.
absl::string_view NextPiece(absl::string_view text) {
  if (text[0] == '"') return text.substr(0, text.find('"', 1) + 1);
  if (text[0] == ';') return text.substr(0, text.find('\n'));
  constexpr absl::string_view kBetween = " \t\n,()[]<>{}=\";";
  size_t end = text.find_first_of(kBetween);
  if (end == 0) return text.substr(0, 1);
  if (end == absl::string_view::npos) return text;
  const bool has_payload = text[end] == '(' && (text[0] == '+' || text[0] == '-');
  return text.substr(0, has_payload ? text.find(')', end) + 1 : end);
}

}  // namespace

std::string WithFloatsAsBits(absl::string_view llvm_ir) {
  std::string out;
  const Format* format = nullptr;  // the last type of the line: an op names that of its operands once
  while (!llvm_ir.empty()) {
    absl::string_view piece = NextPiece(llvm_ir);
    if (piece.empty()) piece = llvm_ir;  // what is opened there is not closed
    llvm_ir.remove_prefix(piece.size());
    if (piece == "\n") format = nullptr;
    for (const Format& candidate : kFormats) format = piece == candidate.name ? &candidate : format;
    const std::optional<uint64_t> bits = format == nullptr ? std::nullopt : BitsOf(piece, *format);
    absl::StrAppend(&out, bits ? Spelt(*bits, *format) : std::string(piece));
  }
  return out;
}

}  // namespace tosaic
