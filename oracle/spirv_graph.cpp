// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle/spirv_graph.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/counted.h"
#include "oracle/reshape.h"
#include "oracle/run_sets.h"
#include "oracle/set_comparison.h"

namespace tosaic {
namespace {

constexpr size_t kMostDimensions = 6;  // MAX_RANK of level 8K

// Type mapping.
constexpr ElementType kMapped[] = {ElementType::kI1,  ElementType::kI8,       ElementType::kI16,
                                   ElementType::kI32, ElementType::kF16,      ElementType::kBF16,
                                   ElementType::kF32, ElementType::kF8E4M3FN, ElementType::kF8E5M2};

// The ops whose operands may come in either order, by their formulas; the sign of a zero that maximum and minimum give
// is free.
constexpr OpKind kCommutative[] = {OpKind::kAdd,        OpKind::kMul,        OpKind::kMaximum,    OpKind::kMinimum,
                                   OpKind::kBitwiseAnd, OpKind::kBitwiseOr,  OpKind::kBitwiseXor, OpKind::kLogicalAnd,
                                   OpKind::kLogicalOr,  OpKind::kLogicalXor, OpKind::kEqual};

std::vector<TensorType> TypesIn(const Program& program) {
  std::vector<TensorType> types = program.arguments;
  for (const Tensor& constant : program.constants) {
    types.push_back({Shape::OfSizes(constant.sizes()), constant.element_type()});
  }
  for (const OpApplication& op : program.ops) types.push_back(op.result);
  return types;
}

// MLIR spells the names of the documents in another case: "GreaterEqual" for GREATER_EQUAL.
bool IsNamed(absl::string_view spelling, absl::string_view name) {
  return absl::AsciiStrToLower(spelling) == absl::AsciiStrToLower(absl::StrReplaceAll(name, {{"_", ""}}));
}

// A constant as the graph has it. The value of an i48 is kept in an i64.
Tensor InGraph(const Tensor& constant) {
  const TensorType type = *TypeInGraph({Shape::OfSizes(constant.sizes()), constant.element_type()});
  Tensor mapped(type.element_type, StaticSizes(type.shape));
  const uint64_t sign = SignMask(constant.element_type());
  const bool is_wider = type.element_type != constant.element_type();
  for (size_t i = 0; i < constant.element_count(); ++i) {
    const uint64_t bits = constant.Bits(i);
    mapped.SetBits(i, is_wider ? (bits ^ sign) - sign : bits);
  }
  return mapped;
}

std::string TypeText(const std::optional<TensorType>& type) { return type ? ToString(*type) : "no tensor"; }

class GraphOfCase {
 public:
  GraphOfCase(const Case& test_case, const SpirvGraph& graph, const Policies& policies)
      : case_(test_case), program_(test_case.program), graph_(graph), policies_(policies) {}

  std::optional<Breach> Check() {
    std::vector<const SpirvValue*> inputs;
    size_t instructions = 0, ops = 0;
    for (const SpirvValue& value : graph_.values) {
      if (value.kind == SpirvValue::Kind::kOther) {
        return BreachOf(RuleId::kSpirvOp, "instructions of the set and constants alone", Describe(value));
      }
      if (value.kind == SpirvValue::Kind::kInput) inputs.push_back(&value);
      instructions += value.kind == SpirvValue::Kind::kInstruction ? 1 : 0;
    }
    for (const OpApplication& op : program_.ops) ops += op.op == OpKind::kIdentity ? 0 : 1;
    if (instructions > ops) return BreachOf(RuleId::kSpirvOp, Counted(ops, "instruction"), absl::StrCat(instructions));
    if (inputs.size() != program_.arguments.size() || graph_.outputs.size() != program_.results.size()) {
      return BreachOf(
          RuleId::kSpirvOperands,
          absl::StrCat(Counted(program_.arguments.size(), "input"), ", ", Counted(program_.results.size(), "output")),
          absl::StrCat(inputs.size(), ", ", graph_.outputs.size()));
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (auto breach = HasType(inputs[i]->type, program_.arguments[i])) return breach;
    }
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (auto breach = StandsFor(program_.results[i], graph_.outputs[i])) return breach;
    }
    return std::nullopt;
  }

  const std::set<RuleId>& notes() const { return notes_; }

 private:
  const SpirvValue& Value(int v) const { return graph_.values[static_cast<size_t>(v)]; }

  std::optional<Breach> HasType(const std::optional<TensorType>& actual, const TensorType& type) {
    const std::optional<TensorType> expected = TypeInGraph(type);
    if (actual != expected) return BreachOf(RuleId::kSpirvType, TypeText(expected), TypeText(actual));
    if (type.shape.IsRanked() && type.shape.rank() == 0) notes_.insert(RuleId::kSpirvScalar);
    return std::nullopt;
  }

  std::optional<Breach> IsConstant(const SpirvValue& value, const Tensor& constant) {
    if (value.kind != SpirvValue::Kind::kConstant)
      return BreachOf(RuleId::kSpirvOperands, "a constant", Describe(value));
    if (auto breach = HasType(value.type, {Shape::OfSizes(constant.sizes()), constant.element_type()})) return breach;
    const Tensor expected = InGraph(constant);
    if (*value.elements == expected) return std::nullopt;
    return BreachOf(RuleId::kSpirvConstant, DataToHex(expected), DataToHex(*value.elements));
  }

  // Checks that value `v` of the graph stands for the program's value `ref`. nullopt: it does.
  std::optional<Breach> StandsFor(ValueRef ref, int v) {
    const SpirvValue& value = Value(v);
    if (ref.kind == ValueRef::Kind::kConstant)
      return IsConstant(value, program_.constants[static_cast<size_t>(ref.index)]);
    if (ref.kind == ValueRef::Kind::kArgument) {
      if (value.kind == SpirvValue::Kind::kInput && value.number == ref.index) return std::nullopt;
      return BreachOf(RuleId::kSpirvOperands, absl::StrCat("input ", ref.index), Describe(value));
    }
    // The set has no IDENTITY: its value is its operand.
    const OpApplication& op = program_.ops[static_cast<size_t>(ref.index)];
    if (op.op == OpKind::kIdentity) return StandsFor(op.operands[0], v);
    const auto [known, is_new] = judged_.try_emplace({ref.index, v});
    if (is_new) known->second = OpStandsFor(ref.index, v);
    return known->second;
  }

  std::optional<Breach> OpStandsFor(int index, int v) {
    std::optional<Breach> breach = IsInstruction(program_.ops[static_cast<size_t>(index)], v);
    if (!breach) return std::nullopt;
    std::optional<Breach> folded = IsFoldedTo(index, v);
    if (!folded) notes_.insert(RuleId::kSpirvFolded);
    return folded && Value(v).kind == SpirvValue::Kind::kInstruction ? breach : folded;
  }

  std::optional<Breach> IsInstruction(const OpApplication& op, int v) {
    const SpirvValue& value = Value(v);
    if (value.kind != SpirvValue::Kind::kInstruction || !IsNamed(value.name, Name(op.op))) {
      return BreachOf(RuleId::kSpirvOp, absl::AsciiStrToUpper(Name(op.op)), Describe(value));
    }
    if (auto breach = HasType(value.type, op.result)) return breach;
    if (auto breach = HasAttributes(op, value)) return breach;
    std::optional<Breach> breach = HasOperands(op, value);
    if (!breach || !absl::c_linear_search(kCommutative, op.op)) return breach;
    OpApplication commuted = op;
    std::swap(commuted.operands[0], commuted.operands[1]);
    if (HasOperands(commuted, value)) return breach;
    notes_.insert(RuleId::kSpirvCommuted);
    return std::nullopt;
  }

  static std::string TextOf(bool value) { return value ? "true" : "false"; }
  static std::string TextOf(const TypedBits& value) { return NumberText(value.type, value.bits); }
  static std::string TextOf(const std::vector<int64_t>&) { return ""; }  // an input argument of the set
  template <NamedEnum E>
  static std::string TextOf(E value) {
    return std::string(Name(value));
  }

  // An attribute that the program leaves out says what its kind's first value says.
  static std::optional<Breach> HasAttributes(const OpApplication& op, const SpirvValue& value) {
    const OpInfo& info = Info(op.op);
    std::optional<Breach> breach;
    ForEachAttribute(op.attributes, [&]<typename T>(const AttributeInfo& row, const std::optional<T>& attribute) {
      const bool is_of_set = HasAttribute(info, row.attribute) && row.spelling != AttributeSpelling::kOperand &&
                             !absl::c_linear_search(info.draft_attributes, row.attribute);
      if (!is_of_set || breach) return;
      const std::string expected = TextOf(attribute.value_or(T()));
      const auto found = absl::c_find_if(value.attributes, [&](const auto& given) { return given.name == row.name; });
      const std::string actual = found == value.attributes.end() ? "none" : found->value;
      if (actual != expected && !IsNamed(actual, expected)) {
        breach = BreachOf(RuleId::kSpirvAttribute, absl::StrCat(row.name, " ", expected), actual);
      }
    });
    return breach;
  }

  std::optional<Breach> HasOperands(const OpApplication& op, const SpirvValue& value) {
    const size_t count = op.operands.size() + (HasNewShape(Info(op.op)) ? 1 : 0);
    if (value.operands.size() != count) {
      return BreachOf(RuleId::kSpirvOperands, Counted(count, "input"), absl::StrCat(value.operands.size()));
    }
    for (size_t i = 0; i < op.operands.size(); ++i) {
      std::optional<Breach> breach = StandsFor(op.operands[i], value.operands[i]);
      if (breach && !(op.op == OpKind::kReshape && IsReshapedFrom(op.operands[i], value.operands[i]))) return breach;
    }
    if (!op.attributes.new_shape) return std::nullopt;
    // shape_t is a tensor of rank 1 with 32-bit integers; that of a result of rank 0 fits the stand-in for it.
    std::vector<int64_t> sizes = *op.attributes.new_shape;
    if (sizes.empty()) sizes = {1};
    Tensor shape(ElementType::kI32, {static_cast<int64_t>(sizes.size())});
    for (size_t i = 0; i < sizes.size(); ++i) shape.SetBits(i, static_cast<uint64_t>(sizes[i]));
    return IsConstant(Value(value.operands.back()), shape);
  }

  // Policy "folding": a reshape keeps the elements and their order, so another one may take what it takes.
  bool IsReshapedFrom(ValueRef ref, int v) {
    if (ref.kind != ValueRef::Kind::kOp) return false;
    const OpApplication& op = program_.ops[static_cast<size_t>(ref.index)];
    if (op.op != OpKind::kReshape && op.op != OpKind::kIdentity) return false;
    if (StandsFor(op.operands[0], v) && !IsReshapedFrom(op.operands[0], v)) return false;
    notes_.insert(RuleId::kSpirvFolded);
    return true;
  }

  // Policy "folding": the op is an input or another op that it is computed from, or a constant.
  std::optional<Breach> IsFoldedTo(int index, int v) {
    const SpirvValue& value = Value(v);
    if (value.kind != SpirvValue::Kind::kConstant && !DependsOn(index, v)) {
      return BreachOf(RuleId::kSpirvOperands, "an instruction, a constant or something that the op is computed from",
                      Describe(value));
    }
    if (auto breach = HasType(value.type, program_.ops[static_cast<size_t>(index)].result)) return breach;
    return IsRightInRuns(index, value);
  }

  // Whether the op is computed from what the value stands for, directly or by way of other ops.
  bool DependsOn(int index, int v) {
    return absl::c_any_of(program_.ops[static_cast<size_t>(index)].operands, [&](ValueRef ref) {
      if (ref.kind == ValueRef::Kind::kConstant) return false;
      if (ref.kind == ValueRef::Kind::kArgument || Value(v).kind == SpirvValue::Kind::kInstruction) {
        if (!StandsFor(ref, v)) return true;
      }
      return ref.kind == ValueRef::Kind::kOp && DependsOn(ref.index, v);
    });
  }

  // Whether an input or a constant is what the op may give in each run of the case. Only an execution would know the
  // value of an instruction.
  std::optional<Breach> IsRightInRuns(int index, const SpirvValue& value) {
    const auto op = static_cast<size_t>(index);
    for (size_t run = 0; value.kind != SpirvValue::Kind::kInstruction && run < case_.runs.size(); ++run) {
      std::optional<RunSets> sets =
          RunSets::Of(case_, run, std::vector<const Tensor*>(program_.ops.size(), nullptr), policies_);
      if (!sets || sets->MayLeaveTheRunOpen()) continue;  // anything is right
      const bool is_input = value.kind == SpirvValue::Kind::kInput;
      const Tensor& source = is_input ? case_.runs[run][static_cast<size_t>(value.number)] : *value.elements;
      Tensor actual(program_.ops[op].result.element_type, sets->sizes(op));
      if (actual.element_count() != source.element_count() || (is_input && actual.sizes() != source.sizes())) {
        return BreachOf(RuleId::kSpirvValue, SizesToString(actual.sizes()), SizesToString(source.sizes()));
      }
      for (size_t i = 0; i < actual.element_count(); ++i) actual.SetBits(i, source.Bits(i));
      if (const auto mismatch = FindOutside(program_, op, actual, policies_, &*sets)) {
        return BreachOf(RuleId::kSpirvValue, mismatch->expected,
                        absl::StrCat(mismatch->actual, " in element ", mismatch->index, " of run ", run));
      }
    }
    return std::nullopt;
  }

  const Case& case_;
  const Program& program_;
  const SpirvGraph& graph_;
  const Policies& policies_;
  std::map<std::pair<int, int>, std::optional<Breach>> judged_;
  std::set<RuleId> notes_;
};

}  // namespace

std::optional<TensorType> TypeInGraph(const TensorType& type) {
  TensorType mapped = type;
  if (type.element_type == ElementType::kI48) {
    mapped.element_type = ElementType::kI64;
  } else if (!absl::c_linear_search(kMapped, type.element_type)) {
    return std::nullopt;
  }
  if (!type.shape.IsRanked()) return mapped;
  if (type.shape.rank() == 0) mapped.shape = Shape::OfSizes({1});
  if (!type.shape.IsStatic()) mapped.shape = Shape(std::vector<Dim>(type.shape.rank(), Dim::Dynamic()));
  return mapped;
}

std::string WhyInexpressible(const Program& program) {
  for (const TensorType& type : TypesIn(program)) {
    if (!TypeInGraph(type)) return absl::StrCat("the instruction set has no type for ", Name(type.element_type));
  }
  for (const OpApplication& op : program.ops) {
    if (LeavesASizeOpen(op)) return "a shape of the instruction set has no -1";
    if (op.op != OpKind::kIdentity && !HasSpecTypes(program, op)) {
      return absl::StrCat("the instruction set has no ", Signature(program, op));
    }
    if (HasSpecialOperandAtRunTime(program, op)) return "shifts, scales, zero points and tables must be constants";
    const ElementType input = InputElementType(program, op);
    const bool looks_up = LooksUp(Info(op.op));
    const auto entries = static_cast<size_t>(looks_up ? LookupIn(input).entries : 0);
    if (looks_up && AsConstant(program, op.operands.back())->element_count() != entries) {
      return absl::StrCat("a table of ", Name(input), " has ", entries, " entries");
    }
  }
  return "";
}

std::string WhyRefusable(const Program& program) {
  std::string why = WhyInexpressible(program);
  if (!why.empty()) return why;
  for (const TensorType& type : TypesIn(program)) {
    if (!type.shape.IsStatic()) return "tensors of TOSA 1.0 have static shapes";
    if (type.shape.rank() == 0) return "a tensor of SPIR-V has no shape of rank 0";
    if (type.shape.rank() > kMostDimensions) return "level 8K of TOSA has ranks up to 6";
  }
  const bool has_identity = absl::c_any_of(program.ops, [](const auto& op) { return op.op == OpKind::kIdentity; });
  return has_identity ? "the instruction set has no IDENTITY" : "";
}

SpirvCheck CheckSpirvGraph(const Case& test_case, const SpirvGraph& graph, const Policies& policies) {
  GraphOfCase checked(test_case, graph, policies);
  std::optional<Breach> breach = checked.Check();
  return {std::move(breach), {checked.notes().begin(), checked.notes().end()}};
}

}  // namespace tosaic
