// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/function_import.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "model/op_catalogue.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

constexpr int64_t kMaxConstantElements = 1 << 16;

uint64_t BitsOf(const llvm::APInt& value) { return value.getZExtValue(); }

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

// Of an op of a dialect that is loaded or not.
mlir::Attribute AttributeOf(mlir::Operation& op, llvm::StringRef name) {
  if (const mlir::Attribute attribute = op.getAttr(name)) return attribute;
  const auto properties = mlir::dyn_cast_or_null<mlir::DictionaryAttr>(op.getPropertiesAsAttribute());
  return properties ? properties.get(name) : mlir::Attribute();
}

// An integer attribute's value, 0 where there is none.
int64_t IntegerOf(mlir::Operation& op, llvm::StringRef name) {
  const auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(AttributeOf(op, name));
  return number ? number.getValue().getSExtValue() : 0;
}

// The bits of a bound that has no type of its own, as `type`; none if it is no value of it.
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

// The number behind "NAME = " in the text of an attribute; none if it does not stand there.
std::optional<int64_t> NumberIn(absl::string_view text, absl::string_view name) {
  const std::string key = absl::StrCat(name, " = ");
  const size_t at = text.find(key);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  int64_t number = 0;
  if (!absl::SimpleAtoi(text.substr(0, text.find_first_not_of("-0123456789")), &number)) return std::nullopt;
  return number;
}

// The op that a dialect calls so.
std::optional<OpKind> FindOpOf(const DialectInfo& dialect, absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "tosa.")) return std::nullopt;
  for (const OpInfo& op : AllOps()) {
    if (dialect.Op(op.kind).name == name) return op.kind;
  }
  return std::nullopt;
}

// The attributes that an op has in a dialect.
std::vector<absl::string_view> AttributeNames(const OpInfo& op, const DialectInfo& dialect) {
  std::vector<absl::string_view> names;
  if (HasAttribute(op, Attribute::kMinVal)) {
    names = dialect.typed_bounds ? std::vector<absl::string_view>{"min_val", "max_val"}
                                 : std::vector<absl::string_view>{"min_int", "max_int", "min_fp", "max_fp"};
  }
  if (HasAttribute(op, Attribute::kNanMode) && dialect.nan_mode) names.push_back("nan_mode");
  if (HasAttribute(op, Attribute::kRound)) names.push_back("round");
  if (HasRole(op, OperandRole::kShift) && !dialect.special_operands) names.push_back("shift");
  if (HasRole(op, OperandRole::kZeroPoint) && !dialect.special_operands) names.push_back("quantization_info");
  return names;
}

// Why an op's attributes are not those that it has in the dialect; empty: they are. A name with a dot in it is of
// another dialect, and means nothing here.
std::string WhyOtherAttributes(mlir::Operation& op, const OpInfo& row, const DialectInfo& dialect) {
  std::vector<std::string> there;
  const auto properties = mlir::dyn_cast_or_null<mlir::DictionaryAttr>(op.getPropertiesAsAttribute());
  for (const mlir::DictionaryAttr attributes : {op.getAttrDictionary(), properties}) {
    if (!attributes) continue;
    for (const mlir::NamedAttribute& one : attributes) there.push_back(one.getName().str());
  }
  const std::vector<absl::string_view> own = AttributeNames(row, dialect);
  for (const std::string& name : there) {
    if (absl::StrContains(name, '.') || absl::c_linear_search(own, name)) continue;
    const std::string has = absl::StrCat(op.getName().getStringRef().str(), " has '", name, "', ");
    int newest = 0;  // whose op has it
    for (const DialectInfo& other : AllDialects()) {
      if (absl::c_linear_search(AttributeNames(row, other), name)) newest = std::max(newest, other.version);
    }
    if (newest > 0) return absl::StrCat(has, "as MLIR ", newest, " spells it, and MLIR ", dialect.version, " does not");
    return absl::StrCat(has, "which MLIR ", dialect.version, " does not know");
  }
  return "";
}

// One function.
class Importer {
 public:
  explicit Importer(const DialectInfo& dialect) : dialect_(dialect) {}

  std::optional<Program> Import(mlir::func::FuncOp function, std::string* skipped);

 private:
  static std::optional<Program> Skip(std::string why, std::string* skipped) {
    *skipped = std::move(why);
    return std::nullopt;
  }

  // Each takes something in; else it says what is in the way.
  std::string Add(mlir::Operation& op);
  std::string AddOperands(mlir::Operation& op, OpApplication* application);
  std::string AddAttributes(mlir::Operation& op, ElementType input, Attributes* attributes) const;
  std::string AddSpecialOperands(mlir::Operation& op, ElementType input, OpApplication* application);
  std::string AddConstant(mlir::Operation& op);

  ValueRef Constant(Tensor tensor) {
    program_.constants.push_back(std::move(tensor));
    return {ValueRef::Kind::kConstant, static_cast<int>(program_.constants.size()) - 1};
  }
  ValueRef SingleElement(ElementType type, int64_t value) {
    Tensor tensor(type, {1});
    tensor.SetBits(0, static_cast<uint64_t>(value) & BitMask(type));
    return Constant(std::move(tensor));
  }

  const DialectInfo& dialect_;
  Program program_;
  llvm::DenseMap<mlir::Value, ValueRef> values_;
};

std::optional<Program> Importer::Import(mlir::func::FuncOp function, std::string* skipped) {
  if (function.isDeclaration()) return Skip("a declaration", skipped);
  if (!llvm::hasSingleElement(function.getBody())) return Skip("has several blocks", skipped);
  mlir::Block& block = function.getBody().front();
  for (const mlir::BlockArgument argument : block.getArguments()) {
    const std::optional<TensorType> type = ToTensorType(argument.getType());
    if (!type) return Skip(absl::StrCat("an argument is a ", Spelling(argument.getType())), skipped);
    values_[argument] = {ValueRef::Kind::kArgument, static_cast<int>(program_.arguments.size())};
    program_.arguments.push_back(*type);
  }
  for (mlir::Operation& op : block) {
    if (std::string why = Add(op); !why.empty()) return Skip(why, skipped);
  }
  if (program_.ops.empty()) return Skip("has no elementwise TOSA op", skipped);
  if (program_.results.empty()) {
    program_.results.push_back({ValueRef::Kind::kOp, static_cast<int>(program_.ops.size()) - 1});
  }
  Case alone;
  alone.program = program_;
  if (absl::Status status = CheckWellFormed(alone); !status.ok()) {
    return Skip(std::string(status.message()), skipped);
  }
  return std::move(program_);
}

std::string Importer::Add(mlir::Operation& op) {
  const std::string name = op.getName().getStringRef().str();
  if (name == "func.return") {
    for (mlir::Value value : op.getOperands()) program_.results.push_back(values_.lookup(value));
    return "";
  }
  if (name == "tosa.const" || name == "arith.constant") return AddConstant(op);
  const std::optional<OpKind> kind = FindOpOf(dialect_, name);
  if (!kind) return WhyUnknown(dialect_, name);
  if (op.getNumResults() != 1) return absl::StrCat(name, " has not one result");
  OpApplication application;
  application.op = *kind;
  if (std::string why = AddOperands(op, &application); !why.empty()) return why;
  if (std::string why = WhyOtherAttributes(op, Info(*kind), dialect_); !why.empty()) return why;
  const std::optional<TensorType> result = ToTensorType(op.getResult(0).getType());
  if (!result) return absl::StrCat("the result of ", name, " is a ", Spelling(op.getResult(0).getType()));
  application.result = *result;
  const ElementType input = InputElementType(program_, application);
  if (std::string why = AddAttributes(op, input, &application.attributes); !why.empty()) return why;
  if (std::string why = AddSpecialOperands(op, input, &application); !why.empty()) return why;
  values_[op.getResult(0)] = {ValueRef::Kind::kOp, static_cast<int>(program_.ops.size())};
  program_.ops.push_back(std::move(application));
  return "";
}

std::string Importer::AddOperands(mlir::Operation& op, OpApplication* application) {
  const std::string name = op.getName().getStringRef().str();
  for (mlir::Value operand : op.getOperands()) {
    const auto found = values_.find(operand);
    if (found == values_.end()) return absl::StrCat(name, " uses a value from elsewhere");
    application->operands.push_back(found->second);
  }
  const OpInfo& row = Info(application->op);
  const size_t wanted = dialect_.special_operands ? row.operands.size() : BroadcastOperandCount(row);
  const size_t there = application->operands.size();
  if (there == wanted) return "";
  const size_t otherwise = dialect_.special_operands ? BroadcastOperandCount(row) : row.operands.size();
  return absl::StrCat(name, " has ", there, " operands where MLIR ", dialect_.version, "'s has ", wanted,
                      there != otherwise          ? ""
                      : dialect_.special_operands ? ": as older versions spell it"
                                                  : ": as newer versions spell it");
}

std::string Importer::AddAttributes(mlir::Operation& op, ElementType input, Attributes* attributes) const {
  const OpInfo& row = Info(*FindOpOf(dialect_, op.getName().getStringRef().str()));
  const bool is_float = IsFloat(input);
  const mlir::Type type = mlir::getElementTypeOrSelf(op.getOperand(0).getType());
  const auto bits = [&](const char* typed, const char* untyped, std::optional<TypedBits>* to) {
    const bool by_type = dialect_.typed_bounds || !HasAttribute(row, Attribute::kMinVal);
    const mlir::Attribute attribute = AttributeOf(op, by_type ? typed : untyped);
    if (!attribute) return true;
    *to = by_type ? ToTypedBits(attribute) : BoundAs(attribute, input, type);
    return to->has_value();
  };
  if (!bits("min_val", is_float ? "min_fp" : "min_int", &attributes->min_val) ||
      !bits("max_val", is_float ? "max_fp" : "max_int", &attributes->max_val)) {
    return dialect_.typed_bounds ? "a bound is no number of a known type"
                                 : absl::StrCat("a bound is no value of ", Name(input));
  }
#if LLVM_VERSION_MAJOR >= 21
  if (const mlir::Attribute attribute = AttributeOf(op, "nan_mode")) {
    const auto mode = mlir::dyn_cast<mlir::tosa::NanPropagationModeAttr>(attribute);
    if (!mode) return "nan_mode is in a form that is not known";
    attributes->nan_mode =
        mode.getValue() == mlir::tosa::NanPropagationMode::IGNORE ? NanMode::kIgnore : NanMode::kPropagate;
  }
#endif
  if (const auto round = mlir::dyn_cast_or_null<mlir::BoolAttr>(AttributeOf(op, "round"))) {
    attributes->round = round.getValue();
  }
  return "";
}

// mul's shift and negate's zero points where they are attributes.
std::string Importer::AddSpecialOperands(mlir::Operation& op, ElementType input, OpApplication* application) {
  if (dialect_.special_operands) return "";
  const OpInfo& row = Info(application->op);
  if (HasRole(row, OperandRole::kShift)) {
    const int64_t shift = IntegerOf(op, "shift");
    if (shift < INT8_MIN || shift > INT8_MAX) return absl::StrCat("a shift of ", shift);
    application->operands.push_back(SingleElement(ElementType::kI8, shift));
  }
  if (!HasRole(row, OperandRole::kZeroPoint)) return "";
  int64_t zero_points[] = {0, 0};
  const mlir::Attribute quantization = AttributeOf(op, "quantization_info");
  if (const auto opaque = mlir::dyn_cast_or_null<mlir::OpaqueAttr>(quantization)) {
    const absl::string_view text(opaque.getAttrData().data(), opaque.getAttrData().size());
    zero_points[0] = NumberIn(text, "input_zp").value_or(0);
    zero_points[1] = NumberIn(text, "output_zp").value_or(0);
  } else if (quantization) {
    return "quantization_info is in a form that is not known";
  } else if (!IsFloat(input)) {
    return "a negate of integers without quantization_info wraps, which no case can say";
  }
  for (const int64_t zero_point : zero_points) application->operands.push_back(SingleElement(input, zero_point));
  return "";
}

std::string Importer::AddConstant(mlir::Operation& op) {
  const bool is_tosa = op.getName().getStringRef() == "tosa.const";
  const absl::string_view name = is_tosa ? dialect_.constant_values : "value";
  const mlir::Attribute attribute = AttributeOf(op, llvm::StringRef(name.data(), name.size()));
  if (!attribute) {
    return absl::StrCat("a constant has no '", name, "'",
                        is_tosa ? absl::StrCat(", as MLIR ", dialect_.version, " spells it") : "");
  }
  if (mlir::isa<mlir::DenseResourceElementsAttr>(attribute)) return "a constant's elements are a resource of the file";
  const auto elements = mlir::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!elements) {
    return mlir::isa<mlir::ElementsAttr>(attribute)
               ? "a constant is not dense"
               : absl::StrCat("a constant is a ", Spelling(op.getResult(0).getType()));
  }
  const std::optional<TensorType> type = ToTensorType(elements.getType());
  if (!type || elements.getType() != op.getResult(0).getType()) {
    return absl::StrCat("a constant is a ", Spelling(op.getResult(0).getType()));
  }
  if (elements.getNumElements() > kMaxConstantElements) return "a constant is too large";
  Tensor tensor(type->element_type, elements.getType().getShape().vec());
  size_t at = 0;
  if (IsFloat(type->element_type)) {
    for (const llvm::APFloat& value : elements.getValues<llvm::APFloat>()) {
      tensor.SetBits(at++, BitsOf(value.bitcastToAPInt()));
    }
  } else {
    for (const llvm::APInt& value : elements.getValues<llvm::APInt>()) tensor.SetBits(at++, BitsOf(value));
  }
  values_[op.getResult(0)] = Constant(std::move(tensor));
  return "";
}

}  // namespace

std::string WhyUnknown(const DialectInfo& dialect, absl::string_view name) {
  for (const DialectInfo& other : AllDialects()) {
    const std::optional<OpKind> op = FindOpOf(other, name);
    if (!op) continue;
    const absl::string_view own = dialect.Op(*op).name;
    return absl::StrCat("uses ", name, ", as MLIR ", other.version, " spells it; MLIR ", dialect.version,
                        own.empty() ? " has no such op" : absl::StrCat(" has tosa.", own));
  }
  return absl::StrCat("uses ", name);
}

std::optional<Program> ImportFunction(mlir::func::FuncOp function, const DialectInfo& dialect, std::string* skipped) {
  return Importer(dialect).Import(function, skipped);
}

}  // namespace tosaic
