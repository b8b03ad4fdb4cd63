// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/function_import.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "model/op_catalogue.h"
#include "toolchain/mlir/attribute_import.h"
#include "toolchain/mlir/dialect_names.h"
#include "toolchain/mlir/mlir_builder.h"

namespace tosaic {
namespace {

// What only looks at a tensor: nothing is computed that is not judged.
constexpr const char* kReaders[] = {"tensor.cast",
                                    "tensor.dim",
                                    "tensor.extract",
                                    "tensor.rank",
                                    "bufferization.to_buffer",
                                    "bufferization.to_memref",
                                    "memref.cast",
                                    "vector.transfer_read"};

// One function, or what of it is behind ops that a first import has left out.
class Importer {
 public:
  explicit Importer(const DialectInfo& dialect, const Importer* first = nullptr) : dialect_(dialect), first_(first) {}

  ImportedProgram Import(mlir::func::FuncOp function);
  // Whether something is left for an import of what is behind.
  bool HasMore() const { return leaves_out_ops_ && !has_calls_; }

 private:
  // Each takes something in; else it says what is in the way.
  std::string AddBlock(mlir::Block& block, llvm::SmallVector<mlir::Value>* returned);
  std::string AddOp(mlir::Operation& op, OpKind kind);
  std::string AddOperands(mlir::Operation& op, OpApplication* application);
  std::string AddAttributes(mlir::Operation& op, ElementType input, Attributes* attributes) const;
  std::string AddSpecialOperands(mlir::Operation& op, ElementType input, OpApplication* application);
  std::string AddCall(mlir::Operation& op, mlir::func::FuncOp callee);
  // Of what is behind others: whether a value from before it can be an argument, which it is then.
  bool TakeAsArgument(mlir::Value value);
  // What is no op of TOSA's elementwise ones: it may be a constant, and what it looks at is what the program returns.
  void AddOther(mlir::Operation& op);
  std::optional<Tensor> ConstantOf(mlir::Operation& op, std::string* why) const;

  // The sizes that a tosa.const_shape holds.
  static std::optional<std::vector<int64_t>> ConstantShape(mlir::Operation* op);
  ValueRef Constant(Tensor tensor) {
    program_.constants.push_back(std::move(tensor));
    return {ValueRef::Kind::kConstant, static_cast<int>(program_.constants.size()) - 1};
  }
  ValueRef Argument(const TensorType& type, std::optional<Tensor> data = std::nullopt) {
    program_.arguments.push_back(type);
    data_.push_back(std::move(data));
    return {ValueRef::Kind::kArgument, static_cast<int>(program_.arguments.size()) - 1};
  }
  ValueRef SingleElement(ElementType type, int64_t value) {
    Tensor tensor(type, {1});
    tensor.SetBits(0, static_cast<uint64_t>(value) & BitMask(type));
    return Constant(std::move(tensor));
  }
  void LeaveOut(mlir::Operation& op, const std::string& why) {
    for (const mlir::Value result : op.getResults()) left_out_[result] = why;
    if (op.getNumResults() == 0) return;
    // What takes something says more than what makes a number for it.
    std::string& reason = op.getNumOperands() > 0 ? why_not_ : why_not_either_;
    if (reason.empty()) reason = why;
  }
  void Return(ValueRef value) {
    if (!absl::c_linear_search(program_.results, value)) program_.results.push_back(value);
  }

  const DialectInfo& dialect_;
  const Importer* first_;  // null: this is the first
  Program program_;
  llvm::DenseSet<mlir::Operation*> taken_;  // as ops of the program
  bool leaves_out_ops_ = false, has_calls_ = false;
  std::vector<std::optional<Tensor>> data_;
  llvm::DenseMap<mlir::Value, ValueRef> values_;
  llvm::DenseMap<mlir::Value, std::string> left_out_;  // and why
  std::string why_not_, why_not_either_;               // of the first of these that takes something, or does not
  std::string cut_;                                    // where the program ends before the function does
  int depth_ = 0;                                      // of calls
};

ImportedProgram Importer::Import(mlir::func::FuncOp function) {
  if (function.isDeclaration()) return {.skipped = "a declaration"};
  if (!llvm::hasSingleElement(function.getBody())) return {.skipped = "has several blocks"};
  mlir::Block& block = function.getBody().front();
  for (const mlir::BlockArgument argument : block.getArguments()) {
    if (first_ != nullptr) break;  // taken where they are used
    if (const std::optional<TensorType> type = ToTensorType(argument.getType())) {
      values_[argument] = Argument(*type);
      continue;
    }
    left_out_[argument] = absl::StrCat("an argument is of type ", TextOf(argument.getType()));
    if (why_not_.empty()) why_not_ = left_out_[argument];
  }
  llvm::SmallVector<mlir::Value> returned;
  if (std::string why = AddBlock(block, &returned); !why.empty()) return {.skipped = std::move(why)};
  if (why_not_.empty()) why_not_ = why_not_either_.empty() ? "has no elementwise TOSA op" : why_not_either_;
  if (program_.ops.empty()) return {.skipped = why_not_};
  for (const mlir::Value value : returned) {
    if (const auto found = values_.find(value); found != values_.end()) program_.results.push_back(found->second);
  }
  if (program_.results.empty()) Return({ValueRef::Kind::kOp, static_cast<int>(program_.ops.size()) - 1});
  Case alone;
  alone.program = program_;
  if (absl::Status status = CheckWellFormed(alone); !status.ok()) return {.skipped = std::string(status.message())};
  return {.program = std::move(program_), .data = std::move(data_), .part = std::move(cut_)};
}

std::string Importer::AddBlock(mlir::Block& block, llvm::SmallVector<mlir::Value>* returned) {
  for (mlir::Operation& op : block) {
    const std::string name = op.getName().getStringRef().str();
    if (name == "func.return") {
      returned->append(op.operand_begin(), op.operand_end());
      continue;
    }
    const std::optional<OpKind> kind = FindOpOf(dialect_, name);
    std::string why = kind ? AddOp(op, *kind) : IsOfAnother(name) ? WhyUnknown(dialect_, name) : "";
    if (!kind && why.empty()) {
      auto call = mlir::dyn_cast<mlir::func::CallOp>(op);
      auto callee = call ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(call, call.getCalleeAttr())
                         : mlir::func::FuncOp();
      const bool is_here = callee && !callee.isDeclaration() && llvm::hasSingleElement(callee.getBody());
      is_here ? void(why = AddCall(op, callee)) : AddOther(op);
    }
    if (!why.empty()) return why;
  }
  return "";
}

// A function of the same file, as if it stood here.
std::string Importer::AddCall(mlir::Operation& op, mlir::func::FuncOp callee) {
  constexpr int kMaxDepth = 16;
  has_calls_ = true;
  mlir::Block& block = callee.getBody().front();
  if (++depth_ > kMaxDepth) return "calls itself, or too deep";
  const std::string otherwise =
      absl::StrCat("calls @", std::string(callee.getSymName()), " with other operands or results");
  if (op.getNumOperands() != block.getNumArguments()) return otherwise;
  const auto bind = [this](mlir::Value from, mlir::Value to) {
    values_.erase(to), left_out_.erase(to);
    const auto found = values_.find(from);
    found != values_.end() ? void(values_[to] = ValueRef(found->second))
                           : void(left_out_[to] = std::string(left_out_.lookup(from)));
  };
  for (const auto [from, to] : llvm::zip(op.getOperands(), block.getArguments())) bind(from, to);
  llvm::SmallVector<mlir::Value> returned;
  if (std::string why = AddBlock(block, &returned); !why.empty()) return why;
  if (op.getNumResults() != returned.size()) return otherwise;
  for (const auto [from, to] : llvm::zip(returned, op.getResults())) bind(from, to);
  --depth_;
  return "";
}

void Importer::AddOther(mlir::Operation& op) {
  const std::string name = op.getName().getStringRef().str();
  std::string why;
  if (std::optional<Tensor> constant = ConstantOf(op, &why)) {
    // What a compiler does not know to be constant, such as IREE's util.unfoldable_constant, is an argument.
    const TensorType type = *ToTensorType(op.getResult(0).getType());
    values_[op.getResult(0)] = op.isRegistered() || name == "tosa.const" || name == "arith.constant"
                                   ? Constant(*std::move(constant))
                                   : Argument(type, std::move(constant));
    return;
  }
  bool takes_any = false;
  op.walk([&](mlir::Operation* inner) {
    for (const mlir::Value operand : inner->getOperands()) {
      const auto found = values_.find(operand);
      if (found == values_.end() || found->second.kind != ValueRef::Kind::kOp) continue;
      Return(found->second);
      takes_any = true;
    }
  });
  if (takes_any && op.getNumResults() > 0 && !absl::c_linear_search(kReaders, name) && cut_.empty()) {
    cut_ = absl::StrCat("up to ", name);
  }
  LeaveOut(op, why.empty()
                   ? absl::StrCat("uses ", name, absl::StartsWith(name, "tosa.") ? ", which is not elementwise" : "")
                   : why);
  // If a cast hides the sizes of a constant, the constant is an argument of the type that the cast makes.
  if (name != "tensor.cast") return;
  const auto source = values_.find(op.getOperand(0));
  const std::optional<TensorType> type = ToTensorType(op.getResult(0).getType());
  if (source == values_.end() || !type) return;
  if (const Tensor* data = AsConstant(program_, source->second)) values_[op.getResult(0)] = Argument(*type, *data);
}

bool Importer::TakeAsArgument(mlir::Value value) {
  const std::optional<TensorType> type = ToTensorType(value.getType());
  if (first_ == nullptr || !type) return false;
  values_[value] = Argument(*type);
  mlir::Operation* from = value.getDefiningOp();
  if (cut_.empty() && from != nullptr && !first_->taken_.contains(from)) {
    cut_ = absl::StrCat("behind ", from->getName().getStringRef().str());
  }
  return true;
}

std::string Importer::AddOp(mlir::Operation& op, OpKind kind) {
  const std::string name = op.getName().getStringRef().str();
  if (op.getNumResults() != 1) return absl::StrCat(name, " has not one result");
  if (first_ != nullptr && first_->taken_.contains(&op)) return "";
  for (const mlir::Value operand : op.getOperands()) {
    if (values_.contains(operand) || ConstantShape(operand.getDefiningOp()) || TakeAsArgument(operand)) continue;
    leaves_out_ops_ = true;
    const std::string why = left_out_.lookup(operand);
    LeaveOut(op, why.empty() ? absl::StrCat(name, " uses a value from elsewhere") : why);
    if (cut_.empty()) cut_ = absl::StrCat("without ", name, ": ", left_out_[op.getResult(0)]);
    // What else it takes is returned: it is seen here for the last time.
    for (const mlir::Value other : op.getOperands()) {
      const auto found = values_.find(other);
      if (found != values_.end() && found->second.kind == ValueRef::Kind::kOp) Return(found->second);
    }
    return "";
  }
  OpApplication application;
  application.op = kind;
  if (std::string why = AddOperands(op, &application); !why.empty()) return why;
  if (std::string why = WhyOtherAttributes(op, Info(kind), dialect_); !why.empty()) return why;
  const std::optional<TensorType> result = ToTensorType(op.getResult(0).getType());
  if (!result) return absl::StrCat("the result of ", name, " is of type ", TextOf(op.getResult(0).getType()));
  application.result = *result;
  const ElementType input = InputElementType(program_, application);
  if (std::string why = AddAttributes(op, input, &application.attributes); !why.empty()) return why;
  if (std::string why = AddSpecialOperands(op, input, &application); !why.empty()) return why;
  values_[op.getResult(0)] = {ValueRef::Kind::kOp, static_cast<int>(program_.ops.size())};
  taken_.insert(&op);
  program_.ops.push_back(std::move(application));
  return "";
}

std::string Importer::AddOperands(mlir::Operation& op, OpApplication* application) {
  const std::string name = op.getName().getStringRef().str();
  for (const mlir::Value operand : op.getOperands()) {
    std::optional<std::vector<int64_t>> sizes = ConstantShape(operand.getDefiningOp());
    sizes ? void(application->attributes.new_shape = *std::move(sizes))
          : application->operands.push_back(values_.lookup(operand));
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

std::optional<std::vector<int64_t>> Importer::ConstantShape(mlir::Operation* op) {
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
  if (const auto sizes = mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(AttributeOf(op, "new_shape"))) {
    attributes->new_shape.emplace(sizes.asArrayRef().begin(), sizes.asArrayRef().end());
  }
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

std::optional<Tensor> Importer::ConstantOf(mlir::Operation& op, std::string* why) const {
  if (op.getNumResults() != 1 || op.getNumOperands() != 0 || op.getNumRegions() != 0) return std::nullopt;
  const mlir::Type type = op.getResult(0).getType();
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "tosa.const" || name == "arith.constant") {
    const absl::string_view key = name == "tosa.const" ? dialect_.constant_values : "value";
    if (const mlir::Attribute attribute = AttributeOf(op, llvm::StringRef(key.data(), key.size()))) {
      return ToTensor(attribute, type, why);
    }
    *why = absl::StrCat("a constant has no '", key, "'",
                        name == "tosa.const" ? absl::StrCat(", as MLIR ", dialect_.version, " spells it") : "");
    return std::nullopt;
  }
  // A constant of an unknown dialect must have elements and nothing else.
  if (op.isRegistered() || op.getAttrs().size() != 1) return std::nullopt;
  std::string ignored;
  return ToTensor(op.getAttrs().front().getValue(), type, &ignored);
}

}  // namespace

std::vector<ImportedProgram> ImportFunction(mlir::func::FuncOp function, const DialectInfo& dialect) {
  Importer first(dialect);
  std::vector<ImportedProgram> programs = {first.Import(function)};
  if (!first.HasMore()) return programs;
  ImportedProgram behind = Importer(dialect, &first).Import(function);
  if (!behind.program) return programs;
  if (!programs.front().program) programs.clear();
  programs.push_back(std::move(behind));
  return programs;
}

}  // namespace tosaic
