// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types: names, widths and classes. Each type has a row in element_type.def. There is no arithmetic here.
#ifndef TOSAIC_MODEL_ELEMENT_TYPE_H_
#define TOSAIC_MODEL_ELEMENT_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codec/names.h"
#include "model/profile.h"

namespace tosaic {

enum class ElementType : uint8_t {
#define TOSAIC_ELEMENT_TYPE(name, ...) k##name,
#include "model/element_type.def"
#undef TOSAIC_ELEMENT_TYPE
};

// Signless integers are read as signed (tosa-semantics.md, Frame); `i1` is a class of its own, a truth value.
// kBlockScaled: the product of a value and a scale that it shares (element_type.def); neither a float nor an integer.
enum class ElementClass : uint8_t { kBool, kSignless, kUnsigned, kSigned, kFloat, kBlockScaled };

struct ElementTypeInfo {
  ElementType type;
  absl::string_view name;  // MLIR's spelling
  ElementClass element_class;
  int bits;
  int exponent_bits;  // floats only, else 0
  int mantissa_bits;  // floats only: stored fractional bits, else 0
  bool has_infinity;  // floats only: the greatest exponent holds infinity and NaNs; else only all ones are NaN
  std::optional<Profile> constants;  // what tosa.const of the type needs; nullopt: nothing, for no op takes the type
  int cost;                          // 0: the reducer does not look for a plainer type
};

// Those of which an element is a number by itself, which are drawn, swept and counted. The block-scaled types have rows
// and names like these; they are drawn apart (generators/blocks.h).
absl::Span<const ElementTypeInfo> AllElementTypes();
absl::Span<const ElementTypeInfo> BlockScaledTypes();
const ElementTypeInfo& Info(ElementType type);

inline absl::string_view Name(ElementType type) { return Info(type).name; }
EnumNames NamesOf(ElementType type);
inline int BitWidth(ElementType type) { return Info(type).bits; }
inline bool IsFloat(ElementType type) { return Info(type).element_class == ElementClass::kFloat; }
inline bool IsUnsigned(ElementType type) { return Info(type).element_class == ElementClass::kUnsigned; }
inline bool IsBlockScaled(ElementType type) { return Info(type).element_class == ElementClass::kBlockScaled; }
inline bool IsInteger(ElementType type) { return !IsFloat(type) && !IsBlockScaled(type); }
// Whether it is an integer in two's complement. Signless integers are read as signed.
inline bool HasSignedValues(ElementType type) {
  const ElementClass element_class = Info(type).element_class;
  return element_class == ElementClass::kSignless || element_class == ElementClass::kSigned;
}
inline bool IsFp8(ElementType type) { return IsFloat(type) && BitWidth(type) == 8; }

// The bytes that one element takes in the memory of compiled code: 1, 2, 4 or 8 (i1 and i4 take one byte, i48 eight).
int StorageBytes(ElementType type);

// The elements along the last dimension that share a scale, and the bits of their values: the low ones of an element.
inline constexpr size_t kBlockSize = 32;
inline constexpr int kBlockScaleShift = 8;  // of the scale's byte, which is 2^(byte - 127), or NaN
inline constexpr uint64_t kScaleOfOne = 127, kNanScale = 0xff;
inline int BlockValueBits(ElementType type) { return 1 + Info(type).exponent_bits + Info(type).mantissa_bits; }

// A mask of the type's value bits, for instance 0xff for i8.
uint64_t BitMask(ElementType type);
// A mask of the bits in memory that a store writes, for instance 0xff for i4: whole bytes, those above the value bits
// as zeros. An i48 takes eight bytes and is stored as six.
uint64_t StoredMask(ElementType type);
// The type's highest value bit: the sign bit of a float or of a signed integer.
inline uint64_t SignMask(ElementType type) { return uint64_t{1} << (BitWidth(type) - 1); }
// An element's bits as a signed integer of the storage's bytes has them: the bits beyond a signed integer's width are
// copies of its sign. An i1, and a type that fills its bytes, stays as it is.
uint64_t ExtendedBits(ElementType type, uint64_t bits);
// The bit pattern of 1, of 1.0 or of true.
uint64_t OneBits(ElementType type);

// Finds the type that MLIR spells `name`, with or without blanks.
std::optional<ElementType> FindElementType(absl::string_view name);

// The element types of an op's inputs and of its result: "f32", or "i8-i32" where the result's is another.
struct TypePair {
  ElementType input = {}, result = {};

  friend bool operator==(TypePair a, TypePair b) = default;
};
std::string ToString(TypePair types);
std::optional<TypePair> FindTypePair(absl::string_view text);
absl::Status ReadText(absl::string_view text, TypePair& types);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_ELEMENT_TYPE_H_
