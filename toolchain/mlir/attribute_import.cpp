// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/attribute_import.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "llvm/Support/ScopedPrinter.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

constexpr int64_t kMaxConstantElements = 1 << 18;

constexpr absl::string_view kTooLarge = "a constant is too large";

uint64_t BitsOf(const llvm::APInt& value) { return value.getZExtValue(); }

std::nullopt_t Refused(absl::string_view reason, std::string* why) {
  *why = std::string(reason);
  return std::nullopt;
}

std::string OfType(mlir::Type type) { return absl::StrCat("a constant is of type ", TextOf(type)); }

// The elements that the file has as bytes behind its ops, little-endian and each in whole bytes.
std::optional<Tensor> OfResource(mlir::DenseResourceElementsAttr resource, mlir::Type type, std::string* why) {
  const std::optional<TensorType> as = ToTensorType(type);
  const mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
  if (blob == nullptr) return Refused("a constant's resource is not in the file", why);
  if (!as || mlir::Type(resource.getType()) != type) return Refused(OfType(type), why);
  if (resource.getNumElements() > kMaxConstantElements) return Refused(kTooLarge, why);
  const int width = BitWidth(as->element_type);
  const size_t bytes = width == 1 ? 1 : static_cast<size_t>(width) / 8;
  if (width % 8 != 0 && width != 1) return Refused(absl::StrCat("a constant's resource is of ", width, " bits"), why);
  Tensor tensor(as->element_type, resource.getType().getShape().vec());
  const llvm::ArrayRef<char> data = blob->getData();
  if (data.size() != bytes * tensor.element_count()) {
    return Refused(
        absl::StrCat("a constant's resource has ", data.size(), " bytes, not ", bytes * tensor.element_count()), why);
  }
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    uint64_t bits = 0;
    for (size_t k = bytes; k-- > 0;) bits = bits << 8 | static_cast<uint8_t>(data[i * bytes + k]);
    if ((bits & ~BitMask(as->element_type)) != 0) return Refused("a constant's resource has an i1 above 1", why);
    tensor.SetBits(i, bits);
  }
  return tensor;
}

}  // namespace

std::optional<TensorType> ToTensorType(mlir::Type type) {
  const auto tensor = mlir::dyn_cast<mlir::TensorType>(type);
  if (!tensor) return std::nullopt;
  const std::optional<ElementType> element = FindElementType(tensor.getElementType());
  if (!element) return std::nullopt;
  if (const auto ranked = mlir::dyn_cast<mlir::RankedTensorType>(type); ranked && ranked.getEncoding()) {
    return std::nullopt;
  }
  return TensorType{tensor.hasRank() ? ToShape(tensor.getShape()) : Shape::Unranked(), *element};
}

std::optional<TypedBits> ToTypedBits(mlir::Attribute attribute) {
  const auto typed = mlir::dyn_cast_or_null<mlir::TypedAttr>(attribute);
  if (!typed) return std::nullopt;
  const std::optional<ElementType> type = FindElementType(typed.getType());
  if (!type) return std::nullopt;
  if (const auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute)) {
    return TypedBits{*type, BitsOf(number.getValue().bitcastToAPInt())};
  }
  if (const auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) {
    return TypedBits{*type, BitsOf(number.getValue())};
  }
  return std::nullopt;
}

mlir::Attribute AttributeOf(mlir::Operation& op, llvm::StringRef name) {
  if (const mlir::Attribute attribute = op.getAttr(name)) return attribute;
  const auto properties = mlir::dyn_cast_or_null<mlir::DictionaryAttr>(op.getPropertiesAsAttribute());
  return properties ? properties.get(name) : mlir::Attribute();
}

std::string TextOf(mlir::Attribute attribute) { return llvm::to_string(attribute); }

std::optional<TypedBits> BoundAs(mlir::Attribute attribute, ElementType type, mlir::Type mlir_type) {
  if (const auto number = mlir::dyn_cast_or_null<mlir::FloatAttr>(attribute); number && IsFloat(type)) {
    llvm::APFloat value = number.getValue();
    bool loses = false;
    value.convert(mlir::cast<mlir::FloatType>(mlir_type).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &loses);
    return loses ? std::nullopt : std::optional(TypedBits{type, BitsOf(value.bitcastToAPInt())});
  }
  if (const auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute); number && IsInteger(type)) {
    const llvm::APInt value = number.getValue();
    const auto width = static_cast<unsigned>(BitWidth(type));
    if (!value.isSignedIntN(width)) return std::nullopt;
    return TypedBits{type, BitsOf(value.sextOrTrunc(width))};
  }
  return std::nullopt;
}

std::optional<Tensor> ToTensor(mlir::Attribute attribute, mlir::Type type, std::string* why) {
  if (const auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(attribute)) {
    return OfResource(resource, type, why);
  }
  const auto elements = mlir::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!elements && mlir::isa<mlir::ElementsAttr>(attribute)) return Refused("a constant is not dense", why);
  const std::optional<TensorType> as = ToTensorType(type);
  if (!elements || !as || elements.getType() != type) {
    return Refused(OfType(type), why);
  }
  if (elements.getNumElements() > kMaxConstantElements) return Refused(kTooLarge, why);
  Tensor tensor(as->element_type, elements.getType().getShape().vec());
  size_t at = 0;
  if (IsFloat(as->element_type)) {
    for (const llvm::APFloat& value : elements.getValues<llvm::APFloat>()) {
      tensor.SetBits(at++, BitsOf(value.bitcastToAPInt()));
    }
  } else {
    for (const llvm::APInt& value : elements.getValues<llvm::APInt>()) tensor.SetBits(at++, BitsOf(value));
  }
  return tensor;
}

std::optional<int64_t> NumberIn(absl::string_view text, absl::string_view name) {
  const std::string key = absl::StrCat(name, " = ");
  const size_t at = text.find(key);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  int64_t number = 0;
  if (!absl::SimpleAtoi(text.substr(0, text.find_first_not_of("-0123456789")), &number)) return std::nullopt;
  return number;
}

bool SaysNoMore(const TensorType& type, const TensorType& than) {
  if (type.element_type != than.element_type || !type.shape.IsRanked()) return type.element_type == than.element_type;
  if (!than.shape.IsRanked() || type.shape.rank() != than.shape.rank()) return false;
  for (size_t i = 0; i < type.shape.rank(); ++i) {
    if (type.shape[i] != than.shape[i] && !type.shape[i].IsDynamic()) return false;
  }
  return true;
}

}  // namespace tosaic
