// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/element_type.h"

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "codec/json.h"

namespace tosaic {
namespace {

constexpr ElementTypeInfo kElementTypes[] = {
#define TOSAIC_ELEMENT_TYPE(name, spelling, element_class, ...) \
  {ElementType::k##name, spelling, ElementClass::k##element_class, __VA_ARGS__},
#include "model/element_type.def"
#undef TOSAIC_ELEMENT_TYPE
};

// By type: every element that is read asks for them.
struct Storage {
  int bytes = 1;
  uint64_t mask = ~uint64_t{0};
};
constexpr auto kStorage = [] {
  std::array<Storage, std::size(kElementTypes)> all;
  for (size_t i = 0; i < all.size(); ++i) {
    while (all[i].bytes * 8 < kElementTypes[i].bits) all[i].bytes *= 2;
    all[i].mask >>= 64 - kElementTypes[i].bits;
  }
  return all;
}();

}  // namespace

constexpr size_t kFirstBlock = static_cast<size_t>(ElementType::kBlockF8E4M3FN);

absl::Span<const ElementTypeInfo> AllElementTypes() { return absl::MakeConstSpan(kElementTypes).first(kFirstBlock); }

absl::Span<const ElementTypeInfo> BlockScaledTypes() { return absl::MakeConstSpan(kElementTypes).subspan(kFirstBlock); }

const ElementTypeInfo& Info(ElementType type) { return kElementTypes[static_cast<size_t>(type)]; }

EnumNames NamesOf(ElementType) {
  static constexpr absl::string_view kNames[] = {
#define TOSAIC_ELEMENT_TYPE(name, spelling, ...) spelling,
#include "model/element_type.def"
#undef TOSAIC_ELEMENT_TYPE
  };
  return NamesFor<ElementType>(kNames, "an element type (for instance \"f32\")");
}

int StorageBytes(ElementType type) { return kStorage[static_cast<size_t>(type)].bytes; }

uint64_t BitMask(ElementType type) { return kStorage[static_cast<size_t>(type)].mask; }

uint64_t StoredMask(ElementType type) { return BitMask(type) | (BitWidth(type) < 8 ? 0xff : 0); }

uint64_t ExtendedBits(ElementType type, uint64_t bits) {
  if (type == ElementType::kI1 || !HasSignedValues(type) || (bits & SignMask(type)) == 0) return bits;
  const int storage = 8 * StorageBytes(type);
  const uint64_t all = storage == 64 ? ~uint64_t{0} : (uint64_t{1} << storage) - 1;
  return bits | (all & ~BitMask(type));
}

uint64_t OneBits(ElementType type) {
  const ElementTypeInfo& info = Info(type);
  if (IsBlockScaled(type)) {
    const bool is_float = info.exponent_bits > 0;
    const uint64_t bias = is_float ? (uint64_t{1} << (info.exponent_bits - 1)) - 1 : 0;
    return kScaleOfOne << kBlockScaleShift | (is_float ? bias << info.mantissa_bits : 64);  // mxint8: 64/64
  }
  return IsFloat(type) ? BitMask(type) >> (info.mantissa_bits + 2) << info.mantissa_bits : 1;
}

std::optional<ElementType> FindElementType(absl::string_view name) {
  std::string text(name);
  std::erase(text, ' ');
  for (const ElementTypeInfo& info : kElementTypes) {
    if (info.name == text) return info.type;
  }
  return std::nullopt;
}

std::string ToString(TypePair types) {
  const absl::string_view input = Name(types.input);
  return types.input == types.result ? std::string(input) : absl::StrCat(input, "-", Name(types.result));
}

std::optional<TypePair> FindTypePair(absl::string_view text) {
  const std::vector<absl::string_view> names = absl::StrSplit(text, '-');
  const std::optional<ElementType> input = FindElementType(names.front()), result = FindElementType(names.back());
  if (names.size() > 2 || !input || !result) return std::nullopt;
  return TypePair{*input, *result};
}

absl::Status ReadText(absl::string_view text, TypePair& types) {
  const std::optional<TypePair> found = FindTypePair(text);
  types = found.value_or(types);
  return found ? absl::OkStatus()
               : absl::InvalidArgumentError(
                     absl::StrCat(Dump(std::string(text), -1), " is no element type and no two (\"i8-i32\")"));
}

}  // namespace tosaic
