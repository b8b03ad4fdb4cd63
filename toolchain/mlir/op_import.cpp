// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/op_import.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "model/mlir_text.h"
#include "toolchain/mlir/attribute_import.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

llvm::StringRef Ref(absl::string_view text) { return {text.data(), text.size()}; }

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

// The element type of bounds and zero points.
ElementType InputTypeOf(const OpInfo& row, const ImportedOp& op) {
  const size_t first = FirstInput(row);
  return first < op.operands.size() ? ToTensorType(op.operands[first].getType())->element_type : op.result.element_type;
}

// Reads an attribute, if it is there, into a value of its kind; why it cannot, if it cannot.
class AttributeImport {
 public:
  AttributeImport(mlir::Operation& op, const DialectInfo& version, ElementType input)
      : op_(op), version_(version), input_(input) {}

  std::string operator()(const AttributeInfo& info, std::optional<TypedBits>& number) const {
    const bool is_typed = version_.Spelling(info.attribute) == AttributeSpelling::kAttribute;
    const std::string untyped = absl::StrCat(info.untyped_name, IsFloat(input_) ? "_fp" : "_int");
    const mlir::Attribute attribute = AttributeOf(op_, is_typed ? Ref(info.name) : llvm::StringRef(untyped));
    if (!attribute) return "";
    const mlir::Type type = mlir::getElementTypeOrSelf(op_.getOperand(0).getType());
    number = is_typed ? ToTypedBits(attribute) : BoundAs(attribute, input_, type);
    if (number) return "";
    return is_typed ? "a bound is no number of a known type" : absl::StrCat("a bound is no value of ", Name(input_));
  }

  std::string operator()(const AttributeInfo& info, std::optional<bool>& value) const {
    if (const auto flag = mlir::dyn_cast_or_null<mlir::BoolAttr>(AttributeOf(op_, Ref(info.name)))) {
      value = flag.getValue();
    }
    return "";
  }

  template <NamedEnum E>
  std::string operator()(const AttributeInfo& info, std::optional<E>& value) const {
    const mlir::Attribute attribute = AttributeOf(op_, Ref(info.name));
    if (!attribute) return "";
    const std::string text = TextOf(attribute);
    for (const E one : All<E>()) {
      if (text == EnumText(info, one)) value = one;
    }
    return value ? "" : absl::StrCat(info.name, " is in a form that is not known");
  }

  std::string operator()(const AttributeInfo& info, std::optional<std::vector<int64_t>>& sizes) const {
    if (const auto list = mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(AttributeOf(op_, Ref(info.name)))) {
      sizes = list.asArrayRef().vec();
    }
    for (const mlir::Value operand : op_.getOperands()) {
      if (std::optional<std::vector<int64_t>> constant = ConstantShape(operand.getDefiningOp())) sizes = constant;
    }
    return "";
  }

 private:
  mlir::Operation& op_;
  const DialectInfo& version_;
  ElementType input_;
};

std::string ImportAttributes(const AttributeImport& read, const OpInfo& row, const DialectInfo& version,
                             Attributes* attributes) {
  std::string why;
  ForEachAttribute(*attributes, [&](const AttributeInfo& info, auto& value) {
    const bool is_spelled = version.Spelling(info.attribute) != AttributeSpelling::kNone;
    if (why.empty() && is_spelled && HasAttribute(row, info.attribute)) why = read(info, value);
  });
  return why;
}

// The text of an attribute that no parser here knows; empty: it is another kind of attribute.
absl::string_view UnparsedText(mlir::Attribute attribute) {
  llvm::StringRef text;
  if (const auto opaque = mlir::dyn_cast_or_null<mlir::OpaqueAttr>(attribute)) text = opaque.getAttrData();
  if (const auto quoted = mlir::dyn_cast_or_null<mlir::StringAttr>(attribute)) text = quoted.getValue();
  return {text.data(), text.size()};
}

llvm::StringRef AttributeNameOf(const OperandSpelling& spelling) {
  return {spelling.attribute.data(), spelling.attribute.size()};
}

// An operand of one element where it is an attribute.
std::string ImportNumber(mlir::Operation& op, const OperandSpelling& spelling, ElementType type, ImportedOp* imported) {
  const int64_t number = IntegerOf(op, AttributeNameOf(spelling));
  const int unused = 64 - BitWidth(type);
  if (number != (number << unused) >> unused) return absl::StrCat("a ", spelling.attribute, " of ", number);
  imported->special_operands.push_back(SingleElement(type, number));
  return "";
}

// The zero points of an op with one input where they are an attribute.
std::string ImportZeroPoints(mlir::Operation& op, const OperandSpelling& spelling, ElementType input,
                             ImportedOp* imported) {
  int64_t zero_points[] = {0, 0};
  if (const mlir::Attribute quantization = AttributeOf(op, AttributeNameOf(spelling))) {
    const absl::string_view text = UnparsedText(quantization);
    if (text.empty()) return absl::StrCat(spelling.attribute, " is in a form that is not known");
    zero_points[0] = NumberIn(text, "input_zp").value_or(0);
    zero_points[1] = NumberIn(text, "output_zp").value_or(0);
  } else if (!IsFloat(input)) {
    return absl::StrCat("a negate of integers without ", spelling.attribute, " wraps, which no case can say");
  }
  for (const int64_t zero_point : zero_points) imported->special_operands.push_back(SingleElement(input, zero_point));
  return "";
}

// The operands that are attributes in the version.
std::string ImportSpecialOperands(mlir::Operation& op, const OpInfo& row, const DialectInfo& version, ElementType input,
                                  ImportedOp* imported) {
  for (size_t k = WrittenOperandCount(row, version); k < row.operands.size(); ++k) {
    const OperandRole role = row.operands[k];
    const OperandSpelling& spelling = version.Spelling(role);
    const ElementType type = TypeOfOperand(role, input, imported->result.element_type);
    const bool is_number = spelling.form == OperandSpelling::Form::kNumber;
    std::string why =
        is_number ? ImportNumber(op, spelling, type, imported) : ImportZeroPoints(op, spelling, input, imported);
    if (!why.empty() || !is_number) return why;  // the zero points are all in one
  }
  return "";
}

}  // namespace

std::string WhyNotSpelled(mlir::Operation& op, OpKind kind, const DialectInfo& version) {
  const OpInfo& row = Info(kind);
  const size_t of_inputs = BroadcastOperandCount(row);
  const size_t wanted = WrittenOperandCount(row, version);
  const size_t there = TensorOperands(op).size();
  if (there != wanted) {
    const bool has_all = wanted == row.operands.size();
    const size_t otherwise = has_all ? of_inputs : row.operands.size();
    return absl::StrCat(NameOf(op), " has ", there, " operands where MLIR ", version.version, "'s has ", wanted,
                        there != otherwise ? ""
                        : has_all          ? ": as older versions spell it"
                                           : ": as newer versions spell it");
  }
  for (const OperandRole role : row.operands.subspan(wanted)) {
    const OperandSpelling& spelling = version.Spelling(role);
    if (spelling.form != OperandSpelling::Form::kNumber ||
        mlir::isa_and_nonnull<mlir::IntegerAttr>(AttributeOf(op, AttributeNameOf(spelling)))) {
      continue;
    }
    return absl::StrCat(NameOf(op), " has ", there, " operands and no '", spelling.attribute,
                        "', as no version spells it");
  }
  return WhyOtherAttributes(op, row, version);
}

std::string ImportOp(mlir::Operation& op, OpKind kind, const DialectInfo& version, ImportedOp* imported) {
  const OpInfo& row = Info(kind);
  const std::optional<TensorType> result = ToTensorType(op.getResult(0).getType());
  if (!result) return absl::StrCat("the result of ", NameOf(op), " is of type ", TextOf(op.getResult(0).getType()));
  imported->result = *result;
  imported->operands = TensorOperands(op);
  const ElementType input = InputTypeOf(row, *imported);
  if (std::string why = ImportAttributes({op, version, input}, row, version, &imported->attributes); !why.empty())
    return why;
  return ImportSpecialOperands(op, row, version, input, imported);
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
