// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/spirv_graph_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/attributes.h"
#include "toolchain/capi/worker/ir_walk.h"

namespace tosaic {
namespace {

constexpr absl::string_view kSpirvTensor = "!spirv.arm.tensor";
constexpr absl::string_view kSpirvPrefix = "spirv.Tosa.";

class SpirvGraphReader {
 public:
  SpirvGraphReader(const CLibrary& c, MlirContext context) : c_(c), context_(context) {}

  SpirvGraph Read(MlirOperation graph) {
    const MlirBlock body = c_.mlirRegionGetFirstBlock(c_.mlirOperationGetRegion(graph, 0));
    for (intptr_t i = 0; i < c_.mlirBlockGetNumArguments(body); ++i) {
      const MlirValue input = c_.mlirBlockGetArgument(body, i);
      numbers_[input.ptr] = static_cast<int>(graph_.values.size());
      graph_.values.push_back({.kind = SpirvValue::Kind::kInput, .type = TypeOfTensor(input), .number = i});
    }
    MlirOperation op = c_.mlirBlockGetFirstOperation(body);
    for (; op.ptr != nullptr; op = c_.mlirOperationGetNextInBlock(op)) {
      if (NameOf(c_, op) == "spirv.ARM.GraphOutputs") {
        graph_.outputs = Numbers(op);
      } else {
        Add(op);
      }
    }
    return std::move(graph_);
  }

 private:
  std::optional<TensorType> TypeOfTensor(MlirValue value) const {
    const std::string text = TypeOf(c_, value);
    if (!absl::StartsWith(text, kSpirvTensor)) return std::nullopt;
    const absl::StatusOr<TensorType> type =
        ParseTensorType(absl::StrCat("tensor", absl::StripPrefix(text, kSpirvTensor)));
    return type.ok() ? std::optional(*type) : std::nullopt;
  }

  std::vector<int> Numbers(MlirOperation op) {
    std::vector<int> numbers;
    for (intptr_t i = 0; i < c_.mlirOperationGetNumOperands(op); ++i) {
      const auto [number, is_new] =
          numbers_.try_emplace(c_.mlirOperationGetOperand(op, i).ptr, static_cast<int>(graph_.values.size()));
      if (is_new) graph_.values.push_back({.name = "a value from outside"});
      numbers.push_back(number->second);
    }
    return numbers;
  }

  void Add(MlirOperation op) {
    const std::string name(NameOf(c_, op));
    SpirvValue value{.name = name, .operands = Numbers(op)};
    if (c_.mlirOperationGetNumResults(op) == 1) value.type = TypeOfTensor(c_.mlirOperationGetResult(op, 0));
    // The second is short for a constant whose elements are alike.
    if (value.type && (name == "spirv.Constant" || name == "spirv.EXT.ConstantCompositeReplicate")) {
      value.elements = ElementsOf(c_.mlirOperationGetAttributeByName(op, ToRef("value")), *value.type);
    }
    if (value.elements) {
      value.kind = SpirvValue::Kind::kConstant;
      value.name.clear();
    } else if (absl::StartsWith(name, kSpirvPrefix)) {
      value.kind = SpirvValue::Kind::kInstruction;
      value.name = std::string(absl::StripPrefix(name, kSpirvPrefix));
      AddAttributes(op, &value);
    }
    for (intptr_t i = 0; i < c_.mlirOperationGetNumResults(op); ++i) {
      numbers_[c_.mlirOperationGetResult(op, i).ptr] = static_cast<int>(graph_.values.size());
    }
    graph_.values.push_back(std::move(value));
  }

  void AddAttributes(MlirOperation op, SpirvValue* value) const {
    for (const AttributeInfo& info : kAttributes) {
      const MlirAttribute attribute = c_.mlirOperationGetAttributeByName(op, ToRef(info.name));
      if (attribute.ptr != nullptr) value->attributes.push_back({std::string(info.name), TextOf(attribute)});
    }
  }

  // A number is printed as "1.5 : f32", an enumerated value as "#spirv.some_type<SingleRound>", a bool as "true".
  std::string TextOf(MlirAttribute attribute) const {
    const std::string text = Printed(c_.mlirAttributePrint, attribute);
    if (const size_t begin = text.find('<'); begin != text.npos)
      return text.substr(begin + 1, text.rfind('>') - begin - 1);
    const size_t colon = text.rfind(" : ");
    const auto type = colon == text.npos ? std::nullopt : FindElementType(text.substr(colon + 3));
    if (!type) return text;
    const std::optional<Tensor> number = ElementsOf(attribute, {Shape::OfSizes({1}), *type});
    return number ? NumberText(*type, number->Bits(0)) : text;
  }

  // The elements of a constant, or of one whose elements are all the same scalar. MLIR parses the scalar again as a
  // tensor's element, because the C API gives the bits of tensors alone.
  std::optional<Tensor> ElementsOf(MlirAttribute attribute, const TensorType& type) const {
    if (attribute.ptr == nullptr || !type.shape.IsStatic()) return std::nullopt;
    if (!c_.mlirAttributeIsADenseElements(attribute)) {
      const std::string text = Printed(c_.mlirAttributePrint, attribute);
      const std::string dense =
          absl::StrCat("dense<", text.substr(0, text.rfind(" : ")), "> : tensor<1x", Name(type.element_type), ">");
      attribute = c_.mlirAttributeParseGet(context_, ToRef(dense));
      if (attribute.ptr == nullptr || !c_.mlirAttributeIsADenseElements(attribute)) return std::nullopt;
    }
    Tensor tensor(type.element_type, StaticSizes(type.shape));
    const auto* bytes = static_cast<const uint8_t*>(c_.mlirDenseElementsAttrGetRawData(attribute));
    const bool is_splat = c_.mlirDenseElementsAttrIsSplat(attribute);
    const size_t width = static_cast<size_t>(StorageBytes(type.element_type));
    for (size_t i = 0; i < tensor.element_count(); ++i) {
      const size_t source = is_splat ? 0 : i;
      uint64_t bits = 0;
      if (type.element_type == ElementType::kI1) {  // how they are packed differs between versions
        bits = c_.mlirDenseElementsAttrGetBoolValue(attribute, static_cast<intptr_t>(source)) ? 1 : 0;
      } else {
        std::memcpy(&bits, bytes + source * width, width);
      }
      tensor.SetBits(i, bits & BitMask(type.element_type));
    }
    return tensor;
  }

  const CLibrary& c_;
  const MlirContext context_;
  SpirvGraph graph_;
  std::map<const void*, int> numbers_;
};

}  // namespace

bool CanReadSpirvGraph(const CLibrary& c) {
  return c.mlirAttributeIsADenseElements != nullptr && c.mlirDenseElementsAttrIsSplat != nullptr &&
         c.mlirDenseElementsAttrGetBoolValue != nullptr && c.mlirDenseElementsAttrGetRawData != nullptr;
}

SpirvGraph ReadSpirvGraph(const CLibrary& c, MlirContext context, MlirOperation module) {
  const MlirOperation graph = FirstNamed(c, module, "spirv.ARM.Graph");
  return graph.ptr == nullptr || !HasBody(c, graph) ? SpirvGraph() : SpirvGraphReader(c, context).Read(graph);
}

}  // namespace tosaic
