// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/op_import.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "model/block_text.h"
#include "model/mlir_text.h"
#include "model/unsigned_types.h"
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

// The element type of bounds and zero points.
ElementType InputTypeOf(const OpInfo& row, const ImportedOp& op) {
  const size_t first = FirstInput(row);
  return first < op.operands.size() ? ToTensorType(op.operands[first].getType())->element_type : op.result.element_type;
}

// Reads an attribute, if it is there, into a value of its kind; why it cannot, if it cannot.
class AttributeImport {
 public:
  AttributeImport(mlir::Operation& op, OpKind kind, const DialectInfo& version, ElementType input)
      : op_(op), kind_(kind), version_(version), input_(input) {}

  std::string operator()(const AttributeInfo& info, std::optional<TypedBits>& number) const {
    const bool is_typed = version_.Spelling(kind_, info.attribute) == AttributeSpelling::kAttribute;
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
    if (version_.Spelling(kind_, info.attribute) == AttributeSpelling::kFlag) {
      if (const auto flag = mlir::dyn_cast_or_null<mlir::BoolAttr>(AttributeOf(op_, Ref(info.flag_name)))) {
        value = flag.getValue() ? All<E>().back() : E();
      }
      return "";
    }
    const mlir::Attribute attribute = AttributeOf(op_, Ref(info.name));
    if (!attribute) return "";
    const bool may_be_quoted = version_.Spelling(kind_, info.attribute) == AttributeSpelling::kQuoted;
    const std::string text = TextOf(attribute);
    for (const E enumerator : All<E>()) {
      if (text == EnumText(info, enumerator) || (may_be_quoted && text == QuotedText(enumerator))) value = enumerator;
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
  OpKind kind_;
  const DialectInfo& version_;
  ElementType input_;
};

// Reads the op's attributes. One that the version cannot spell, and that other versions must state, gets its default.
std::string ImportAttributes(const AttributeImport& read, const OpInfo& row, const DialectInfo& version,
                             Attributes* attributes) {
  std::string why;
  ForEachAttribute(*attributes, [&](const AttributeInfo& info, auto& value) {
    if (!why.empty() || !HasAttribute(row, info.attribute)) return;
    const bool is_spelled = version.Spelling(row.kind, info.attribute) != AttributeSpelling::kNone;
    const bool must_say = PresenceIn(row, info.attribute) == AttributePresence::kMandatory;
    if (is_spelled) {
      why = read(info, value);
    } else if (must_say) {
      value.emplace();
    }
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

// The numbers of an attribute that is one or a list; none: it is neither.
std::vector<int64_t> NumbersOf(mlir::Attribute attribute) {
  if (const auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute)) return {number.getInt()};
  if (const auto list = mlir::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(attribute)) {
    return {list.asArrayRef().begin(), list.asArrayRef().end()};
  }
  if (const auto list = mlir::dyn_cast_or_null<mlir::DenseI8ArrayAttr>(attribute)) {
    return {list.asArrayRef().begin(), list.asArrayRef().end()};
  }
  return {};
}

// An operand where it is an attribute, a number or a list.
std::string ImportNumbers(mlir::Operation& op, const OperandSpelling& spelling, ElementType type,
                          ImportedOp* imported) {
  const std::vector<int64_t> numbers = NumbersOf(AttributeOf(op, AttributeNameOf(spelling)));
  Tensor tensor(type, {static_cast<int64_t>(numbers.size())});
  const int unused = 64 - BitWidth(type);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const bool fits = numbers[i] == static_cast<int64_t>(static_cast<uint64_t>(numbers[i]) << unused) >> unused;
    if (IsUnsigned(type) ? numbers[i] < 0 || numbers[i] > static_cast<int64_t>(BitMask(type)) : !fits) {
      return absl::StrCat("a ", spelling.attribute, " of ", numbers[i]);
    }
    tensor.SetBits(i, static_cast<uint64_t>(numbers[i]) & BitMask(type));
  }
  imported->special_operands.push_back(std::move(tensor));
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
    const OperandSpelling& spelling = version.Spelling(row.kind, role);
    const ElementType type = TypeOfOperand(role, input, imported->result.element_type, imported->attributes);
    const bool is_number = spelling.form == OperandSpelling::Form::kNumber;
    std::string why =
        is_number ? ImportNumbers(op, spelling, type, imported) : ImportZeroPoints(op, spelling, input, imported);
    if (!why.empty() || !is_number) return why;  // the zero points are all in one
  }
  return "";
}

std::optional<Tensor> OfBlocks(llvm::StringRef constant, mlir::Type type, std::string* why) {
  absl::StatusOr<Tensor> read = BlockConstantFromText({constant.data(), constant.size()});
  const std::optional<TensorType> as = ToTensorType(type);
  if (!read.ok()) {
    *why = absl::StrCat("a constant does not parse: ", read.status().message());
  } else if (!as || *as != TensorType{Shape::OfSizes(read->sizes()), read->element_type()}) {
    *why = "a constant is of another type than its elements";
  } else {
    return *std::move(read);
  }
  return std::nullopt;
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
    const OperandSpelling& spelling = version.Spelling(kind, role);
    if (spelling.form != OperandSpelling::Form::kNumber ||
        !NumbersOf(AttributeOf(op, AttributeNameOf(spelling))).empty()) {
      continue;
    }
    return absl::StrCat(NameOf(op), " has ", there, " operands and no '", spelling.attribute,
                        "', as no version spells it");
  }
  const bool tells_by_type = kind == OpKind::kRescale && !AttributeOf(op, "input_unsigned") &&
                             !AttributeOf(op, "output_unsigned") && wanted < row.operands.size();
  if (tells_by_type && !HasUnsignedTypes(version)) {
    return absl::StrCat(NameOf(op), " has no 'input_unsigned': as older versions spell it");
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
  if (std::string why = ImportAttributes({op, kind, version, input}, row, version, &imported->attributes); !why.empty())
    return why;
  return ImportSpecialOperands(op, row, version, input, imported);
}

std::optional<Tensor> ImportConstant(mlir::Operation& op, const DialectInfo& version, std::string* why,
                                     const DialectInfo** spelled) {
  if (op.getNumResults() != 1 || op.getNumOperands() != 0 || op.getNumRegions() != 0) return std::nullopt;
  const mlir::Type type = op.getResult(0).getType();
  const std::string name = NameOf(op);
  if (name == "tosa.const" || name == "arith.constant") {
    for (const DialectInfo* dialect : FromNearest(version)) {
      const absl::string_view key = name == "tosa.const" ? dialect->constant_values : "value";
      const mlir::Attribute elements = AttributeOf(op, Ref(key));
      if (!elements) continue;
      if (key != version.constant_values && name == "tosa.const") *spelled = dialect;
      const auto quoted = mlir::dyn_cast<mlir::DenseStringElementsAttr>(elements);  // by older_text.h
      return quoted ? OfBlocks(quoted.getRawStringData().front(), type, why) : ToTensor(elements, type, why);
    }
    *why = "a constant has no elements";
    return std::nullopt;
  }
  // A constant of an unknown dialect must have elements and nothing else.
  if (op.isRegistered() || op.getAttrs().size() != 1) return std::nullopt;
  std::string ignored;
  return ToTensor(op.getAttrs().front().getValue(), type, &ignored);
}

bool OnlyReads(absl::string_view name) {
  constexpr absl::string_view kReaders[] = {"tensor.cast",
                                            "tensor.dim",
                                            "tensor.extract",
                                            "tensor.rank",
                                            "bufferization.to_buffer",
                                            "bufferization.to_memref",
                                            "memref.cast",
                                            "vector.transfer_read"};
  return absl::c_linear_search(kReaders, name);
}

bool IsTaken(mlir::Operation& constant) {
  return absl::c_any_of(constant.getUsers(), [](mlir::Operation* user) {
    const std::string name = NameOf(*user);
    return FindOpOfAny(name) || mlir::isa<mlir::CallOpInterface>(user) || name == "func.return" ||
           name == "tensor.cast";
  });
}

std::optional<std::vector<int64_t>> ConstantShape(mlir::Operation* op) {
  using Sizes = std::vector<int64_t>;
  const llvm::StringRef name = op == nullptr ? "" : op->getName().getStringRef();
  if (name == "tosa.const_shape") {
    for (const char* key : {"values", "value"}) {
      const auto sizes = mlir::dyn_cast_or_null<mlir::DenseIntElementsAttr>(AttributeOf(*op, key));
      if (!sizes) continue;
      Sizes list;
      for (const llvm::APInt& size : sizes.getValues<llvm::APInt>()) list.push_back(size.getSExtValue());
      return list;
    }
  } else if (name == "tosa.dim" && op->getNumOperands() == 1) {
    const auto axis = mlir::dyn_cast_or_null<mlir::IntegerAttr>(AttributeOf(*op, "axis"));
    const std::optional<TensorType> type = ToTensorType(op->getOperand(0).getType());
    if (!axis || !type || !type->shape.IsRanked()) return std::nullopt;
    const auto at = static_cast<uint64_t>(axis.getValue().getSExtValue());
    if (at < type->shape.rank() && type->shape[at].IsStatic()) return Sizes{type->shape[at].size()};
  } else if (name == "tosa.concat_shape") {
    Sizes all;
    for (const mlir::Value operand : op->getOperands()) {
      const std::optional<Sizes> part = ConstantShape(operand.getDefiningOp());
      if (!part) return std::nullopt;
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }
  return std::nullopt;
}

}  // namespace tosaic
