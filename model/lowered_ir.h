// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LoweredIr: the tensor-level IR that a lowering of a program leaves, as a plain value. It has what the RFC's contract
// and linalg's properties need, and nothing more. It only records and does not judge. It does not depend on MLIR.
#ifndef TOSAIC_MODEL_LOWERED_IR_H_
#define TOSAIC_MODEL_LOWERED_IR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/names.h"
#include "model/element_type.h"
#include "model/shape.h"

namespace tosaic {

class Visitor;

// One result of an indexing map: a loop, or a constant.
struct MapResult {
  enum class Kind : uint8_t { kLoop, kConstant, kOther };
  Kind kind = Kind::kLoop;
  int64_t number = 0;  // the loop's or the constant; kOther (a sum, say): 0

  friend bool operator==(const MapResult& a, const MapResult& b) = default;
};
// 1, {"constant": 0} or null: loop 1, a constant, anything else.
void Visit(Visitor& v, MapResult& result);
using IndexingMap = std::vector<MapResult>;
// "(d0, 0)".
std::string ToString(const IndexingMap& map);

// The region of a linalg.generic. Scalar types in MLIR's spelling.
struct Payload {
  std::vector<std::string> arguments;  // types of the block arguments
  std::vector<std::string> yields;     // types
  std::vector<std::string> ops;        // names, without the yield, those of nested regions included
  std::vector<std::string> captures;   // names of the ops outside whose values it uses
  bool nested = false;                 // an op of it has a region of its own or touches memory
  bool reads_output = false;           // the block argument of an output is used

  friend bool operator==(const Payload& a, const Payload& b) = default;
};
void Fields(Visitor& v, Payload& payload);

// The parts of a linalg.generic beside its operands.
struct Generic {
  int inputs = 0;  // of the operands; the rest are outputs
  std::vector<std::string> iterators;
  std::vector<IndexingMap> maps;  // one per operand
  Payload payload;

  friend bool operator==(const Generic& a, const Generic& b) = default;
};
void Fields(Visitor& v, Generic& generic);

// One linalg.generic that becomes a call of a library: the op that it was lowered from, and what its operands are.
struct LibrarySignature {
  struct View {
    ElementType element_type = ElementType::kF32;
    IndexingMap map;
  };
  int op = -1;  // of the program; -1: unknown
  bool is_copy = false;
  std::vector<View> views;  // the inputs, then the output
};
// Whether the library's function cannot know what to compute: there are such ops, and none says which it comes from.
bool AreOfUnknownOps(const std::vector<LibrarySignature>& functions);
inline constexpr absl::string_view kOfUnknownOps =
    "no linalg.generic says by its location which op it comes from, which the function of the library must know";
void Fields(Visitor& v, LibrarySignature::View& view);
void Fields(Visitor& v, LibrarySignature& signature);

// A value and the op that makes it. Values of an scf.if's branches are in the same list, before the scf.if.
struct LoweredValue {
  enum class Kind : uint8_t {
    kArgument,       // `number`: which
    kConstant,       // of tensor type
    kIndex,          // arith.constant of type index or i1: `number`
    kDim,            // tensor.dim: operands {tensor, index}
    kMax,            // arith.maxui or maxsi, of two indices
    kEqual,          // arith.cmpi eq, of two indices
    kEmpty,          // tensor.empty: operands are the sizes of its dynamic dimensions
    kCast,           // tensor.cast
    kExpandShape,    // tensor.expand_shape, and
    kCollapseShape,  // tensor.collapse_shape: `groups`
    kIf,             // scf.if: operands {condition, what the then branch yields, what the else branch yields}
    kGeneric,        // linalg.generic: `generic`
    kOther,          // anything else: `name`
  };
  Kind kind = Kind::kOther;
  std::vector<int> operands = {};             // earlier entries of LoweredIr::values
  std::optional<MadeType> type = {};          // tensors only
  int64_t number = 0;                         // kArgument, kIndex
  std::vector<std::vector<int>> groups = {};  // kExpandShape, kCollapseShape: the reassociation
  std::optional<Generic> generic = {};        // kGeneric
  std::string name = {};                      // kOther: of the op, "tosa.reshape"

  friend bool operator==(const LoweredValue& a, const LoweredValue& b) = default;
};
EnumNames NamesOf(LoweredValue::Kind kind);  // "tensor.dim"; kOther: "other"
void Fields(Visitor& v, LoweredValue& value);

// One function. An op without results or with several is one value of kind kOther.
struct LoweredIr {
  std::vector<LoweredValue> values;
  std::vector<int> returned;  // entries of `values`

  friend bool operator==(const LoweredIr& a, const LoweredIr& b) = default;
};
void Fields(Visitor& v, LoweredIr& ir);

// "tensor.cast tensor<?xf32>", for messages.
std::string Describe(const LoweredValue& value);

}  // namespace tosaic

#endif  // TOSAIC_MODEL_LOWERED_IR_H_
