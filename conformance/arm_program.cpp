// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/arm_program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "codec/codec.h"
#include "codec/status.h"
#include "conformance/arm_flatbuffer.h"
#include "model/counted.h"

namespace tosaic {
namespace {

template <typename... Parts>
absl::Status NotRepresentable(const Parts&... parts) {
  return absl::UnimplementedError(absl::StrCat(parts...));
}
template <typename... Parts>
absl::Status Broken(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::StatusOr<ElementType> ElementTypeOf(const std::string& name) {
  if (const std::optional<ElementType> type = StoredType(name)) return *type;
  return NotRepresentable("Tosaic has no element type ", name);
}

class Builder {
 public:
  absl::StatusOr<ArmProgram> Build(const StoredBlock& block) {
    for (const StoredTensor& tensor : block.tensors) tensors_[tensor.name] = &tensor;
    for (const std::string& name : block.inputs) {
      TOSAIC_ASSIGN_OR_RETURN(TensorType type, TypeOfTensor(name));
      values_[name] = {ValueRef::Kind::kArgument, static_cast<int>(program_.arguments.size())};
      program_.arguments.push_back(std::move(type));
    }
    for (const StoredOp& op : block.ops) {
      TOSAIC_RETURN_IF_ERROR(op.op == "CONST" ? AddConstant(op) : AddOp(op));
    }
    for (const std::string& name : block.outputs) {
      TOSAIC_ASSIGN_OR_RETURN(const ValueRef value, ValueOf(name));
      program_.results.push_back(value);
    }
    if (program_.ops.empty() || program_.results.empty()) return NotRepresentable("the program computes nothing");
    return ArmProgram{std::move(program_), block.inputs, block.outputs};
  }

  const std::optional<LooseOp>& miscounted() const { return miscounted_; }

 private:
  absl::StatusOr<const StoredTensor*> TensorOf(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) return Broken("there is no tensor ", name);
    return found->second;
  }

  absl::StatusOr<TensorType> TypeOfTensor(const std::string& name) const {
    TOSAIC_ASSIGN_OR_RETURN(const StoredTensor* tensor, TensorOf(name));
    TOSAIC_ASSIGN_OR_RETURN(const ElementType type, ElementTypeOf(tensor->type));
    for (const int64_t size : tensor->shape) {
      if (size < 0) return NotRepresentable("the tensor ", name, " has a dimension ", size);
    }
    return TensorType{Shape::OfSizes(tensor->shape), type};
  }

  absl::StatusOr<ValueRef> ValueOf(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return Broken("the tensor ", name, " has no value where it is used");
    return found->second;
  }

  absl::Status AddConstant(const StoredOp& op) {
    if (op.outputs.size() != 1) return NotRepresentable("CONST has ", Counted(op.outputs.size(), "result"));
    TOSAIC_ASSIGN_OR_RETURN(const TensorType type, TypeOfTensor(op.outputs.front()));
    TOSAIC_ASSIGN_OR_RETURN(const StoredTensor* stored, TensorOf(op.outputs.front()));
    const std::vector<uint8_t>& data = stored->data;
    const int width = PackedWidth(type.element_type);
    const uint64_t count = static_cast<uint64_t>(ElementCount(stored->shape));
    // A writer may fill up with zeros to a multiple of eight bytes.
    const uint64_t held = data.size() * 8 / static_cast<uint64_t>(width);
    if (count > held || data.size() > (count * static_cast<uint64_t>(width) + 7) / 8 + 7) {
      return Broken("the constant ", stored->name, " has ", Counted(data.size(), "byte"), " of data, and is ",
                    ToString(type));
    }
    Tensor tensor(type.element_type, stored->shape);
    for (size_t i = 0; i < count; ++i) tensor.SetBits(i, PackedBits(data, type.element_type, i));
    values_[stored->name] = {ValueRef::Kind::kConstant, static_cast<int>(program_.constants.size())};
    program_.constants.push_back(std::move(tensor));
    return absl::OkStatus();
  }

  // Arm's generator adds operands and results that it does not declare: they are of the type `undeclared`.
  absl::StatusOr<std::vector<TensorType>> TypesOfTensors(const std::vector<std::string>& names,
                                                         const std::optional<TensorType>& undeclared) const {
    std::vector<TensorType> types;
    for (const std::string& name : names) {
      if (undeclared && !tensors_.contains(name)) {
        types.push_back(*undeclared);
        continue;
      }
      TOSAIC_ASSIGN_OR_RETURN(TensorType type, TypeOfTensor(name));
      types.push_back(std::move(type));
    }
    return types;
  }

  std::optional<TensorType> FirstDeclared(const StoredOp& stored) const {
    for (const std::vector<std::string>* names : {&stored.inputs, &stored.outputs}) {
      for (const std::string& name : *names) {
        if (absl::StatusOr<TensorType> type = TypeOfTensor(name); type.ok()) return *std::move(type);
      }
    }
    return std::nullopt;
  }

  absl::StatusOr<LooseOp> AsLooseOp(OpKind kind, const StoredOp& stored) const {
    LooseOp op = {.op = kind};
    const std::optional<TensorType> undeclared = FirstDeclared(stored);
    TOSAIC_ASSIGN_OR_RETURN(op.operands, TypesOfTensors(stored.inputs, undeclared));
    TOSAIC_ASSIGN_OR_RETURN(op.results, TypesOfTensors(stored.outputs, undeclared));
    if (op.operands.empty() && op.results.empty()) return op;
    const TensorType& first = op.operands.empty() ? op.results.front() : op.operands.front();
    TOSAIC_RETURN_IF_ERROR(SetAttributes(stored.attribute, kind, first.element_type, &op.attributes));
    return op;
  }

  absl::Status AddOp(const StoredOp& stored) {
    const std::optional<OpKind> kind = FindOp(absl::AsciiStrToLower(stored.op));
    if (!kind) return NotRepresentable("Tosaic has no op ", stored.op);
    const size_t wanted = Info(*kind).operands.size();
    if (stored.inputs.size() != wanted || stored.outputs.size() != 1) {
      if (absl::StatusOr<LooseOp> op = AsLooseOp(*kind, stored); op.ok()) miscounted_ = *std::move(op);
      return NotRepresentable(Name(*kind), " has ", Counted(stored.inputs.size(), "operand"), " and ",
                              Counted(stored.outputs.size(), "result"), " instead of ", wanted, " and 1");
    }
    OpApplication op = {.op = *kind};
    for (const std::string& name : stored.inputs) {
      TOSAIC_ASSIGN_OR_RETURN(const ValueRef operand, ValueOf(name));
      op.operands.push_back(operand);
    }
    TOSAIC_ASSIGN_OR_RETURN(op.result, TypeOfTensor(stored.outputs.front()));
    const ElementType input = ElementTypeOf(program_, op.operands.front());
    TOSAIC_RETURN_IF_ERROR(SetAttributes(stored.attribute, *kind, input, &op.attributes));
    values_[stored.outputs.front()] = {ValueRef::Kind::kOp, static_cast<int>(program_.ops.size())};
    program_.ops.push_back(std::move(op));
    return absl::OkStatus();
  }

  // `input`: the element type of the first operand.
  static absl::Status SetAttributes(const StoredAttributes& stored, OpKind kind, ElementType input,
                                    Attributes* attributes) {
    absl::Status status;
    ForEachAttribute(*attributes, [&](const AttributeInfo& info, auto& value) {
      if (!HasAttribute(Info(kind), info.attribute)) return;
      const auto found = stored.find(info.attribute);
      if (found == stored.end() && !IsDrawn(Info(kind), info.attribute)) return;
      status.Update(Set(info, found == stored.end() ? Json() : found->second, input, value));
    });
    return status;
  }

  // Sets an attribute to what is stored, which is null if nothing is. A number has the operand's element type.
  static absl::Status Set(const AttributeInfo& info, const Json& stored, ElementType type,
                          std::optional<TypedBits>& number) {
    if (stored.is_null()) return absl::OkStatus();
    TOSAIC_ASSIGN_OR_RETURN(const std::vector<uint8_t> data, FromJson<std::vector<uint8_t>>(stored));
    if (data.size() * 8 < static_cast<size_t>(PackedWidth(type))) {
      return Broken(info.name, " has ", Counted(data.size(), "byte"), ", and the operand is of ", Name(type));
    }
    number = {type, PackedBits(data, type, 0) & BitMask(type)};
    return absl::OkStatus();
  }
  static absl::Status Set(const AttributeInfo&, const Json& stored, ElementType, std::optional<bool>& value) {
    value = stored == true;
    return absl::OkStatus();
  }
  // The schema's UNKNOWN is an absent attribute in MLIR.
  template <NamedEnum E>
  static absl::Status Set(const AttributeInfo&, const Json& stored, ElementType, std::optional<E>& value) {
    if (stored.is_string()) value = Find<E>(stored.get<std::string>());
    return absl::OkStatus();
  }
  static absl::Status Set(const AttributeInfo&, const Json&, ElementType, std::optional<std::vector<int64_t>>&) {
    return absl::OkStatus();
  }

  std::map<std::string, const StoredTensor*> tensors_;
  std::map<std::string, ValueRef> values_;
  Program program_;
  std::optional<LooseOp> miscounted_;
};

}  // namespace

absl::StatusOr<ArmProgram> ArmProgramFromText(absl::string_view text, std::optional<LooseOp>* miscounted) {
  TOSAIC_ASSIGN_OR_RETURN(const StoredGraph graph, FromText<StoredGraph>(text));
  if (graph.regions.size() != 1 || graph.regions.front().blocks.size() != 1) {
    return NotRepresentable("the program has more than one block, or none");
  }
  Builder builder;
  absl::StatusOr<ArmProgram> program = builder.Build(graph.regions.front().blocks.front());
  if (miscounted != nullptr) *miscounted = builder.miscounted();
  return program;
}

}  // namespace tosaic
