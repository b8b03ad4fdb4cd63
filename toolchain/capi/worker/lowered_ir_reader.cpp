// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/capi/worker/lowered_ir_reader.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "toolchain/capi/worker/ir_walk.h"

namespace tosaic {
namespace {

using Kind = LoweredValue::Kind;

// Dialects and ops that compute without touching memory: the C API does not say which ops do.
constexpr absl::string_view kPureDialects[] = {"arith.", "math.", "complex.", "index.", "ub.", "tosa.", "affine.apply"};
constexpr absl::string_view kPureOps[] = {"linalg.index", "tensor.extract", "tensor.dim",
                                          "builtin.unrealized_conversion_cast"};  // of ui16 to i16

bool IsPure(absl::string_view name) {
  return absl::c_linear_search(kPureOps, name) ||
         absl::c_any_of(kPureDialects, [&](absl::string_view prefix) { return absl::StartsWith(name, prefix); });
}

// A linalg.generic, and the ops that are short for one: category ops, and the named ops that MLIR had up to 23.
constexpr absl::string_view kReadAsGeneric[] = {
    "linalg.generic",      "linalg.elementwise", "linalg.map",   "linalg.broadcast", "linalg.transpose",
    "linalg.abs",          "linalg.add",         "linalg.ceil",  "linalg.copy",      "linalg.div",
    "linalg.div_unsigned", "linalg.erf",         "linalg.exp",   "linalg.floor",     "linalg.log",
    "linalg.max",          "linalg.min",         "linalg.mul",   "linalg.negf",      "linalg.powf",
    "linalg.reciprocal",   "linalg.round",       "linalg.rsqrt", "linalg.select",    "linalg.sqrt",
    "linalg.square",       "linalg.sub",         "linalg.tanh"};

class LoweredIrReader {
 public:
  explicit LoweredIrReader(const CLibrary& c) : c_(c) {}

  LoweredIr Read(MlirOperation function) {
    const MlirBlock body = FirstBlock(function, 0);
    for (intptr_t i = 0; i < c_.mlirBlockGetNumArguments(body); ++i) {
      const MlirValue argument = c_.mlirBlockGetArgument(body, i);
      numbers_[argument.ptr] = static_cast<int>(ir_.values.size());
      ir_.values.push_back({.kind = Kind::kArgument, .type = TensorTypeOf(argument), .number = i});
    }
    AddBlock(body);
    ir_.returned = Numbers(c_.mlirBlockGetTerminator(body));
    return std::move(ir_);
  }

 private:
  MlirBlock FirstBlock(MlirOperation op, intptr_t region) const {
    return c_.mlirRegionGetFirstBlock(c_.mlirOperationGetRegion(op, region));
  }
  std::optional<MadeType> TensorTypeOf(MlirValue value) const {
    MadeType type;
    return ReadText(TypeOf(c_, value), type).ok() ? std::optional(type) : std::nullopt;
  }
  std::vector<int> Numbers(MlirOperation op) const {
    std::vector<int> numbers;
    for (const MlirValue operand : OperandsOf(c_, op)) numbers.push_back(numbers_.at(operand.ptr));
    return numbers;
  }

  void AddBlock(MlirBlock block) {
    const MlirOperation end = c_.mlirBlockGetTerminator(block);
    for (MlirOperation op = c_.mlirBlockGetFirstOperation(block); op.ptr != end.ptr;
         op = c_.mlirOperationGetNextInBlock(op)) {
      AddOp(op);
    }
  }

  void AddOp(MlirOperation op) {
    const std::string name(NameOf(c_, op));
    LoweredValue lowered{.operands = Numbers(op)};
    if (c_.mlirOperationGetNumResults(op) == 1) lowered.type = TensorTypeOf(c_.mlirOperationGetResult(op, 0));
    if (name == "scf.if" && c_.mlirOperationGetNumResults(op) == 1) {
      AddBranches(op, &lowered);
    } else if (AreOfElementTypes(op)) {
      lowered.kind = KindOf(op, name, &lowered);
    }
    if (lowered.kind == Kind::kOther) lowered.name = name;
    for (intptr_t i = 0; i < c_.mlirOperationGetNumResults(op); ++i) {
      numbers_[c_.mlirOperationGetResult(op, i).ptr] = static_cast<int>(ir_.values.size());
    }
    ir_.values.push_back(std::move(lowered));
  }

  // Whether the type of each tensor that it reads or makes is one of TOSA's, as who reads the IR expects.
  bool AreOfElementTypes(MlirOperation op) const {
    std::vector<MlirValue> values = OperandsOf(c_, op);
    for (intptr_t i = 0; i < c_.mlirOperationGetNumResults(op); ++i) {
      values.push_back(c_.mlirOperationGetResult(op, i));
    }
    return absl::c_all_of(values, [&](MlirValue value) {
      return !c_.mlirTypeIsATensor(c_.mlirValueGetType(value)) || TensorTypeOf(value);
    });
  }

  // Their ops are in the list before the scf.if.
  void AddBranches(MlirOperation op, LoweredValue* lowered) {
    lowered->kind = Kind::kIf;
    for (intptr_t branch = 0; branch < 2; ++branch) AddBlock(FirstBlock(op, branch));
    for (intptr_t branch = 0; branch < 2; ++branch) {
      lowered->operands.push_back(Numbers(c_.mlirBlockGetTerminator(FirstBlock(op, branch))).front());
    }
  }

  Kind KindOf(MlirOperation op, absl::string_view name, LoweredValue* lowered) const {
    const bool is_constant = absl::EndsWith(name, ".const") || absl::EndsWith(name, ".constant");
    if (is_constant && lowered->type) return Kind::kConstant;
    if (name == "arith.constant") {
      const std::string text = AttributeText(c_, op, "value");
      if (text == "true" || text == "false") {  // of type i1
        lowered->number = text == "true" ? 1 : 0;
        return Kind::kIndex;
      }
      const std::vector<std::string> value = absl::StrSplit(text, " : ");
      const bool is_index = value.size() == 2 && value[1] == "index" && absl::SimpleAtoi(value[0], &lowered->number);
      return is_index ? Kind::kIndex : Kind::kOther;
    }
    if (name == "tensor.dim") return Kind::kDim;
    if (name == "arith.maxui" || name == "arith.maxsi") return Kind::kMax;
    // arith::CmpIPredicate::eq
    if (name == "arith.cmpi")
      return absl::StartsWith(AttributeText(c_, op, "predicate"), "0 ") ? Kind::kEqual : Kind::kOther;
    if (name == "tensor.empty") return Kind::kEmpty;
    if (name == "tensor.cast") return Kind::kCast;
    if (name == "tensor.expand_shape" || name == "tensor.collapse_shape") {
      lowered->groups = ParseGroups(AttributeText(c_, op, "reassociation"));
      if (name == "tensor.collapse_shape") return Kind::kCollapseShape;
      lowered->operands.resize(1);  // the source, without the result's sizes, which its type and groups give
      return Kind::kExpandShape;
    }
    if (!absl::c_linear_search(kReadAsGeneric, name)) return Kind::kOther;
    lowered->generic = GenericOf(op, name);
    CaptureScalars(op, lowered);
    return Kind::kGeneric;
  }

  // A category op has no maps: all its loops are parallel, and its output has them in order.
  void AddMapsOf(MlirOperation op, absl::string_view name, Generic* generic) const {
    const auto rank = static_cast<int64_t>(TensorTypeOf(c_.mlirOperationGetResult(op, 0))->shape.rank());
    generic->iterators.assign(static_cast<size_t>(rank), "parallel");
    if (!generic->maps.empty()) return;  // of linalg.elementwise
    IndexingMap identity;
    for (int64_t d = 0; d < rank; ++d) identity.push_back({MapResult::Kind::kLoop, d});
    generic->maps.assign(static_cast<size_t>(c_.mlirOperationGetNumOperands(op)), identity);
    if (name == "linalg.broadcast") {
      const std::vector<int64_t> added = ParseNumbers(AttributeText(c_, op, "dimensions"));
      std::erase_if(generic->maps[0], [&](const MapResult& d) { return absl::c_linear_search(added, d.number); });
    }
    if (name == "linalg.transpose") {
      const std::vector<int64_t> permutation = ParseNumbers(AttributeText(c_, op, "permutation"));
      for (size_t d = 0; d < permutation.size(); ++d) {
        generic->maps[0][static_cast<size_t>(permutation[d])].number = static_cast<int64_t>(d);
      }
    }
  }

  Generic GenericOf(MlirOperation op, absl::string_view name) const {
    Generic generic;
    // [#linalg.iterator_type<parallel>, ...]
    for (const absl::string_view part : absl::StrSplit(AttributeText(c_, op, "iterator_types"), '<')) {
      const size_t end = part.find('>');
      if (end != absl::string_view::npos) generic.iterators.emplace_back(part.substr(0, end));
    }
    generic.maps = ParseIndexingMaps(AttributeText(c_, op, "indexing_maps"));
    if (name != "linalg.generic") AddMapsOf(op, name, &generic);
    const MlirBlock body = FirstBlock(op, 0);
    // Operands and the region's arguments correspond; each result has an output.
    generic.inputs = static_cast<int>(c_.mlirOperationGetNumOperands(op) - c_.mlirOperationGetNumResults(op));
    generic.payload = PayloadOf(op, body, generic.inputs);
    return generic;
  }

  // An input that is a scalar is a value that the region captures: what is left has tensors alone.
  void CaptureScalars(MlirOperation op, LoweredValue* lowered) const {
    Generic& generic = *lowered->generic;
    for (int i = generic.inputs - 1; i >= 0; --i) {
      const MlirValue input = c_.mlirOperationGetOperand(op, i);
      if (TensorTypeOf(input)) continue;
      generic.payload.captures.push_back(MakerOf(input));
      generic.payload.arguments.erase(generic.payload.arguments.begin() + i);
      generic.maps.erase(generic.maps.begin() + i);
      lowered->operands.erase(lowered->operands.begin() + i);
      --generic.inputs;
    }
  }

  Payload PayloadOf(MlirOperation op, MlirBlock body, int inputs) const {
    Payload payload;
    std::map<const void*, bool> made_inside;  // and whether it is the argument of an output
    for (intptr_t i = 0; i < c_.mlirBlockGetNumArguments(body); ++i) {
      const MlirValue argument = c_.mlirBlockGetArgument(body, i);
      payload.arguments.push_back(TypeOf(c_, argument));
      made_inside[argument.ptr] = i >= inputs;
    }
    // The region of a linalg.map need not have the outputs.
    const std::vector<MlirValue> operands = OperandsOf(c_, op);
    for (size_t i = payload.arguments.size(); i < operands.size(); ++i) {
      payload.arguments.emplace_back(tosaic::Name(TensorTypeOf(operands[i])->element_type));
    }
    const MlirOperation end = c_.mlirBlockGetTerminator(body);
    for (const MlirValue yielded : OperandsOf(c_, end)) payload.yields.push_back(TypeOf(c_, yielded));
    ForEachWithin(c_, op, [&](MlirOperation inner) {
      if (inner.ptr == op.ptr) return true;
      for (const MlirValue operand : OperandsOf(c_, inner)) {
        const auto found = made_inside.find(operand.ptr);
        if (found == made_inside.end()) payload.captures.push_back(MakerOf(operand));
        payload.reads_output |= found != made_inside.end() && found->second;
      }
      AddInner(inner, &made_inside);
      if (inner.ptr == end.ptr) return true;
      payload.ops.emplace_back(NameOf(c_, inner));
      payload.nested |= c_.mlirOperationGetNumRegions(inner) > 0 || !IsPure(NameOf(c_, inner));
      return true;
    });
    return payload;
  }

  void AddInner(MlirOperation op, std::map<const void*, bool>* made_inside) const {
    for (intptr_t i = 0; i < c_.mlirOperationGetNumResults(op); ++i) {
      (*made_inside)[c_.mlirOperationGetResult(op, i).ptr] = false;
    }
    for (intptr_t region = 0; region < c_.mlirOperationGetNumRegions(op); ++region) {
      const MlirBlock block = FirstBlock(op, region);
      for (intptr_t i = 0; block.ptr != nullptr && i < c_.mlirBlockGetNumArguments(block); ++i) {
        (*made_inside)[c_.mlirBlockGetArgument(block, i).ptr] = false;
      }
    }
  }

  std::string MakerOf(MlirValue value) const {
    return c_.mlirValueIsABlockArgument(value) ? "argument" : std::string(NameOf(c_, c_.mlirOpResultGetOwner(value)));
  }

  const CLibrary& c_;
  LoweredIr ir_;
  std::map<const void*, int> numbers_;
};

}  // namespace

IndexingMap ParseIndexingMap(absl::string_view text) {
  IndexingMap map;
  const size_t begin = text.find("-> (");
  if (begin == absl::string_view::npos) return map;
  // The last: an expression may have its own parentheses.
  const size_t end = text.find(")>", begin);
  const absl::string_view results = text.substr(begin + 4, end == absl::string_view::npos ? end : end - begin - 4);
  for (absl::string_view result : absl::StrSplit(results, ", ", absl::SkipEmpty())) {
    MapResult map_result{MapResult::Kind::kOther, 0};
    const bool is_loop = absl::ConsumePrefix(&result, "d");
    if (int64_t number = 0; absl::SimpleAtoi(result, &number)) {
      map_result = {is_loop ? MapResult::Kind::kLoop : MapResult::Kind::kConstant, number};
    }
    map.push_back(map_result);
  }
  return map;
}

std::vector<int64_t> ParseNumbers(absl::string_view text) {
  std::vector<int64_t> numbers;
  const size_t begin = text.find(": ");
  if (begin == absl::string_view::npos) return numbers;
  for (const absl::string_view part : absl::StrSplit(absl::StripSuffix(text.substr(begin + 2), ">"), ", ")) {
    if (int64_t number = 0; absl::SimpleAtoi(part, &number)) numbers.push_back(number);
  }
  return numbers;
}

std::vector<IndexingMap> ParseIndexingMaps(absl::string_view text) {
  std::vector<IndexingMap> maps;
  for (const absl::string_view part : absl::StrSplit(text, "affine_map")) {
    if (absl::StrContains(part, "->")) maps.push_back(ParseIndexingMap(part));
  }
  return maps;
}

std::vector<std::vector<int>> ParseGroups(absl::string_view text) {
  std::vector<std::vector<int>> groups;
  absl::ConsumePrefix(&text, "[");
  while (absl::StrContains(text, '[')) {
    text.remove_prefix(text.find('[') + 1);
    std::vector<int>& group = groups.emplace_back();
    for (const absl::string_view part : absl::StrSplit(text.substr(0, text.find(']')), ", ")) {
      if (int index = 0; absl::SimpleAtoi(part.substr(0, part.find(' ')), &index)) group.push_back(index);
    }
  }
  return groups;
}

LoweredIr ReadLoweredIr(const CLibrary& c, MlirModule module) {
  return LoweredIrReader(c).Read(FirstNamed(c, c.mlirModuleGetOperation(module), "func.func"));
}

}  // namespace tosaic
