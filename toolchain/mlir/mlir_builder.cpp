// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/mlir/mlir_builder.h"

#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/ScopedPrinter.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "model/mlir_text.h"
#include "model/unsigned_types.h"
#include "toolchain/mlir/mlir_toolchain.h"
#include "toolchain/toolchain.h"

namespace tosaic {
namespace {

template <typename Type>
mlir::Type Get(mlir::MLIRContext* context) {
  return Type::get(context);
}

mlir::Type FloatType(mlir::MLIRContext* context, ElementType type) {
  constexpr std::pair<ElementType, mlir::Type (*)(mlir::MLIRContext*)> kTypes[] = {
      {ElementType::kF16, Get<mlir::Float16Type>},           {ElementType::kBF16, Get<mlir::BFloat16Type>},
      {ElementType::kF32, Get<mlir::Float32Type>},           {ElementType::kF64, Get<mlir::Float64Type>},
      {ElementType::kF8E4M3FN, Get<mlir::Float8E4M3FNType>}, {ElementType::kF8E5M2, Get<mlir::Float8E5M2Type>},
  };
  for (const auto& [known, get] : kTypes) {
    if (known == type) return get(context);
  }
  return {};
}

mlir::TypedAttr ToAttribute(mlir::MLIRContext* context, ElementType type, uint64_t bits) {
  const llvm::APInt value(static_cast<unsigned>(BitWidth(type)), bits);
  const mlir::Type mlir_type = ToMlirType(context, type);
  if (auto float_type = mlir::dyn_cast<mlir::FloatType>(mlir_type)) {
    return mlir::FloatAttr::get(mlir_type, llvm::APFloat(float_type.getFloatSemantics(), value));
  }
  if (type == ElementType::kI1) return mlir::BoolAttr::get(context, bits != 0);
  return mlir::IntegerAttr::get(mlir_type, value);
}

mlir::Attribute ToElements(mlir::MLIRContext* context, const Tensor& tensor) {
  std::vector<mlir::Attribute> elements;
  for (size_t i = 0; i < tensor.element_count(); ++i) {
    elements.push_back(ToAttribute(context, tensor.element_type(), tensor.Bits(i)));
  }
  return mlir::DenseElementsAttr::get(
      mlir::RankedTensorType::get(tensor.sizes(), ToMlirType(context, tensor.element_type())), elements);
}

// The operand from which reshape takes its sizes; older dialects, which are parsed, have no such op.
mlir::Value ConstShape([[maybe_unused]] mlir::OpBuilder& builder, [[maybe_unused]] llvm::ArrayRef<int64_t> sizes) {
#if LLVM_VERSION_MAJOR >= 21
  const int64_t rank = static_cast<int64_t>(sizes.size());
  mlir::OperationState state(builder.getUnknownLoc(), "tosa.const_shape");
  const auto type = mlir::RankedTensorType::get({rank}, builder.getIndexType());
  state.addAttribute("values", mlir::DenseIntElementsAttr::get(type, sizes));
  state.addTypes(mlir::tosa::shapeType::get(builder.getContext(), static_cast<int>(rank)));
  return builder.create(state)->getResult(0);
#else
  return {};
#endif
}

// The attributes as the canonical dialect has them: sizes are an operand.
void AddAttributes(mlir::OpBuilder& builder, const Attributes& attributes, mlir::OperationState* state) {
  mlir::MLIRContext* context = builder.getContext();
  const ByKind value_of{
      [&](const AttributeInfo&, const TypedBits& number) { return ToAttribute(context, number.type, number.bits); },
      [&](const AttributeInfo&, const bool& value) { return mlir::BoolAttr::get(context, value); },
      [&]<NamedEnum E>(const AttributeInfo& info, const E& value) {
        return mlir::parseAttribute(EnumText(info, value), context);
      }};
  ForEachValue(attributes, [&]<typename Kind>(const AttributeInfo& info, const Kind& value) {
    if constexpr (std::is_same_v<Kind, std::vector<int64_t>>) {
      state->addOperands(ConstShape(builder, value));
    } else {
      state->addAttribute(Ref(info.name), value_of(info, value));
    }
  });
}

mlir::Location NameOf(mlir::MLIRContext* context, int op) {
  return mlir::NameLoc::get(mlir::StringAttr::get(context, ToString(ValueRef{ValueRef::Kind::kOp, op})));
}

// The module in the words of an older dialect, by way of its text: what differs is told once, in ToMlir. No module if
// the parser refuses.
BuiltModule ParseModule(mlir::MLIRContext* context, const Program& program) {
  const mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
  BuiltModule parsed;
  parsed.module = mlir::parseSourceString<mlir::ModuleOp>(ToMlir(program, DialectInProcess()), config);
  if (!parsed.module) return parsed;
  for (mlir::Operation& op : mlir::cast<mlir::func::FuncOp>(parsed.module->getBody()->front()).front()) {
    if (op.getDialect()->getNamespace() != "tosa" || op.hasTrait<mlir::OpTrait::ConstantLike>()) continue;
    op.setLoc(NameOf(context, static_cast<int>(parsed.ops.size())));
    parsed.ops.push_back(&op);
  }
  return parsed;
}

// The ops of a parsed function at the end of a block that has its arguments, and maybe more.
std::vector<mlir::Operation*> MoveOps(BuiltModule from, mlir::Block* block) {
  if (!from.module) return {};
  mlir::Block& entry = mlir::cast<mlir::func::FuncOp>(from.module->getBody()->front()).front();
  entry.getTerminator()->erase();
  for (const auto& [old_argument, argument] : llvm::zip_first(entry.getArguments(), block->getArguments())) {
    old_argument.replaceAllUsesWith(argument);
  }
  block->getOperations().splice(block->end(), entry.getOperations());
  return std::move(from.ops);
}

mlir::Value ValueOf(ValueRef ref, mlir::Block* block, const BuiltOps& built) {
  const size_t index = static_cast<size_t>(ref.index);
  switch (ref.kind) {
    case ValueRef::Kind::kArgument:
      return block->getArgument(static_cast<unsigned>(ref.index));
    case ValueRef::Kind::kConstant:
      return built.constants[index]->getResult(0);
    case ValueRef::Kind::kOp:
      return built.ops[index]->getResult(0);
  }
  return {};
}

}  // namespace

mlir::Type ToMlirType(mlir::MLIRContext* context, ElementType type) {
  using Signedness = mlir::IntegerType::SignednessSemantics;
  const unsigned bits = static_cast<unsigned>(BitWidth(type));
  switch (Info(type).element_class) {
    case ElementClass::kBool:
    case ElementClass::kSignless:
      return mlir::IntegerType::get(context, bits);
    case ElementClass::kUnsigned:
      return mlir::IntegerType::get(context, bits, Signedness::Unsigned);
    case ElementClass::kSigned:
      return mlir::IntegerType::get(context, bits, Signedness::Signed);
    case ElementClass::kFloat:
      return FloatType(context, type);
    case ElementClass::kBlockScaled:  // not built: support.no-blocks
      break;
  }
  return {};
}

std::optional<ElementType> FindElementType(mlir::Type type) {
  if (const auto opaque = mlir::dyn_cast<mlir::OpaqueType>(type)) {  // of a newer dialect: NewTypesAsOpaque
    return FindElementType(absl::StrCat("!tosa.", std::string(opaque.getTypeData())));
  }
  const auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  for (const ElementTypeInfo& info : AllElementTypes()) {
    // The width first: uniquing a type for every comparison costs too much where millions are inferred.
    if (integer && integer.getWidth() != static_cast<unsigned>(BitWidth(info.type))) continue;
    if (!integer && info.element_class != ElementClass::kFloat) continue;
    if (type == ToMlirType(type.getContext(), info.type)) return info.type;
  }
  return std::nullopt;
}

ElementType ToElementType(mlir::Type type) {
  if (const std::optional<ElementType> known = FindElementType(type)) return *known;
  llvm::report_fatal_error("an element type that the catalogue does not know");
}

mlir::Type ToMlirType(mlir::MLIRContext* context, const TensorType& type) {
  const mlir::Type element = ToMlirType(context, type.element_type);
  if (!type.shape.IsRanked()) return mlir::UnrankedTensorType::get(element);
  llvm::SmallVector<int64_t> sizes;
  for (Dim dim : type.shape.dims()) sizes.push_back(dim.IsDynamic() ? mlir::ShapedType::kDynamic : dim.size());
  return mlir::RankedTensorType::get(sizes, element);
}

mlir::Type ToMlirType(mlir::MLIRContext* context, const ValueType& type) {
  switch (type.container) {
    case Container::kTensor:
      return ToMlirType(context, type.type);
    case Container::kVector: {
      llvm::SmallVector<int64_t> sizes;
      for (Dim dim : type.type.shape.dims()) sizes.push_back(dim.size());
      return mlir::VectorType::get(sizes, ToMlirType(context, type.type.element_type));
    }
    case Container::kScalar:
      return ToMlirType(context, type.type.element_type);
  }
  return {};
}

std::string TextOf(mlir::Type type) { return llvm::to_string(type); }

Shape ToShape(llvm::ArrayRef<int64_t> sizes) {
  std::vector<Dim> dims;
  dims.reserve(sizes.size());
  for (int64_t size : sizes) dims.push_back(mlir::ShapedType::isDynamic(size) ? Dim::Dynamic() : Dim::Static(size));
  return Shape(std::move(dims));
}

std::optional<int> OpAt(mlir::Location location) {
  std::set<int> ops;
  location->walk([&](mlir::Location within) {
    const auto name = mlir::dyn_cast<mlir::NameLoc>(within);
    llvm::StringRef text = name ? name.getName().getValue() : "";
    int op = 0;
    if (text.consume_front("%") && !text.getAsInteger(10, op)) ops.insert(op);
    return mlir::WalkResult::advance();
  });
  return ops.size() == 1 ? std::optional(*ops.begin()) : std::nullopt;
}

BuiltOps BuildOps(mlir::Block* block, mlir::MLIRContext* context, const Program& program) {
  if (DialectInProcess() != kCanonicalDialect) return {{}, MoveOps(ParseModule(context, program), block)};
  mlir::OpBuilder builder(context);
  builder.setInsertionPointToEnd(block);
  const mlir::Location location = builder.getUnknownLoc();
  BuiltOps built;
  for (const Tensor& tensor : program.constants) {
    mlir::OperationState state(location, "tosa.const");
    const mlir::Attribute elements = ToElements(context, tensor);
    state.addAttribute("values", elements);
    state.addTypes(mlir::cast<mlir::ElementsAttr>(elements).getShapedType());
    built.constants.push_back(builder.create(state));
  }
  for (const OpApplication& op : program.ops) {
    mlir::OperationState state(NameOf(context, static_cast<int>(built.ops.size())), absl::StrCat("tosa.", Name(op.op)));
    for (ValueRef operand : op.operands) state.addOperands(ValueOf(operand, block, built));
    state.addTypes(ToMlirType(context, op.result));
    AddAttributes(builder, op.attributes, &state);
    built.ops.push_back(builder.create(state));
  }
  return built;
}

void AddArguments(mlir::Block* block, mlir::MLIRContext* context, const Program& program) {
  const bool by_type = HasUnsignedTypes(Info(DialectInProcess()));
  const std::optional<Program> typed = by_type ? WithUnsignedTypes(program) : std::nullopt;
  for (const TensorType& type : (typed ? *typed : program).arguments) {
    block->addArgument(ToMlirType(context, type), mlir::UnknownLoc::get(context));
  }
}

BuiltModule BuildModule(mlir::MLIRContext* context, const Program& program) {
  if (DialectInProcess() != kCanonicalDialect) return ParseModule(context, program);
  mlir::OpBuilder builder(context);
  const mlir::Location location = builder.getUnknownLoc();
  BuiltModule built;
  built.module = mlir::ModuleOp::create(location);

  llvm::SmallVector<mlir::Type> argument_types;
  for (const TensorType& type : program.arguments) argument_types.push_back(ToMlirType(context, type));
  llvm::SmallVector<mlir::Type> result_types;
  for (ValueRef ref : program.results) result_types.push_back(ToMlirType(context, TypeOf(program, ref)));

  builder.setInsertionPointToStart(built.module->getBody());
  mlir::OperationState function_state(location, mlir::func::FuncOp::getOperationName());
  mlir::func::FuncOp::build(builder, function_state, "main", builder.getFunctionType(argument_types, result_types));
  auto function = mlir::cast<mlir::func::FuncOp>(builder.create(function_state));
  function->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
  mlir::Block* block = function.addEntryBlock();
  BuiltOps built_ops = BuildOps(block, context, program);
  llvm::SmallVector<mlir::Value> results;
  for (ValueRef ref : program.results) results.push_back(ValueOf(ref, block, built_ops));
  built.ops = std::move(built_ops.ops);
  builder.setInsertionPointToEnd(block);
  mlir::OperationState return_state(location, mlir::func::ReturnOp::getOperationName());
  return_state.addOperands(results);
  builder.create(return_state);
  return built;
}

}  // namespace tosaic
