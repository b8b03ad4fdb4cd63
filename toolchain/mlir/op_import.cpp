// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/op_import.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "toolchain/mlir/attribute_import.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

std::string NameOf(mlir::Operation& op) { return op.getName().getStringRef().str(); }

Tensor SingleElement(ElementType type, int64_t value) {
  Tensor tensor(type, {1});
  tensor.SetBits(0, static_cast<uint64_t>(value) & BitMask(type));
  return tensor;
}

// The operands that are no shape.
std::vector<mlir::Value> TensorOperands(mlir::Operation& op) {
  std::vector<mlir::Value> operands;
  for (const mlir::Value operand : op.getOperands()) {
    if (!ConstantShape(operand.getDefiningOp())) operands.push_back(operand);
  }
  return operands;
}

// What the bounds and zero points are of.
ElementType InputTypeOf(const OpInfo& row, const ImportedOp& op) {
  for (size_t i = 0; i < op.operands.size() && i < row.operands.size(); ++i) {
    if (row.operands[i] == OperandRole::kInput) return ToTensorType(op.operands[i].getType())->element_type;
  }
  return op.result.element_type;
}

std::string ImportBounds(mlir::Operation& op, const OpInfo& row, const DialectInfo& version, ElementType input,
                         Attributes* attributes) {
  const bool is_float = IsFloat(input);
  const mlir::Type type = mlir::getElementTypeOrSelf(op.getOperand(0).getType());
  const auto bits = [&](const char* typed, const char* untyped, std::optional<TypedBits>* to) {
    const bool by_type = version.typed_bounds || !HasAttribute(row, Attribute::kMinVal);
    const mlir::Attribute attribute = AttributeOf(op, by_type ? typed : untyped);
    if (!attribute) return true;
    *to = by_type ? ToTypedBits(attribute) : BoundAs(attribute, input, type);
    return to->has_value();
  };
  if (bits("min_val", is_float ? "min_fp" : "min_int", &attributes->min_val) &&
      bits("max_val", is_float ? "max_fp" : "max_int", &attributes->max_val)) {
    return "";
  }
  return version.typed_bounds ? "a bound is no number of a known type"
                              : absl::StrCat("a bound is no value of ", Name(input));
}

std::string ImportAttributes(mlir::Operation& op, const OpInfo& row, const DialectInfo& version, ElementType input,
                             Attributes* attributes) {
  if (std::string why = ImportBounds(op, row, version, input, attributes); !why.empty()) return why;
#if LLVM_VERSION_MAJOR >= 21
  if (const mlir::Attribute attribute = version.nan_mode ? AttributeOf(op, "nan_mode") : mlir::Attribute()) {
    const auto mode = mlir::dyn_cast<mlir::tosa::NanPropagationModeAttr>(attribute);
    if (!mode) return "nan_mode is in a form that is not known";
    attributes->nan_mode =
        mode.getValue() == mlir::tosa::NanPropagationMode::IGNORE ? NanMode::kIgnore : NanMode::kPropagate;
  }
#endif
  if (const auto sizes = mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(AttributeOf(op, "new_shape"))) {
    attributes->new_shape.emplace(sizes.asArrayRef().begin(), sizes.asArrayRef().end());
  }
  if (const auto round = mlir::dyn_cast_or_null<mlir::BoolAttr>(AttributeOf(op, "round"))) {
    attributes->round = round.getValue();
  }
  return "";
}

// The text of an attribute that no parser here knows; empty: it is another kind of attribute.
absl::string_view UnparsedText(mlir::Attribute attribute) {
  llvm::StringRef text;
  if (const auto opaque = mlir::dyn_cast_or_null<mlir::OpaqueAttr>(attribute)) text = opaque.getAttrData();
  if (const auto quoted = mlir::dyn_cast_or_null<mlir::StringAttr>(attribute)) text = quoted.getValue();
  return {text.data(), text.size()};
}

// mul's shift and negate's zero points where they are attributes.
std::string ImportSpecialOperands(mlir::Operation& op, const OpInfo& row, ElementType input, ImportedOp* imported) {
  if (HasRole(row, OperandRole::kShift)) {
    const int64_t shift = IntegerOf(op, "shift");
    if (shift < INT8_MIN || shift > INT8_MAX) return absl::StrCat("a shift of ", shift);
    imported->special_operands.push_back(SingleElement(ElementType::kI8, shift));
  }
  if (!HasRole(row, OperandRole::kZeroPoint)) return "";
  int64_t zero_points[] = {0, 0};
  if (const mlir::Attribute quantization = AttributeOf(op, "quantization_info")) {
    const absl::string_view text = UnparsedText(quantization);
    if (text.empty()) return "quantization_info is in a form that is not known";
    zero_points[0] = NumberIn(text, "input_zp").value_or(0);
    zero_points[1] = NumberIn(text, "output_zp").value_or(0);
  } else if (!IsFloat(input)) {
    return "a negate of integers without quantization_info wraps, which no case can say";
  }
  for (const int64_t zero_point : zero_points) imported->special_operands.push_back(SingleElement(input, zero_point));
  return "";
}

}  // namespace

std::string WhyNotSpelled(mlir::Operation& op, OpKind kind, const DialectInfo& version) {
  const OpInfo& row = Info(kind);
  const size_t of_inputs = BroadcastOperandCount(row);
  const size_t wanted = version.special_operands ? row.operands.size() : of_inputs;
  const size_t there = TensorOperands(op).size();
  if (there != wanted) {
    const size_t otherwise = version.special_operands ? of_inputs : row.operands.size();
    return absl::StrCat(NameOf(op), " has ", there, " operands where MLIR ", version.version, "'s has ", wanted,
                        there != otherwise         ? ""
                        : version.special_operands ? ": as older versions spell it"
                                                   : ": as newer versions spell it");
  }
  if (!version.special_operands && HasRole(row, OperandRole::kShift) &&
      !mlir::isa_and_nonnull<mlir::IntegerAttr>(AttributeOf(op, "shift"))) {
    return absl::StrCat(NameOf(op), " has ", there, " operands and no 'shift', as no version spells it");
  }
  return WhyOtherAttributes(op, row, version);
}

std::string ImportOp(mlir::Operation& op, OpKind kind, const DialectInfo& version, ImportedOp* imported) {
  const OpInfo& row = Info(kind);
  const std::optional<TensorType> result = ToTensorType(op.getResult(0).getType());
  if (!result) return absl::StrCat("the result of ", NameOf(op), " is of type ", TextOf(op.getResult(0).getType()));
  imported->result = *result;
  imported->operands = TensorOperands(op);
  for (const mlir::Value operand : op.getOperands()) {
    if (std::optional<std::vector<int64_t>> sizes = ConstantShape(operand.getDefiningOp())) {
      imported->attributes.new_shape = *std::move(sizes);
    }
  }
  const ElementType input = InputTypeOf(row, *imported);
  if (std::string why = ImportAttributes(op, row, version, input, &imported->attributes); !why.empty()) return why;
  return version.special_operands ? "" : ImportSpecialOperands(op, row, input, imported);
}

std::optional<Tensor> ImportConstant(mlir::Operation& op, const DialectInfo& version, std::string* why,
                                     const DialectInfo** spelled) {
  if (op.getNumResults() != 1 || op.getNumOperands() != 0 || op.getNumRegions() != 0) return std::nullopt;
  const mlir::Type type = op.getResult(0).getType();
  const std::string name = NameOf(op);
  if (name == "tosa.const" || name == "arith.constant") {
    for (const DialectInfo* one : FromNearest(version)) {
      const absl::string_view key = name == "tosa.const" ? one->constant_values : "value";
      const mlir::Attribute elements = AttributeOf(op, llvm::StringRef(key.data(), key.size()));
      if (!elements) continue;
      if (key != version.constant_values && name == "tosa.const") *spelled = one;
      return ToTensor(elements, type, why);
    }
    *why = "a constant has no elements";
    return std::nullopt;
  }
  // A constant of an unknown dialect must have elements and nothing else.
  if (op.isRegistered() || op.getAttrs().size() != 1) return std::nullopt;
  std::string ignored;
  return ToTensor(op.getAttrs().front().getValue(), type, &ignored);
}

std::optional<std::vector<int64_t>> ConstantShape(mlir::Operation* op) {
  if (op == nullptr || op->getName().getStringRef() != "tosa.const_shape") return std::nullopt;
  for (const char* key : {"values", "value"}) {
    const auto sizes = mlir::dyn_cast_or_null<mlir::DenseIntElementsAttr>(AttributeOf(*op, key));
    if (!sizes) continue;
    std::vector<int64_t> list;
    for (const llvm::APInt& size : sizes.getValues<llvm::APInt>()) list.push_back(size.getSExtValue());
    return list;
  }
  return std::nullopt;
}

}  // namespace tosaic
